"""The language server answers an editor: by day one session, by night each feature."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_lsp
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pytest_lsp import LanguageClient
from support.editing import PRESETS, Editor, begin, configured, whole

import sgf_lark

RECORDS = Path(__file__).parents[1] / "records"
GRAMMARS = Path(sgf_lark.__file__).parents[1] / "grammars"

#: A game with characters of one, two and four bytes, a variation, labels, and hundredths of komi.
TEXT = (
    "(;FF[4]GM[1]SZ[9]PB[青木 😀]PW[Berg]EV[Cup]KM[650]\n"
    ";B[ee]C[Hello \\] 😀\nthere];LB[aa:X][bb:Y]\n"
    "(;W[ec]N[calm]LB[aa:X])\n(;W[cc];B[dd]FG[]LB[aa:X];W[dd]))\n"
)

pytestmark = [pytest.mark.asyncio, pytest.mark.must]


#: Answers a hover, and the check of one file, with an error.
BROKEN = (
    "from sgf_lark.server import server, views\n"
    "views.Record.answers['textDocument/hover'] = lambda *_: 1 / 0\n"
    "server.run()\n"
)


@pytest_lsp.fixture(config=configured("-c", BROKEN))  # type: ignore[untyped-decorator]
async def broken(lsp_client: LanguageClient) -> AsyncIterator[None]:
    await begin(lsp_client, PRESETS[0], RECORDS.as_uri())
    yield
    await lsp_client.shutdown_session()


@pytest_lsp.fixture(config=configured())  # type: ignore[untyped-decorator]
async def pushed(lsp_client: LanguageClient) -> AsyncIterator[None]:
    await begin(lsp_client, PRESETS[0], RECORDS.as_uri())
    yield
    await lsp_client.shutdown_session()


@pytest_lsp.fixture(config=configured())  # type: ignore[untyped-decorator]
async def editor(lsp_client: LanguageClient) -> AsyncIterator[None]:
    await begin(lsp_client, PRESETS[-1], RECORDS.as_uri())
    yield
    await lsp_client.shutdown_session()


# ---- by day ----


async def test_an_editor_sees_findings_and_gets_a_fix_also_after_a_request_that_fails(
    broken: LanguageClient,
) -> None:
    document = Editor(broken, "file:///a.sgf", TEXT.replace("ee", "zz9"))
    finding = next(one for one in await document.findings() if one.code == "V301")
    document.type("zz9", "ee")

    assert (finding.code, finding.range.start) == ("V301", document.at("ee"))
    assert finding.code_description is not None
    assert finding.code_description.href.endswith("#V301")
    assert "V301" not in {one.code for one in await document.findings()}
    with pytest.raises(JsonRpcException):
        await document.ask(lsp.TEXT_DOCUMENT_HOVER, "ee")
    actions = await document.ask(
        lsp.TEXT_DOCUMENT_CODE_ACTION,
        range=lsp.Range(document.at("650"), document.at("650")),
        context=lsp.CodeActionContext([], only=["quickfix"]),
    )
    assert [action.title for action in actions] == ["replace KM[650] with KM[6.5] (unsafe)"]
    assert actions[0].edit.changes[document.uri][0].range.start == document.at("650")


# ---- by night: findings ----


@pytest_lsp.fixture(params=PRESETS, config=configured())  # type: ignore[untyped-decorator]
async def preset(request: pytest.FixtureRequest, lsp_client: LanguageClient) -> AsyncIterator[None]:
    await begin(lsp_client, request.param)
    yield
    await lsp_client.shutdown_session()


@pytest.mark.night
async def test_findings_are_those_of_check_at_their_places(preset: LanguageClient) -> None:
    for path in sorted(path for path in RECORDS.iterdir() if path.suffix in {".sgf", ".ggf"}):
        text = path.read_bytes().decode("utf-8", "replace")
        document = Editor(preset, path.as_uri(), text)
        found = await document.findings()
        expected = sgf_lark.check(path)
        if expected.text == text:
            assert [one.code for one in found] == [one.code for one in expected], path
            offsets = [document.offset(one.range.start) for one in found]
            assert offsets == [one.offset for one in expected], path


@pytest.mark.night
async def test_settings_that_change_are_read_again(editor: LanguageClient, tmp_path: Path) -> None:
    file = tmp_path / "a b.sgf"
    document = Editor(editor, file.as_uri(), "(;FF[4]GM[1]SZ[9];B[zz9])")
    before = await document.findings()
    (tmp_path / "sgf-lark.toml").write_text('ignore = ["V301"]', encoding="utf-8")
    event = lsp.FileEvent((tmp_path / "sgf-lark.toml").as_uri(), lsp.FileChangeType.Created)
    editor.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams([event]))

    assert [one.code for one in before] == ["V301"]
    assert await document.findings() == []


@pytest.mark.night
async def test_a_code_leads_to_the_site_that_the_settings_name(
    editor: LanguageClient, tmp_path: Path
) -> None:
    (tmp_path / "sgf-lark.toml").write_text("site = 'https://example.org/sgf/'", encoding="utf-8")
    document = Editor(editor, (tmp_path / "a.sgf").as_uri(), "(;FF[4]GM[1]SZ[9];B[zz9])")
    (finding,) = await document.findings()

    assert finding.code_description is not None
    assert finding.code_description.href == "https://example.org/sgf/rules/V301.html"


@pytest.mark.night
@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("ignore = 3", "sgf-lark.toml:1:10"),
        ("grammar = 'none.lark'", "none.lark"),
        ("[properties]\nX = 'temperature'", "X has the type 'temperature'"),
        ("grammar = 'games/hex'", "points and moves"),
    ],
)
async def test_settings_that_are_invalid_are_reported_and_not_used(
    settings: str, message: str, editor: LanguageClient, tmp_path: Path
) -> None:
    (tmp_path / "sgf-lark.toml").write_text(settings, encoding="utf-8")
    document = Editor(editor, (tmp_path / "a.sgf").as_uri(), "(;FF[4]GM[1]SZ[9];B[zz9])")

    assert [one.code for one in await document.findings()] == ["V301"]
    assert message in editor.messages[0].message


@pytest.mark.night
async def test_encodings_are_judged_by_the_bytes_of_a_file_that_was_not_changed(
    editor: LanguageClient, tmp_path: Path
) -> None:
    file, text = tmp_path / "a.sgf", "(;FF[4]GM[1]SZ[9]CA[UTF-8]PB[Müller])"
    file.write_bytes(text.encode("iso-8859-1"))
    document = Editor(editor, file.as_uri(), text)
    saved = {one.code[0] for one in await document.findings() if isinstance(one.code, str)}
    document.type("Müller", "Möller")
    typed = {one.code[0] for one in await document.findings() if isinstance(one.code, str)}

    assert ("E" in saved, "E" in typed) == (True, False)


@pytest.mark.night
async def test_a_closed_document_has_no_findings(pushed: LanguageClient) -> None:
    document = Editor(pushed, "file:///a.sgf", "(;B[zz9]")
    assert await document.findings()
    pushed.text_document_did_close(lsp.DidCloseTextDocumentParams(document.name))
    await pushed.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)

    assert pushed.diagnostics[document.uri] == ()


@pytest.mark.night
async def test_no_request_waits_for_a_check(pushed: LanguageClient) -> None:
    kogo = "(;FF[4]GM[1]SZ[19]" + "(;B[pd];W[dp];B[pq]C[a comment];W[dd])" * 30_000 + ")"
    document = Editor(pushed, "file:///a.sgf", kogo)
    hover = await document.ask(lsp.TEXT_DOCUMENT_HOVER, "FF[4]")

    assert "Fileformat" in hover.contents.value
    assert document.uri not in pushed.diagnostics


@pytest.mark.night
async def test_the_newest_version_wins(pushed: LanguageClient) -> None:
    document = Editor(pushed, "file:///a.sgf", "(;FF[4]GM[1]SZ[9]C[]" + ";B[aa]" * 30_000 + ")")
    for number in range(20):
        document.type("C[]" if not number else f"C[{number - 1}]", f"C[{number}]")
    document.type("SZ[9]", "SZ[x]")
    found = await document.findings()

    assert "V301" in {one.code for one in found}


# ---- by night: changes ----


@pytest.mark.night
async def test_formatting_gives_the_layout_of_the_settings(editor: LanguageClient) -> None:
    document = Editor(
        editor, "file:///a.sgf", "(;FF[4]GM[1]\n\n;B[aa]\n;W[bb])\n(;FF[4]  ;B[cc])\n"
    )
    options = lsp.FormattingOptions(4, insert_spaces=True)
    (edit,) = await document.ask(lsp.TEXT_DOCUMENT_FORMATTING, options=options)
    place = lsp.Range(document.at("(;FF[4]  "), document.at("(;FF[4]  "))
    edits = await document.ask(lsp.TEXT_DOCUMENT_RANGE_FORMATTING, range=place, options=options)

    assert "(;FF[4]\n;B[cc]\n)\n" in edit.new_text
    assert edits[-1].new_text == "(;FF[4]\n;B[cc]\n)"


@pytest.mark.night
async def test_a_broken_record_is_not_formatted_but_fixed_first(editor: LanguageClient) -> None:
    document = Editor(editor, "file:///a.sgf", "(;FF[4]GM[1];b[aa];W[bb]")
    await document.findings()
    options = lsp.FormattingOptions(4, insert_spaces=True)

    assert await document.ask(lsp.TEXT_DOCUMENT_FORMATTING, options=options) is None
    assert "S1" in editor.messages[0].message
    edit = await document.run("fixAndFormat")
    assert edit.changes[document.uri][0].new_text == "(;FF[4]GM[1]\n;B[aa]\n;W[bb]\n)\n"


@pytest.mark.night
async def test_commands_fix_all_and_change_variations(editor: LanguageClient) -> None:
    text = "(;FF[3]GM[1]SZ[9]KM[6,5](;b[aa])(;B[bb];W[cc]))\n"
    document = Editor(editor, "file:///a.sgf", text)
    await document.findings()
    edits = {
        name: (await document.run(name, ";B[bb]")).changes[document.uri][0].new_text
        for name in ("fixAll", "promote", "cut", "convert")
    }

    assert "KM[6.5]" in edits["fixAll"]
    assert edits["promote"].endswith("(;B[bb];W[cc])(;b[aa]))\n")
    assert edits["cut"].endswith("KM[6,5](;b[aa]))\n") or edits["cut"].endswith("KM[6,5];b[aa])\n")
    assert "FF[4]" in edits["convert"]


@pytest.mark.night
async def test_actions_are_offered_where_they_make_sense(editor: LanguageClient) -> None:
    document = Editor(editor, "file:///a.sgf", "(;FF[4]GM[1]SZ[9]KM[6,5];B[aa])")
    await document.findings()
    start = lsp.Range(document.at("6,5"), document.at("6,5"))

    async def titles(*only: str) -> list[str]:
        context = lsp.CodeActionContext([], only=list(only) or None)
        method = lsp.TEXT_DOCUMENT_CODE_ACTION
        actions = await document.ask(method, range=start, context=context)
        return [action.title for action in actions]

    assert await titles("source.fixAll") == ["Make all safe fixes"]
    assert await titles("refactor") == []
    assert "replace KM[6,5] with KM[6.5]" in await titles()


@pytest.mark.night
async def test_games_are_split_into_new_files(editor: LanguageClient) -> None:
    document = Editor(editor, "file:///a.sgf", "(;FF[4]GM[1];B[aa])\n(;FF[4]GM[1];B[bb])\n")
    edit = await document.run("split")
    made = [change.uri for change in edit.document_changes[::2]]
    texts = [change.edits[0].new_text for change in edit.document_changes[1::2]]

    assert made == ["file:///a-1.sgf", "file:///a-2.sgf"]
    assert texts == ["(;FF[4]GM[1];B[aa])\n", "(;FF[4]GM[1];B[bb])\n"]


@pytest.mark.night
async def test_a_label_is_renamed_in_its_figure(editor: LanguageClient) -> None:
    document = Editor(editor, "file:///a.sgf", TEXT)
    place = await document.ask(lsp.TEXT_DOCUMENT_PREPARE_RENAME, "aa:X", 3)
    edit = await document.ask(lsp.TEXT_DOCUMENT_RENAME, "aa:X", 3, new_name="Z]")

    assert place.start == document.at("aa:X", 3)
    assert [one.new_text for one in edit.changes[document.uri]] == ["Z\\]"] * 2
    assert await document.ask(lsp.TEXT_DOCUMENT_PREPARE_RENAME, "KM") is None


# ---- by night: views ----


@pytest.mark.night
async def test_a_hover_shows_property_value_and_board(editor: LanguageClient) -> None:
    document = Editor(editor, "file:///a.sgf", TEXT)
    komi = (await document.ask(lsp.TEXT_DOCUMENT_HOVER, "650")).contents.value
    move = (await document.ask(lsp.TEXT_DOCUMENT_HOVER, "B[dd]", 2)).contents.value
    last = (await document.ask(lsp.TEXT_DOCUMENT_HOVER, "W[dd]", 2)).contents.value

    assert "KM: Komi" in komi
    assert "FF[4], page go" in komi
    assert "Decimal `650`" in komi
    assert "Move 3, B D6**: legal" in move
    assert "6 ┼" in move or "●" in move
    assert "G601" in last


@pytest.mark.night
async def test_completion_knows_properties_values_and_points(editor: LanguageClient) -> None:
    document = Editor(editor, "file:///a.sgf", TEXT.replace("KM[650]", "RE[B+]GM[]PL[]"))
    items = {
        words: {item.label: item.detail for item in await document.ask(method, words, offset)}
        for method, words, offset in [
            (lsp.TEXT_DOCUMENT_COMPLETION, "B+]", 2),
            (lsp.TEXT_DOCUMENT_COMPLETION, "PL[", 3),
            (lsp.TEXT_DOCUMENT_COMPLETION, "GM[]", 3),
            (lsp.TEXT_DOCUMENT_COMPLETION, ";B[ee]", 1),
            (lsp.TEXT_DOCUMENT_COMPLETION, "W[ec]", 2),
        ]
    }

    assert items["B+]"].keys() == {"R", "Resign", "T", "Time", "F", "Forfeit"}
    assert items["PL["].keys() >= {"B", "W"}
    assert items["GM[]"]["1"] == "Go"
    assert "BL" in items[";B[ee]"]
    assert not items[";B[ee]"].keys() & {"SZ", "AB", "B"}
    assert items["W[ec]"]["ec"] == "E7"
    assert "ee" not in items["W[ec]"]


@pytest.mark.night
async def test_a_definition_is_the_production_of_the_value(editor: LanguageClient) -> None:
    document = Editor(editor, "file:///a.sgf", TEXT)
    place = await document.ask(lsp.TEXT_DOCUMENT_DEFINITION, "4]")
    first = (GRAMMARS / "ff4.lark").read_text(encoding="utf-8").splitlines()[place.range.start.line]

    assert place.uri.endswith("ff4.lark")
    assert first.startswith("//= Number")


@pytest.mark.night
async def test_symbols_name_games_variations_and_comments(editor: LanguageClient) -> None:
    document = Editor(editor, "file:///a.sgf", TEXT)
    (game,) = await document.ask(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)

    assert game.name == "青木 😀 (B) - Berg (W)"
    names = [symbol.name for symbol in game.children]
    assert names == [
        "move 1 B E5 · Hello ] 😀 there", "node 2", "move 2 W E7 · calm", "move 2 W C7",
    ]  # fmt: skip
    assert game.children[0].range.start == document.at(";B[ee]")


@pytest.mark.night
async def test_folds_and_selections_follow_the_tree(editor: LanguageClient) -> None:
    document = Editor(editor, "file:///a.sgf", TEXT)
    folds = await document.ask(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
    method = lsp.TEXT_DOCUMENT_SELECTION_RANGE
    (around,) = await document.ask(method, positions=[document.at("W[cc]", 2)])
    starts = []
    while around is not None:
        starts.append(around.range.start)
        around = around.parent

    assert (0, 4) in {(fold.start_line, fold.end_line) for fold in folds}
    assert (1, 2) in {(fold.start_line, fold.end_line) for fold in folds}
    wanted = [document.at("W[cc]", 2), document.at("W[cc]"), document.at(";W[cc]")]
    assert starts[:3] == wanted
    assert starts[-1] == lsp.Position(0, 0)


@pytest.mark.night
async def test_hints_number_and_name_moves(editor: LanguageClient) -> None:
    document = Editor(editor, "file:///a.sgf", TEXT)
    hints = await document.ask(lsp.TEXT_DOCUMENT_INLAY_HINT, range=whole(TEXT))

    assert [hint.label for hint in hints] == ["6.5", "1 E5", "2 E7", "2 C7", "3 D6", "4 D6"]
    assert hints[1].position == document.at("]C[Hello", 1)


@pytest.mark.night
async def test_colors_follow_the_grammar(editor: LanguageClient) -> None:
    document = Editor(editor, "file:///a.sgf", "(;FF[4]KM[6.5]C[青\\]];B[aa];W[]XX[y])")
    full = await document.ask(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL)
    part = await document.ask(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, range=whole(document.text))
    kinds = full.data[3::5]

    assert full.data == part.data
    assert [kinds[at] for at in (0, 1, 4, 5, 6, 7)] == [2, 7, 4, 6, 10, 0]
    assert kinds[-2:] == (5, 6)


@pytest.mark.night
async def test_a_diagram_is_a_picture_of_the_node(editor: LanguageClient) -> None:
    document = Editor(editor, "file:///a.sgf", TEXT)
    at = document.at("W[cc]")
    params = {
        "textDocument": {"uri": document.uri},
        "position": {"line": at.line, "character": at.character},
    }
    protocol: Any = editor.protocol
    found = await protocol.send_request_async("sgf-lark/diagram", params)

    assert found.svg.startswith("<svg")
    assert found.path == "2.1"


@pytest.mark.night
async def test_games_are_found_by_players_and_event(editor: LanguageClient) -> None:
    found = await editor.workspace_symbol_async(lsp.WorkspaceSymbolParams("aoki"))

    assert found
    assert all("Aoki" in symbol.name for symbol in found)


# ---- by night: grammars ----


GRAMMAR = (
    '//= Start = A\nstart: a b+\na: "x"\nb: NUM | missing\nNUM: /[0-9]+/\n%import .ff4 (komi)\n'
)


@pytest.mark.night
async def test_a_grammar_has_findings_definitions_references_and_symbols(
    editor: LanguageClient,
) -> None:
    uri = (GRAMMARS / "new.lark").as_uri()
    document = Editor(editor, uri, GRAMMAR)
    found = await document.findings()
    own = await document.ask(lsp.TEXT_DOCUMENT_DEFINITION, "a b+")
    other = await document.ask(lsp.TEXT_DOCUMENT_DEFINITION, "komi")
    declared = lsp.ReferenceContext(include_declaration=True)
    uses = await document.ask(lsp.TEXT_DOCUMENT_REFERENCES, "a b+", context=declared)
    edit = await document.ask(lsp.TEXT_DOCUMENT_RENAME, "a b+", new_name="zz")
    symbols = await document.ask(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)

    method = lsp.TEXT_DOCUMENT_CODE_ACTION
    context = lsp.CodeActionContext([])
    actions = await document.ask(method, range=found[0].range, context=context)

    assert [one.code for one in found] == ["L702"]
    assert all(action.edit.changes.keys() == {uri} for action in actions)
    assert (own.uri, own.range.start) == (uri, document.at("a: "))
    assert other.uri.endswith("ff4.lark")
    assert [place.range.start for place in uses] == [document.at("a: "), document.at("a b+")]
    assert len(edit.changes[uri]) == 2
    assert [symbol.name for symbol in symbols] == ["start", "a", "b", "NUM"]


@pytest.mark.night
async def test_a_hover_in_a_grammar_shows_a_definition_its_quotation_and_its_file(
    editor: LanguageClient,
) -> None:
    text = GRAMMAR + "c: WHITE\n%import common.WS -> WHITE\n"
    document = Editor(editor, (GRAMMARS / "new.lark").as_uri(), text)
    own = await document.ask(lsp.TEXT_DOCUMENT_HOVER, "start")
    other = (await document.ask(lsp.TEXT_DOCUMENT_HOVER, "komi")).contents.value
    renamed = (await document.ask(lsp.TEXT_DOCUMENT_HOVER, "WHITE")).contents.value

    assert own.contents.value == "```lark\n//= Start = A\nstart: a b+\n```"
    assert own.range == lsp.Range(document.at("start"), document.at("start", 5))
    lines = (GRAMMARS / "ff4.lark").read_text(encoding="utf-8").splitlines()
    assert "\nkomi: REAL\n```" in other
    assert f"[ff4.lark, line {lines.index('komi: REAL') + 1}](file:" in other
    assert "WS: /" in renamed
    assert "[common.lark, line " in renamed
    assert await document.ask(lsp.TEXT_DOCUMENT_HOVER, "missing") is None


@pytest.mark.night
async def test_an_import_that_cannot_be_read_gives_no_names_and_no_message(
    editor: LanguageClient, tmp_path: Path
) -> None:
    (tmp_path / "broken.lark").write_text("a: (\n", encoding="utf-8")
    (tmp_path / "latin.lark").write_bytes(b'a: "\xe9"\n')
    for name in ("broken", "latin"):
        uri, text = (tmp_path / f"{name}-1.lark").as_uri(), f"%import .{name} (a)\nb: a\n"
        document = Editor(editor, uri, text)
        assert await document.ask(lsp.TEXT_DOCUMENT_HOVER, "a)") is None
        assert await document.ask(lsp.TEXT_DOCUMENT_COMPLETION, "(a", 1) == []
    assert editor.messages == []


@pytest.mark.night
async def test_a_grammar_is_colored_also_while_it_is_broken(editor: LanguageClient) -> None:
    text = '//= A = "x"\n  // 青 more\na.2: "x"i B (\nB: /[a"]/ // last\n%ignore B\n'
    document = Editor(editor, (GRAMMARS / "new.lark").as_uri(), text)
    found = (await document.ask(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL)).data
    place = lsp.Range(document.at("B: /"), document.at("B: /", 6))
    part = (await document.ask(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, range=place)).data

    comment, name, number, string, terminal, regexp, keyword = 11, 0, 7, 6, 8, 10, 2
    assert [*found[3::5]] == [
        *(comment, comment, name, number, string, terminal),
        *(terminal, regexp, comment, keyword, terminal),
    ]
    assert [*found[5:10]] == [1, 2, len("// 青 more".encode()), comment, 0]
    assert [*part[:4]] == [3, 0, 1, terminal]


#: What is typed after a grammar, up to the cursor; and labels of which it gives some.
TYPED = [
    ("%im", {"%import", "%ignore", "%override"}, {"start", "NUM"}),
    ("c: a | (NU", {"start", "a", "NUM", "c", "komi"}, {"%import", "REAL"}),
    ("C: ", {"NUM"}, {"a", "komi"}),
    ("%import .ff4 (REAL, ", {"komi", "REAL"}, {"start", "NUM"}),
    ("%import common.", {"WS"}, {"start", "NUM"}),
    ('c: "a', set(), {"a"}),
    ("c: a // a", set(), {"a"}),
    ("//= C = a", set(), {"a"}),
    ("%import .none (", set(), {"a"}),
    ("c: (\nd: (", set(), {"a"}),
]


@pytest.mark.night
async def test_completion_in_a_grammar_knows_the_names_and_directives_that_may_come(
    editor: LanguageClient,
) -> None:
    document = Editor(editor, (GRAMMARS / "new.lark").as_uri(), GRAMMAR)
    last = ""
    for typed, some, none in TYPED:
        document.type(f"(komi)\n{last}", f"(komi)\n{typed}")
        items = await document.ask(lsp.TEXT_DOCUMENT_COMPLETION, typed, len(typed))
        labels = {item.label for item in items}
        assert labels >= some, typed
        assert not labels & none, typed
        last = typed
    document.type(f"(komi)\n{last}", "(komi)\n%de")
    directive, *_ = await document.ask(lsp.TEXT_DOCUMENT_COMPLETION, "%de", 3)
    place = lsp.Range(document.at("%de"), document.at("%de", 3))
    document.type("%de", "c: sta")
    start, a, *_ = await document.ask(lsp.TEXT_DOCUMENT_COMPLETION, "c: sta", 6)

    assert directive.text_edit.range == place  # "%" is replaced, too
    assert (start.label, start.detail) == ("start", "Start = A")
    assert (a.label, a.detail) == ("a", 'a: "x"')


@pytest.mark.night
async def test_a_broken_grammar_has_findings_and_no_names(editor: LanguageClient) -> None:
    document = Editor(editor, (GRAMMARS / "new.lark").as_uri(), "start: (\n")

    assert [one.code[0] for one in await document.findings() if isinstance(one.code, str)] == ["L"]
    assert not await document.ask(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    assert await document.ask(lsp.TEXT_DOCUMENT_HOVER, "start") is None
