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
};
const content = source => fields[source].state.doc.toString();

function colorGrammar() {
  fields.grammar.dispatch({ effects: setColors.of(colorsOfGrammar(content("grammar"))) });
}

function select(source, start, end, focus) {
  const view = fields[source], unit = units(content(source));
  const [anchor, head] = [unit(start), unit(end)];
  view.dispatch({ selection: { anchor, head }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
  if (focus) view.focus();
}

function fix(source, edits) {
  const unit = units(content(source));
  fields[source].dispatch({ changes: edits.map(edit =>
    ({ from: unit(edit.offset), to: unit(edit.end_offset), insert: edit.replacement })) });
}

// ---- the state: of the link, else of the last visit, else what was opened ----

const KEPT = "sgf-lark play " + location.pathname;
const state = () => ({ "sgf-lark play": 1, grammar: content("grammar"), text: content("text"), start: wantedStart });
const isState = one => one && typeof one.grammar === "string" && typeof one.text === "string";

function keep() {
  try {
    localStorage.setItem(KEPT, JSON.stringify({ ...state(), view, textName }));
  } catch { /* no room, or not allowed: nothing is kept */ }
}

function kept() {
  try {
    if (!data.worker) { // a server that has ended leaves its work behind
      for (const key of Object.keys(localStorage)) {
        if (key.startsWith("sgf-lark play ") && key !== KEPT) localStorage.removeItem(key);
      }
    }
    const found = JSON.parse(localStorage.getItem(KEPT));
    return isState(found) ? found : null;
  } catch {
    return null;
  }
}

async function piped(bytes, stream) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

async function fragment() {
  const bytes = await piped(new TextEncoder().encode(JSON.stringify(state())), new CompressionStream("deflate-raw"));
  let letters = "";
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return "#" + btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

async function linked() {
  if (location.hash.length < 2) return null;
  try {
    const letters = atob(location.hash.slice(1).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(letters, letter => letter.charCodeAt(0));
    const found = JSON.parse(new TextDecoder().decode(await piped(bytes, new DecompressionStream("deflate-raw"))));
    if (isState(found)) return found;
  } catch { /* told below */ }
  tellNote("the link holds no state of the playground");
  return null;
}

function tellNote(text) { by("note").textContent = text; }

// ---- questions ----

let waiting = 0, number = 0, wantedStart = "", view = "findings", textName = "text.txt", last = {};
let isShowing = false;

function show(shown) {
  isShowing = true;
  for (const source of ["grammar", "text"]) {
    const view = fields[source];
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: shown[source] }, selection: { anchor: 0 } });
  }
  fields.text.dispatch({ selection: { anchor: fields.text.state.doc.length } });
  const begin = Math.max(0, content("grammar").search(/^[?!]?[a-z]\w*(?:\.\d+)?\s*:/m));
  fields.grammar.dispatch({ selection: { anchor: begin }, effects: EditorView.scrollIntoView(begin, { y: "start" }) });
  isShowing = false;
  wantedStart = shown.start || "";
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
  const mine = ++number, [grammar, text] = [content("grammar"), content("text")];
  const question = { grammar, text, start: wantedStart, view,
    cursor: points(grammar, fields.grammar.state.selection.main.head),
    place: points(text, fields.text.state.selection.main.head) };
  keep();
  by("signs").setAttribute("aria-busy", "true");
  const answer = await respond(question, mine);
  if (mine !== number || answer === null) return;
  by("signs").setAttribute("aria-busy", "false");
  if (content("grammar") === grammar && content("text") === text) tell(answer);
}

let respond = async question => { // the server does
  try {
    const response = await fetch("try", { method: "POST",
      headers: { "Content-Type": "application/json" }, body: JSON.stringify(question) });
    return await response.json();
  } catch {
    return { status: "the playground does not answer: is it still running?", kind: "error", findings: [] };
  }
};

// ---- without a server: one worker answers, and a spare one takes over if that takes endless time ----

const SECONDS = 10, SPARE_AFTER = 3000;

function work() {
  const worker = new Worker("worker.mjs", { type: "module" });
  worker.ready = new Promise((done, fail) => {
    worker.onmessage = done;
    worker.onerror = () => fail(new Error("Python cannot be loaded"));
  });
  worker.ready.catch(() => {}); // told when it is asked
  return worker;
}

function workers() {
  let worker = work(), spare = null, queue = Promise.resolve();
  const reply = (question, seconds) => new Promise(done => {
    const clock = setTimeout(() => {
      worker.terminate();
      worker = spare || work();
      spare = null;
      done({ status: `the grammar takes more than ${seconds} seconds for this text`, kind: "error", findings: [] });
    }, 1000 * seconds);
    worker.onmessage = ({ data }) => {
      clearTimeout(clock);
      done(JSON.parse(data));
    };
    worker.postMessage(JSON.stringify(question));
  });
  return (question, mine) => queue = queue.then(async () => {
    if (mine !== number) return null; // a later one waits
    try {
      await worker.ready;
      const answer = await reply(question, SECONDS + Math.ceil(question.text.length / 10000));
      if (!spare) setTimeout(() => { spare ||= work(); }, SPARE_AFTER);
      return answer;
    } catch (problem) {
      return { status: problem.message, kind: "error", findings: [] };
    }
  });
}

if (data.worker) {
  respond = workers();
  by("status").textContent = "Python is being loaded";
}

// ---- answers ----

function tell(answer) {
  last = answer;
  by("status").textContent = answer.status;
  by("status").className = answer.kind;
  by("checked").textContent = answer.checked || "not checked";
  by("checked").className = answer.worst || "";
  if (answer.rules) {
    by("start").replaceChildren(...answer.rules.map(name => new Option(name, name)));
    by("start").value = answer.start;
  }
  for (const source of ["grammar", "text"]) underline(source);
  colorText();
  showPanel();
  by("tab-findings").textContent = answer.findings.length ? `Findings (${answer.findings.length})` : "Findings";
  document.body.dataset.answered = number;
}

const helpOf = finding => finding.help === finding.fix?.message ? "" : finding.help;
const described = finding => `${finding.severity} ${finding.code}: ${finding.message}`;

function underline(source) {
  const field = fields[source], unit = units(content(source));
  const diagnostics = last.findings.filter(finding => finding.where === source).map(finding => ({
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

const VIEWS = { findings: "Findings", tree: "Tree", diagram: "Diagram", board: "Board", typed: "Typed grammar", compile: "Compile report" };

function openTab(name, focus) {
  view = name in VIEWS ? name : "findings";
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

function showPanel() {
  const panel = by("panel");
  panel.tabIndex = view === "tree" && last.tree?.length ? -1 : 0;
  if (view === "findings") panel.replaceChildren(last.findings?.length ? make("ul", {}, ...last.findings.map(item)) : empty("nothing found"));
  else if (view === "tree") showTree();
  else if (view === "diagram") {
    panel.replaceChildren(make("h2", { textContent: last.drawn || "" }));
    panel.insertAdjacentHTML("beforeend", last.diagram || "");
    for (const quoted of panel.querySelectorAll("pre")) quoted.className = "production";
  } else if (view === "board" && last.board) panel.replaceChildren(...picture(last.board));
  else panel.replaceChildren(last.shown ? make("pre", { textContent: last.shown }) : empty("only for texts that are records of games"));
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
  if (!last.tree?.length) { by("panel").replaceChildren(empty("no tree")); return; }
  const colors = palette(), open = [], hasFocus = by("panel").contains(document.activeElement);
  rows = last.tree.map(([depth, name, token, start, end], at) => {
    open.length = depth;
    const path = (open.at(-1)?.path || "") + "/" + (depth ? open.at(-1).size++ : 0);
    const row = { depth, start, end, path, size: 0, at };
    open.push(row);
    row.element = make("div", { role: "treeitem", tabIndex: -1, "aria-level": depth + 1 },
      "\u00a0".repeat(2 * Math.min(depth, 40)), make("i", { "aria-hidden": "true" }), name,
      token === null ? "" : make("span", { className: colors[name], textContent: " " + JSON.stringify(token) }));
    return row;
  });
  const tree = make("div", { role: "tree", "aria-label": "Parse tree" }, ...rows.map(row => row.element));
  by("panel").replaceChildren(tree);
  if (rows.length >= 5000) by("panel").append(empty("the rest of the tree is not shown"));
  for (const row of rows) {
    row.element.addEventListener("click", event => {
      if (event.target.tagName === "I") fold(row); else choose(row);
    });
  }
  arrange();
  markTree();
  if (hasFocus) current().element.focus();
}

const isFolded = row => row.size > 0 && folded.has(row.path);
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
  const row = rows.find(one => one.element === event.target);
  if (!row) return;
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

// ---- files ----

function save(name, text, type = "text/plain") {
  const link = make("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

by("save").addEventListener("click", () => save("playground.json", JSON.stringify(state(), null, 1), "application/json"));
by("save-grammar").addEventListener("click", () => save("mine.lark", content("grammar")));
by("save-text").addEventListener("click", () => save(last.checked && textName === "text.txt" ? "record.sgf" : textName, content("text")));
by("open").addEventListener("click", () => by("file").click());
by("file").addEventListener("change", async () => {
  const [file] = by("file").files;
  by("file").value = "";
  if (!file) return;
  tellNote("");
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    if (/\.lark$/i.test(file.name)) return show({ ...state(), grammar: text, start: "" });
    if (!/\.json$/i.test(file.name)) {
      textName = file.name;
      return show({ ...state(), text });
    }
    const opened = JSON.parse(text);
    if (!isState(opened)) throw new Error();
    show(opened);
  } catch (problem) {
    tellNote(problem instanceof TypeError ? `${file.name} is not in UTF-8` : `${file.name} is no file of the playground`);
  }
});
by("share").addEventListener("click", async () => {
  linkTo(await fragment());
  try {
    await navigator.clipboard.writeText(location.href);
    tellNote("the link is copied");
  } catch {
    tellNote("the link is in the address bar");
  }
});

// ---- the beginning ----

by("start").addEventListener("change", () => { wantedStart = by("start").value; ask(); });
by("example").replaceChildren(...data.examples.map((one, at) => new Option(one.name, at)));
by("example").addEventListener("change", () => {
  linkTo("");
  tellNote("");
  textName = "text.txt";
  show(data.examples[by("example").value]);
});
addEventListener("hashchange", async () => {
  const found = await linked();
  if (found) show(found);
});
const before = kept();
addEventListener("pagehide", keep);
openTab(before?.view);
textName = before?.textName || textName;
show(await linked() || before || data.opened || data.examples[0]);
