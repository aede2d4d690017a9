"""normalize and repair."""

import os
import pathlib

import epode
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]

# The example of the project's README.
KAUFMAN = """\
r1bqk2r/ppp2ppp/2n5/4P3/2Bp2n1/5N1P/PP1N1PP1/R2Q1RK1 b kq - 1 10 ; bm Nh6; am Ne5
rnbq1rk1/pppp1ppp/4pn2/8/1bPP4/P1N5/1PQ1PPPP/R1B1KBNR b KQ - id Kaufman 06; bm Bxc3 +
"""
REPAIRED = """\
r1bqk2r/ppp2ppp/2n5/4P3/2Bp2n1/5N1P/PP1N1PP1/R2Q1RK1 b kq - am "Ne5"; bm Nh6; fmvn 10; hmvc 1;
rnbq1rk1/pppp1ppp/4pn2/8/1bPP4/P1N5/1PQ1PPPP/R1B1KBNR b KQ - bm Bxc3+; id "Kaufman 06";
"""


def test_repairs_are_those_of_the_program():
    text, diagnostics = epode.repair(KAUFMAN)
    assert text == REPAIRED
    assert [(one.line, one.column, one.code) for one in diagnostics] == [
        (1, 61, "fen-counters"),
        (1, 79, "am-not-legal"),
        (1, 82, "missing-semicolon"),
        (2, 65, "unquoted-string"),
        (2, 85, "apart-sign"),
        (2, 86, "missing-semicolon"),
    ]
    assert diagnostics[4].replacement == "Bxc3+"


def test_normal_form():
    fields = "4k3/8/8/8/8/8/8/4K2R w K -"
    line = f"{fields} bm h1h8 O-O; acd +05; id x"
    assert epode.normalize(line)[0] == f'{fields} acd +05; bm O-O h1h8; id "x";'
    assert epode.normalize(line, canonical=True)[0] == f'{fields} acd 5; bm O-O h1h8; id "x";'
    assert epode.repair(line)[0] == f'{fields} acd +05; bm O-O Rh8+; id "x";'
    assert epode.normalize(f"{fields} acd 5;\n", strict=True) == (f"{fields} acd 5;\n", [])
    with pytest.raises(epode.ReadError, match="1:53: a string without quotes"):
        epode.normalize(line, strict=True)


def test_other_lines_are_kept():
    text = "# suite\n\n8/8/8/8/8/k7/8/K7 w - - id x\r\n  % end"
    expected = '# suite\n\n8/8/8/8/8/k7/8/K7 w - - id "x";\n  % end'
    assert epode.normalize(text)[0] == expected
    assert epode.repair("") == ("", [])


def test_lines_that_cannot_be_read():
    text = "8/8/8/8/8/k7/8/K7 w - -\nx y z\n"
    for rewrite in (epode.normalize, epode.repair):
        with pytest.raises(epode.ReadError, match="2:1: ") as caught:
            rewrite(text)
        assert (caught.value.line, caught.value.text) == (2, "x y z")
        kept, diagnostics = rewrite(text, errors="keep")
        assert kept == text
        assert (diagnostics[0].line, diagnostics[0].severity) == (2, "error")
        with pytest.raises(ValueError, match="'raise' or 'keep'"):
            rewrite(text, errors="skip")


def test_chess960():
    line = "nrbbnqkr/pppppppp/8/8/8/8/PPPPPPPP/NRBBNQKR w KQkq -"
    assert epode.repair(line, chess960=True)[0] == line.replace("KQkq", "HBhb")
    assert epode.normalize(line, chess960=True)[0] == line.replace("KQkq", "HBhb")


def test_repaired_suites_of_shared_stay_as_they_are():
    folders = [ROOT / "suites", ROOT.parent / "shared" / "suites"]
    folders.append(pathlib.Path(os.environ.get("EPODE_SUITES", folders[0])))
    if not folders[1].is_dir():
        print("not tested on shared suites: there are none")
    files = [path for folder in folders if folder.is_dir() for path in folder.glob("*.epd")]
    assert files
    for path in files:
        text = path.read_bytes().decode("utf-8", "replace")
        repaired, _ = epode.repair(text, errors="keep")
        assert epode.repair(repaired, errors="keep")[0] == repaired, path
        # Nothing is lost: the same records, with the same number of operations.
        before = [len(record) for record in epode.read(path, errors="skip")]
        after = [len(epode.Record.parse(line)) for line in repaired.splitlines() if is_record(line)]
        assert after == before, path


def is_record(line):
    try:
        epode.Record.parse(line)
    except epode.ReadError:
        return False
    return True
