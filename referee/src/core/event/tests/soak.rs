//! A ladder through which players come and go, while the referee is killed now and then.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::world::{World, ledger};
use crate::core::event::{Access, LinkId};
use crate::core::journal::Entry;

const SECOND: Duration = Duration::from_secs(1);
/// A player makes so many moves at most before it resigns, and thinks so long at most for each.
const LONGEST_GAME: Duration = Duration::from_secs(2 * 12 * 6 + 20);

const NAMED: usize = 12;
const GUESTS: usize = 4;

fn settings() -> String {
    let mut text = format!(
        "format = \"ladder\"\ngames_per_pairing = 1\nconcurrency = 6\ntime_control = \"600+1\"\nopen_entries = {GUESTS}\n\
         [delays]\nreset = \"1s\"\nconclude = \"1s\"\n\
         [rules]\nreconnect_timeout = \"30s\"\nmax_forfeits = 0\n"
    );
    for player in 0..NAMED {
        let _ = writeln!(text, "[[player]]\nname = \"P{player}\"");
        if player < 2 {
            text += "group = \"siblings\"\n";
        }
    }
    text
}

/// Those who are there, with the connection of each, and since when they have been free.
struct Hall {
    world: World,
    rng: StdRng,
    links: BTreeMap<String, LinkId>,
    free_since: HashMap<String, Instant>,
    kills: usize,
    longest_wait: Duration,
}

impl Hall {
    fn new(seed: u64) -> Self {
        let mut world = World::new(&settings());
        world.keeps_snapshots = false;
        Self {
            world,
            rng: StdRng::seed_from_u64(seed),
            links: BTreeMap::new(),
            free_since: HashMap::new(),
            kills: 0,
            longest_wait: Duration::ZERO,
        }
    }

    fn names() -> impl Iterator<Item = String> {
        let named = (0..NAMED).map(|player| format!("P{player}"));
        named.chain((0..GUESTS).map(|guest| format!("Guest{guest}")))
    }

    /// Somebody comes, goes, or the referee is killed and goes on.
    fn disturb(&mut self) {
        self.links
            .retain(|_, link| self.world.peers.contains_key(link));
        for name in Self::names() {
            let is_here = self.links.contains_key(&name);
            if !is_here && self.rng.random_bool(0.05) {
                let link = self.world.enter(&name);
                if self.world.peers.contains_key(&link) {
                    self.links.insert(name, link);
                }
            } else if is_here && self.rng.random_bool(0.002) {
                let link = self.links.remove(&name).expect("here");
                self.world.cut(link);
            }
        }
        if self.rng.random_bool(0.001) {
            self.kill();
        }
    }

    fn kill(&mut self) {
        self.kills += 1;
        let mut resumed = ledger(&settings());
        let games = resumed.resume(self.world.journal.clone());
        assert_eq!(games.as_ref(), Ok(&self.world.games), "a result was lost");
        let now = self.world.now;
        let mut world = World::of(resumed, Access::default());
        world.keeps_snapshots = false;
        world.now = now.max(world.now);
        world
            .journal
            .splice(0..0, std::mem::take(&mut self.world.journal));
        world.games = std::mem::take(&mut self.world.games);
        self.world = world;
        self.links.clear();
        self.free_since.clear();
    }

    /// Time goes by, and some of those who think reply.
    fn go_on(&mut self) {
        self.world.wait(SECOND * self.rng.random_range(1..=3));
        for link in self.world.asked() {
            if !self
                .world
                .peers
                .get(&link)
                .is_some_and(|peer| peer.is_asked)
            {
                continue;
            }
            let board = self.world.peers[&link].board.as_ref().expect("a game");
            let moves = board.moves().len();
            if moves >= 24 || moves > 1 && self.rng.random_bool(0.1) {
                self.world.reply(link, "resign;");
            } else if self.rng.random_bool(0.7) {
                let choice = self.rng.random_range(0..100);
                self.world.play(link, choice);
            }
        }
    }

    /// Nobody who has a possible opponent waits for longer than a game takes.
    fn check_waits(&mut self) {
        let now = self.world.now;
        let ledger = self.world.event.ledger();
        let running = ledger.running().values();
        let busy: Vec<_> = running
            .flat_map(|game| [game.pairing.white, game.pairing.black])
            .map(|player| ledger.names()[player].clone())
            .collect();
        let has_room = ledger.has_room();
        let free = |name: &String| self.links.contains_key(name) && !busy.contains(name);
        let siblings = ["P0".to_owned(), "P1".to_owned()];
        for name in Self::names() {
            let others = self.links.keys().filter(|other| {
                **other != name && !(siblings.contains(&name) && siblings.contains(other))
            });
            // With room for more games, one player may be left over.
            if !free(&name) || !has_room || others.count() < 2 {
                self.free_since.remove(&name);
                continue;
            }
            let since = *self.free_since.entry(name.clone()).or_insert(now);
            let wait = now - since;
            self.longest_wait = self.longest_wait.max(wait);
            assert!(wait <= LONGEST_GAME, "{name} waits for {wait:?}");
        }
    }

    fn check_end(&self) {
        let ledger = self.world.event.ledger();
        let ended = self.world.journal.iter();
        let ended = ended.filter(|entry| matches!(entry, Entry::Ended { .. }));
        assert_eq!(ended.count(), ledger.finished());
        assert_eq!(
            ledger.games_of(self.world.journal.clone()).as_ref(),
            Ok(&self.world.games)
        );
        assert_eq!(
            self.world.games.matches("[Event ").count(),
            ledger.finished()
        );
        let standings = ledger.standings();
        // Some games end without a result, when both players are away.
        assert_eq!(
            standings.finished + standings.unfinished,
            ledger.finished() + ledger.running().len()
        );
        for game in ledger.schedule() {
            assert!(game.white.max(game.black) > 1, "siblings meet");
        }
    }
}

fn soak(seed: u64, time: Duration) {
    let mut hall = Hall::new(seed);
    let mut went_by = Duration::ZERO;
    while went_by < time {
        let before = hall.world.now;
        hall.disturb();
        hall.go_on();
        hall.check_waits();
        went_by += hall.world.now - before;
    }
    hall.check_end();
    let games = hall.world.event.ledger().finished();
    println!(
        "{games} games, {} kills of the referee, longest wait {:?}",
        hall.kills, hall.longest_wait
    );
    assert!(games > 0 && hall.kills > 0);
}

#[test]
fn two_hours_of_a_ladder() {
    soak(1, Duration::from_hours(2));
}

/// `cargo test -p epode-referee --lib soak -- --ignored --nocapture`
///
/// 2026-11-23: 20,086 games, 41 kills of the referee, longest wait 21 s (5 minutes on a busy machine).
#[test]
#[ignore = "takes minutes"]
fn a_day_of_a_ladder() {
    soak(2, Duration::from_hours(24));
}
