// What the playground uses of CodeMirror; build.js makes codemirror.js of it.
export { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
export { lintKeymap, setDiagnostics } from "@codemirror/lint";
export { search, searchKeymap } from "@codemirror/search";
export { EditorState, StateEffect, StateField } from "@codemirror/state";
export { Decoration, drawSelection, EditorView, keymap, lineNumbers } from "@codemirror/view";
