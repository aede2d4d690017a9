//! Players who go on with whatever referee there is, and checks of what they saw.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex};
use std::thread::{self, JoinHandle};

use epd::protocol::Message;
use movegen::{Game, San};
use referee::journal::{self, Entry};

use super::games::Played;
use super::player::{Answer, Link, Scripted, Seen, Transcript, playing};

pub const PLAYERS: [&str; 4] = ["Ann", "Bob", "Cid", "Dora"];

/// The used clocks of games, by players, in milliseconds.
pub type Clocks = HashMap<(String, String), (u128, u128)>;

/// Where the players find the referee: the number of its life and its address; none when it is over.
#[derive(Default)]
pub struct Hall {
    now: Mutex<(usize, Option<SocketAddr>)>,
    changed: Condvar,
}

impl Hall {
    pub fn open(&self, address: Option<SocketAddr>) {
        let mut now = self.now.lock().expect("sound");
        *now = (now.0 + 1, address);
        self.changed.notify_all();
    }

    /// Waits for a life after this one.
    fn after(&self, life: usize) -> Option<(usize, SocketAddr)> {
        let now = self.now.lock().expect("sound");
        let waited = self
            .changed
            .wait_timeout_while(now, super::LIMIT, |now| now.0 <= life);
        let (now, timeout) = waited.expect("sound");
        assert!(!timeout.timed_out(), "nobody opens the hall again");
        now.1.map(|address| (now.0, address))
    }
}

/// Asks for a kill when so many moves have been asked for.
#[derive(Clone)]
pub struct Trigger {
    pub left: Arc<AtomicUsize>,
    pub fire: Sender<()>,
}

impl Trigger {
    fn pull(&self) {
        let update = |left: usize| left.checked_sub(1);
        if self
            .left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, update)
            == Ok(1)
        {
            let _ = self.fire.send(());
        }
    }
}

/// Always the same move in the same position, so that a move that nobody heard of comes again.
fn steady(seed: u64, trigger: Trigger) -> impl FnMut(&Game, &Message) -> Answer {
    move |game, _| {
        trigger.pull();
        let position = game.position();
        let moves = position.legal_moves();
        if moves.is_empty() {
            return Answer::Reply(String::new());
        }
        let ply = game.moves().len() as u64;
        let mixed = (position.key() ^ seed ^ ply).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mv = moves[(mixed >> 33) as usize % moves.len()];
        playing(San::of(position, mv))
    }
}

/// A player that comes again as long as there is a referee; returns what it saw in each life.
pub fn player(
    name: &'static str,
    seed: u64,
    hall: &Arc<Hall>,
    trigger: &Trigger,
) -> JoinHandle<Vec<(usize, Transcript)>> {
    let (hall, trigger) = (Arc::clone(hall), trigger.clone());
    thread::spawn(move || {
        let mut lives = Vec::new();
        let mut last = 0;
        while let Some((life, address)) = hall.after(last) {
            last = life;
            // It may have been killed again.
            let Ok(link) = Link::try_open(address) else {
                continue;
            };
            let player = Scripted::new(name, steady(seed, trigger.clone()));
            lives.push((life, player.play(link)));
        }
        lives
    })
}

/// What the journal says of the clocks of the games under way.
pub fn saved_clocks(journal: &Path) -> Clocks {
    let bytes = std::fs::read(journal).expect("a journal");
    let (entries, _) = journal::read(&bytes).expect("readable");
    let mut names = HashMap::new();
    let mut clocks = Clocks::new();
    for entry in entries {
        match entry {
            Entry::Begun {
                game, white, black, ..
            } => {
                names.insert(game, (white, black));
            }
            Entry::Moved { game, used, .. } => {
                let used = used.map(|used| used.as_millis());
                let old = clocks.insert(names[&game].clone(), (used[0], used[1]));
                let old = old.unwrap_or_default();
                assert!(old.0 <= used[0] && old.1 <= used[1], "time comes back");
            }
            Entry::Ended { game, .. } => {
                clocks.remove(&names[&game]);
            }
            Entry::Paired { .. } | Entry::Term { .. } => {}
            entry => panic!("no such thing happens here: {entry:?}"),
        }
    }
    clocks
}

/// All that a player saw in any life agrees with the games in the end: each sight is the beginning of
/// the game, the whole of it if it was concluded; nothing is concluded twice; the clocks go on from
/// the journal.
pub fn check_player(
    name: &str,
    lives: &[(usize, Transcript)],
    games: &HashMap<(String, String), Played>,
    saved: &HashMap<usize, Clocks>,
) {
    let mut concluded = Vec::new();
    for (life, transcript) in lives {
        let mut first_of_life = true;
        for seen in &transcript.games {
            // The reset that acknowledges a sign_on has no tags.
            if seen.tags.is_empty() {
                continue;
            }
            let key = (seen.tag("White").to_owned(), seen.tag("Black").to_owned());
            let game = &games[&key];
            assert!(
                game.moves.starts_with(&seen.moves),
                "{name} in life {life}: {:?} in {:?}",
                seen.moves,
                game.moves
            );
            if seen.is_concluded() {
                assert_eq!(game.moves, seen.moves, "{name} in life {life}");
                assert_eq!(game.result, seen.tag("Result"));
                assert!(!concluded.contains(&key), "{key:?} is concluded twice");
                concluded.push(key.clone());
            }
            if std::mem::take(&mut first_of_life) {
                check_clocks(seen, saved.get(life).and_then(|saved| saved.get(&key)));
            }
        }
    }
}

/// A game that was under way goes on with the clocks that were written down.
fn check_clocks(seen: &Seen, saved: Option<&(u128, u128)>) {
    if let (Some(clocks), Some(saved)) = (&seen.first_clocks, saved) {
        assert_eq!(clocks, saved);
    }
}
