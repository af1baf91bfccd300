// Starts the server, and shows the board of the node at the cursor in a panel.
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

/** Asks the server for the board at the cursor, and shows it; the newest answer wins. */
class Board {
  constructor(client) {
    this.client = client;
    this.asked = 0;
    this.panel = vscode.window.createWebviewPanel(
      "sgf-lark.board",
      "Board",
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
    );
  }

  async show(editor) {
    if (editor?.document.languageId !== "sgf") return;
    const asked = ++this.asked;
    const textDocument = { uri: editor.document.uri.toString() };
    const position = this.client.code2ProtocolConverter.asPosition(editor.selection.active);
    const drawn = await this.client.sendRequest("sgf-lark/diagram", { textDocument, position });
    if (asked === this.asked && drawn) {
      const policy = "default-src 'none'; style-src 'unsafe-inline'"; // no scripts, no addresses
      this.panel.webview.html =
        `<!DOCTYPE html><meta http-equiv="Content-Security-Policy" content="${policy}">${drawn.svg}`;
    }
  }
}

let client;

async function activate(context) {
  const [command, ...args] = vscode.workspace.getConfiguration("sgf-lark").get("command");
  client = new LanguageClient(
    "sgf-lark",
    "SGF",
    { command, args },
    { documentSelector: [{ language: "sgf" }, { language: "lark" }] },
  );
  let board;
  const follow = (event) => board?.show(event.textEditor).catch((error) => client.error(String(error)));
  context.subscriptions.push(
    vscode.commands.registerCommand("sgf-lark.restart", () => client.restart()),
    vscode.commands.registerCommand("sgf-lark.board", () => {
      board ??= new Board(client);
      board.panel.onDidDispose(() => (board = undefined));
      return board.show(vscode.window.activeTextEditor);
    }),
    vscode.window.onDidChangeTextEditorSelection(follow),
  );
  await client.start();
}

module.exports = { activate, deactivate: () => client?.stop() };
