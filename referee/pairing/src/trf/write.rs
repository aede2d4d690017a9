//! From a report to text.

use super::games::single_games;
use super::report::{Details, Report};
use crate::event::{Colour, Event, Outcome, PointSystem, Round};
use std::fmt::{self, Formatter, Result};

impl fmt::Display for Report {
    /// The report, each line ended by a line feed. A name or another text that is too wide for its columns is cut.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(self, f)
    }
}

fn write(report: &Report, f: &mut Formatter<'_>) -> Result {
    for line in &report.lines {
        writeln!(f, "{line}")?;
    }
    let event = &single_games(&report.event);
    writeln!(f, "XXR {}", event.rounds)?;
    writeln!(
        f,
        "XXC {}",
        if event.first_colour == Colour::White {
            "white1"
        } else {
            "black1"
        }
    )?;
    write_points(&event.points, f)?;
    for (index, player) in event.players.iter().enumerate() {
        if !player.virtual_points.is_empty() {
            write!(f, "XXA {:>4}", index + 1)?;
            player
                .virtual_points
                .iter()
                .try_for_each(|points| write!(f, " {points:>4}"))?;
            writeln!(f)?;
        }
    }
    write_forbidden(event, f)?;
    write_announced(report, f)?;
    (0..event.players.len()).try_for_each(|index| write_player(report, event, index, f))
}

/// A line for each bye.
fn write_announced(report: &Report, f: &mut Formatter<'_>) -> Result {
    let games = report.event.games.max(1) as usize;
    report.announced.iter().try_for_each(|announced| {
        let letter = match announced.bye {
            Round::FullPointBye => 'F',
            Round::HalfPointBye => 'H',
            _ => 'Z',
        };
        let round = announced.round * games + 1;
        writeln!(f, "240 {letter} {round:>3} {:>4}", announced.player + 1)
    })
}

fn write_points(points: &PointSystem, f: &mut Formatter<'_>) -> Result {
    let usual = PointSystem::default();
    // Without its own line, the bye gives the points of a win.
    let lines = [
        ("BBW", points.win, usual.win),
        ("BBD", points.draw, usual.draw),
        ("BBL", points.loss, usual.loss),
        ("BBZ", points.absence, usual.absence),
        ("BBF", points.forfeit_loss, usual.forfeit_loss),
        ("BBU", points.pairing_bye, points.win),
    ];
    lines
        .iter()
        .filter(|(_, value, usual)| value != usual)
        .try_for_each(|(code, value, _)| writeln!(f, "{code} {value:>4}"))
}

fn write_forbidden(event: &Event, f: &mut Formatter<'_>) -> Result {
    for group in &event.forbidden {
        match &group.rounds {
            None => write!(f, "XXP")?,
            Some(rounds) => write!(f, "260 {:>3} {:>3}", rounds.start() + 1, rounds.end() + 1)?,
        }
        group
            .players
            .iter()
            .try_for_each(|player| write!(f, " {:>4}", player + 1))?;
        writeln!(f)?;
    }
    Ok(())
}

fn write_player(report: &Report, event: &Event, index: usize, f: &mut Formatter<'_>) -> Result {
    let unknown = Details::default();
    let details = report.details.get(index).unwrap_or(&unknown);
    let player = &event.players[index];
    let rating = if player.rating == 0 {
        String::new()
    } else {
        player.rating.to_string()
    };
    let rank = details
        .rank
        .map_or_else(String::new, |rank| rank.to_string());
    let points = event.score(index, event.paired).to_string();
    write!(
        f,
        "001 {:>4} {}{} ",
        index + 1,
        fit(&details.sex, 1),
        fit_right(&details.title, 3)
    )?;
    write!(
        f,
        "{} {} {} ",
        fit(&player.name, 33),
        fit_right(&rating, 4),
        fit(&details.federation, 3)
    )?;
    write!(
        f,
        "{} {}{points:>5} {rank:>4}",
        fit_right(&details.fide_number, 11),
        fit(&details.birth, 10)
    )?;
    let entries = player.rounds.iter().enumerate();
    let mut line = entries.fold(String::new(), |line, (round, did)| {
        let is_open = report.open.contains(&(index, round));
        let entry = if is_open { " ".repeat(8) } else { entry(did) };
        line + "  " + &entry
    });
    line.truncate(line.trim_end().len());
    writeln!(f, "{line}")
}

/// The text without line breaks and the like, cut to a width and filled up with blanks.
fn fit(text: &str, width: usize) -> String {
    let text: String = printable(text).take(width).collect();
    format!("{text:width$}")
}

fn fit_right(text: &str, width: usize) -> String {
    let text: String = printable(text).take(width).collect();
    format!("{text:>width$}")
}

fn printable(text: &str) -> impl Iterator<Item = char> {
    text.chars()
        .map(|char| if char.is_control() { ' ' } else { char })
}

/// The eight characters of a round.
fn entry(round: &Round) -> String {
    let letter = |colour: Option<Colour>| match colour {
        Some(Colour::White) => 'w',
        Some(Colour::Black) => 'b',
        None => '-',
    };
    match *round {
        Round::Played {
            opponent,
            colour,
            outcome,
            rated,
        } => {
            let result = match (outcome, rated) {
                (Outcome::Win, true) => '1',
                (Outcome::Draw, true) => '=',
                (Outcome::Loss, true) => '0',
                (Outcome::Win, false) => 'W',
                (Outcome::Draw, false) => 'D',
                (Outcome::Loss, false) => 'L',
            };
            format!("{:>4} {} {result}", opponent + 1, letter(Some(colour)))
        }
        Round::Forfeit {
            opponent,
            colour,
            won,
        } => {
            format!(
                "{:>4} {} {}",
                opponent + 1,
                letter(colour),
                if won { '+' } else { '-' }
            )
        }
        Round::Match { .. } => unreachable!("single games are written"),
        Round::PairingBye => "0000 - U".to_owned(),
        Round::FullPointBye => "0000 - F".to_owned(),
        Round::HalfPointBye => "0000 - H".to_owned(),
        Round::Absent => "0000 - Z".to_owned(),
    }
}
