"""The engine."""

import datetime
import signal
import subprocess
import sys
import threading

import epode
import pytest

MATE = "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - -"


def test_a_mate_is_found():
    record = epode.Record.parse(f'{MATE} bm Qd1+; id "BK.01";')
    analysis = epode.analyze(record, nodes=100_000)
    assert analysis.pm == "d6d1" and analysis.pm in record["bm"]
    assert (analysis.ce, analysis.mate, analysis.cp) == (32762, 3, None)
    assert analysis.pv[0] == analysis.pm and len(analysis.pv) == 5
    assert 0 < analysis.acn <= 100_000 and analysis.acd > 0
    assert analysis.acs == round(analysis.time)
    record.update(analysis.operations)
    assert str(record).startswith(f"{MATE} acd {analysis.acd}; acn {analysis.acn}; bm Qd1+; ce 32762;")
    assert record["pv"] == analysis.pv and record.diagnostics == ()
    # The same from the loser's point of view.
    lost = epode.analyze(record.position.play("Qd1+"), nodes=50_000)
    assert (lost.mate, lost.ce) == (-2, -32763)


def test_a_record_is_not_changed_and_the_result_is_the_same_again():
    record = epode.Record(epode.Position())
    first = epode.analyze(record, nodes=20_000)
    epode.analyze(MATE, nodes=20_000)
    assert epode.analyze(epode.Position(), nodes=20_000).operations == first.operations
    assert epode.analyze(epode.Position().fen, nodes=20_000).operations == first.operations
    assert len(record) == 0
    assert (first.cp, first.mate) == (first.ce, None)
    assert repr(first) == f"<epode.Analysis pm='{first.pm}' ce={first.ce} acd={first.acd} acn={first.acn}>"


def test_finished_games():
    mated = epode.analyze("7k/5KQ1/8/8/8/8/8/8 b - -", depth=3)
    assert (mated.pm, mated.pv, mated.ce, mated.mate) == (None, [], -32767, 0)
    assert "pm" not in mated.operations
    stalemate = epode.analyze("7k/5K2/6Q1/8/8/8/8/8 b - -", depth=3)
    assert (stalemate.pm, stalemate.ce, stalemate.mate) == (None, 0, None)


def test_limits():
    position = epode.Position()
    assert epode.analyze(position, depth=4).acd == 4
    assert epode.analyze(position, nodes=1).acn <= 1
    for time in (0.05, datetime.timedelta(milliseconds=50)):
        assert epode.analyze(position, time=time, threads=2, hash=1).acd > 0
    with pytest.raises(TypeError, match="expected a limit: nodes, depth or time"):
        epode.analyze(position)
    for limits in (
        {"nodes": 0},
        {"depth": 0},
        {"time": 0},
        {"time": -1.0},
        {"time": float("nan")},
        {"nodes": 1, "threads": 0},
        {"nodes": 1, "hash": 0},
        {"nodes": 1, "hash": 1 << 40},
    ):
        with pytest.raises(ValueError, match="expected"):
            epode.analyze(position, **limits)
    with pytest.raises(TypeError, match="expected a Record, a Position or a FEN"):
        epode.analyze(5, nodes=1)
    with pytest.raises(epode.PositionError):
        epode.analyze(epode.Record("8/8/8/8/8/8/8/K7 w - -"), nodes=1)


def test_chess960():
    position = epode.Position("4k3/8/8/8/8/8/8/1R2K2R w HB - 0 1")
    analysis = epode.analyze(position, nodes=2000)
    assert analysis.pm in position.legal_moves


def test_other_threads_run_meanwhile():
    order, begun = [], threading.Event()

    def search():
        begun.set()
        epode.analyze(epode.Position(), time=0.3)
        order.append("search")

    thread = threading.Thread(target=search)
    thread.start()
    begun.wait()
    order.append("main")
    thread.join()
    assert order == ["main", "search"]


INTERRUPTED = """
import signal
import epode
# A job in the background of a shell ignores Ctrl-C, and so do its children.
signal.signal(signal.SIGINT, signal.default_int_handler)
try:
    print("begun", flush=True)
    epode.analyze(epode.Position(), depth=200)
except KeyboardInterrupt:
    # The engine can be used again.
    print("interrupted", epode.analyze(epode.Position(), depth=1).acd, flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends Ctrl-C to whole groups of processes")
def test_control_c_ends_a_search():
    with subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout.readline() == "begun\n"
        child.send_signal(signal.SIGINT)
        assert child.stdout.readline() == "interrupted 1\n"
