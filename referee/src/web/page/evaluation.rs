//! Evaluations from White's point of view.

use maud::{Markup, html};
use movegen::Color;
use movegen::pgn::Eval;

/// Graphs end at so many pawns.
pub const MOST_PAWNS: f64 = 8.0;

/// An evaluation with its sign: `+0.35`, `-1.20`, `#5`, `#-3`.
pub fn text(eval: Eval) -> String {
    let text = eval.to_string();
    match eval {
        Eval::Centipawns(1..) => format!("+{text}"),
        _ => text,
    }
}

/// An evaluation in pawns, within the limits of a graph.
pub fn pawns(eval: Eval) -> f64 {
    match eval {
        Eval::Centipawns(centipawns) => {
            (f64::from(centipawns) / 100.0).clamp(-MOST_PAWNS, MOST_PAWNS)
        }
        Eval::Mate(moves) => MOST_PAWNS.copysign(f64::from(moves)),
    }
}

/// White's part of an evaluation bar, from 0 to 1, on the scale of Lichess
/// (<https://lichess.org/page/accuracy>).
fn white_part(eval: Eval) -> f64 {
    let centipawns = match eval {
        Eval::Centipawns(centipawns) => f64::from(centipawns.clamp(-1000, 1000)),
        Eval::Mate(moves) => 100_000_f64.copysign(f64::from(moves)),
    };
    1.0 / (1.0 + (-0.003_682_08 * centipawns).exp())
}

/// The evaluation bar beside a board. The side at the bottom of the board has its part below.
pub fn bar(eval: Option<Eval>, below: Color) -> Markup {
    let label = match eval {
        Some(eval) => format!("Evaluation {}", text(eval)),
        None => "No evaluation yet".to_owned(),
    };
    let white = 100.0 * eval.map_or(0.5, white_part);
    let top = match below {
        Color::White => 100.0 - white,
        Color::Black => 0.0,
    };
    html! {
        svg.eval-bar viewBox="0 0 10 100" preserveAspectRatio="none" role="img" aria-label=(label) {
            rect.bar-black width="10" height="100" {}
            rect.bar-white y=(format!("{top:.1}")) width="10" height=(format!("{white:.1}")) {}
            path.bar-middle d="M0 50h10" {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations_have_their_sign() {
        for (eval, expected) in [
            (Eval::Centipawns(35), "+0.35"),
            (Eval::Centipawns(0), "0.00"),
            (Eval::Centipawns(-120), "-1.20"),
            (Eval::Mate(5), "#5"),
            (Eval::Mate(-3), "#-3"),
        ] {
            assert_eq!(text(eval), expected);
        }
    }

    #[test]
    fn bars_grow_with_the_evaluation() {
        let evals = [
            Eval::Mate(-1),
            Eval::Centipawns(-32_000),
            Eval::Centipawns(-30),
            Eval::Centipawns(0),
            Eval::Centipawns(30),
            Eval::Mate(9),
        ];
        assert!(evals.map(white_part).is_sorted());
        assert!((white_part(evals[3]) - 0.5).abs() < 1e-9);
        let pawns = evals.map(pawns);
        assert!(pawns.is_sorted() && pawns[0] == -MOST_PAWNS && pawns[5] == MOST_PAWNS);
        let below = |side| bar(Some(Eval::Mate(1)), side).into_string();
        assert!(below(Color::White).contains("y=\"0.0\" width=\"10\" height=\"100.0\""));
        assert!(below(Color::Black).contains("y=\"0.0\""));
    }
}
