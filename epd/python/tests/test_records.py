"""Records: values with types, changes, diagnostics."""

import copy
import datetime
import math
import pickle

import epode
import pytest

FIELDS = "4k3/P7/8/8/8/8/8/4K2R w K -"


def parse(operations, **options):
    return epode.Record.parse(f"{FIELDS} {operations}", **options)


@pytest.mark.parametrize(
    "text, value",
    [
        ("acd 12;", 12),
        ("acn 18446744073709551615;", 2**64 - 1),
        ("ce -5;", -5),
        ("bm O-O a8=Q+;", ["e1g1", "a7a8q"]),
        ("bm h1h8;", ["h1h8"]),
        ("am;", []),
        ("pm Rh8+;", "h1h8"),
        ("pv O-O Kd7 a8=Q;", ["e1g1", "e8d7", "a7a8q"]),
        ('id "a; b";', "a; b"),
        ("c0;", None),
        ('c1 "x";', "x"),
        ("resign;", True),
        ("pes +0.250;", 0.25),
        ('pes "MateIn3";', "MateIn3"),
        (
            "cc 000:00:01:05 000:01:00:00;",
            (datetime.timedelta(seconds=65), datetime.timedelta(hours=1)),
        ),
        ("cte 000.00:00:01.250;", datetime.timedelta(seconds=1.25)),
        (
            "ts 1995.11.26 18:05;",
            datetime.datetime(1995, 11, 26, 18, 5, tzinfo=datetime.timezone.utc),
        ),
        ('ptp White "A b" Black "C";', {"White": "A b", "Black": "C"}),
        ('tcsi "a@b" "N";', ("a@b", "N")),
        ("refcom inform;", "inform"),
        ("D5 4865609;", 4865609),
        # Opcodes without a meaning.
        ("Scd 10;", 10),
        ("Sct 1.5;", 1.5),
        ("Src book;", "book"),
        ('Src "12";', "12"),
        ("Src book 12 0.5;", ["book", 12, 0.5]),
        ("Flag;", None),
    ],
)
def test_values_have_the_type_of_the_opcode(text, value):
    record = parse(text)
    opcode = text.split()[0].rstrip(";")
    assert record[opcode] == value
    assert type(record[opcode]) is type(value)
    assert record.operations == {opcode: value}
    assert dict(record) == {opcode: value}
    # Set again, it prints the same value.
    other = epode.Record(FIELDS)
    other[opcode] = value
    assert other[opcode] == value


def test_wrong_operands_raise_and_are_kept():
    record = parse('bm Kd8 Rh8; acd x; ptp White "A" White "B"; id "x";')
    for opcode, message in (
        ("bm", "bm: Kd8: not a legal move here"),
        ("acd", "acd: x is not an integer from 0"),
        ("ptp", "ptp: a tag occurs twice"),
    ):
        with pytest.raises(epode.OperandError, match=message):
            record[opcode]
        with pytest.raises(ValueError):
            record.get(opcode)
    assert record.operations == {"acd": "x", "bm": "Kd8 Rh8", "id": "x", "ptp": "White A White B"}
    assert record.operands("bm") == ["Kd8", "Rh8"] and record.operands("am") == []


def test_moves_in_illegal_positions():
    record = epode.Record.parse("8/8/8/8/8/8/8/K7 w - - bm Kb1; id \"x\";")
    assert record.id == "x" and record.fen == "8/8/8/8/8/8/8/K7 w - - 0 1"
    with pytest.raises(epode.PositionError, match="no black king"):
        record.position
    with pytest.raises(epode.PositionError):
        record["bm"]
    assert record.operations == {"bm": "Kb1", "id": "x"}
    assert [diagnostic.code for diagnostic in record.diagnostics] == ["illegal-position"]


def test_a_record_is_like_a_dict():
    record = parse('id "x"; bm Rh8; acd 5; acd 6;')
    assert list(record) == record.keys() == ["acd", "bm", "id"] and len(record) == 3
    assert "bm" in record and "am" not in record
    assert (record["acd"], record.get("am"), record.get("am", [])) == (5, None, [])
    with pytest.raises(KeyError, match="am"):
        record["am"]
    del record["acd"]
    with pytest.raises(KeyError):
        del record["acd"]
    record.update({"bm": "O-O", "resign": True, "c0": None, "id": False})
    assert str(record) == f"{FIELDS} bm O-O; c0; resign;"
    assert bool(epode.Record(FIELDS)) and epode.Record(FIELDS).id is None


def test_records_are_made():
    start = epode.Position()
    record = epode.Record(start, bm=["e2e4", "d4"], id="first", acd=5, Elo=2500, Note="a b", W=0.5)
    assert str(record) == (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - "
        'Elo 2500; Note "a b"; W 0.5; acd 5; bm e4 d4; id "first";'
    )
    assert record.position == start and record.line is None and record.text is None
    later = epode.Record("4k3/8/8/8/8/8/8/4K2R b K - 7 30")
    assert str(later) == "4k3/8/8/8/8/8/8/4K2R b K - fmvn 30; hmvc 7;"
    assert later.fen == "4k3/8/8/8/8/8/8/4K2R b K - 7 30" == later.position.fen
    chess960 = epode.Record(epode.Position("4k3/8/8/8/8/8/8/1R2K2R w HB - 0 1"), bm=["O-O-O"])
    assert chess960.chess960 and chess960["bm"] == ["e1b1"]


def test_wrong_values_are_refused():
    record = epode.Record(FIELDS)
    for opcode, value, error in (
        ("acd", -1, "acd: -1 is not an integer"),
        ("acd", "x", "acd: x is not an integer"),
        ("acd", [1, 2], "acd has 2 operands"),
        ("ce", 40000, "40000"),
        ("bm", ["Kd8"], "Kd8: not a legal move"),
        ("pv", ["O-O", "O-O"], "O-O: not a legal move"),
        ("id", 5, "5 is not a string"),
        ("x;y", 1, "not an opcode"),
        ("W", math.nan, "not a number"),
        ("ts", datetime.datetime(2000, 1, 1), "time zone"),
    ):
        with pytest.raises(ValueError, match=error):
            record[opcode] = value
    with pytest.raises(TypeError, match="found object"):
        record["W"] = object()
    with pytest.raises(TypeError, match="a FEN or a Position"):
        epode.Record(5)
    assert str(record) == FIELDS
    # What cannot be written in quotes is written as the standard can.
    record["id"] = 'a "b"\n'
    assert record["id"] == "a 'b' "
    record["pes"], record["cc"] = 1, [datetime.timedelta(seconds=1), datetime.timedelta(0)]
    assert record.operands("pes") == ["+1.000"]
    assert record.operands("cc") == ["000:00:00:01", "000:00:00:00"]
    zone = datetime.timezone(datetime.timedelta(hours=2))
    record["ts"] = datetime.datetime(2000, 1, 1, 1, 30, tzinfo=zone)
    assert record.operands("ts") == ["1999.12.31", "23:30:00"]


def test_diagnostics_have_spans():
    record = parse('c0 "caf\u00e9";  bm Kd8')
    found = {diagnostic.code: diagnostic for diagnostic in record.diagnostics}
    assert list(found) == ["not-ascii", "surplus-space", "bm-not-legal", "missing-semicolon"]
    bad = found["bm-not-legal"]
    assert (bad.severity, bad.message) == ("warning", "bm: Kd8: not a legal move here")
    assert record.text[slice(*bad.span)] == "Kd8"
    assert (bad.line, bad.column, bad.replacement) == (1, bad.span[0] + 1, None)
    assert str(bad) == f"1:{bad.column}: warning[bm-not-legal]: bm: Kd8: not a legal move here"
    assert found["missing-semicolon"].replacement == ";"
    assert (found["missing-semicolon"].severity, found["not-ascii"].severity) == ("note", "note")
    for other in (pickle.loads(pickle.dumps(bad)), copy.copy(bad)):
        assert other == bad and hash(other) == hash(bad)
    assert parse("bm Rh8+;").diagnostics == ()


def test_diagnostics_follow_changes():
    record = parse("bm Kd8")
    assert record.text and record.line == 1 and len(record.diagnostics) == 2
    record["bm"] = ["O-O"]
    assert record.text is None and record.line is None and record.diagnostics == ()
    record["acd"], record["acn"] = 5, 10
    record["dm"], record["ce"] = 3, 10
    assert [one.code for one in record.diagnostics] == ["dm-against-ce"]


def test_modes():
    line = f"{FIELDS} bm h1h8"
    assert str(epode.Record.parse(line)) == f"{line};"
    assert str(epode.Record.parse(line, mode="repair")) == f"{FIELDS} bm Rh8+;"
    with pytest.raises(epode.ReadError, match="1:36: no semicolon") as caught:
        epode.Record.parse(line, mode="strict")
    assert (caught.value.code, caught.value.column) == ("missing-semicolon", 36)
    with pytest.raises(ValueError, match="mode: expected 'strict', 'lenient' or 'repair', found 'x'"):
        epode.Record.parse(line, mode="x")
    line = "nrbbnqkr/pppppppp/8/8/8/8/PPPPPPPP/NRBBNQKR w KQkq -"
    assert epode.Record.parse(line, chess960=True).position.chess960


def test_lines_that_cannot_be_read():
    for line, column, code in (
        ("x w - -", 1, "position"),
        (f'{FIELDS} id "x', len(FIELDS) + 5, "open-string"),
        ("# comment", 1, "no-record"),
        ("", 1, "no-record"),
        (f"{FIELDS} noop {'x' * 70000};", 65537, "endless-line"),
    ):
        with pytest.raises(epode.ReadError) as caught:
            epode.Record.parse(line)
        error = caught.value
        assert (error.line, error.column, error.code, error.path) == (1, column, code, None)
        assert error.text == line and error.span[0] == column - 1
        assert pickle.loads(pickle.dumps(error)).column == column
    assert epode.Record.parse(f"{FIELDS}\r\n").diagnostics == epode.Record.parse(FIELDS).diagnostics


def test_copies():
    read = parse("bm Kd8")
    changed = parse("bm Rh8")
    changed["id"] = "x"
    for record in (read, changed):
        for other in (pickle.loads(pickle.dumps(record)), copy.copy(record), copy.deepcopy(record)):
            assert other == record and other is not record
            assert (other.text, other.line) == (record.text, record.line)
            assert other.diagnostics == record.diagnostics
            other["id"] = "y"
            assert other != record
    assert read != "a string"
    with pytest.raises(TypeError, match="unhashable"):
        hash(read)
