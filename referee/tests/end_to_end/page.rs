//! The page of an event in a browser, compared with the journal while the event goes on.
//!
//! Players wait for permission to move, so that at each instant that is looked at the event stands still and
//! the page must come to show exactly what the journal says.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Instant;

use crate::common::chromium::{Chromium, Tab};
use crate::common::player::{Answer, random};
use crate::common::{LIMIT, Referee, event, player};
use epd::protocol::Message;
use movegen::{Game, Position, Square};
use referee::journal::{self, Entry};
use serde_json::{Value, json};

/// What the page shows, as JSON: its games with pieces, clocks and numbers of half-moves, its standings, and
/// what is wider than the screen.
const LOOK: &str = include_str!("../page/look.js");

/// How many more moves the players may make.
#[derive(Clone, Default)]
struct Permits(Arc<(Mutex<usize>, Condvar)>);

impl Permits {
    fn give(&self, count: usize) {
        *self.0.0.lock().expect("sound") += count;
        self.0.1.notify_all();
    }

    /// Waits for one.
    fn take(&self) {
        let permits = self.0.0.lock().expect("sound");
        let mut permits = self
            .0
            .1
            .wait_while(permits, |permits| *permits == 0)
            .expect("sound");
        *permits -= 1;
    }
}

/// Plays any moves with analysis, when it may, and resigns after some of them.
fn patient(permits: Permits, seed: u64) -> impl FnMut(&Game, &Message) -> Answer + Send + 'static {
    let mut random = random(seed);
    move |game, request| {
        permits.take();
        let ply = game.moves().len();
        if ply > 24 + seed as usize {
            return Answer::Reply("resign;".to_owned());
        }
        match random(game, request) {
            Answer::Reply(reply) => {
                let mv = reply
                    .trim_start_matches("sm ")
                    .trim_end_matches(';')
                    .to_owned();
                Answer::Reply(format!(
                    "acd 9; acn 1234; ce {}; pv {mv}; {reply}",
                    10 * ply
                ))
            }
            other => other,
        }
    }
}

/// A game as the journal has it.
#[derive(Clone, Debug)]
struct Played {
    names: [String; 2],
    plies: usize,
    position: Position,
    /// What White and Black have left, in milliseconds.
    left: [i64; 2],
    result: Option<String>,
}

const TIME_CONTROL: &str = "600+1";

fn read_journal(referee: &Referee) -> BTreeMap<usize, Played> {
    let text = std::fs::read(referee.path("journal.log")).unwrap_or_default();
    let (entries, _) = journal::read(&text).expect("a journal");
    let mut games = BTreeMap::new();
    for entry in entries {
        match entry {
            Entry::Begun {
                game,
                white,
                black,
                opening,
                ..
            } => {
                let played = Played {
                    names: [white, black],
                    plies: 0,
                    position: opening.start,
                    left: [600_000; 2],
                    result: None,
                };
                games.insert(game, played);
            }
            Entry::Moved {
                game,
                before,
                mv,
                elapsed,
                ..
            } => {
                let played: &mut Played = games.get_mut(&game).expect("begun");
                played.plies += 1;
                played.position = before;
                played.position.play(mv);
                played.left[before.turn() as usize] += 1000 - elapsed.as_millis() as i64;
            }
            Entry::Ended { game, result, .. } => {
                games.get_mut(&game).expect("begun").result = Some(result);
            }
            Entry::Withdrawn { .. }
            | Entry::Ordered { .. }
            | Entry::Paired { .. }
            | Entry::Term { .. } => {}
        }
    }
    games
}

/// A time as a clock shows it.
fn clock(milliseconds: i64) -> String {
    let seconds = milliseconds / 1000;
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

/// The pieces of a position, by square.
fn pieces(position: &Position) -> BTreeMap<String, String> {
    let pieces = Square::all().filter_map(|square| Some((square, position.piece_at(square)?)));
    pieces
        .map(|(square, piece)| (square.to_string(), piece.to_string()))
        .collect()
}

/// Points and games of each player.
fn standings(games: &BTreeMap<usize, Played>, players: &[&str]) -> BTreeMap<String, String> {
    let of = |player: &&str| {
        let mut half_points = 0;
        let mut count = 0;
        for game in games.values() {
            let Some(side) = game.names.iter().position(|name| name == player) else {
                continue;
            };
            half_points += match (game.result.as_deref(), side) {
                (None, _) => continue,
                (Some("1-0"), 0) | (Some("0-1"), 1) => 2,
                (Some("1/2-1/2"), _) => 1,
                _ => 0,
            };
            count += 1;
        }
        let half = if half_points % 2 == 1 { "\u{bd}" } else { "" };
        let points = match half_points / 2 {
            0 if half_points == 1 => half.to_owned(),
            whole => format!("{whole}{half}"),
        };
        ((*player).to_owned(), format!("{points} {count}"))
    };
    players.iter().map(of).collect()
}

/// Everything in which a page differs from the journal.
fn differences(seen: &Value, games: &BTreeMap<usize, Played>, players: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    let shown = seen["games"].as_object().expect("games");
    for (number, game) in games.iter().filter(|(_, game)| game.result.is_none()) {
        if !shown.contains_key(&number.to_string()) {
            found.push(format!("game {number} is not shown: {:?}", game.names));
        }
    }
    for (number, shown) in shown {
        let Some(game) = games.get(&number.parse().expect("a number")) else {
            found.push(format!("there is no game {number}"));
            continue;
        };
        let mut compare = |what: &str, shown: &Value, expected: Value| {
            if *shown != expected {
                found.push(format!("{what} of game {number}: {shown}, not {expected}"));
            }
        };
        compare("half-moves", &shown["plies"], game.plies.into());
        let placed = json!(pieces(&game.position));
        compare("pieces", &shown["pieces"], placed);
        compare(
            "names",
            &shown["names"],
            vec![&*game.names[1], &*game.names[0]].into(),
        );
        found.extend(clock_differences(number, shown, game));
    }
    let expected = standings(games, players);
    let expected = json!(expected);
    if seen["standings"] != expected {
        found.push(format!("standings: {}, not {expected}", seen["standings"]));
    }
    if seen["beyond"] != json!([]) {
        found.push(format!("beyond the screen: {}", seen["beyond"]));
    }
    found
}

/// In which clocks a game differs. A clock that runs has at most the time of the journal, and not much less.
fn clock_differences(number: &str, shown: &Value, game: &Played) -> Vec<String> {
    let mut found = Vec::new();
    let sides = ["White", "Black"].into_iter().enumerate();
    for (side, name) in sides {
        let seen = &shown["clocks"][name];
        let to_move = game.result.is_none() && game.position.turn() as usize == side;
        let text = seen["text"].as_str().unwrap_or_default();
        let left = game.left[side];
        let patience = if to_move { LIMIT.as_millis() as i64 } else { 0 };
        let is_right = (left - patience..=left)
            .step_by(1000)
            .chain([left])
            .any(|left| text == clock(left))
            || (to_move && text == clock(left - patience));
        if !is_right || seen["runs"] != to_move {
            let left = clock(left);
            found.push(format!(
                "{name}'s clock of game {number}: {seen}, not {left}, runs: {to_move}"
            ));
        }
    }
    found
}

/// Waits until the page shows what the journal says.
#[track_caller]
fn compare(what: &str, tab: &Tab<'_>, referee: &Referee, players: &[&str]) {
    let started = Instant::now();
    loop {
        let seen = tab.value(LOOK);
        let found = differences(&seen, &read_journal(referee), players);
        if found.is_empty() {
            return;
        }
        assert!(
            started.elapsed() < LIMIT / 3,
            "{what}:\n{}",
            found.join("\n")
        );
        std::thread::yield_now();
    }
}

/// An event whose players move when they may, and the address of its page.
fn event_with_page(settings: &str, players: &[&'static str]) -> (Referee, Permits, String) {
    let settings = format!("http = \"127.0.0.1:0\"\ntime_control = \"{TIME_CONTROL}\"\n{settings}");
    let referee = Referee::run(&event(&settings, "", players));
    let permits = Permits::default();
    for (seed, name) in (0..).zip(players) {
        player::spawn(referee.address(), name, patient(permits.clone(), seed));
    }
    referee.wait_for_output("watch the games at ");
    let output = referee.output();
    let (_, address) = output
        .split_once("watch the games at ")
        .expect("an address");
    let address = address.lines().next().expect("a line").to_owned();
    (referee, permits, address)
}

/// What a browser complains of, but for the connection that ends with the referee.
fn complaints(browser: &Chromium) -> Vec<String> {
    let mut complaints = browser.complaints();
    complaints.retain(|complaint| !complaint.contains("net::ERR_"));
    complaints
}

#[test]
fn pages_follow_the_journal() {
    let Some(browser) = Chromium::start() else {
        return;
    };
    let players = ["Ann", "Bob <b>", "Cy & Co", "Dee"];
    let (mut referee, permits, address) = event_with_page("concurrency = 2", &players);
    let tabs = [
        ("desktop", browser.open(&address, [1440, 1000])),
        ("phone", browser.open(&address, [390, 844])),
    ];
    for instant in 0..20 {
        for (screen, tab) in &tabs {
            let what = format!("instant {instant}, {screen}");
            compare(&what, tab, &referee, &players);
        }
        permits.give(8);
    }
    permits.give(1000);
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    for (screen, tab) in &tabs {
        compare(&format!("the end, {screen}"), tab, &referee, &players);
        tab.wait_for("document.getElementById('event').textContent.includes('has ended')");
    }
    assert_eq!(complaints(&browser), Vec::<String>::new());
}

#[test]
fn a_game_is_stepped_through_by_keys() {
    let Some(browser) = Chromium::start() else {
        return;
    };
    let (referee, permits, address) = event_with_page("", &["Ann", "Bob"]);
    permits.give(6);
    referee.wait_for_ply(6);
    let tab = browser.open(&format!("{address}game/1"), [1440, 1000]);
    let journal = read_journal(&referee);
    tab.wait_for("Number(document.getElementById('panel')?.dataset.plies) === 6");
    let is_at = |ply: usize| {
        tab.wait_for(&format!(
            "document.getElementById('panel').dataset.ply === '{ply}'"
        ));
        tab.value("document.querySelector('#panel .field .board').getAttribute('aria-label')")
    };
    let last = is_at(6);
    for (key, ply) in [
        ("ArrowLeft", 5),
        ("ArrowLeft", 4),
        ("Home", 0),
        ("ArrowRight", 1),
    ] {
        tab.press(key);
        is_at(ply);
    }
    let label = is_at(1).to_string();
    assert!(
        label.contains("after 1.\u{a0}") && label.contains("Black to move"),
        "{label}"
    );
    assert_eq!(tab.value("location.search"), "?ply=1");
    // A new move does not carry the viewer away.
    permits.give(1);
    tab.wait_for("Number(document.getElementById('panel').dataset.plies) === 7");
    assert_eq!(is_at(1), label.trim_matches('"'));
    tab.press("End");
    assert_ne!(is_at(7), last);
    assert_eq!(journal[&1].plies, 6);
    // Another board, by the pointer.
    tab.value("document.querySelector('[data-step=turn]').click()");
    tab.wait_for("location.search === '?side=black'");
    tab.wait_for("document.querySelector('.field use').getAttribute('href') === '#squares-black'");
    assert_eq!(complaints(&browser), Vec::<String>::new());
}

#[test]
fn pages_work_without_scripts() {
    let Some(browser) = Chromium::start() else {
        return;
    };
    let (referee, permits, address) = event_with_page("", &["Ann", "Bob"]);
    permits.give(3);
    referee.wait_for_ply(3);
    let tab = browser.open("about:blank", [390, 844]);
    tab.command(
        "Emulation.setScriptExecutionDisabled",
        json!({"value": true}),
    );
    tab.go(&format!("{address}game/1"));
    let refresh = "document.querySelector('noscript meta[http-equiv=refresh]') !== null";
    assert_eq!(tab.value(refresh), true, "it loads itself again");
    let board = "document.querySelector('.field .board').getAttribute('aria-label')";
    let present = tab.value(board);
    let back = tab.value("document.querySelector('[data-step=back]').href");
    tab.go(back.as_str().expect("an address"));
    assert_ne!(tab.value(board), present);
    assert_eq!(
        tab.value("document.getElementById('panel').dataset.ply"),
        "2"
    );
    assert_eq!(tab.value(refresh), false, "a past position stays");
}

/// What a page says of an event whose schedule grows, and what of it is wider than the screen.
fn compare_growing(tab: &Tab<'_>, expression: &str) {
    tab.wait_for(expression);
    assert_eq!(tab.value(LOOK)["beyond"], json!([]), "{expression}");
}

/// A page that was opened before the first round shows each round, and keeps unfolded what the viewer has unfolded.
#[test]
fn rounds_are_followed() {
    let Some(browser) = Chromium::start() else {
        return;
    };
    let settings = "format = \"swiss\"\nrounds = 3\ngames_per_pairing = 1\nconcurrency = 2";
    let players = ["Ann", "Bob <b>", "Cy & Co", "Dee"];
    let (mut referee, permits, address) = event_with_page(settings, &players);
    let tabs = [[1440, 1000], [390, 844]].map(|screen| browser.open(&address, screen));
    let is_round = |round: usize| {
        format!(
            "document.getElementById('rounds')?.querySelector('h2').textContent.startsWith('Round {round} of 3')"
        )
    };
    // A game has at most 29 replies: its last player resigns after 24 to 27 half-moves.
    for (round, replies) in [(1, 60), (2, 57)] {
        for tab in &tabs {
            compare_growing(tab, &is_round(round));
            if round == 2 {
                tab.value("document.getElementById('round-1').open = true");
            }
        }
        permits.give(replies);
    }
    for tab in &tabs {
        compare_growing(tab, &is_round(3));
        let unfolded =
            "[...document.querySelectorAll('details')].map((one) => `${one.id} ${one.open}`)";
        assert_eq!(
            tab.value(unfolded),
            json!(["round-2 false", "round-1 true"])
        );
    }
    permits.give(1000);
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    for tab in &tabs {
        let end = "document.getElementById('event').textContent.includes('round 3 of 3, 6 games finished')";
        compare_growing(tab, end);
    }
    assert_eq!(complaints(&browser), Vec::<String>::new());
}

#[test]
fn brackets_and_ladders_are_followed() {
    let Some(browser) = Chromium::start() else {
        return;
    };
    for (settings, at_first, at_last) in [
        (
            "format = \"knockout\"\nconcurrency = 2",
            "document.querySelectorAll('#bracket .match.running').length === 2",
            "document.querySelectorAll('#bracket .side.best').length === 4",
        ),
        (
            "format = \"ladder\"\nladder = { games = 12 }\nconcurrency = 2",
            "document.querySelectorAll('.ladder td a[href^=\"/game/\"]').length === 4",
            "document.querySelectorAll('.ladder .sparkline').length === 4",
        ),
    ] {
        let settings = format!("{settings}\ngames_per_pairing = 2");
        let players = ["Ann", "Bob <b>", "Cy & Co", "Dee"];
        let (mut referee, permits, address) = event_with_page(&settings, &players);
        let tabs = [[1440, 1000], [390, 844]].map(|screen| browser.open(&address, screen));
        permits.give(10);
        for tab in &tabs {
            compare_growing(tab, at_first);
        }
        permits.give(100_000);
        assert_eq!(referee.wait(), 0, "{}", referee.output());
        for tab in &tabs {
            compare_growing(tab, at_last);
        }
    }
    assert_eq!(complaints(&browser), Vec::<String>::new());
}
