"""Reading files: compression, standard input, file objects, errors, threads."""

import gzip
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import threading

import epode
import pytest

SUITE = pathlib.Path(__file__).resolve().parents[3] / "suites" / "bratko-kopec.epd"
RECORD = '4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id "{}";'


def ids(source, **options):
    return [record.id for record in epode.read(source, **options)]


def numbered(count):
    return "".join(RECORD.format(n) + "\n" for n in range(count))


def expected(count):
    return [str(n) for n in range(count)]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "suite.epd"


def test_a_file_has_its_records_in_order(path):
    # More than one block.
    path.write_text(numbered(5000))
    assert ids(path) == ids(str(path)) == expected(5000)
    lines = [(record.line, record.text) for record in epode.read(path)]
    assert lines == list(enumerate(path.read_text().splitlines(), 1))
    assert len(ids(SUITE)) == 24


def test_blank_lines_and_comments_are_left_out(path):
    path.write_text(f"# a comment\n\n% another\n{RECORD.format('x')}\n\n")
    assert [(record.id, record.line) for record in epode.read(path)] == [("x", 4)]
    path.write_text("")
    assert ids(path) == []
    path.write_text(RECORD.format("no line feed"))
    assert ids(path) == ["no line feed"]


def test_compressed_files_whatever_their_name(path):
    text = numbered(3000).encode()
    path.write_bytes(gzip.compress(text[:5000]) + gzip.compress(text[5000:]))
    assert ids(path) == expected(3000)
    zstandard = pytest.importorskip("zstandard")
    path.write_bytes(zstandard.compress(text))
    assert ids(path) == expected(3000)
    with path.open("rb") as file:
        assert ids(file) == expected(3000)


def test_damaged_files(path):
    whole = gzip.compress(numbered(20_000).encode())
    path.write_bytes(whole[: len(whole) // 2])
    found = []
    with pytest.raises(OSError, match="suite.epd"):
        for record in epode.read(path):
            found.append(record.id)
    assert found == expected(len(found))
    for begin, what in (
        (b"BZh91AY&SY" * 3, "bzip2-compressed"),
        ("\ufeff8/8".encode("utf-16"), "UTF-16"),
        (b"PAR1" + bytes(20), "Parquet"),
        (gzip.compress(whole), "compressed twice"),
    ):
        path.write_bytes(begin)
        with pytest.raises(epode.ReadError, match=f"suite.epd is .*{what}") as caught:
            epode.read(path)
        assert caught.value.path == str(path) and caught.value.line is None


def test_file_objects():
    text = numbered(2000)
    for source in (
        io.StringIO(text),
        io.BytesIO(text.encode()),
        io.TextIOWrapper(io.BytesIO(text.encode())),
        io.BytesIO(gzip.compress(text.encode())),
        gzip.GzipFile(fileobj=io.BytesIO(gzip.compress(text.encode()))),
    ):
        assert ids(source) == expected(2000)
    with tempfile.TemporaryFile("w+") as file:
        file.write(text)
        file.seek(0)
        assert ids(file) == expected(2000)


def test_errors_of_file_objects_are_raised():
    class Broken:
        def __init__(self):
            self.parts = [numbered(1).encode(), KeyError("broken")]

        def read(self, size):
            part = self.parts.pop(0)
            if isinstance(part, bytes):
                return part
            raise part

    reader = epode.read(Broken())
    assert next(reader).id == "0"
    with pytest.raises(KeyError, match="broken"):
        next(reader)
    assert list(reader) == []

    class Wrong:
        def read(self, size):
            return 5

    with pytest.raises(TypeError):
        list(epode.read(Wrong()))


def test_sources_that_are_none():
    with pytest.raises(FileNotFoundError) as caught:
        epode.read("no such file.epd")
    assert caught.value.filename == "no such file.epd"
    with pytest.raises(IsADirectoryError):
        list(epode.read(os.curdir))
    with pytest.raises(TypeError, match="expected a path, '-' or a file object, found int"):
        epode.read(5)
    for option in ({"errors": "ignore"}, {"mode": "loose"}):
        with pytest.raises(ValueError, match="expected '"):
            epode.read(SUITE, **option)


def test_standard_input():
    code = "import epode\nfor record in epode.read('-'): print(record.id, flush=True)"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        # A record comes out before the next one goes in.
        for name in ("first", "second"):
            child.stdin.write(RECORD.format(name) + "\n")
            child.stdin.flush()
            assert child.stdout.readline() == f"{name}\n"
        child.stdin.write(RECORD.format("third"))
        child.stdin.close()
        assert child.stdout.read() == "third\n"
    assert child.returncode == 0


def test_lines_that_cannot_be_read(path):
    path.write_text(f"{RECORD.format(1)}\n8/8 w - -\n{RECORD.format(2)}\nx\n{RECORD.format(3)}\n")
    reader = epode.read(path)
    assert next(reader).id == "1"
    with pytest.raises(epode.ReadError, match=r"suite.epd:2:1: 2 ranks, expected 8") as caught:
        next(reader)
    error = caught.value
    assert (error.line, error.column, error.path) == (2, 1, str(path))
    assert (error.text, error.span, error.code) == ("8/8 w - -", (0, 3), "position")
    # It goes on after the line.
    assert next(reader).id == "2"
    reader = epode.read(path, errors="skip")
    assert [record.id for record in reader] == ["1", "2", "3"]
    assert [error.line for error in reader.errors] == [2, 4]
    assert all(isinstance(error, epode.ReadError) for error in reader.errors)
    with pytest.raises(epode.ReadError):
        list(epode.read(io.StringIO("x\n")))


def test_modes(path):
    path.write_text("4k3/8/8/8/8/8/8/4K2R w K - bm h1h8\n")
    for mode, found in (("lenient", "bm h1h8;"), ("repair", "bm Rh8+;")):
        assert [str(record)[-8:] for record in epode.read(path, mode=mode)] == [found]
    with pytest.raises(epode.ReadError, match="no semicolon"):
        list(epode.read(path, mode="strict"))


def test_a_file_is_checked(path):
    bad = "4k3/8/8/8/8/8/8/4K2R w K - bm Kd8;"
    path.write_text(f"{numbered(2000)}{bad}\n\n# comment\nx\n{numbered(2000)}{bad}")
    checked = epode.check(path)
    assert [(one.line, one.severity, one.code) for one in checked] == [
        (2001, "warning", "bm-not-legal"),
        (2004, "error", "position"),
        (4005, "warning", "bm-not-legal"),
    ]
    assert checked.records == 4002
    assert list(epode.check(SUITE)) == []
    strict = list(epode.check(io.StringIO(f"{RECORD.format(1)} \n"), mode="strict"))
    assert (strict[-1].severity, strict[-1].code) == ("error", "surplus-space")
    # The same as of the records.
    found = [one for record in epode.read(path, errors="skip") for one in record.diagnostics]
    assert found == [one for one in epode.check(path) if one.severity != "error"]
    with pytest.raises(FileNotFoundError):
        epode.check("no such file.epd")
    path.write_bytes(gzip.compress(numbered(9000).encode())[:-20])
    with pytest.raises(OSError, match="suite.epd"):
        list(epode.check(path))


def test_files_as_they_are_found(path):
    fields = "8/8/8/8/8/k7/8/K7 w - -"
    for data, found in (
        (f'{fields} id "a";\r\n{fields} id "b";\r\n'.encode(), ["a", "b"]),
        (f'{fields} id "a";\r{fields} id "b";\r'.encode(), ["a", "b"]),
        (f'\ufeff{fields} id "caf\u00e9";\n'.encode(), ["caf\u00e9"]),
        (f'{fields} id "caf\u00e9";\n'.encode("latin-1"), ["caf\u00e9"]),
        (f'{fields} id "torn\napart"; bm Kb1\n{fields} id "b"'.encode(), ["torn apart", "b"]),
    ):
        path.write_bytes(data)
        assert ids(path) == found, data
    torn = next(epode.read(io.StringIO(f'\n{fields} id "torn\napart"; bm Kc1\n')))
    assert [(one.code, one.line, one.column) for one in torn.diagnostics] == [
        ("broken-line", 2, 33),
        ("bm-not-legal", 3, 12),
        ("missing-semicolon", 3, 15),
    ]


@pytest.mark.parametrize("cut", range(1, 8))
def test_lines_do_not_depend_on_how_they_arrive(cut):
    torn = RECORD.format("to\nrn")
    text = f"{RECORD.format(1)}\r\n# c\r\n{torn}\n{RECORD.format(2)}\n\r\n"
    whole = [(record.id, record.line, record.text) for record in epode.read(io.StringIO(text))]
    assert [(name, line) for name, line, _ in whole] == [("1", 1), ("to rn", 3), ("2", 5)]

    class Slow:
        def __init__(self):
            self.rest = io.BytesIO(text.encode())

        def read(self, size):
            return self.rest.read(cut)

    assert [(record.id, record.line, record.text) for record in epode.read(Slow())] == whole


def test_endless_lines_are_errors_and_not_kept(path):
    with path.open("w") as file:
        file.write(RECORD.format(1) + "\n")
        for _ in range(40):
            file.write("x" * 50_000)
        file.write("\n" + RECORD.format(2) + "\n")
    reader = epode.read(path, errors="skip")
    assert [(record.id, record.line) for record in reader] == [("1", 1), ("2", 3)]
    assert [(error.line, error.code) for error in reader.errors] == [(2, "endless-line")]
    assert len(reader.errors[0].text) < 200_000


def test_a_reader_is_closed(path):
    path.write_text(numbered(10))
    with epode.read(path) as reader:
        assert next(reader).id == "0"
    assert list(reader) == []


def test_threads_share_a_reader(path):
    path.write_text(numbered(20_000))
    reader, found = epode.read(path), [[], []]

    def work(into):
        into.extend(record.id for record in reader)

    threads = [threading.Thread(target=work, args=(into,)) for into in found]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found[0] + found[1], key=int) == expected(20_000)


# A FIFO gives what another thread of the same process writes: with the GIL held, neither goes on.
FIFO = """
import os, sys, threading, epode
path = sys.argv[1]
def write():
    with open(path, "w") as file:
        file.write(sys.argv[2])
threading.Thread(target=write).start()
print(sum(1 for _ in epode.read(path)))
"""


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no FIFOs here")
def test_other_threads_run_while_a_file_is_read(path):
    os.mkfifo(path)
    child = subprocess.run(
        [sys.executable, "-c", FIFO, path, numbered(500)],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert child.stdout == "500\n"


INTERRUPTED = """
import os, signal, sys, epode
# A job in the background of a shell ignores Ctrl-C, and so do its children.
signal.signal(signal.SIGINT, signal.default_int_handler)
reader = epode.read(sys.argv[1])
try:
    print(next(reader).id, flush=True)
    next(reader)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no FIFOs here")
def test_control_c_ends_a_read_that_waits(path):
    import signal

    os.mkfifo(path)
    with subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, path], stdout=subprocess.PIPE, text=True
    ) as child:
        with open(path, "w") as file:
            file.write(numbered(1))
            file.flush()
            assert child.stdout.readline() == "0\n"
            child.send_signal(signal.SIGINT)
            assert child.stdout.readline() == "interrupted\n"
