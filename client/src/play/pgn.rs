//! A game as its player saw it, as PGN: what the referee told of it, and what we thought.

use movegen::pgn::{Eval, Game, Outcome, Ply, Termination};
use movegen::{Color, IllegalMove};

use super::session::{self, Played};

/// Scores beyond this tell of a mate (EPD 6.7).
const MATE_LIMIT: i32 = 32_000;
/// The score of a mate on the board; one of so many plies is that much less.
const MATE: i32 = 32_767;

/// The text of a game.
pub fn text(played: &Played) -> Result<String, IllegalMove> {
    let tag = |name: &str| {
        let mut tags = played.tags.iter();
        tags.find(|(tag, _)| tag == name)
            .map(|(_, value)| value.clone())
    };
    let roster = |name| tag(name).unwrap_or_default();
    let game = Game {
        event: roster("Event"),
        site: roster("Site"),
        date: roster("Date"),
        round: roster("Round"),
        white: roster("White"),
        black: roster("Black"),
        result: Outcome::of_result(&roster("Result")),
        start: played.start,
        time_control: tag("TimeControl"),
        termination: Termination::of_value(&roster("Termination")),
        tags: played.tags.clone(),
        plies: plies(played),
    };
    game.export()
}

fn plies(played: &Played) -> Vec<Ply> {
    let first = played.start.turn();
    let movers = [first, !first].into_iter().cycle();
    let plies = played.plies.iter().zip(movers);
    plies.map(|(known, mover)| ply(known, mover)).collect()
}

fn ply(known: &session::Ply, mover: Color) -> Ply {
    Ply {
        elapsed: known.time,
        eval: known.score.map(|score| eval(score, mover)),
        ..Ply::new(known.mv)
    }
}

/// A score for the mover from White's point of view.
fn eval(score: i32, mover: Color) -> Eval {
    let sign = if mover == Color::White { 1 } else { -1 };
    if score.abs() > MATE_LIMIT {
        let moves = (MATE - score.abs() + 1) / 2;
        Eval::Mate(sign * score.signum() * moves)
    } else {
        Eval::Centipawns(sign * score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use movegen::{Position, san};
    use std::time::Duration;

    #[test]
    fn scores_are_those_of_white() {
        for (score, white, black) in [
            (35, "0.35", "-0.35"),
            (-30_000, "-300.00", "300.00"),
            // Mate with this move, and after the next.
            (32_766, "#1", "#-1"),
            (32_764, "#2", "#-2"),
            (-32_765, "#-1", "#1"),
            (-32_763, "#-2", "#2"),
        ] {
            assert_eq!(eval(score, Color::White).to_string(), white);
            assert_eq!(eval(score, Color::Black).to_string(), black);
        }
    }

    #[test]
    fn what_the_referee_told_and_we_thought() {
        let start: Position = "4k3/8/8/8/8/8/8/4K2R b K - 3 40".parse().expect("legal");
        let mut position = start;
        let moves = ["Kd7", "O-O"].map(|text| {
            let (mv, _) = san::mend(&position, text).expect(text);
            position.play(mv);
            mv
        });
        let tags = [
            ("White", "W"),
            ("Termination", "time forfeit"),
            ("Result", "1-0"),
            ("FEN", "of another game"),
            ("WhiteElo", "2000"),
        ];
        let played = Played {
            start,
            plies: vec![
                session::Ply {
                    mv: moves[0],
                    score: Some(-700),
                    time: Some(Duration::from_millis(250)),
                },
                session::Ply {
                    mv: moves[1],
                    score: None,
                    time: None,
                },
            ],
            tags: tags
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .to_vec(),
        };
        assert_eq!(
            text(&played).expect("legal"),
            "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"W\"]\n\
             [Black \"?\"]\n[Result \"1-0\"]\n[SetUp \"1\"]\n\
             [FEN \"4k3/8/8/8/8/8/8/4K2R b K - 3 40\"]\n[Termination \"time forfeit\"]\n\
             [PlyCount \"2\"]\n[WhiteElo \"2000\"]\n\n\
             40... Kd7 {[%eval 7.00] [%emt 0:00:00.250]} 41. O-O 1-0\n\n"
        );
    }
}
