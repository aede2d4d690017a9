"""Positions, with python-chess as the judge."""

import copy
import pathlib
import pickle
import random

import chess
import epode
import pytest

SUITES = pathlib.Path(__file__).resolve().parents[3] / "suites"


def random_boards(games, chess960):
    """Positions of random games, each with its board."""
    rng = random.Random(1)
    for game in range(games):
        board = chess.Board.from_chess960_pos(game * 37 % 960) if chess960 else chess.Board()
        for _ in range(80):
            yield board
            moves = sorted(board.legal_moves, key=str)
            if not moves:
                break
            board.push(rng.choice(moves))


@pytest.mark.parametrize("chess960", [False, True])
def test_moves_and_san_are_those_of_python_chess(chess960):
    castlings = 0
    for board in random_boards(40, chess960):
        fen = board.fen(shredder=chess960, en_passant="fen")
        position = epode.Position(fen, chess960=chess960)
        moves = position.legal_moves
        assert sorted(moves) == sorted(move.uci() for move in board.legal_moves)
        assert position.is_check == board.is_check()
        assert position.is_checkmate == board.is_checkmate()
        assert position.is_stalemate == board.is_stalemate()
        assert position.is_insufficient_material == board.is_insufficient_material()
        for text in moves[:6]:
            move = chess.Move.from_uci(text)
            castlings += board.is_castling(move)
            san = board.san(move)
            assert position.san(text) == san
            assert position.parse_san(san) == text
            after = board.copy(stack=False)
            after.push(move)
            expected = epode.Position(after.fen(shredder=chess960, en_passant="fen"), chess960=chess960)
            assert position.play(text) == position.play(san) == expected
            assert position.play(text).fullmove_number == after.fullmove_number
            assert position.play(text).halfmove_clock == after.halfmove_clock
    assert castlings > 0


@pytest.mark.parametrize("suite", ["perft.epd", "perft-960.epd"])
def test_perft_counts_of_suites(suite):
    tested = 0
    for record in epode.read(SUITES / suite):
        for depth in range(1, 7):
            leaves = record.get(f"D{depth}")
            if leaves is not None and leaves <= 100_000:
                assert record.position.perft(depth) == leaves, record
                assert sum(record.position.divide(depth).values()) == leaves
                tested += 1
    assert tested > 20
    assert epode.Position().perft(0) == 1
    # Above the depth that is counted at once.
    pawns = epode.Position("k7/8/8/p7/P7/8/8/K7 w - -")
    assert pawns.perft(6) == sum(pawns.play(move).perft(5) for move in pawns.legal_moves)


def test_facts_of_a_position():
    start = epode.Position()
    assert str(start) == start.fen == chess.STARTING_FEN
    assert repr(start) == f"epode.Position('{chess.STARTING_FEN}')"
    assert (start.turn, start.play("e4").turn) == ("white", "black")
    assert (start.halfmove_clock, start.fullmove_number) == (0, 1)
    assert (start.en_passant, start.play("e4").en_passant) == (None, "e3")
    assert [start.piece_at(square) for square in ("e1", "d8", "e4")] == ["K", "q", None]
    assert start.is_legal("e2e4") and start.is_legal("Nf3") and not start.is_legal("e2e5")
    assert start.play() == start
    assert start.play("e4", "e5", "Nf3").fullmove_number == 2


def test_positions_are_values():
    start = epode.Position()
    # Counters, and an en passant square that allows no capture, change nothing.
    same = epode.Position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 9 30")
    assert start == same and len({start, same}) == 1
    assert start != start.play("e4") and start != "a string"
    for position in (start, epode.Position("4k3/8/8/8/8/8/8/1R2K2R w HB - 3 9")):
        for other in (pickle.loads(pickle.dumps(position)), copy.copy(position)):
            assert (other, other.fen, other.chess960) == (position, position.fen, position.chess960)


def test_castling_is_written_as_the_mode_wants():
    fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"
    assert {"e1g1", "e1c1"} < set(epode.Position(fen).legal_moves)
    assert {"e1h1", "e1a1"} < set(epode.Position(fen, chess960=True).legal_moves)
    for chess960 in (False, True):
        position = epode.Position(fen, chess960=chess960)
        for text in ("e1g1", "e1h1", "O-O", "0-0"):
            assert position.san(text) == "O-O"
    # Rights that only Chess960 has.
    position = epode.Position("4k3/8/8/8/8/8/8/1R2K2R w HB - 0 1")
    assert position.chess960 and "e1b1" in position.legal_moves


def test_errors_say_what_is_wrong():
    with pytest.raises(epode.PositionError, match="column 4: the active colour is missing: 8/x"):
        epode.Position("8/x")
    with pytest.raises(epode.PositionError, match="no black king"):
        epode.Position("8/8/8/8/8/8/8/K7 w - -")
    with pytest.raises(epode.PositionError, match="not a square"):
        epode.Position().piece_at("e9")
    for text, message in (("e2e5", "not a legal move here"), ("", "^: "), ("zz", "^zz: ")):
        with pytest.raises(epode.MoveError, match=message):
            epode.Position().play(text)
    with pytest.raises(epode.MoveError, match="ambiguous"):
        epode.Position("4k3/8/8/8/8/5N2/8/1N2K3 w - -").san("Nd2")
    assert issubclass(epode.MoveError, epode.EpodeError) and issubclass(epode.EpodeError, ValueError)
