// Runs the extension in Node with a stub of VS Code: opens a record, and prints what it was given.
// vscode.js MAIN RECORD COMMAND...
const Module = require("node:module");
const { readFileSync } = require("node:fs");
const { pathToFileURL } = require("node:url");

const [, , main, record, ...command] = process.argv;

/** Whatever is not spelled out below: a class, a function, an enumeration, each with such members. */
function anything(name) {
  const known = {};
  return new Proxy(class {}, {
    get: (target, key) => {
      if (key === "prototype") return target.prototype;
      if (key === Symbol.toPrimitive) return () => name;
      if (key === "then") return undefined;
      if (typeof key === "symbol") return target[key];
      return (known[key] ??= anything(`${name}.${key}`));
    },
    apply: () => anything(`${name}()`),
  });
}

const stub = (name, known) =>
  new Proxy(known, { get: (target, key) => (key in target ? target[key] : (target[key] = anything(`${name}.${String(key)}`))) });

class Emitter {
  constructor() {
    this.listeners = new Set();
    this.event = (listener, self) => {
      const bound = self === undefined ? listener : listener.bind(self);
      this.listeners.add(bound);
      return { dispose: () => this.listeners.delete(bound) };
    };
  }
  fire(event) {
    for (const each of [...this.listeners]) each(event);
  }
  dispose() {}
}

class Position {
  constructor(line, character) {
    Object.assign(this, { line, character });
  }
}
class Range {
  constructor(start, end, ...rest) {
    if (rest.length) [start, end] = [new Position(start, end), new Position(...rest)];
    Object.assign(this, { start, end });
  }
}
class Diagnostic {
  constructor(range, message, severity) {
    Object.assign(this, { range, message, severity });
  }
}

class Uri {
  static parse = (text) => new Uri(text);
  constructor(text) {
    this.text = text;
    Object.assign(this, { scheme: "file", authority: "", path: decodeURI(new URL(text).pathname) });
    this.fsPath = this.path;
  }
  toString() {
    return this.text;
  }
}

const text = readFileSync(record, "utf8");
const uri = new Uri(pathToFileURL(record).href);
const document = {
  uri, languageId: "sgf", version: 1, fileName: record, isClosed: false, getText: () => text, // prettier
};
const editor = { document, selection: { active: new Position(0, 1) } };
const commands = {};
const never = new Emitter().event;
const disposable = { dispose() {} };
const panel = { webview: { html: "" }, onDidDispose: never };
let given = () => {};
const problems = []; if (process.env.DBG) problems.push = (m) => console.error("PROBLEM", m);

const channel = stub("channel", {
  name: "SGF", append() {}, appendLine() {}, clear() {}, show() {}, dispose() {}, onDidChangeLogLevel: never,
  ...Object.fromEntries(["trace", "debug", "info", "warn"].map((level) => [level, () => {}])),
  error: (message) => problems.push(String(message)),
});

const vscode = stub("vscode", {
  version: "1.106.0",
  Position, Range, Diagnostic, Uri, EventEmitter: Emitter,
  DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
  ViewColumn: { Beside: -2 },
  CancellationTokenSource: class {
    token = { isCancellationRequested: false, onCancellationRequested: never };
    cancel() {}
    dispose() {}
  },
  Disposable: class { constructor(end) { this.dispose = end ?? (() => {}); } static from = () => disposable; },
  env: stub("env", { language: "en", appName: "stub" }),
  workspace: stub("workspace", new Proxy({
    textDocuments: [document], workspaceFolders: undefined, notebookDocuments: [],
    getConfiguration: () => ({ get: (name) => (name === "command" ? command : undefined) }),
    createFileSystemWatcher: () => ({ onDidCreate: never, onDidChange: never, onDidDelete: never, dispose() {} }),
    registerTextDocumentContentProvider: () => disposable,
  }, { get: (target, key) => (String(key).startsWith("on") ? never : target[key]), has: (target, key) => String(key).startsWith("on") || key in target })),
  window: stub("window", {
    activeTextEditor: editor, visibleTextEditors: [editor], state: { focused: true },
    tabGroups: { all: [], onDidChangeTabs: never, onDidChangeTabGroups: never, activeTabGroup: { activeTab: undefined } },
    createOutputChannel: () => channel,
    createWebviewPanel: () => panel,
    showErrorMessage: async (message) => void problems.push(message),
    onDidChangeActiveTextEditor: never, onDidChangeVisibleTextEditors: never,
    onDidChangeTextEditorSelection: never, onDidChangeWindowState: never,
  }),
  languages: stub("languages", new Proxy({
    match: () => 10,
    createDiagnosticCollection: () => ({ set: (_, found) => given(found), delete() {}, clear() {}, dispose() {}, has: () => false }),
    onDidChangeDiagnostics: never,
  }, { get: (target, key) => (String(key).startsWith("register") ? () => disposable : target[key]), has: (target, key) => String(key).startsWith("register") || key in target })),
  commands: stub("commands", {
    registerCommand: (name, act) => ((commands[name] = act), disposable),
    executeCommand: async () => undefined,
  }),
});

const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));

async function run() {
  const extension = require(main);
  const found = new Promise((resolve) => (given = resolve));
  await extension.activate({ subscriptions: [] });
  const findings = (await found).map(({ range, message, code, severity }) => ({ range, message, code, severity }));
  await commands["sgf-lark.board"]();
  process.stdout.write(JSON.stringify({ findings, commands: Object.keys(commands).sort(), board: panel.webview.html, problems }));
  await extension.deactivate();
}

run().catch((problem) => {
  process.stderr.write(`${problem?.stack ?? problem}\n${problems.join("\n")}\n`);
  process.exitCode = 1;
});
