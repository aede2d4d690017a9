//! The PGN of a game, with the scores and times of this player.

use movegen::pgn::{Eval, Outcome, PgnGame, Ply, Termination};
use movegen::{Color, IllegalMove};

use super::session::{self, Played};

/// The text of a game.
pub fn text(played: &Played) -> Result<String, IllegalMove> {
    let tag = |name: &str| played.tag(name).map(str::to_owned);
    let roster = |name| tag(name).unwrap_or_default();
    let game = PgnGame {
        event: roster("Event"),
        site: roster("Site"),
        date: roster("Date"),
        round: roster("Round"),
        white: roster("White"),
        black: roster("Black"),
        result: roster("Result").parse::<Outcome>().ok(),
        start: played.start,
        time_control: tag("TimeControl"),
        termination: roster("Termination").parse::<Termination>().ok(),
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
        clock: known.clock,
        elapsed: known.time,
        eval: known.score.map(|score| Eval::after_move(score, mover)),
        ..Ply::new(known.mv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use movegen::{Position, san};
    use std::time::Duration;

    #[test]
    fn what_the_referee_told_and_we_thought() {
        let start: Position = "4k3/8/8/8/8/8/8/4K2R b K - 3 40".parse().expect("legal");
        let mut position = start;
        let moves = ["Kd7", "O-O"].map(|text| {
            let (mv, _) = san::parse_lenient(&position, text).expect(text);
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
                    clock: Some(Duration::from_millis(59_750)),
                },
                session::Ply {
                    mv: moves[1],
                    score: None,
                    time: None,
                    clock: Some(Duration::from_secs(7)),
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
             40... Kd7 {[%eval 7.00] [%clk 0:00:59.750] [%emt 0:00:00.250]} 41. O-O\n\
             {[%clk 0:00:07]} 1-0\n\n"
        );
    }
}
