// The order of what a search finds: pages of the name, then titles with the words, then kinds of pages.
var Scorer = {
  objNameMatch: 11, objPartialMatch: 6, objPrio: { 0: 15, 1: 5, 2: -5 }, objPrioDefault: 0,
  title: 15, partialTitle: 7, term: 5, partialTerm: 2,

  // By the first part of the address of a page: pages for contributors and changes are asked for least.
  kinds: { properties: 10, api: 9, commands: 9, settings: 8, guides: 7, rules: 6, index: 2, rooms: -10, changes: -20 },

  // A page, and a part of a page, that has the name; all words asked for; all words of a title, but for
  // those of methods and of the rules of grammars.
  page: 200, part: 10, asked: 40, titled: 20,

  // The stems of the words of a text, without those that say nothing.
  stems(text) {
    const words = (text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).filter(word => !stopwords.has(word));
    return words.map(word => new Stemmer().stemWord(word));
  },

  score([page, title, anchor, , score, , kind]) {
    const query = Scorer.stems(new URLSearchParams(location.search).get("q") ?? "");
    const own = kind === "object" ? title.split(".").slice(1).join(" ") : title.split(" > ").pop();
    const [folder] = page.split("/"), file = page.split("/").pop(), isPage = !anchor || own === file;
    const names = [file, ...own.split(/: | or | \(/), ...own.split(" ", 1)].slice(isPage ? 0 : 1);
    const isName = query.length && names.some(name => Scorer.stems(name).join(" ") === query.join(" "));
    const prior = Scorer.kinds[folder] ?? 0;
    if (isName && isPage) return Scorer.page + prior;
    const words = Scorer.stems(own), found = query.filter(word => words.includes(word)).length;
    const isPart = !isPage && (kind === "object" || folder === "grammars");
    const share = isPart ? 0 : Scorer.asked * found / (query.length || 1) + Scorer.titled * found / (words.length || 1);
    return prior + Math.min(score, Scorer.title) + (isName && Scorer.part) + share;
  },
};
