//! From text to a report.

use super::lines::Line;
use super::report::{Details, Report, TrfError};
use super::settings::Settings;
use crate::event::{Colour, Event, Outcome, Player, Round, Score};
use std::collections::BTreeSet;

/// Where the entry of the first round begins, and how wide each one is.
const FIRST_ROUND: usize = 91;
const ROUND_WIDTH: usize = 10;

impl Report {
    /// Reads a report.
    pub fn parse(text: &str) -> Result<Self, TrfError> {
        read(text)
    }
}

/// A player's line.
struct PlayerLine {
    line: Line,
    rank: usize,
    player: Player,
    details: Details,
    points: Score,
}

fn read(text: &str) -> Result<Report, TrfError> {
    let (mut players, mut settings, mut others) = (Vec::new(), Settings::default(), Vec::new());
    for line in Line::all(text) {
        if line.code() == "001" {
            players.push(read_player(&line)?);
        } else if !settings.read(&line)? {
            others.push(line.text());
        }
    }
    players.sort_by_key(|player: &PlayerLine| player.rank);
    check_ranks(&players)?;
    let paired = even_up(&mut players);
    let lines: Vec<Line> = players.iter().map(|player| player.line.clone()).collect();
    let told: Vec<Score> = players.iter().map(|player| player.points).collect();
    let (players, details): (Vec<Player>, Vec<Details>) = players
        .into_iter()
        .map(|player| (player.player, player.details))
        .unzip();
    let rounds = match &settings.rounds {
        Some((line, rounds)) if *rounds < paired => {
            let message = format!("found {rounds} rounds, but {paired} rounds were paired");
            return Err(line.error(4, message));
        }
        Some((_, rounds)) => *rounds,
        None => paired,
    };
    let first_colour = settings
        .first_colour
        .or_else(|| infer_first_colour(&players))
        .unwrap_or(Colour::White);
    let points = settings.points;
    let mut event = Event {
        rounds,
        paired,
        games: 1,
        first_colour,
        points,
        players,
        forbidden: Vec::new(),
    };
    let announced = settings.apply(&mut event)?;
    check_event(&event, &lines, &told)?;
    Ok(Report {
        lines: others,
        details,
        event,
        announced,
        open: BTreeSet::new(),
    })
}

fn read_player(line: &Line) -> Result<PlayerLine, TrfError> {
    let mut rounds = Vec::new();
    for start in (FIRST_ROUND..line.len()).step_by(ROUND_WIDTH) {
        rounds.push(read_round(line, start)?);
    }
    while rounds.last().is_some_and(Option::is_none) {
        rounds.pop();
    }
    let rounds = rounds
        .into_iter()
        .map(|round| round.unwrap_or(Round::Absent))
        .collect();
    let rating = line.number(48..52, "a rating")?.unwrap_or(0);
    let points = if line.field(79..84).is_empty() {
        None
    } else {
        Some(line.score(79..84)?)
    };
    Ok(PlayerLine {
        rank: line.player(4..8)?,
        player: Player {
            name: line.field(14..47),
            rating,
            rounds,
            virtual_points: Vec::new(),
        },
        details: Details {
            sex: line.field(9..10),
            title: line.field(10..13),
            federation: line.field(53..56),
            fide_number: line.field(57..68),
            birth: line.field(69..79),
            rank: line.number(85..89, "a rank")?,
        },
        points: points.ok_or_else(|| line.expected(80, "", "the points of the player"))?,
        line: line.clone(),
    })
}

/// The entry of a round; `None` where it is blank.
fn read_round(line: &Line, start: usize) -> Result<Option<Round>, TrfError> {
    let opponent = match line.field(start..start + 4).as_str() {
        "" | "0000" | "0" => None,
        _ => Some(line.player(start..start + 4)?),
    };
    let colour = match line.char(start + 5) {
        'w' | 'W' => Some(Colour::White),
        'b' | 'B' => Some(Colour::Black),
        '-' | ' ' => None,
        other => return Err(line.expected(start + 5, &other.to_string(), "the colour w, b or -")),
    };
    let result = line.char(start + 7).to_ascii_uppercase();
    if let Some(stray) = [4, 6]
        .into_iter()
        .find(|&offset| line.char(start + offset) != ' ')
    {
        let found = line.char(start + stray).to_string();
        return Err(line.expected(
            start + stray,
            &found,
            "a blank between the fields of a round",
        ));
    }
    let Some(opponent) = opponent else {
        if colour.is_some() {
            return Err(line.expected(
                start,
                &line.field(start..start + 4),
                "the opponent of a game with a colour",
            ));
        }
        return read_bye(line, start + 7, result);
    };
    let forfeit = |won| {
        Ok(Some(Round::Forfeit {
            opponent,
            colour,
            won,
        }))
    };
    let (outcome, rated) = match result {
        '+' => return forfeit(true),
        '-' => return forfeit(false),
        '1' => (Outcome::Win, true),
        '=' => (Outcome::Draw, true),
        '0' => (Outcome::Loss, true),
        'W' => (Outcome::Win, false),
        'D' => (Outcome::Draw, false),
        'L' => (Outcome::Loss, false),
        other => {
            let found = other.to_string();
            return Err(line.expected(
                start + 7,
                found.trim(),
                "a result of a game: 1, =, 0, W, D, L, + or -",
            ));
        }
    };
    let Some(colour) = colour else {
        return Err(line.expected(
            start + 5,
            line.field(start + 5..start + 6).as_str(),
            "the colour w or b of a game",
        ));
    };
    Ok(Some(Round::Played {
        opponent,
        colour,
        outcome,
        rated,
    }))
}

fn read_bye(line: &Line, column: usize, result: char) -> Result<Option<Round>, TrfError> {
    Ok(match result {
        ' ' => None,
        // An older way to write a pairing-allocated bye.
        'U' | '+' => Some(Round::PairingBye),
        'F' => Some(Round::FullPointBye),
        'H' | '=' => Some(Round::HalfPointBye),
        'Z' | '-' => Some(Round::Absent),
        other => {
            return Err(line.expected(
                column,
                &other.to_string(),
                "a result without an opponent: U, F, H or Z",
            ));
        }
    })
}

/// The starting ranks are 1, 2, 3 and so on.
fn check_ranks(players: &[PlayerLine]) -> Result<(), TrfError> {
    for (index, player) in players.iter().enumerate() {
        if player.rank < index {
            return Err(player.line.error(
                4,
                format!("found the starting rank {} a second time", player.rank + 1),
            ));
        }
        if player.rank > index {
            let message = format!(
                "found starting rank {}, but no player with rank {}",
                player.rank + 1,
                index + 1
            );
            return Err(player.line.error(4, message));
        }
    }
    Ok(())
}

/// Finds how many rounds were paired, and adds absences where lists are shorter.
///
/// A round was paired if somebody was paired in it, if a later one was paired, or if everybody has an entry in it.
fn even_up(players: &mut [PlayerLine]) -> usize {
    let lists = || players.iter().map(|player| &player.player.rounds);
    let of_pairings = lists()
        .filter_map(|rounds| rounds.iter().rposition(Round::was_paired))
        .map(|last| last + 1)
        .max();
    let of_entries = lists().map(|rounds| rounds.len().saturating_sub(1)).max();
    let mut paired = of_pairings.max(of_entries).unwrap_or(0);
    if !players.is_empty() && lists().all(|rounds| rounds.len() > paired) {
        paired += 1;
    }
    for player in players {
        let rounds = &mut player.player.rounds;
        rounds.resize(rounds.len().max(paired), Round::Absent);
    }
    paired
}

/// The colour of the first seed, from the first round in which colours were given.
fn infer_first_colour(players: &[Player]) -> Option<Colour> {
    let first = |player: &Player| {
        player
            .rounds
            .iter()
            .position(|round| round.colour().is_some())
    };
    let round = players.iter().filter_map(first).min()?;
    let entered = players
        .iter()
        .filter(|player| player.rounds.iter().take(round + 1).any(Round::was_paired));
    let colours = entered
        .map(|player| player.rounds.get(round).and_then(Round::colour))
        .enumerate();
    let (number, colour) = colours
        .into_iter()
        .find_map(|(number, colour)| colour.map(|colour| (number, colour)))?;
    Some(if number.is_multiple_of(2) {
        colour
    } else {
        colour.other()
    })
}

fn check_event(event: &Event, lines: &[Line], told: &[Score]) -> Result<(), TrfError> {
    event.check().map_err(|fault| {
        let line = &lines[fault.player];
        line.error(
            FIRST_ROUND + ROUND_WIDTH * fault.round,
            format!("round {}: {}", fault.round + 1, fault.kind),
        )
    })?;
    for (player, &told) in told.iter().enumerate() {
        check_points(event, player, told).map_err(|message| lines[player].error(80, message))?;
    }
    Ok(())
}

/// Programs differ in whether points include the virtual ones and those of an announced bye.
fn check_points(event: &Event, player: usize, told: Score) -> Result<(), String> {
    let won = event.score(player, event.paired);
    let with_virtual = event.pairing_score(player, event.paired).tenths - won.tenths;
    let with_bye = event.score(player, event.paired + 1).tenths - won.tenths;
    let sums = [0, with_virtual, with_bye, with_virtual + with_bye];
    if sums.iter().any(|sum| won.tenths + sum == told.tenths) {
        return Ok(());
    }
    Err(format!(
        "found {told} points, expected {won} by the results"
    ))
}
