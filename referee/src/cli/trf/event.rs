//! `init --trf`: an event file with the players of a tournament report file.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::bail;
use pairing::trf::Report;
use pairing::{Colour, Event, PointSystem, Round, Score};
use referee::config::{Config, TEMPLATE};

use crate::cli::event_file::create;
use crate::cli::pair::read_report;
use crate::cli::print::warn;
use crate::exit_status::ExitStatus;

/// Writes an event file, to standard output if no path is given.
pub fn init(report: &Path, path: Option<&Path>) -> anyhow::Result<ExitStatus> {
    let name = report.display().to_string();
    let report = read_report(report)?;
    let (text, notes) = event_text(&report).map_err(|error| anyhow::anyhow!("{name}: {error}"))?;
    // What the report says may be no event, such as two players of one name.
    if let Err(error) = Config::read(&text) {
        bail!("{name}: {error}");
    }
    let notes: Vec<_> = notes.iter().map(|note| format!("{name}: {note}")).collect();
    warn(&notes);
    create(path, &text)
}

/// The event file, and what of the report is not in it.
fn event_text(report: &Report) -> anyhow::Result<(String, Vec<String>)> {
    let event = &report.event;
    match event.paired {
        0 => {}
        1 => bail!("round 1 has been played already: an event of the referee begins with it"),
        paired => bail!(
            "{paired} rounds have been played already: an event of the referee begins with the first one"
        ),
    }
    if event.points != PointSystem::default() {
        bail!("the report has points of its own for results, but the referee gives 1, 1/2 and 0");
    }
    let mut notes = Vec::new();
    let said = |code: &str| {
        let mut lines = report.lines.iter();
        let text = lines
            .find_map(|line| line.strip_prefix(code))
            .map(str::trim);
        text.filter(|text| !text.is_empty())
    };
    let mut settings = vec![
        (
            "event = ",
            Some(quoted(said("012").unwrap_or("Swiss event"))),
        ),
        ("# site = ", said("022").map(quoted)),
        ("format = ", Some(quoted("swiss"))),
        ("games_per_pairing = ", Some("1".to_owned())),
        (
            "# rounds = ",
            (event.rounds > 0).then(|| event.rounds.to_string()),
        ),
    ];
    if event.first_colour == Colour::Black {
        // The first seed has Black in the first round if the seed is odd.
        settings.push(("# seed = ", Some("1".to_owned())));
    }
    let mut text = String::new();
    let (head, tail) = split_players(TEMPLATE);
    for line in head.lines() {
        let setting = settings.iter().find(|(begin, _)| line.starts_with(begin));
        match setting.and_then(|(begin, value)| Some((begin, value.as_ref()?))) {
            Some((begin, value)) => writeln!(text, "{}{value}", begin.trim_start_matches("# "))?,
            None => writeln!(text, "{line}")?,
        }
        if line.starts_with("games_per_pairing") {
            text += &pairing_settings(event, &mut notes);
        }
    }
    text += &players(report, &mut notes);
    text += tail;
    if let Some(control) = said("122") {
        notes.push(format!("set `time_control`: the report says {control:?}"));
    } else {
        notes.push("set `time_control`: the report has none".to_owned());
    }
    Ok((text, notes))
}

fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// The template before and after its players.
fn split_players(template: &str) -> (&str, &str) {
    let (head, rest) = template
        .split_once("[[player]]")
        .expect("the template has players");
    let tail = rest
        .find("# Pauses")
        .expect("the template has pauses after them");
    (head, &rest[tail..])
}

/// Acceleration and forbidden pairs.
fn pairing_settings(event: &Event, notes: &mut Vec<String>) -> String {
    let mut text = String::new();
    let has_points = |player: &pairing::Player| {
        player
            .virtual_points
            .iter()
            .any(|&points| points > Score::default())
    };
    if event.players.iter().any(has_points) {
        let mut baku = event.clone();
        pairing::baku::accelerate(&mut baku);
        let are_equal = (0..event.players.len()).all(|player| {
            let rounds = 0..event.rounds;
            rounds
                .into_iter()
                .all(|round| points(event, player, round) == points(&baku, player, round))
        });
        if are_equal {
            text += "swiss = { acceleration = \"baku\" }\n";
        } else {
            notes.push("the virtual points are not those of the Baku method: left out".to_owned());
        }
    }
    if event.forbidden.iter().any(|group| group.rounds.is_some()) {
        notes.push(
            "players who may not meet in some rounds are kept apart in all rounds".to_owned(),
        );
    }
    if !event.forbidden.is_empty() {
        text += "forbidden = [\n";
        for group in &event.forbidden {
            let names = group
                .players
                .iter()
                .map(|&player| quoted(&event.players[player].name));
            let names: Vec<_> = names.collect();
            // Writing to a string cannot fail.
            let _ = writeln!(text, "    [{}],", names.join(", "));
        }
        text += "]\n";
    }
    text
}

fn points(event: &Event, player: usize, round: usize) -> Score {
    let points = &event.players[player].virtual_points;
    points.get(round).copied().unwrap_or_default()
}

/// The players, in the order of their starting numbers.
fn players(report: &Report, notes: &mut Vec<String>) -> String {
    let players = &report.event.players;
    let mut text = String::new();
    for (number, player) in players.iter().enumerate() {
        let _ = writeln!(text, "[[player]]\nname = {}", quoted(&player.name));
        if player.rating > 0 {
            let _ = writeln!(text, "rating = {}", player.rating);
        }
        let byes = byes(report, number, notes);
        if !byes.is_empty() {
            let _ = writeln!(text, "byes = [{}]", byes.join(", "));
        }
        text.push('\n');
    }
    if !players.is_sorted_by_key(|player| std::cmp::Reverse(player.rating)) {
        let note = "the starting numbers do not follow the ratings, by which the referee seeds the players";
        notes.push(note.to_owned());
    }
    text
}

/// The rounds in which a player has asked for a bye of half a point.
fn byes(report: &Report, number: usize, notes: &mut Vec<String>) -> Vec<String> {
    let player = &report.event.players[number];
    let first = player.rounds.first().map(|&bye| (1, bye));
    let later = report.announced.iter().filter(|bye| bye.player == number);
    let all = first
        .into_iter()
        .chain(later.map(|bye| (bye.round + 1, bye.bye)));
    let mut rounds = Vec::new();
    for (round, bye) in all {
        let what = match bye {
            Round::HalfPointBye => {
                rounds.push(round.to_string());
                continue;
            }
            Round::Absent => "an absence",
            _ => "a bye of a full point",
        };
        let name = &player.name;
        notes.push(format!("{name}: {what} in round {round} is left out: the referee knows byes of half a point only"));
    }
    rounds
}
