// The page of the playground; what answers it is a server on this machine, or a worker.
import {
  Decoration, EditorState, EditorView, StateEffect, StateField, defaultKeymap, drawSelection, history,
  historyKeymap, keymap, lineNumbers, lintKeymap, search, searchKeymap, setDiagnostics,
} from "./editor/codemirror.js";

const by = id => document.getElementById(id);
const data = JSON.parse(by("data").textContent);

/** An element with properties, attributes (names with a dash, and role) and children. */
function make(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.includes("-") || key === "role") element.setAttribute(key, value);
    else element[key] = value;
  }
  element.append(...children);
  return element;
}

// ---- places: answers count code points, editors UTF-16 ----

const PAIR = /[\ud800-\udbff][\udc00-\udfff]/g;

/** A function from code points to UTF-16 of a text. */
function units(text) {
  const pairs = [...text.matchAll(PAIR)].map((match, before) => match.index - before);
  if (!pairs.length) return place => Math.min(place, text.length);
  return place => {
    let low = 0, high = pairs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[middle] < place) low = middle + 1; else high = middle;
    }
    return Math.min(place + low, text.length);
  };
}

function points(text, place) {
  return place - (text.slice(0, place).match(PAIR) || []).length;
}

// ---- editors ----

const setColors = StateEffect.define();
const colored = StateField.define({
  create: () => Decoration.none,
  update(colors, change) {
    for (const effect of change.effects) if (effect.is(setColors)) return effect.value;
    return colors.map(change.changes);
  },
  provide: field => EditorView.decorations.from(field),
});
const marks = {};
const mark = name => marks[name] ||= Decoration.mark({ class: name });

const theme = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--soft)", fontSize: ".875rem" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "ui-monospace, monospace", lineHeight: "1.45" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--soft)", color: "var(--comment)", borderRight: "1px solid var(--line)" },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground":
    { backgroundColor: "var(--chosen)" },
  ".cm-panels, .cm-tooltip": { backgroundColor: "var(--back)", color: "var(--ink)", border: "1px solid var(--line)" },
  ".cm-button": { backgroundImage: "none", backgroundColor: "var(--soft)", color: "var(--ink)" },
  ".cm-textfield": { backgroundColor: "var(--soft)", color: "var(--ink)", border: "1px solid var(--line)" },
  ".cm-searchMatch": { backgroundColor: "var(--box)", outline: "1px solid var(--line)" },
  ".cm-searchMatch-selected": { backgroundColor: "var(--chosen)" },
  ".cm-panel.cm-search [name=close], .cm-panel.cm-panel-lint button[name=close]": { color: "var(--ink)" },
  ".cm-tooltip": { maxWidth: "min(34rem, 85vw)", fontFamily: "system-ui, sans-serif" },
  ".cm-diagnosticAction": { backgroundColor: "var(--accent)", color: "var(--back)", font: "inherit", padding: ".1rem .5rem" },
  ".cm-lintRange": { backgroundImage: "none", textDecoration: "underline wavy 1.5px", textUnderlineOffset: "3px" },
  ".cm-lintRange-error": { textDecorationColor: "var(--error)" },
  ".cm-lintRange-warning": { textDecorationColor: "var(--warning)" },
  ".cm-lintRange-info": { textDecorationColor: "var(--info)", textDecorationStyle: "dotted" },
  ".cm-diagnostic": { borderLeft: "5px solid var(--line)" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--error)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--warning)" },
  ".cm-diagnostic-info": { borderLeftColor: "var(--info)" },
  ".name": { color: "var(--name)", fontWeight: "600" },
  ".literal": { color: "var(--literal)" },
  ".comment": { color: "var(--comment)" },
  ".terminal": { color: "var(--token-2)" },
  ...Object.fromEntries([0, 1, 2, 3, 4, 5].map(one => [`.token-${one}`, { color: `var(--token-${one})` }])),
});

function editor(id, label, extensions) {
  const root = by(id).attachShadow({ mode: "open", delegatesFocus: true });
  const view = new EditorView({
    root,
    state: EditorState.create({ extensions: [
      lineNumbers(), history(), drawSelection(), search({ top: true }), colored, theme, EditorView.lineWrapping,
      keymap.of([...searchKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap]),
      EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0", spellcheck: "false", autocapitalize: "off" }),
      ...extensions,
    ] }),
  });
  root.append(view.dom);
  return view;
}

/** Colors of Lark's notation. */
function colorsOfGrammar(text) {
  const notation = /(\/\/[^\n]*)|("(?:\\.|[^"\\\n])*"i?|\/(?![/*])(?:\\.|[^/\\\n])+\/[imslux]*)|(^[?!]*\w+(?:\.-?\d+)?(?=[^:"/\n]*:)|^%\w+)|(\b_*[A-Z][A-Z0-9_]*\b)/gm;
  const ranges = [];
  for (const match of text.matchAll(notation)) {
    const name = ["comment", "literal", "name", "terminal"][match.slice(1).findIndex(Boolean)];
    ranges.push(mark(name).range(match.index, match.index + match[0].length));
  }
  return Decoration.set(ranges);
}

const edited = source => EditorView.updateListener.of(update => {
  if (update.docChanged) changed(source);
  else if (update.selectionSet) moved(source);
});
const fields = {
  grammar: editor("grammar", "Grammar", [edited("grammar")]),
  text: editor("text", "Text", [edited("text")]),
  cases: editor("cases", "Cases", [edited("cases")]),
};
const content = source => fields[source].state.doc.toString();

/** The line breaks of each source in its file; an editor knows one kind. */
const breaks = { grammar: "\n", text: "\n", cases: "\n" };
const written = source => content(source).replaceAll("\n", breaks[source]);

function colorGrammar() {
  fields.grammar.dispatch({ effects: setColors.of(colorsOfGrammar(content("grammar"))) });
}

function select(source, start, end, focus) {
  const view = fields[source], unit = units(content(source));
  const [anchor, head] = [unit(start), unit(end)];
  const isApart = !focus && matchMedia("(max-width: 48rem)").matches; // the page would leave what was clicked
  view.dispatch({ selection: { anchor, head }, effects: isApart ? [] : EditorView.scrollIntoView(anchor, { y: "center" }) });
  if (focus) view.focus();
}

function fix(source, edits) {
  if (content(source) !== asked[source]) return; // the text has changed, and an answer comes
  const unit = units(content(source));
  fields[source].dispatch({ changes: edits.map(edit =>
    ({ from: unit(edit.offset), to: unit(edit.end_offset), insert: edit.replacement })) });
}

// ---- the state: of the link, else of the last visit, else what was opened ----

const KEPT = "sgf-lark play " + location.pathname;
const state = () => ({ "sgf-lark play": 1, grammar: written("grammar"), text: written("text"), cases: written("cases"),
  start: wantedStart, view, step, ...file });

/** A state of unknown origin: its texts and numbers, and nothing else; null if it is none. */
function asState(found) {
  if (typeof found?.grammar !== "string" || typeof found.text !== "string") return null;
  const texts = ["grammar", "text", "cases", "start", "view", "name", "encoding", "grammar_name"];
  const taken = texts.map(key => [key, typeof found[key] === "string" ? found[key] : ""]);
  return { ...Object.fromEntries(taken), step: Math.max(0, Math.trunc(found.step)) || 0 };
}

function keep() {
  if (location.hash) return; // the link brings it back, and what somebody else made is not kept before it is changed
  try {
    localStorage.setItem(KEPT, JSON.stringify(state()));
  } catch { /* no room, or not allowed: nothing is kept */ }
}

function kept() {
  try {
    if (!data.worker) { // a server that has ended leaves its work behind
      for (const key of Object.keys(localStorage)) {
        if (key.startsWith("sgf-lark play ") && key !== KEPT) localStorage.removeItem(key);
      }
    }
    return asState(JSON.parse(localStorage.getItem(KEPT)));
  } catch {
    return null;
  }
}

/** Limits of a link in characters, beyond which some programs cut it and browsers refuse it, and of what it holds. */
const CUT_LINK = 8000, MAX_LINK = 500000, MAX_LINKED = 1 << 21;

async function piped(bytes, stream) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader(), pieces = [];
  for (let size = 0, piece; (piece = (await reader.read()).value); pieces.push(piece)) {
    if ((size += piece.length) > MAX_LINKED) throw new RangeError();
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

/** Bytes in Base64, and back. */
function toLetters(bytes) {
  let letters = "";
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return btoa(letters);
}
const toBytes = letters => Uint8Array.from(atob(letters), letter => letter.charCodeAt(0));

async function fragment() {
  const bytes = await piped(new TextEncoder().encode(JSON.stringify(state())), new CompressionStream("deflate-raw"));
  return "#" + toLetters(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The state of the link; it is data of whoever made it, and its files get no other names than records and grammars have. */
async function linked() {
  if (location.hash.length < 2) return null;
  let problem = "is broken or was cut";
  try {
    const bytes = toBytes(location.hash.slice(1).replaceAll("-", "+").replaceAll("_", "/"));
    const found = asState(JSON.parse(new TextDecoder().decode(await piped(bytes, new DecompressionStream("deflate-raw")))));
    if (found) {
      if (!/^[^/\\]+\.(sgfs?|tsgf|mgt|ggf|txt)$/i.test(found.name)) found.name = "";
      if (!/^[^/\\]+\.lark$/i.test(found.grammar_name)) found.grammar_name = "";
      return found;
    }
  } catch (error) {
    if (error instanceof RangeError) problem = "holds too much";
  }
  linkTo("");
  tellNote(`the link ${problem}: it is left out`);
  return null;
}

function tellNote(text) { by("note").textContent = text; }

// ---- questions ----

let waiting = 0, number = 0, wantedStart = "", view = "findings", asked = {}, last = {};
let isShowing = false;

/** The shown step of the parser. */
let step = 0;

/** The number of samples, which is the seed of the next. */
let samples = 0;

/** The names of the files, and the encoding of the text's. */
let file = {};

const NAMES = { all: () => "playground.json", grammar: () => file.grammar_name || "mine.lark",
  text: () => file.name || (last.checked ? "record.sgf" : "text.txt") };

function nameFiles(names) {
  file = names;
  by("grammar-name").textContent = file.grammar_name || "";
  by("text-name").textContent = file.name || "";
  tellNames();
  document.title = [file.name || file.grammar_name, "sgf-lark play"].filter(Boolean).join(" \u2013 ");
}

function show(shown) {
  isShowing = true;
  for (const [source, view] of Object.entries(fields)) {
    const text = shown[source] || "", kinds = new Set(text.match(/\r\n?|\n/g));
    breaks[source] = kinds.size === 1 ? [...kinds][0] : "\n";
    if (kinds.size > 1) tellNote(`the ${source} mixes line breaks: they are saved as LF`);
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, selection: { anchor: 0 } });
  }
  const example = data.examples.indexOf(shown); // its name is that of no file
  nameFiles({ name: example < 0 && shown.name || "", encoding: shown.encoding || "", grammar_name: shown.grammar_name || "" });
  by("example").value = example;
  if (shown.view) openTab(shown.view);
  step = shown.step || 0;
  fields.text.dispatch({ selection: { anchor: fields.text.state.doc.length } });
  const begin = Math.max(0, content("grammar").search(/^[?!]?[a-z]\w*(?:\.\d+)?\s*:/m));
  fields.grammar.dispatch({ selection: { anchor: begin }, effects: EditorView.scrollIntoView(begin, { y: "start" }) });
  isShowing = false;
  wantedStart = shown.start || "";
  by("start").replaceChildren();
  colorGrammar();
  ask();
}

function later() { clearTimeout(waiting); waiting = setTimeout(ask, 200); }

function changed(source) {
  if (isShowing) return;
  if (location.hash) linkTo("");
  tellNote("");
  if (source === "grammar") queueMicrotask(colorGrammar);
  later();
}

function moved(source) {
  if (isShowing) return;
  if (source === "text" && view === "tree") markTree();
  if (view === (source === "text" ? "board" : "diagram")) later();
}

function linkTo(hash) { window.history.replaceState(null, "", location.pathname + location.search + hash); }

async function ask() {
  const mine = ++number, now = { grammar: content("grammar"), text: content("text"), cases: content("cases") };
  const question = { ...now, start: wantedStart, view,
    cursor: points(now.grammar, fields.grammar.state.selection.main.head),
    place: points(now.text, fields.text.state.selection.main.head) };
  keep();
  by("signs").setAttribute("aria-busy", by("loading").hidden); // what is said of the load is not made pale
  const answer = await respond(question, mine);
  if (mine !== number || answer === null) return;
  by("signs").setAttribute("aria-busy", "false");
  if (Object.keys(now).some(source => content(source) !== now[source])) return;
  asked = now;
  tell(answer);
}

const noAnswer = status => ({ status, kind: "error", findings: [] });

let respond = async question => { // the server does
  try {
    const response = await fetch("try", { method: "POST",
      headers: { "Content-Type": "application/json" }, body: JSON.stringify(question) });
    if (response.status === 413) return noAnswer("grammar and text are too long: at most 2 MB together");
    return await response.json();
  } catch {
    return noAnswer("the playground does not answer: is it still running?");
  }
};

// ---- without a server: one worker answers, and a spare one takes over if that takes endless time ----

const SECONDS = 10, SPARE_AFTER = 3000;

function work(tellLoaded = () => {}) {
  const worker = new Worker("worker.mjs", { type: "module" });
  worker.ready = new Promise((done, fail) => {
    worker.onmessage = ({ data }) => data === "" ? done() : tellLoaded(data.loaded);
    worker.onerror = () => fail(new Error("Python cannot be loaded"));
  });
  worker.ready.catch(() => {}); // told when it is asked
  return worker;
}

function workers() {
  let worker = work(tellLoaded), spare = null, queue = Promise.resolve();
  const reply = (question, seconds) => new Promise(done => {
    const clock = setTimeout(() => {
      worker.terminate();
      worker = spare || work();
      spare = null;
      done(noAnswer(`the grammar takes more than ${seconds} seconds for this text`));
    }, 1000 * seconds);
    worker.onmessage = ({ data }) => {
      clearTimeout(clock);
      done(JSON.parse(data));
    };
    worker.postMessage(JSON.stringify(question));
  });
  return (question, mine) => queue = queue.then(async () => {
    if (mine && mine !== number) return null; // a later one waits
    try {
      await worker.ready;
      const answer = await reply(question, SECONDS + Math.ceil(question.text.length / 10000));
      if (!spare) setTimeout(() => { spare ||= work(); }, SPARE_AFTER);
      return answer;
    } catch (problem) {
      return noAnswer(problem.message);
    }
  });
}

/** Show how much of Python is here. */
function tellLoaded(part) {
  by("loading").value = part;
  if (part === 1) by("status").textContent = "Python starts: some seconds more";
}

if (data.worker) {
  by("status").textContent = "Python is being loaded, once";
  by("loading").hidden = false;
  respond = workers();
}

// ---- answers ----

function tell(answer) {
  last = answer;
  tellNames();
  by("loading").hidden = true;
  by("status").textContent = answer.status;
  by("status").className = answer.kind;
  by("checked").textContent = answer.checked || "not checked";
  by("checked").className = answer.worst || "";
  if (answer.rules) {
    by("start").replaceChildren(...answer.rules.map(name => new Option(name, name)));
    by("start").value = answer.start;
  }
  for (const source in fields) underline(source);
  colorText();
  showPanel();
  for (const [name, count] of [["findings", answer.findings.length], ["cases", answer.failed?.length]]) {
    by("tab-" + name).textContent = VIEWS[name] + (count ? ` (${count})` : "");
  }
  document.body.dataset.answered = number;
}

const helpOf = finding => finding.where === "cases" && finding.fix || finding.help === finding.fix?.message ? "" : finding.help;
const described = finding => `${finding.severity} ${finding.code}: ${finding.message}`;

function underline(source) {
  const field = fields[source], unit = units(content(source));
  const findings = [...last.findings, ...last.failed || []].filter(finding => finding.where === source);
  const diagnostics = findings.map(finding => ({
    from: unit(finding.offset), to: unit(finding.end_offset), severity: finding.severity,
    message: [described(finding), helpOf(finding)].filter(Boolean).join("\n"),
    actions: finding.fix ? [{ name: finding.fix.message, apply: () => fix(source, finding.fix.edits) }] : [],
  }));
  field.dispatch(setDiagnostics(field.state, diagnostics));
}

function palette() {
  const names = [...new Set((last.tree || []).filter(row => row[2] !== null).map(row => row[1]))].sort();
  return Object.fromEntries(names.map((name, at) => [name, `token-${at % 6}`]));
}

function colorText() {
  const unit = units(content("text")), colors = palette(), ranges = [];
  for (const [, name, token, start, end] of last.tree || []) {
    if (token !== null && end > start) ranges.push(mark(colors[name]).range(unit(start), unit(end)));
  }
  fields.text.dispatch({ effects: setColors.of(Decoration.set(ranges, true)) });
}

// ---- tabs ----

const VIEWS = { findings: "Findings", tree: "Tree", diagram: "Diagram", board: "Board", cases: "Cases", steps: "Steps" };

function openTab(name, focus) {
  view = Object.hasOwn(VIEWS, name) ? name : "findings";
  for (const tab of by("tabs").children) {
    const chosen = tab.id === "tab-" + view;
    tab.setAttribute("aria-selected", chosen);
    tab.tabIndex = chosen ? 0 : -1;
    if (chosen && focus) tab.focus();
  }
  by("panel").setAttribute("aria-labelledby", "tab-" + view);
}

by("tabs").append(...Object.entries(VIEWS).map(([name, title]) => {
  const tab = make("button", { id: "tab-" + name, type: "button", role: "tab", textContent: title, "aria-controls": "panel" });
  tab.addEventListener("click", () => { openTab(name, true); showPanel(); ask(); });
  return tab;
}));
by("tabs").addEventListener("keydown", event => {
  const names = Object.keys(VIEWS), at = names.indexOf(view);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1 + names.length, Home: 0, End: names.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  openTab(names[to % names.length], true);
  showPanel();
  ask();
});

function empty(text) { return make("p", { className: "empty", textContent: text }); }

const hasRows = () => (view === "tree" ? last.tree : view === "steps" ? last.steps : null)?.length > 0;

function showPanel() {
  const shown = by("shown");
  by("panel").tabIndex = hasRows() || view === "cases" ? -1 : 0;
  by("cases-area").hidden = view !== "cases";
  const hadFocus = rowOf(document.activeElement);
  if (!hasRows()) rows = [];
  shown.className = hasRows() ? view : "";
  if (view === "findings") shown.replaceChildren(last.findings?.length ? make("ul", {}, ...last.findings.map(item)) : empty("nothing found"));
  else if (view === "tree") showTree();
  else if (view === "steps") showSteps();
  else if (view === "cases") showCases();
  else if (view === "diagram") {
    shown.replaceChildren(make("h2", { textContent: last.drawn || "" }));
    shown.insertAdjacentHTML("beforeend", last.diagram || "");
    for (const quoted of shown.querySelectorAll("pre")) quoted.className = "production";
  } else if (view === "board" && last.board) shown.replaceChildren(...picture(last.board));
  else shown.replaceChildren(last.shown ? make("pre", { textContent: last.shown }) : empty("only for texts that are records of games"));
  if (hadFocus && hasRows()) current().element.focus();
}

function picture(svg) {
  const [title, more] = [/<title>([^<]*)/, /<desc>([^<]*)/].map(part => svg.match(part)?.[1] || "");
  const image = make("img", { alt: more, src: "data:image/svg+xml," + encodeURIComponent(svg) });
  return [image, make("p", { className: "caption", textContent: title })];
}

function item(finding) {
  const place = make("button", { type: "button", className: "place " + finding.severity,
    textContent: `${finding.where} ${finding.line}:${finding.column}  ${described(finding)}` });
  if (helpOf(finding)) place.append(make("small", { textContent: helpOf(finding) }));
  place.addEventListener("click", () => select(finding.where, finding.offset, finding.end_offset, true));
  const line = make("li", {}, place);
  if (finding.fix) {
    const button = make("button", { type: "button", className: "fix", textContent: "Fix: " + finding.fix.message });
    button.addEventListener("click", () => fix(finding.where, finding.fix.edits));
    line.append(button);
  }
  return line;
}

// ---- the tree ----

const folded = new Set();
let rows = [];

function showTree() {
  if (!hasRows()) { by("shown").replaceChildren(empty("no tree")); return; }
  const colors = palette(), open = [];
  const tree = last.tree.map(([depth, name, token, start, end]) => {
    open.length = depth;
    const path = (open.at(-1)?.path || "") + "/" + (depth ? open.at(-1).size++ : 0);
    const row = { depth, start, end, path, size: 0 };
    open.push(row);
    row.element = make("div", { role: "treeitem", tabIndex: -1, "aria-level": depth + 1 },
      "\u00a0".repeat(2 * Math.min(depth, 40)), make("i", { "aria-hidden": "true" }), name,
      token === null ? "" : make("span", { className: colors[name], textContent: " " + JSON.stringify(token) }));
    return row;
  });
  showRows(tree, { role: "tree", "aria-label": "Parse tree" });
  if (rows.length >= 5000) by("shown").append(empty("the rest of the tree is not shown"));
  arrange();
  markTree();
}

/** Show a list of which one row is chosen, by a click or the keyboard. */
function showRows(shown, properties) {
  rows = shown;
  by("shown").replaceChildren(make("div", properties, ...rows.map(row => row.element)));
  for (const [place, row] of rows.entries()) {
    row.at = place;
    row.element.addEventListener("click", event => {
      if (event.target.tagName === "I") fold(row); else choose(row);
    });
  }
  point(rows[0]);
}

const isFolded = row => row.size > 0 && folded.has(row.path);
const rowOf = element => rows.find(one => one.element === element);
const current = () => rows.find(row => row.element.tabIndex === 0) || rows[0];

/** Hide what is below folded rows. */
function arrange() {
  let hidden = Infinity;
  for (const row of rows) {
    row.element.hidden = row.depth > hidden;
    if (row.depth <= hidden) hidden = isFolded(row) ? row.depth : Infinity;
    row.element.querySelector("i").textContent = row.size ? (isFolded(row) ? "\u25b8" : "\u25be") : "";
    if (row.size) row.element.setAttribute("aria-expanded", !isFolded(row));
  }
}

function fold(row) {
  if (!row.size) return;
  if (!folded.delete(row.path)) folded.add(row.path);
  arrange();
}

function point(row) {
  for (const one of rows) {
    one.element.tabIndex = one === row ? 0 : -1;
    one.element.setAttribute("aria-selected", one === row);
  }
  row.show?.();
}

function choose(row) {
  point(row);
  row.element.focus();
  if (row.start !== undefined) select("text", row.start, row.end, false);
  point(row);
}

/** Mark the innermost row around the cursor of the text. */
function markTree() {
  const { from, to } = fields.text.state.selection.main, text = content("text");
  const [start, end] = [points(text, from), points(text, to)];
  const around = rows.filter(row => row.start <= start && end <= row.end && (start < row.end || start === end));
  const inner = around.filter(row => start < row.end);
  const row = (inner.length ? inner : around).at(-1) || rows[0];
  if (!row) return;
  point(row);
  let shown = row;
  while (shown.element.hidden) shown = rows[shown.at - 1];
  shown.element.scrollIntoView({ block: "nearest", inline: "nearest" });
}

by("panel").addEventListener("keydown", event => {
  const row = rowOf(event.target);
  if (view === "steps" && hasRows() && !event.altKey && !event.ctrlKey && !event.metaKey) {
    const to = { ArrowLeft: step - 1, ArrowRight: step + 1, ...row && { ArrowUp: step - 1, ArrowDown: step + 1, Home: 0, End: Infinity } }[event.key];
    if (to !== undefined) event.preventDefault(), goTo(to, true, row);
  }
  if (!row || view === "steps") return;
  const visible = rows.filter(one => !one.element.hidden), at = visible.indexOf(row);
  const parent = rows.slice(0, row.at).findLast(one => one.depth < row.depth);
  const closes = event.key === "ArrowLeft" && row.size && !isFolded(row);
  if (closes || (event.key === "ArrowRight" && isFolded(row))) fold(row);
  else if (event.key === "Enter" || event.key === " ") choose(row);
  else {
    const to = { ArrowDown: visible[at + 1], ArrowUp: visible[at - 1], ArrowRight: row.size ? visible[at + 1] : row,
      ArrowLeft: parent, Home: visible[0], End: visible.at(-1) };
    if (!(event.key in to)) return;
    if (to[event.key]) { point(to[event.key]); to[event.key].element.focus(); }
  }
  event.preventDefault();
});

// ---- the steps of the parser ----

/** Limits of what a step shows: characters before and after its place, open rules, symbols of the stack, rows of the tree. */
const READ = 30, LEFT = 150, OPEN = 10, STACK = 8, TREE = 40;

function showSteps() {
  if (!hasRows()) { by("shown").replaceChildren(empty("no steps")); return; }
  const stack = [], text = content("text"), unit = units(text);
  let end = 0;
  const begin = { title: ["begin"], end, open: [], follows: [], reasons: [], words: "Nothing is read." };
  const steps = last.steps.map(one => {
    const [from, to] = one.span || [], token = text.slice(unit(from), unit(to));
    if (one.size === null) {
      end = to;
      stack.push({ symbol: one.symbol, token });
      const what = one.symbol === `"${token}"` ? one.symbol : `${one.symbol} ${JSON.stringify(token)}`;
      return { ...one, from, to, end, stack: [...stack], title: ["shift", what], words: `The next token is ${what}: it is read.` };
    }
    const taken = one.size ? stack.splice(-one.size) : [], names = taken.map(part => part.symbol).join(" ") || "nothing";
    const below = taken.filter((_, at) => !one.hidden.includes(at)).flatMap(part => part.name === null ? part.below : [part]);
    stack.push({ symbol: one.symbol, name: one.name, below });
    return { ...one, from, to, end, stack: [...stack], title: ["reduce", `${one.symbol} \u2190 ${names}`],
      words: `${names} is a complete ${one.symbol}: what follows is ${one.ahead}.` };
  });
  const all = [{ ...begin, stack: [] }, ...steps];
  if (steps.length >= 500) all.at(-1).end_note = "Only the first 500 steps are shown.";
  else if (last.kind === "error") all.at(-1).end_note = "Here the grammar rejects the text: " + (last.findings.find(one => one.where === "text" && one.severity === "error")?.message || "");
  const detail = make("div", { id: "step", role: "region", "aria-label": "The shown step", tabIndex: 0 });
  const list = all.map((one, at) => ({
    depth: 0, size: 0, start: one.from, end: one.to,
    show: () => { step = at; detail.replaceChildren(...describe(one, text, unit)); tellMoves(one, all.length - 1); },
    element: make("div", { role: "option", tabIndex: -1 }, make("span", { className: "number", textContent: at }),
      make("span", { className: one.title[0], title: one.title.join(" ") }, make("b", { textContent: one.title[0] }), " " + (one.title[1] || "")),
      one.reasons.length ? make("span", { className: "warning", textContent: "!", title: "a conflict is decided" }) : ""),
  }));
  const wanted = step;
  showRows(list, { role: "listbox", "aria-label": "Steps of the parser" });
  by("shown").prepend(toolbar, detail);
  goTo(wanted);
}

const moves = Object.entries({ First: () => 0, Back: () => step - 1, Forward: () => step + 1, Last: () => Infinity }).map(([textContent, to]) => {
  const button = make("button", { id: "step-" + textContent.toLowerCase(), type: "button", textContent });
  button.addEventListener("click", () => goTo(to(), true));
  return button;
});
const stepTitle = make("p", { id: "step-title", role: "status" });
const toolbar = make("div", { role: "group", "aria-label": "Move through the steps", className: "moves" }, ...moves, stepTitle);

function tellMoves(one, most) {
  stepTitle.replaceChildren(`Step ${step} of ${most}: `, make("b", { className: one.title[0], textContent: one.title.join(" ") }));
  for (const [at, button] of moves.entries()) button.setAttribute("aria-disabled", step === (at < 2 ? 0 : most));
}

/** Go to a step; somebody who does so sees its text in the editor. */
function goTo(to, isAsked, row) {
  const target = rows[Math.max(0, Math.min(to, rows.length - 1))], { element } = target, list = element.parentElement;
  point(target);
  if (isAsked && target.start !== undefined) select("text", target.start, target.end, false);
  if (row) element.focus({ preventScroll: true });
  const top = element.offsetTop, isAbove = top < list.scrollTop, isBelow = top + element.offsetHeight > list.scrollTop + list.clientHeight;
  if (isAbove || isBelow) list.scrollTop = top - list.clientHeight / 2;
}

/** What a step shows besides its name. */
function describe(one, text, unit) {
  const at = unit(one.end), start = one.size === null ? unit(one.from) : at, from = Math.max(0, at - READ, start - READ);
  const left = text.slice(at, at + LEFT), more = text.length - at - left.length, { open } = one;
  const term = (label, ...content) => [make("dt", { textContent: label }), make("dd", {}, ...content)];
  const read = make("code", {}, make("span", { className: "read", textContent: (from ? "\u2026" : "") + text.slice(from, start) }),
    make("mark", { textContent: text.slice(Math.max(from, start), at) }));
  const symbols = one.stack.map(part => part.symbol);
  return [
    make("p", { textContent: one.words }),
    ...[...one.reasons, one.end_note || []].flat().map(reason => make("p", { className: "reason", textContent: reason })),
    make("dl", {},
      ...term("Read", at ? read : "nothing yet"),
      ...term("Input left", left ? make("code", { textContent: left }) : "nothing", more > 0 ? ` \u2026 and ${more} more characters` : ""),
      ...term("Open rules", open.length ? make("ol", {}, open.length > OPEN ? make("li", { textContent: "\u2026" }) : "", ...open.slice(-OPEN).map(([name, read]) =>
        make("li", {}, make("b", { textContent: name }), read ? ` after ${read}` : " begins"))) : one.title[0] === "begin" ? "none yet" : "none: the text is complete"),
      ...(one.follows.length ? term("May follow", one.follows.join(" or ")) : []),
      ...term("Stack", (symbols.length > STACK ? "\u2026 " : "") + symbols.slice(-STACK).join(" ") || "empty"),
      ...term("Tree so far", one.stack.length ? treeOf(one.stack) : "empty")),
  ];
}

/** The trees of the stack: their last rows, and what those are in. */
function treeOf(stack) {
  const lines = [], waiting = stack.map(part => [part, 0]).reverse(), around = [];
  while (waiting.length) {
    const [part, depth] = waiting.pop();
    lines.push([part, depth]);
    waiting.push(...(part.below || []).map(inner => [inner, depth + 1]).reverse());
  }
  const shown = lines.slice(-TREE), before = lines.slice(0, -TREE);
  for (let depth = shown[0][1]; before.some(line => line[1] < depth); depth = around[0][1]) {
    around.unshift(before.findLast(line => line[1] < depth));
  }
  const row = ([part, depth]) => {
    const line = make(part === stack.at(-1) ? "mark" : "div", {}, "\u00a0".repeat(2 * Math.min(depth, 20)),
      make(part.name === null ? "i" : "span", { textContent: part.name || part.symbol }));
    if (part.token !== undefined && part.symbol !== `"${part.token}"`) line.append(" " + JSON.stringify(part.token.slice(0, LEFT)));
    return line;
  };
  const cut = before.length - around.length;
  return make("div", { className: "growing" }, ...around.map(row), cut ? empty(`${cut} rows more`) : "", ...shown.map(row));
}

// ---- the cases ----

function showCases() {
  const { cases = [], failed = [] } = last, at = cases.map(one => one[1]);
  by("update").setAttribute("aria-disabled", !failed.some(finding => finding.fix));
  const items = cases.map(([name, start, end, skipped], place) => {
    const finding = failed.find(one => one.offset >= start && !(one.offset >= at[place + 1]));
    const sign = skipped ? "skipped" : finding ? "failed" : "passed";
    const button = make("button", { type: "button", className: "place " + { passed: "good", failed: "error" }[sign] },
      `${{ passed: "\u2713", failed: "\u2717", skipped: "\u2013" }[sign]} ${sign}: ${name}`);
    if (finding) button.append(make("small", { textContent: finding.message.slice(name.length + 2) }));
    button.addEventListener("click", () => select("cases", finding ? finding.offset : start, finding ? finding.end_offset : end, true));
    return make("li", {}, button);
  });
  const counts = `${cases.length} cases: ${cases.length - failed.length - cases.filter(one => one[3]).length} passed, ${failed.length} failed`;
  if (!last.cases) items.push(empty(last.status));
  else if (failed.length && !cases.length) items.push(make("li", {}, item(failed[0])));
  else if (!cases.length) items.push(empty("no cases: texts with the trees or errors that are expected, each below its name"));
  by("shown").replaceChildren(make("ul", { "aria-label": counts }, ...items));
}

by("update").addEventListener("click", () => fix("cases", (last.failed || []).flatMap(finding => finding.fix?.edits || [])));
by("add-case").addEventListener("click", () => {
  const before = content("cases"), at = before.length, name = `Case ${(last.cases?.length || 0) + 1}`;
  const text = `${before && "\n"}===\n${name}\n===\n\n${content("text")}\n\n---\n`;
  fields.cases.dispatch({ changes: { from: at, insert: text }, effects: EditorView.scrollIntoView(at, { y: "start" }) });
});

// ---- files ----

function save(name, text, type = "text/plain") {
  const link = make("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function tellNames() {
  for (const option of by("what").options) option.textContent = `${option.dataset.label ||= option.textContent}: ${NAMES[option.value]()}`;
}

by("save").addEventListener("click", async () => {
  const what = by("what").value, name = NAMES[what]();
  if (what === "all") return save(name, JSON.stringify(state(), null, 1), "application/json");
  const text = written(what);
  if (what === "grammar" || ["", "ascii", "utf-8"].includes(file.encoding)) return save(name, text);
  const answer = await respond({ grammar: "", text, view: "save", encoding: file.encoding });
  save(name, answer.data === undefined ? text : toBytes(answer.data));
  tellNote(answer.data === undefined ? `${answer.status}: ${name} is saved in UTF-8` : `${name} is saved in ${answer.label}`);
});
by("sample").addEventListener("click", async () => {
  const grammar = content("grammar"), answer = await respond({ grammar, text: "", start: wantedStart, view: "sample", place: samples++ });
  if (content("grammar") !== grammar) return;
  if (typeof answer.text !== "string") return tellNote(`no sample: ${answer.status || "no short text was found that the grammar accepts"}`);
  nameFiles({ ...file, name: "", encoding: "" });
  fields.text.dispatch({ changes: { from: 0, to: fields.text.state.doc.length, insert: answer.text } });
});
by("open").addEventListener("click", () => by("file").click());
by("file").addEventListener("change", async () => {
  const [chosen] = by("file").files;
  by("file").value = "";
  if (!chosen) return;
  linkTo("");
  tellNote("");
  const { name } = chosen, bytes = new Uint8Array(await chosen.arrayBuffer());
  try {
    if (!/\.(lark|json)$/i.test(name)) {
      const answer = await respond({ grammar: "", text: toLetters(bytes), view: "open" });
      if (answer.text === undefined) return tellNote(answer.status);
      if (!["ascii", "utf-8"].includes(answer.encoding)) tellNote(`${name} is in ${answer.label}`);
      return show({ ...state(), text: answer.text, name, encoding: answer.encoding });
    }
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (/\.lark$/i.test(name)) return show({ ...state(), grammar: text, grammar_name: name, start: "" });
    const opened = asState(JSON.parse(text));
    if (!opened) throw new Error();
    show(opened);
  } catch (problem) {
    tellNote(problem instanceof TypeError ? `${name} is not in UTF-8` : `${name} is no file of the playground`);
  }
});
by("link").addEventListener("click", async () => {
  const hash = await fragment();
  if (hash.length > MAX_LINK) return tellNote("grammar and text are too long for a link: save everything to a file");
  linkTo(hash);
  const isLong = hash.length > CUT_LINK ? `; its ${hash.length} characters may be cut by other programs, a saved file is not` : "";
  const isHere = data.worker ? "" : "; it works on this machine, as long as this playground runs";
  try {
    await navigator.clipboard.writeText(location.href);
    tellNote("the link is copied" + isHere + isLong);
  } catch {
    tellNote("the link is in the address bar" + isHere + isLong);
  }
});

// ---- the beginning ----

by("start").addEventListener("change", () => { wantedStart = by("start").value; ask(); });
by("example").replaceChildren(make("option", { value: -1, textContent: "your own", disabled: true }), ...data.examples.map((one, at) => new Option(one.name, at)));
by("example").addEventListener("change", () => {
  linkTo("");
  tellNote("");
  show(data.examples[by("example").value]);
});
addEventListener("hashchange", async () => {
  const found = await linked();
  if (!found) return;
  tellNote("");
  show(found);
});
const before = kept();
addEventListener("pagehide", keep);
openTab(before?.view);
show(await linked() || before || asState(data.opened) || data.examples[0]);
