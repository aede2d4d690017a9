//! PGN: the positions of games as records, and records as games.

use epd::{Opcode, Operation, Reader, Record};
use movegen::pgn::{Games, PgnError, PgnGame, Ply, ReadGame};
use movegen::{Move, Position, San};

use crate::cli::{Ranges, Selection};
use crate::io::pgn::{known_tag, position_name};

/// The tag with the operations of a record.
const OPERATIONS: &str = "Operations";

/// The tags that say where a game begins.
const SETUP_TAGS: [&str; 3] = ["FEN", "SetUp", "Variant"];

/// The number of plies to read of each game: up to the move that is played in the last position.
fn max_plies(selection: &Selection) -> usize {
    let last = selection.ply.as_ref().and_then(Ranges::last);
    last.map_or(usize::MAX, |last| last.saturating_add(1))
}

fn is_selected(selection: &Selection, ply: usize, game: &ReadGame) -> bool {
    match &selection.ply {
        Some(plies) => plies.contains(ply),
        None => !selection.last || ply == game.moves.len(),
    }
}

/// Calls `each` for the records of the games in a text.
pub fn read(
    text: &str,
    selection: &Selection,
    reader: &Reader<'_>,
    mut each: impl FnMut(Result<Record, PgnError>),
) {
    for game in Games::new(text, max_plies(selection)) {
        match game {
            Err(error) => each(Err(error)),
            Ok(game) => {
                let mut position = game.start;
                for ply in 0..=game.moves.len() {
                    if is_selected(selection, ply, &game) {
                        each(Ok(record(&game, ply, &position, selection.tags, reader)));
                    }
                    if let Some(&mv) = game.moves.get(ply) {
                        position.play(mv);
                    }
                }
            }
        }
    }
}

fn record(
    game: &ReadGame,
    ply: usize,
    position: &Position,
    tags: bool,
    reader: &Reader<'_>,
) -> Record {
    // A game of ours.
    if let (0, Some(operations)) = (ply, game.tag(OPERATIONS)) {
        let line = format!("{} {operations}", &*position.setup().fields());
        if let Ok(record) = reader.read(&line, &mut Vec::new()) {
            return record;
        }
    }
    let mut record = Record::new(position.setup());
    record.set_id(&position_name(game, ply));
    if let Some(&mv) = game.moves.get(ply) {
        record.set(Operation::new("sm").symbol(San::of(position, mv)));
    }
    if let Some(eco) = known_tag(game, "ECO") {
        record.set_eco(eco);
    }
    if tags {
        let kept = game
            .tags
            .iter()
            .filter(|(name, _)| !SETUP_TAGS.contains(&name.as_str()) && Opcode::new(name).is_ok());
        record.set_tags(kept.map(|(name, value)| (name.as_str(), value.as_str())));
    }
    record
}

/// Appends the game of a record.
pub fn write(record: &Record, position: &Position, out: &mut Vec<u8>) {
    let tags = record.tags().ok().flatten().unwrap_or_default();
    let tag = |wanted: &str| {
        let found = tags.iter().find(|(name, _)| *name == wanted);
        found
            .map(|(_, value)| (*value).to_owned())
            .unwrap_or_default()
    };
    let id = record.id().ok().flatten().unwrap_or_default();
    let event = tag("Event");
    let mut game = PgnGame {
        event: if event.is_empty() {
            id.to_owned()
        } else {
            event
        },
        site: tag("Site"),
        date: tag("Date"),
        round: tag("Round"),
        white: tag("White"),
        black: tag("Black"),
        result: tag("Result").parse().ok(),
        start: *position,
        plies: line(record, position).into_iter().map(Ply::new).collect(),
        ..PgnGame::default()
    };
    if let Ok(Some(eco)) = record.eco() {
        game.tags.push(("ECO".to_owned(), eco.to_owned()));
    }
    let others = tags
        .iter()
        .map(|&(name, value)| (name.to_owned(), value.to_owned()));
    game.tags.extend(others);
    let operations: Vec<_> = record
        .operations()
        .iter()
        .map(Operation::to_string)
        .collect();
    // Without operations too, so that none are made of the other tags when the game is read.
    game.tags
        .push((OPERATIONS.to_owned(), operations.join(" ")));
    // The moves are legal.
    out.extend(game.export().unwrap_or_default().into_bytes());
}

/// The moves of the game: those that were played, or else the predicted ones, or else the best one.
fn line(record: &Record, position: &Position) -> Vec<Move> {
    let variations = [
        record.supplied_variation(position),
        record.predicted_variation(position),
    ];
    let [played, predicted] = variations.map(|line| line.ok().flatten().unwrap_or_default());
    let first = |opcode| {
        let moves = record.get(opcode)?.moves(position).ok()?;
        moves.first().map(|&mv| vec![mv])
    };
    let lines = [
        Some(played),
        first("sm"),
        Some(predicted),
        first("pm"),
        first("bm"),
    ];
    let mut lines = lines.into_iter().flatten();
    lines.find(|line| !line.is_empty()).unwrap_or_default()
}
