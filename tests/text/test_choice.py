"""Two hundred texts in 25 encodings, with CA, without it, and with a false one."""

# ruff: noqa: RUF001  # letters of many languages

from __future__ import annotations

import pytest

import sgf_lark
from sgf_lark.core.text.encoding import decode

#: Of each language four pairs of names, two of them with an event, and sentences.
TEXTS = {
    "German": (
        *("PB[Jürgen Müßig]", "PB[Käthe Größl]", "PB[Bernd Schütze]PW[Jörg Weiß]"),
        *("PB[Björn]PW[Günther]", "PB[Löwe]PW[Bär]EV[Meisterschaft in Köln]"),
        *(
            "PB[Süßebier]EV[Größtes Turnier für Anfänger]",
            "C[Schwarz hätte hier schön ziehen können]",
        ),
        "C[Weiß überläßt die Ecke für größeren Einfluß]",
    ),
    "French": (
        *("PB[Benoît Désiré]", "PB[Héloïse]PW[Gérard]", "PB[François Bréhier]PW[Zoé]"),
        *(
            "PB[Aurélie Lefèvre]",
            "PB[Rémi]PW[Joëlle]EV[Coupe de l'été]",
            "PB[Noël]EV[Orléans, première ronde]",
        ),
        *("C[Là, Noir a déjà gagné la partie]", "C[Un coup très sévère, à côté]"),
    ),
    "Spanish": (
        *(
            "PB[Begoña Núñez]",
            "PB[José Muñoz]PW[Íñigo]",
            "PB[Andrés Ibáñez]",
            "PB[Raúl Peña]PW[Ángel]",
        ),
        *("PB[Óscar]PW[Sofía]EV[Campeonato de España]", "PB[Martín]EV[Torneo de otoño, Málaga]"),
        *("C[¿Qué pasó aquí? El niño jugó mal]", "C[La última jugada está en la esquina española]"),
    ),
    "Czech": (
        *(
            "PB[Vladimír Daněk]PW[Jiří Černý]",
            "PB[Dušan Procházka]",
            "PB[Jaroslav Růžička]PW[Ondřej Šílt]",
        ),
        *(
            "PB[Lukáš Podpěra]",
            "PB[Petr Hořejší]EV[Přebor Čech]",
            "PB[Jana Hříbková]PW[Klára Žáková]EV[Liga]",
        ),
        *("C[Černý měl hrát v rohu, příště lepší]", "C[Tohle už bylo příliš těžké]"),
    ),
    "Polish": (
        *(
            "PB[Księżna]",
            "PB[Łukasz Żółciński]PW[Jarosław Pięta]",
            "PB[Mateusz Gąsior]PW[Rafał Wójtowicz]",
        ),
        *(
            "PB[Małgorzata Śliwa]",
            "PB[Paweł Łoś]EV[Mistrzostwa Łodzi]",
            "PB[Żaneta]PW[Kuźma]EV[Wrocław, wiosna]",
        ),
        *("C[Białe powinny były zagrać w rogu, czarne są słabsze]", "C[Ten ruch był zbyt późny]"),
    ),
    "Russian": (
        *("PB[Александр Динер]", "PB[Илья Шикшин]PW[Тимур]", "PB[Светлана]", "PB[Ли]PW[Юрий Плющ]"),
        *("PB[Наталья]PW[Дмитрий]EV[Первенство России]", "PB[Виктор Богданов]EV[Кубок Казани]"),
        *("C[Чёрные выигрывают в этом углу]", "C[Здесь белые должны были ответить сверху]"),
    ),
    "Greek": (
        *(
            "PB[Γιώργος Παπαδάκης]",
            "PB[Ελένη]PW[Νίκος]",
            "PB[Σταύρος Μιχαηλίδης]",
            "PB[Κώστας]PW[Μαρία]",
        ),
        *("PB[Δημήτρης]EV[Πρωτάθλημα Αθηνών]", "PB[Άννα]PW[Θανάσης]EV[Κύπελλο]"),
        *("C[Τα μαύρα κερδίζουν στη γωνία]", "C[Η κίνηση αυτή ήταν αργή]"),
    ),
    "Turkish": (
        *(
            "PB[Ayşe Yıldız]PW[Çağrı]",
            "PB[Özgür Doğan]",
            "PB[Işıl Şahin]PW[Gökçe]",
            "PB[Mehmet Kılıç]PW[Barış]",
        ),
        *("PB[İbrahim Ağaoğlu]EV[İstanbul Şampiyonası]", "PB[Uğur]PW[Şükrü]EV[Kış turnuvası]"),
        *("C[Siyah köşeyi kazandı, beyaz geç kaldı]", "C[Bu hamle çok yavaştı]"),
    ),
    "Hebrew": (
        *("PB[דוד כהן]PW[שרה]", "PB[משה לוי]", "PB[יעל ברק]PW[רון]", "PB[אברהם שלום]"),
        *("PB[נועה גולן]EV[אליפות ישראל]", "PB[חיים]PW[מרים]EV[גביע חיפה]"),
        *("C[השחור ניצח בפינה]", "C[המהלך הזה היה איטי מדי]"),
    ),
    "Arabic": (
        *("PB[محمد الأمين]PW[علي]", "PB[يوسف حداد]", "PB[فاطمة]PW[سمير]", "PB[عبد الله ناصر]"),
        *("PB[ليلى]EV[بطولة القاهرة]", "PB[كريم]PW[منى]EV[كأس بيروت]"),
        *("C[الأسود يفوز في الزاوية]", "C[كانت هذه النقلة بطيئة]"),
    ),
    "Thai": (
        *("PB[สมชาย ใจดี]PW[มาลี]", "PB[ประเสริฐ]", "PB[วิชัย]PW[อรุณ]", "PB[สุดา แก้วตา]"),
        *("PB[นภา]EV[ชิงแชมป์ประเทศไทย]", "PB[ชัย]PW[ดาว]EV[ถ้วยกรุงเทพ]"),
        *("C[ดำชนะที่มุม]", "C[ตานี้ช้าเกินไป]"),
    ),
    "Chinese": (
        *("PB[李世石]PW[古力]", "PB[张栩]PW[林海峰]", "PB[马晓春]", "PB[常昊]PW[周鹤洋]"),
        *("PB[聂卫平]PW[陈祖德]EV[第三届名人战]", "PB[王磊]PW[刘小光]EV[全国围棋赛]"),
        *("C[黑棋在右下角的下法是定式]", "C[这一手棋下得很好、白棋已经没有办法了]"),
    ),
    "Taiwanese": (
        *("PB[張栩]PW[王立誠]", "PB[周俊勳]PW[林至涵]", "PB[陳詩淵]", "PB[蕭正浩]PW[黃祥任]"),
        *("PB[王元均]PW[林君諺]EV[棋王戰決賽]", "PB[許皓鋐]PW[賴均輔]EV[名人賽]"),
        *("C[黑棋在右下角的下法是定石]", "C[這一手棋下得很好、白棋已經沒有辦法了]"),
    ),
    "Japanese": (
        *(
            "PB[小林光一]PW[武宮正樹]",
            "PB[加藤正夫]PW[石田芳夫]",
            "PB[井山裕太]",
            "PB[一力遼]PW[芝野虎丸]",
        ),
        *("PB[依田紀基]PW[羽根直樹]EV[第28期名人戦]", "PB[ゾウ]PW[ソノダ]EV[棋聖戦]"),
        *("C[ここから黒が苦しくなりました]", "C[白の手は良い手でした。表を見る]"),
    ),
    "Korean": (
        *("PB[이창호]PW[조훈현]", "PB[유창혁]PW[서봉수]", "PB[박정환]", "PB[신진서]PW[김지석]"),
        *("PB[최정]PW[오유진]EV[여자 국수전 결승]", "PB[이세돌]PW[강동윤]EV[명인전]"),
        *("C[백이 둔 수는 매우 좋은 수였다]", "C[여기서 흑이 어려워졌다]"),
    ),
}

#: The encodings, each with the name that CA gives it and a language.
ENCODINGS = {
    "utf-8": ("UTF-8", "Czech"),
    "iso8859-1": ("ISO-8859-1", "German"),
    "cp1252": ("windows-1252", "French"),
    "iso8859-15": ("ISO-8859-15", "French"),
    "mac-roman": ("macintosh", "German"),
    "cp850": ("IBM850", "Spanish"),
    "iso8859-2": ("ISO-8859-2", "Czech"),
    "cp1250": ("windows-1250", "Polish"),
    "cp1251": ("windows-1251", "Russian"),
    "koi8-r": ("KOI8-R", "Russian"),
    "cp866": ("IBM866", "Russian"),
    "iso8859-5": ("ISO-8859-5", "Russian"),
    "cp1253": ("windows-1253", "Greek"),
    "iso8859-7": ("ISO-8859-7", "Greek"),
    "cp1254": ("windows-1254", "Turkish"),
    "cp1255": ("windows-1255", "Hebrew"),
    "cp1256": ("windows-1256", "Arabic"),
    "cp874": ("windows-874", "Thai"),
    "gb2312": ("GB2312", "Chinese"),
    "gb18030": ("GB18030", "Chinese"),
    "big5": ("Big5", "Taiwanese"),
    "cp932": ("Shift_JIS", "Japanese"),
    "euc_jp": ("EUC-JP", "Japanese"),
    "iso2022_jp": ("ISO-2022-JP", "Japanese"),
    "euc_kr": ("EUC-KR", "Korean"),
}

ROWS = [
    (encoding, text) for encoding, (_, language) in ENCODINGS.items() for text in TEXTS[language]
]

#: Texts that the bytes alone do not give: too few letters tell these encodings from others.
OPEN: set[tuple[str, str]] = {
    *(("cp850", text) for text in ("PB[Begoña Núñez]", "PB[Raúl Peña]PW[Ángel]")),
    *(("iso8859-7", text) for text in ("PB[Άννα]PW[Θανάσης]EV[Κύπελλο]",)),
}

#: Texts whose false CA is believed, or which are read as a third encoding: CA[ISO-8859-1], and
#: CA[GBK] above texts that this could be.
SILENT: set[tuple[str, str]] = {
    *(
        ("mac-roman", text)
        for text in (
            "PB[Löwe]PW[Bär]EV[Meisterschaft in Köln]",
            "C[Schwarz hätte hier schön ziehen können]",
        )
    ),
    *(("cp850", text) for text in ("PB[Begoña Núñez]", "PB[Raúl Peña]PW[Ángel]")),
    *(("iso8859-2", text) for text in ("PB[Jana Hříbková]PW[Klára Žáková]EV[Liga]",)),
    *(("cp1250", text) for text in ("PB[Paweł Łoś]EV[Mistrzostwa Łodzi]",)),
    *(("cp1251", text) for text in ("PB[Ли]PW[Юрий Плющ]",)),
    *(("iso8859-7", text) for text in ("PB[Άννα]PW[Θανάσης]EV[Κύπελλο]",)),
    *(
        ("cp1254", text)
        for text in (
            "PB[Ayşe Yıldız]PW[Çağrı]",
            "PB[Özgür Doğan]",
            "PB[Işıl Şahin]PW[Gökçe]",
            "PB[Mehmet Kılıç]PW[Barış]",
            "PB[İbrahim Ağaoğlu]EV[İstanbul Şampiyonası]",
            "PB[Uğur]PW[Şükrü]EV[Kış turnuvası]",
            "C[Siyah köşeyi kazandı, beyaz geç kaldı]",
            "C[Bu hamle çok yavaştı]",
        )
    ),
    *(
        ("cp1255", text)
        for text in (
            "PB[דוד כהן]PW[שרה]",
            "PB[חיים]PW[מרים]EV[גביע חיפה]",
            "C[המהלך הזה היה איטי מדי]",
        )
    ),
    *(("cp1256", text) for text in ("PB[يوسف حداد]",)),
    *(("gb2312", text) for text in ("PB[张栩]PW[林海峰]", "PB[常昊]PW[周鹤洋]")),
    *(("gb18030", text) for text in ("PB[张栩]PW[林海峰]", "PB[常昊]PW[周鹤洋]")),
    *(("big5", text) for text in ("PB[許皓鋐]PW[賴均輔]EV[名人賽]",)),
}


def record(text: str, name: str | None = None) -> str:
    return f"(;FF[4]GM[1]SZ[19]{f'CA[{name}]' if name else ''}{text};B[pd];W[dd])"


def shape(data: bytes) -> list[list[str]]:
    (game,) = sgf_lark.loads(data, strict=False)
    return [[one.name for one in node.properties] for node in game.nodes]


def test_there_are_two_hundred_texts_in_25_encodings() -> None:
    assert (len(ENCODINGS), len(ROWS)) == (25, 200)


@pytest.mark.parametrize(("encoding", "text"), ROWS)
def test_a_text_is_read_by_its_ca(encoding: str, text: str) -> None:
    written = record(text, ENCODINGS[encoding][0])

    assert decode(written.encode(encoding))[::2] == (written, ())


@pytest.mark.parametrize(("encoding", "text"), ROWS)
def test_a_text_without_ca_is_read_right_or_known_to_be_open(encoding: str, text: str) -> None:
    written = record(text)
    data = written.encode(encoding)

    assert (decode(data).text == written) is ((encoding, text) not in OPEN)
    assert shape(data) == shape(written.encode())


@pytest.mark.parametrize(("encoding", "text"), ROWS)
def test_a_false_ca_is_seen_through_or_the_text_is_known_to_be_open(
    encoding: str, text: str
) -> None:
    is_western = ENCODINGS[encoding][1] in {"German", "French", "Spanish"}
    written = record(text, "GBK" if is_western else "ISO-8859-1")
    decoded = decode(written.encode(encoding))

    right = decoded.text == written and "E402" in {one.rule.code for one in decoded.findings}
    assert right is ((encoding, text) not in SILENT)


#: Names whose last byte begins a character in codecs of the East, which the bracket would end.
SWALLOWED = [
    *(("cp1250", "Książę"), ("cp1250", "Jenő"), ("iso8859-2", "Kříž"), ("koi8-r", "ход")),
    *(("cp1251", "Юрий"), ("cp874", "มาลี"), ("cp1256", "محمد"), ("cp1253", "Αθηνά")),
    *(("cp1255", "שרה"), ("cp1254", "Şükrü"), ("cp1252", "Zoé Lefèvré"), ("cp866", "Илья")),
]


@pytest.mark.parametrize(("encoding", "name"), SWALLOWED)
def test_no_way_of_reading_loses_a_move_to_a_bracket_that_is_half_a_character(
    encoding: str, name: str
) -> None:
    record = f"(;FF[4]GM[1]SZ[19]PB[{name}];B[pd];W[dd])"
    data = record.encode(encoding)
    collection = sgf_lark.loads(data)
    again = sgf_lark.Collection.model_validate_json(collection.model_dump_json())
    as_ff3 = sgf_lark.convert(collection, "ff3")
    fixed = sgf_lark.fix_record(data, unsafe=True).data
    laid_out = sgf_lark.format_record(data)

    assert sgf_lark.dumps(collection).encode(collection.encoding or "") == data
    for one in (collection, again, as_ff3, *map(sgf_lark.loads, (fixed, laid_out))):
        assert [len(game.nodes) for game in one] == [3]
        assert one[0].root["PB"] == collection[0].root["PB"]


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        *(("cp932", text) for text in ("PB[ソ]PW[表]", "C[ゾ]N[十]", "C[予表ソ]")),
        *(("big5", text) for text in ("PB[許]PW[功]", "C[蓋]N[育]", "PB[許功蓋]")),
        *(("gb18030", text) for text in ("PB[臸李]PW[王]", "C[黑棋臸]")),
    ],
)
def test_a_character_whose_second_byte_is_a_bracket_or_a_backslash_stays_one(
    encoding: str, text: str
) -> None:
    written = record(text)

    assert decode(written.encode(encoding)).text == written
    assert shape(written.encode(encoding)) == shape(written.encode())


@pytest.mark.parametrize(
    ("name", "encoding", "text"),
    [
        *(("ANSI", *one) for one in (("gb18030", "PB[马晓春]"), ("cp1251", "PB[Виктор]"))),
        *(("ASCII", *one) for one in (("cp932", "PB[井山裕太]"), ("cp1250", "PB[Jiří]PW[Řehoř]"))),
        *(("binary", *one) for one in (("euc_kr", "PB[이창호]"), ("koi8-r", "PB[Виктор]"))),
        *(("8bit", *one) for one in (("big5", "PB[陳詩淵]"), ("cp1253", "PB[Παπαδάκης]"))),
    ],
)
def test_what_names_no_encoding_counts_as_no_ca(name: str, encoding: str, text: str) -> None:
    written = record(text, name)
    decoded = decode(written.encode(encoding))

    assert decoded.text == written
    assert {one.rule.code for one in decoded.findings} <= {"E402", "E403"}


@pytest.mark.parametrize("name", ["GBK", "GB2312", "Big5", "EUC-KR"])
@pytest.mark.parametrize("player", ["张栩", "青木", "이창호", "Jiří Černý", "Виктор", "Γιώργος"])
def test_utf8_names_under_a_ca_of_two_bytes_are_read_and_declared_only_on_request(
    name: str, player: str
) -> None:
    written = record(f"PB[{player}]", name)
    collection = sgf_lark.loads(written.encode(), strict=False)

    assert collection[0].root["PB"] == player
    (found,) = [one for one in collection.diagnostics if one.code == "E402"]
    assert found.fix is not None


@pytest.mark.parametrize(
    "text",
    [
        *("PB[öäü]", "PB[éèê]", "PB[àâ]", "PB[çà]", "PB[Þjóðvegur]", "C[s¤h¤n]", "C[§ 3, µ, °]"),
        *("PB[Çelik]", "PB[Öuvré]", "C[là où]", "PB[ñandú]"),
    ],
)
def test_dense_letters_of_latin1_are_the_default_of_the_standard(text: str) -> None:
    written = record(text)

    assert decode(written.encode("latin-1"))[:2] == (written, "iso8859-1")


@pytest.mark.parametrize(
    "lost",
    [b"\x97\x9b", b"\xa2", b"\xa2\xa0\xa2", b"\x80\x81\x82"],
)
@pytest.mark.parametrize("value", ["段", "三段", "4段"])
def test_damaged_utf8_is_no_charset_that_swallows_a_bracket(value: str, lost: bytes) -> None:
    after = b"  WR[5\xe6\xae\xb5]KM[6.5];B[pd])"
    data = b"(;GM[1]FF[4]BR[" + value.encode() + b"]" + lost + after
    plain = sgf_lark.loads(data, strict=False, encoding="iso-8859-1")

    game = sgf_lark.loads(data, strict=False)[0]

    assert [*game.root] == [*plain[0].root]
    assert game.root["KM"] == plain[0].root["KM"]


@pytest.mark.parametrize("encoding", ["gb18030", "big5", "cp949", "cp932"])
@pytest.mark.parametrize("ident", ["AP", "KM", "C"])
def test_no_guess_swallows_the_first_letter_of_a_name(ident: str, encoding: str) -> None:
    name = {"gb18030": "古力", "big5": "林海", "cp949": "조훈현", "cp932": "小林"}[encoding]
    data = f"(;PB[{name}]N[x]".encode(encoding) + b"\x81" + ident.encode() + b"[1];B[pd])"

    game = sgf_lark.loads(data, strict=False)[0]

    assert [*game.root] == ["PB", "N", ident]
