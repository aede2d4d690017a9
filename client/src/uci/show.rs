//! The output of the commands `d`, `eval` and `help`.

use std::fmt::Write;

use engine::{Evaluation, Net};
use movegen::{Color, File, Position, Rank, Square};

/// The commands, for people who start the engine by hand.
pub const HELP: &str = "
This is a chess engine that speaks UCI, the Universal Chess Interface: a chess GUI or a match runner starts it.

uci, isready, setoption, ucinewgame, position, go, stop, ponderhit, quit: as UCI defines them, and:
  go mate N            search for the shortest mate in at most N moves
  go perft N           count the leaf nodes of the move tree at depth N
  d                    show the board, its FEN, its key and the pieces that give check
  eval                 show the evaluation of the position
  bench [HASH [THREADS [DEPTH]]]   search a fixed set of positions: node count and speed
  compiler             show the compiler and the target of this build

To try it: position startpos moves e2e4
           go movetime 1000
";

/// A picture of the board, its FEN, its key and the pieces that give check.
pub fn board(position: &Position) -> String {
    const LINE: &str = " +---+---+---+---+---+---+---+---+\n";
    let mut text = format!("\n{LINE}");
    for rank in Rank::ALL.into_iter().rev() {
        for file in File::ALL {
            let piece = position.piece_at(Square::new(file, rank));
            let letter = piece.map_or(' ', movegen::Piece::to_char);
            let _ = write!(text, " | {letter}");
        }
        let _ = write!(text, " | {}\n{LINE}", rank.to_char());
    }
    text.push_str("   a   b   c   d   e   f   g   h\n\n");
    let checkers: Vec<_> = position.checkers().into_iter().collect();
    let checkers: Vec<_> = checkers.iter().map(ToString::to_string).collect();
    let _ = write!(
        text,
        "Fen: {position}\nKey: {:016X}\nCheckers: {}",
        position.key(),
        checkers.join(" ")
    );
    text
}

/// The outputs of the network and the evaluation, in pawns from White's view.
pub fn evaluation(position: &Position, net: &Net) -> String {
    let sign = match position.turn() {
        Color::White => 1,
        Color::Black => -1,
    };
    let pawns = |centipawns: i32| format!("{:+.2}", f64::from(sign * centipawns) / 100.0);
    let evaluation = Evaluation::of(position, net);
    let mut text = String::from("\nOutputs of the network, in pawns, from White's view\n");
    text.push_str("+--------+--------+\n| Pieces | Output |\n+--------+--------+\n");
    let mut used = 0;
    for output in &evaluation.outputs {
        let pieces = format!("{}-{}", output.pieces.start(), output.pieces.end());
        let mark = if output.is_used { " <- in use" } else { "" };
        let value = pawns(output.centipawns);
        let _ = writeln!(text, "| {pieces:>6} | {value:>6} |{mark}");
        if output.is_used {
            used = output.centipawns;
        }
    }
    text.push_str("+--------+--------+\n\n");
    let _ = writeln!(text, "Network evaluation {:>7} (white side)", pawns(used));
    if position.is_check() {
        text.push_str("Final evaluation: none (in check)");
    } else {
        let score = pawns(evaluation.score.ce());
        let _ = write!(text, "Final evaluation   {score:>7} (white side)");
    }
    text
}
