//! The event over HTTP: what viewers get agrees with the event, whatever they do.

mod pairings;

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Instant;

use crate::common::http::{Stream, get, get_with, json, send};
use crate::common::player::{Answer, random, spawn};
use crate::common::{LIMIT, Referee, event, games};
use epd::protocol::Message;
use movegen::Game;
use referee::broadcast::{Broadcast, Broadcaster, Delay};
use referee::event::stream::Stamped;
use referee::event::view::EventView;

pub const HTTP: &str = "http = \"127.0.0.1:0\"";
const NAMES: [&str; 4] = ["Ann", "Bob", "Cid", "Dee"];

/// Games end after so many half-moves at most.
const LONGEST: usize = 60;

/// Plays any moves until all players together have made so many; then it thinks for ever.
fn until(
    moves: &Arc<AtomicUsize>,
    limit: usize,
    seed: u64,
) -> impl FnMut(&Game, &Message) -> Answer + Send + 'static {
    let mut policy = random(seed);
    let moves = Arc::clone(moves);
    move |game, message| {
        if game.moves().len() >= LONGEST {
            return Answer::Reply("resign;".to_owned());
        }
        // One that is mated makes no move.
        let can_move = !game.position().legal_moves().is_empty();
        if can_move && moves.fetch_add(1, Ordering::Relaxed) >= limit {
            return Answer::Nothing;
        }
        // Each move tells what its player thinks.
        match policy(game, message) {
            Answer::Reply(operations) => {
                Answer::Reply(format!("{operations} ce {};", game.moves().len()))
            }
            other => other,
        }
    }
}

/// An event of four players that stands still after so many moves.
fn start(settings: &str, tables: &str, moves: usize) -> Referee {
    let settings = format!("{HTTP}\nconcurrency = 2\n{settings}");
    let referee = Referee::run(&event(&settings, tables, &NAMES));
    let made = Arc::new(AtomicUsize::new(0));
    for (seed, name) in (0..).zip(NAMES) {
        spawn(referee.address(), name, until(&made, moves, seed));
    }
    referee
}

/// What viewers know by these rules who have read the whole file of events.
fn broadcast_of(referee: &Referee, rules: Broadcast) -> (u64, EventView) {
    let mut broadcaster = Broadcaster::new(rules);
    let (mut last, mut view) = (0, EventView::default());
    for line in referee.event_lines().lines() {
        let event: Stamped = serde_json::from_str(line).expect(line);
        for published in broadcaster.push(event.report, &event.at) {
            view.apply(&published.report, &published.at);
            last = published.id;
        }
    }
    (last, view)
}

/// Waits until the event stands still and the page has all of it; returns what viewers know then.
fn wait_until_still(referee: &Referee, moves: usize, rules: Broadcast) -> (u64, EventView) {
    let started = Instant::now();
    let mut before = 0;
    let mut state = String::new();
    loop {
        assert!(started.elapsed() < LIMIT, "{state} {}", referee.output());
        let made = referee.events_of("move").len();
        let (last, view) = broadcast_of(referee, rules);
        let shown = json(referee.page(), "/api/event")["seq"].as_u64();
        // Every game waits for a player that never moves, and none for the reply to a mate or stalemate.
        let games = referee.control("games");
        let waiting = games.matches("; waiting ").count();
        let live = games::read(&get(referee.page(), "/live.pgn"));
        let stands = made >= moves
            && waiting > 0
            && waiting == games.lines().count()
            && !live.iter().any(games::Played::awaits_last_reply);
        state = format!("{made} moves, event {last}, {shown:?} shown, {games}");
        if stands && last == before && shown == Some(last) {
            return (last, view);
        }
        before = last;
    }
}

/// Follows the stream until it has had this event, and begins again after every so many.
fn follow(page: SocketAddr, cut_after: usize, until: u64) -> (EventView, usize) {
    let (mut view, mut last, mut cuts) = (EventView::default(), None, 0);
    while last.is_none_or(|last| last < until) {
        for (id, event) in Stream::open(page, last).take(cut_after) {
            assert!(
                last.is_none_or(|last| id == last + 1),
                "{id} after {last:?}"
            );
            view.apply(&event.report, &event.at);
            last = Some(id);
            if id >= until {
                break;
            }
        }
        cuts += 1;
    }
    (view, cuts)
}

/// What a viewer knows that has seen a game end or that has not: without the moves of finished games.
fn public(mut view: EventView) -> EventView {
    for number in view.finished().to_vec() {
        view.take_finished(number);
    }
    view
}

#[test]
fn a_viewer_that_is_cut_off_misses_nothing() {
    const MOVES: usize = 500;
    let referee = start("", "", MOVES);
    let page = referee.page();
    let whole = Stream::open(page, Some(0));
    let (last, expected) = wait_until_still(&referee, MOVES, Broadcast::default());
    let mut view = EventView::default();
    for (id, event) in whole {
        view.apply(&event.report, &event.at);
        if id >= last {
            break;
        }
    }
    assert_eq!(view, expected, "one that was never cut off");
    assert!(view.ends.len() > 1, "some games ended");
    // One that comes now begins with a snapshot, and one that comes back with what it lacks.
    let (late, _) = follow(page, usize::MAX, last);
    assert_eq!(late, public(expected.clone()));
    let mut view = EventView::default();
    let (mut seen, mut cuts) = (0, 0);
    while seen < last {
        for (id, event) in Stream::open(page, Some(seen)).take(1 + cuts % 13) {
            assert_eq!(id, seen + 1);
            view.apply(&event.report, &event.at);
            seen = id;
            if seen >= last {
                break;
            }
        }
        cuts += 1;
    }
    assert!(cuts >= 100, "{cuts}");
    assert_eq!(view, expected, "cut off {cuts} times");
    // A number that was never given, by a viewer of another event perhaps: it begins anew.
    let (first, _) = Stream::open(page, Some(last + 1000))
        .next()
        .expect("an event");
    assert_eq!(first, last);
}

#[test]
fn answers_agree_with_the_event() {
    const MOVES: usize = 400;
    let referee = start("", "", MOVES);
    let page = referee.page();
    let (last, view) = wait_until_still(&referee, MOVES, Broadcast::default());

    let event = json(page, "/api/event");
    assert_eq!(event["name"], "Test");
    assert_eq!(event["seq"], last);
    assert_eq!(event["games"]["scheduled"], 12);
    assert_eq!(event["games"]["running"], view.running().count());
    assert_eq!(event["games"]["finished"], view.ends.len());
    let standings = serde_json::to_value(view.standings()).expect("JSON");
    assert_eq!(json(page, "/api/standings"), standings);
    let schedule = json(page, "/api/schedule");
    assert_eq!(schedule.as_array().map(Vec::len), Some(12));
    assert_eq!(schedule[11]["round"], "3.4", "{}", schedule[11]);
    let games = json(page, "/api/games");
    assert_eq!(games.as_array().map(Vec::len), Some(view.games.len()));
    for (number, expected) in &view.games {
        let game = json(page, &format!("/api/games/{number}"));
        assert_eq!(game, serde_json::to_value(expected).expect("JSON"));
    }
    // PGN: the finished games are those of the event's folder.
    assert_eq!(get(page, "/games.pgn"), referee.read("games.pgn"));
    let live = games::read(&get(page, "/live.pgn"));
    assert_eq!(live.len(), view.running().count());
    for game in &live {
        assert_eq!(game.check(), None);
        assert_eq!(game.result, "*");
        assert_eq!(game.annotations("%emt").len(), game.moves.len());
        // What the last mover thinks is not told yet.
        assert_eq!(game.annotations("%eval").len(), game.moves.len() - 1);
    }
    for round in 1..=3 {
        let of_round = |game: &&serde_json::Value| {
            let tag = game["round"].as_str().expect("a round");
            tag.starts_with(&format!("{round}."))
        };
        let begun = games.as_array().expect("a list").iter().filter(of_round);
        let begun: Vec<_> = begun.map(|game| game["round"].clone()).collect();
        let path = format!("/round-{round}.pgn");
        if begun.is_empty() {
            assert_eq!(get_with(page, &path, "").status, 404);
            continue;
        }
        let shown = games::read(&get(page, &path));
        assert!(shown.iter().map(|game| game.tag("Round")).eq(begun));
    }
    let (number, first) = view
        .games
        .iter()
        .find(|(_, game)| game.end.is_none())
        .expect("one");
    let pgn = games::read(&get(page, &format!("/games/{number}.pgn")));
    assert_eq!(pgn[0].tag("Round"), first.game.round);
    assert_eq!(pgn[0].moves, live[0].moves);

    assert_eq!(get(page, "/health"), "ok\n");
    let metrics = get(page, "/metrics");
    for line in [
        format!("epode_games{{state=\"finished\"}} {}", view.ends.len()),
        format!("epode_games{{state=\"running\"}} {}", live.len()),
        format!("epode_moves_total {}", referee.events_of("move").len()),
        "epode_sign_ons_total 4".to_owned(),
    ] {
        assert!(
            metrics.lines().any(|other| other == line),
            "{line}: {metrics}"
        );
    }
    for name in ["0.5", "0.99", "0.999"] {
        assert!(metrics.contains(&format!("epode_lag_seconds{{quantile=\"{name}\"}} ")));
    }
}

/// Whoever polls while games go on gets whole games, each the beginning of what it becomes.
#[test]
fn polled_pgn_is_right_at_every_instant() {
    const MOVES: usize = 600;
    // Between two polls the players make some moves.
    let allowed = Arc::new((Mutex::new(0), Condvar::new()));
    let referee = Referee::run(&event(&format!("{HTTP}\nconcurrency = 2"), "", &NAMES));
    let made = Arc::new(AtomicUsize::new(0));
    for (seed, name) in (0..).zip(NAMES) {
        let mut policy = until(&made, MOVES, seed);
        let (allowed, made) = (Arc::clone(&allowed), Arc::clone(&made));
        spawn(
            referee.address(),
            name,
            move |game: &Game, message: &Message| {
                let (count, changed) = &*allowed;
                let count = count.lock().expect("sound");
                let may_wait = |count: &mut usize| made.load(Ordering::Relaxed) >= *count;
                drop(changed.wait_while(count, may_wait).expect("sound"));
                policy(game, message)
            },
        );
    }
    let page = referee.page();
    let mut seen: Vec<games::Played> = Vec::new();
    let mut tag = String::new();
    let started = Instant::now();
    while seen.is_empty() || made.load(Ordering::Relaxed) < MOVES {
        assert!(started.elapsed() < LIMIT);
        let answer = get_with(page, "/live.pgn", &format!("If-None-Match: {tag}\r\n"));
        if answer.status == 304 {
            assert_eq!(answer.body, "");
            continue;
        }
        tag = answer.header("etag").expect("a tag").to_owned();
        seen.extend(games::read(&answer.body));
        *allowed.0.lock().expect("sound") += 20;
        allowed.1.notify_all();
    }
    *allowed.0.lock().expect("sound") = usize::MAX;
    allowed.1.notify_all();
    assert!(seen.len() > 20, "{}", seen.len());
    wait_until_still(&referee, MOVES, Broadcast::default());
    let answer = get_with(page, "/live.pgn", "");
    let tag = answer.header("etag").expect("a tag");
    let again = get_with(page, "/live.pgn", &format!("If-None-Match: {tag}\r\n"));
    assert_eq!(again.status, 304, "nothing has changed");
    let all = games::read(&(get(page, "/games.pgn") + &answer.body));
    for game in seen {
        if !game.awaits_last_reply() {
            game.check();
        }
        let whole = all
            .iter()
            .find(|other| other.tag("Round") == game.tag("Round"));
        let whole = whole.expect("a game");
        assert!(whole.moves.starts_with(&game.moves));
        let times = game.annotations("%emt");
        assert_eq!(times, whole.annotations("%emt")[..times.len()]);
    }
    // A second after the last change there is a time as well.
    let modified = loop {
        assert!(started.elapsed() < LIMIT);
        let answer = get_with(page, "/live.pgn", "");
        if let Some(time) = answer.header("last-modified") {
            break time.to_owned();
        }
    };
    let since = format!("If-Modified-Since: {modified}\r\n");
    assert_eq!(get_with(page, "/live.pgn", &since).status, 304);
}

#[test]
fn games_are_shown_later_or_with_thoughts() {
    for (table, delay, show_thinking) in [
        ("delay = \"6 plies\"", Delay::Plies(6), false),
        ("show_thinking = true", Delay::None, true),
    ] {
        let referee = start("", &format!("[broadcast]\n{table}\n"), 200);
        let rules = Broadcast {
            delay,
            show_thinking,
            ..Broadcast::default()
        };
        let (_, expected) = wait_until_still(&referee, 200, rules);
        let live = games::read(&get(referee.page(), "/live.pgn"));
        assert_eq!(live.len(), expected.running().count());
        for (game, expected) in live.iter().zip(expected.running()) {
            assert_eq!(game.moves.len(), expected.game.moves.len());
            let told = game.annotations("%eval").len();
            let untold = usize::from(!show_thinking);
            assert_eq!(told, game.moves.len().saturating_sub(untold));
        }
        let real = referee.control("games");
        // A game of which nothing is shown may have any number of moves up to the delay.
        for game in live.iter().filter(|game| !game.moves.is_empty()) {
            let shown = game.moves.len();
            let plies = match delay {
                Delay::Plies(plies) => plies,
                _ => 0,
            };
            let full_move = usize::midpoint(shown, plies) + 1;
            assert!(
                real.contains(&format!("move {full_move}:")),
                "{shown}: {real}"
            );
        }
    }
}

#[test]
fn nothing_is_changed_and_nobody_breaks_it() {
    let referee = start("", "", 100);
    let page = referee.page();
    for method in ["POST", "PUT", "DELETE", "PATCH"] {
        let answer = send(
            page,
            &format!("{method} /api/event HTTP/1.1\r\nHost: x\r\n\r\n"),
        );
        assert_eq!(answer.status, 405, "{method}");
    }
    for path in [
        "/x",
        "/api/games/99",
        "/api/games/x",
        "/round-9.pgn",
        "/round-x.pgn",
        "/games/99.pgn",
        "/games/1",
        "/../Cargo.toml",
        "/%2e%2e/journal.log",
        "/journal.log",
    ] {
        let status = get_with(page, path, "").status;
        assert!(matches!(status, 400 | 404), "{path}: {status}");
    }
    let long = format!("X: {}\r\n", "x".repeat(1 << 20));
    assert_eq!(get_with(page, "/health", &long).status, 431);
    assert_eq!(send(page, "sign_on\r\n\r\n").status, 400);
    let answer = get_with(page, "/api/event", "");
    let policy = answer.header("content-security-policy").expect("a policy");
    assert!(
        policy.starts_with("default-src 'none'; script-src 'self'"),
        "{policy}"
    );
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    wait_until_still(&referee, 100, Broadcast::default());
    // The address is taken.
    let text = event(&format!("http = \"{page}\""), "", &["Ann", "Bob"]);
    std::fs::write(referee.path("other.toml"), text).expect("written");
    let (said, code) = referee.program("run cup/other.toml");
    assert_eq!(code, 2);
    assert!(
        said.contains(&format!("cannot listen on {page} for the page")),
        "{said}"
    );
}

#[test]
fn names_of_any_kind_are_text() {
    let hostile = "<script>alert('1')</script> & \"Ann\"";
    let text = format!(
        "{}[[player]]\nname = '''{hostile}'''\n",
        event(&format!("{HTTP}\nformat = \"match\""), "", &["Bob"])
    );
    let referee = Referee::run(&text);
    // The event may not have begun when the viewer comes.
    let mut view = EventView::default();
    for (_, event) in Stream::open(referee.page(), None) {
        view.apply(&event.report, &event.at);
        if view.start.is_some() {
            break;
        }
    }
    assert_eq!(view.names[1], hostile);
    let event = json(referee.page(), "/api/event");
    assert_eq!(event["players"][1], hostile);
}

/// What was shown before a referee was killed is shown again, under the same numbers.
#[test]
fn a_resumed_event_is_shown_as_before() {
    const MOVES: usize = 300;
    let referee = start("", "", MOVES);
    let (last, before) = wait_until_still(&referee, MOVES, Broadcast::default());
    let referee = referee.resume();
    let mut stream = Stream::open(referee.page(), Some(last));
    let (id, first) = stream.next().expect("an event");
    assert_eq!(id, last + 1);
    assert_eq!(
        serde_json::to_value(&first).expect("JSON")["event"],
        "start"
    );
    let (_, after) = broadcast_of(&referee, Broadcast::default());
    assert_eq!(after.ends, before.ends);
    assert_eq!(get(referee.page(), "/games.pgn"), referee.read("games.pgn"));
    let event = json(referee.page(), "/api/event");
    assert_eq!(event["games"]["finished"], before.ends.len());
}

/// With a delay by time nothing is shown before, also at the end of the event. Whoever ends the referee then has
/// the rest shown at once.
#[test]
fn what_waits_is_shown_in_the_end() {
    let settings = format!("{HTTP}\nformat = \"match\"");
    let broadcast = "[broadcast]\ndelay = \"1h\"\n";
    let mut referee = Referee::run(&event(&settings, broadcast, &["Ann", "Bob"]));
    let page = referee.page();
    let mut stream = Stream::open(page, None);
    let (id, snapshot) = stream.next().expect("a snapshot");
    assert_eq!(id, 0);
    let mut view = EventView::default();
    view.apply(&snapshot.report, &snapshot.at);
    assert_eq!(view, EventView::default());
    let made = Arc::new(AtomicUsize::new(0));
    let ann = spawn(referee.address(), "Ann", until(&made, usize::MAX, 1));
    referee.wait_for_output("Ann connected");
    assert_eq!(json(page, "/api/event")["seq"], 0);
    let bob = spawn(referee.address(), "Bob", until(&made, usize::MAX, 2));
    for player in [ann, bob] {
        player.join().expect("no complaints");
    }
    referee.wait_for_output(&format!(
        "the page at http://{page}/ is there for 1h more; "
    ));
    assert_eq!(json(page, "/api/event")["seq"], 0);
    let (said, code) = referee.program("stop cup");
    assert_eq!((said.trim(), code), ("stopped", 0));
    for (_, event) in stream {
        view.apply(&event.report, &event.at);
    }
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    let rules = Broadcast {
        delay: Delay::Time(std::time::Duration::from_hours(1)),
        ..Broadcast::default()
    };
    assert_eq!((view.ends.len(), view.ended.is_some()), (2, true));
    assert_eq!(view, broadcast_of(&referee, rules).1);
}
