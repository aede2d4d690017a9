//! `epode-referee trf` and `init --trf`: tournament report files.

mod init;
mod round_robins;
mod swiss;
mod unbegun;

use std::fs;
use std::thread::JoinHandle;

use crate::common::Referee;
use crate::common::player::{Answer, Transcript, random, spawn};
use epd::protocol::Message;
use movegen::Game;
use pairing::trf::Report;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use tempfile::TempDir;

const PLAYERS: [&str; 7] = ["Ann", "Bob", "Cid", "Dora", "Eve", "Fred", "Gus"];

/// Plays some moves and then resigns, by lot.
fn quitter(seed: u64) -> impl FnMut(&Game, &Message) -> Answer + Send + 'static {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut moves = random(seed);
    move |game, message| {
        if game.moves().len() > 1 && rng.random_bool(0.2) {
            return Answer::Reply("resign;".to_owned());
        }
        moves(game, message)
    }
}

fn enter(referee: &Referee, name: &str) -> JoinHandle<Transcript> {
    spawn(referee.address(), name, quitter(name.as_bytes()[0].into()))
}

/// The report of the event, and what was said about it.
fn report(referee: &Referee) -> (Report, String) {
    let (said, status) = referee.program("trf cup -o cup.trf");
    assert_eq!(status, 0, "{said}");
    let text = fs::read_to_string(referee.path("../cup.trf")).expect("written");
    (Report::parse(&text).expect(&text), said)
}

/// A folder with an event that has not begun.
fn folder(event: &str) -> TempDir {
    let folder = TempDir::new().expect("a folder");
    let cup = folder.path().join("cup");
    fs::create_dir(&cup).expect("created");
    fs::write(cup.join("event.toml"), event).expect("written");
    fs::write(cup.join("journal.log"), "").expect("written");
    folder
}
