//! `epode book`: opening repositories and Polyglot books, from games to moves.

mod building;
mod names;
mod polyglot;
mod repositories;

use crate::common::{ALL_WELL, Folder};

/// A few games; two of them reach the same position by different moves.
const GAMES: &str = include_str!("../data/games.pgn");
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

fn folder() -> Folder {
    let folder = Folder::with("games.pgn", GAMES);
    folder
        .run("book build --min-games 1 games.pgn -o book.epd")
        .code(ALL_WELL);
    folder
}
