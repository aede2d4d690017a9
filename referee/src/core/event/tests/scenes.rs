//! Scenes from events, one rule each.

use std::time::Duration;

use super::world::{World, ledger};
use crate::core::event::{Access, Input, LinkId, Report};
use crate::core::secret::Secret;

const SECOND: Duration = Duration::from_secs(1);
const PONG: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - Ping; refreq reply;";
const NO_DELAYS: &str = "[delays]\nreset = \"0s\"\nconclude = \"0s\"\n";

fn settings(head: &str, tables: &str, players: &[&str]) -> String {
    let players = players.iter().fold(String::new(), |text, player| {
        text + &format!("[[player]]\nname = {player}\n")
    });
    format!("{head}\n{NO_DELAYS}{tables}\n{players}")
}

fn duel(head: &str, tables: &str) -> World {
    let head = format!("format = \"match\"\n{head}");
    World::new(&settings(&head, tables, &["\"Ann\"", "\"Bob\""]))
}

/// The pauses after reset and conclude cost no clock time, and the clock starts when the question has
/// been written, not when it was decided.
#[test]
fn clocks_start_when_the_question_is_written() {
    let text = "format = \"match\"\ntime_control = \"10\"\n[[player]]\nname = \"Ann\"\n[[player]]\nname = \"Bob\"\n";
    let mut world = World::new(text);
    let ann = world.enter("Ann");
    let bob = world.enter("Bob");
    // Signing on is answered by a reset, and so is the start of the game.
    world.wait(5 * SECOND);
    world.holds_back = true;
    world.wait(5 * SECOND);
    assert_eq!(world.asked(), [ann]);
    world.now += 20 * SECOND;
    assert!(
        world.event.ledger().running()[&1]
            .referee
            .clock()
            .running()
            .is_none()
    );
    while let Some(sent) = world.held.pop_front() {
        world.feed(sent);
    }
    world.holds_back = false;
    world.now += 3 * SECOND;
    world.reply(ann, "sm e4;");
    let used = world.event.ledger().running()[&1].referee.clock().used();
    assert_eq!(used, [3 * SECOND, Duration::ZERO]);
    assert_eq!(world.asked(), [bob]);
}

/// A game that ends while it is paused: the side to move is told the last move before the end.
#[test]
fn a_game_that_ends_while_it_is_paused() {
    let mut world = duel("games_per_pairing = 1", "");
    let ann = world.enter("Ann");
    let bob = world.enter("Bob");
    world.play(ann, 0);
    world.order("pause 1");
    world.order("adjudicate 1 1/2");
    for link in [ann, bob] {
        let board = world.peers[&link].board.as_ref().expect("reset");
        assert_eq!(board.moves().len(), 1);
        assert!(world.peers[&link].commands.contains(&"conclude"));
    }
}

/// A reply that was read in time counts, however late it is handled, and whatever comes first.
#[test]
fn late_handling_costs_nobody_the_game() {
    for tick_first in [false, true] {
        let mut world = duel("time_control = \"10\"", "");
        let ann = world.enter("Ann");
        world.enter("Bob");
        let read = world.now + 10 * SECOND;
        world.now = read + SECOND;
        if tick_first {
            world.feed(Input::Tick);
        }
        let line = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - refreq reply; sm e4;";
        let frame = epd::protocol::frame::Frame::Line(line.to_owned());
        world.feed(Input::Received {
            link: ann,
            frame,
            read,
        });
        // The server drains its input before it ticks.
        assert_eq!(world.results().is_empty(), !tick_first);
    }
}

/// Who goes has the reconnect timeout to come back; the clock of a player on the move goes on.
#[test]
fn a_player_comes_back_or_not() {
    let mut world = duel("time_control = \"600\"", "");
    let ann = world.enter("Ann");
    let bob = world.enter("Bob");
    world.reply(ann, "sm e4;");
    world.cut(bob);
    world.wait(59 * SECOND);
    assert!(world.results().is_empty());
    let bob = world.enter("Bob");
    world.feed(Input::Tick);
    let clock = *world.event.ledger().running()[&1]
        .referee
        .clock()
        .running()
        .as_ref()
        .expect("running");
    assert_eq!(world.now - clock.1, 59 * SECOND, "the clock goes on");
    world.reply(bob, "sm e5;");
    world.cut(ann);
    world.wait(60 * SECOND);
    assert_eq!(
        world.results(),
        [(1, "0-1".to_owned(), Some("disconnect".to_owned()))]
    );
}

/// An opponent's move reaches a player that is away: its clock runs, and it is asked when it is back.
#[test]
fn a_move_to_a_player_that_is_away() {
    let mut world = duel("time_control = \"30\"", "");
    let ann = world.enter("Ann");
    let bob = world.enter("Bob");
    world.cut(bob);
    world.reply(ann, "sm e4;");
    world.wait(20 * SECOND);
    let bob = world.enter("Bob");
    world.feed(Input::Tick);
    assert_eq!(world.asked(), [bob]);
    world.wait(11 * SECOND);
    assert_eq!(
        world.results(),
        [(1, "1-0".to_owned(), Some("time".to_owned()))]
    );
}

/// A match at concurrency 3 keeps three games running, each on connections of its own.
#[test]
fn games_side_by_side() {
    let players = ["\"Ann\"\ninstances = 3", "\"Bob\"\ninstances = 3"];
    let head = "format = \"match\"\ngames_per_pairing = 8\nconcurrency = 3";
    let mut world = World::new(&settings(head, "", &players));
    let anns: Vec<_> = (0..3).map(|_| world.enter("Ann")).collect();
    world.enter("Bob");
    assert_eq!(world.event.ledger().running().len(), 1);
    world.enter("Bob");
    world.enter("Bob");
    assert_eq!(world.event.ledger().running().len(), 3);
    let fourth = world.enter("Bob");
    assert!(!world.peers.contains_key(&fourth), "three places are three");
    while let Some(&link) = world.asked().first() {
        let left = 8 - world.results().len();
        assert_eq!(world.event.ledger().running().len(), left.min(3));
        world.reply(link, "resign;");
    }
    assert_eq!(world.results().len(), 8);
    assert!(world.event.is_over());
    assert!(
        anns.iter()
            .all(|ann| world.peers[ann].commands.contains(&"conclude"))
    );
}

/// A program that the referee starts is started for each game of a match that runs at once, and again
/// when it has ended: it costs one game.
#[test]
fn programs_are_started_again() {
    let players = ["\"Ann\"\ncommand = \"ann\"", "\"Bob\""];
    let head = "format = \"match\"\ngames_per_pairing = 20";
    let text = settings(head, "", &players).replace("conclude = \"0s\"", "conclude = \"1s\"");
    let mut world = World::new(&text);
    assert_eq!(world.started, [0]);
    world.enter("Bob");
    for game in 1..=12 {
        let ann = world.enter("Ann");
        world.wait(SECOND);
        assert_eq!(world.event.ledger().running().len(), 1);
        if game % 2 == 0 {
            world.exit(0);
            assert_eq!(world.results().len(), game - 1, "its connection is open");
            world.cut(ann);
        } else {
            let link = world.asked()[0];
            world.reply(link, "resign;");
            // Between games a program may go and come back at no cost.
            world.exit(0);
            world.cut(ann);
        }
        let results = world.results();
        assert_eq!(results.len(), game);
        let fault = (game % 2 == 0).then(|| "crash".to_owned());
        assert_eq!(results[game - 1].2, fault);
    }
    assert_eq!(world.started.len(), 13);
}

/// A program that is still starting takes over the game of one that has crashed; the crash is not taken
/// for one of the program that plays on.
#[test]
fn programs_of_one_player_stand_in_for_each_other() {
    let players = ["\"Ann\"\ncommand = \"ann\"", "\"Bob\"\ninstances = 2"];
    let head = "format = \"match\"\ngames_per_pairing = 20\nconcurrency = 2";
    let mut world = World::new(&settings(head, "", &players));
    assert_eq!(world.started, [0, 1]);
    world.enter("Bob");
    world.enter("Bob");
    let first = world.enter("Ann");
    world.feed(Input::Tick);
    assert_eq!(world.event.ledger().running().len(), 1);
    world.cut(first);
    let second = world.enter("Ann");
    world.feed(Input::Tick);
    assert_eq!(world.asked(), [second], "the same game");
    world.exit(0);
    assert!(world.results().is_empty());
    assert_eq!(world.started, [0, 1, 0]);
    world.enter("Ann");
    world.feed(Input::Tick);
    assert_eq!(world.event.ledger().running().len(), 2);
    // Now the other one crashes, and its game is lost at once.
    world.cut(second);
    world.exit(1);
    assert_eq!(world.results()[0].2.as_deref(), Some("crash"));
}

/// A program that ends at once is tried a few times; the event then pauses instead of losing all games.
#[test]
fn what_cannot_start_pauses_the_event() {
    let players = ["\"Ann\"\ncommand = \"ann\"", "\"Bob\""];
    let head = "format = \"match\"\ngames_per_pairing = 100";
    let mut world = World::new(&settings(head, "", &players));
    world.enter("Bob");
    for _ in 0..4 {
        world.exit(0);
    }
    assert_eq!(world.started.len(), 4, "three restarts");
    let never_came = Some("never_came".to_owned());
    let results = world.results();
    assert_eq!(results.len(), 3);
    assert!(results.iter().all(|(_, _, fault)| *fault == never_came));
    assert!(!world.event.is_over());
    let paused = world.said.iter().find(|said| said.starts_with("paused: "));
    assert!(
        paused.is_some_and(|said| said.contains("Ann has forfeited 3 games in a row")),
        "{:?}",
        world.said
    );
    let standings = world.event.ledger().standings();
    assert_eq!(standings.of(1).map(|bob| bob.rated_games), Some(0));
    // The command is repaired, and the arbiter goes on.
    let (_, refused) = world.order("resume");
    assert!(!refused && world.started.len() == 5);
    world.enter("Ann");
    world.feed(Input::Tick);
    assert_eq!(world.event.ledger().running().len(), 1);
    let (said, refused) = world.order("replay 1");
    assert!(!refused, "{said}");
    let (said, refused) = world.order("replay 4");
    assert!(refused && said.contains("not finished"), "{said}");
    assert!(!world.games.contains("Round \"1.1\""), "its PGN is gone");
    let link = world.asked()[0];
    world.reply(link, "resign;");
    assert_eq!(world.event.ledger().running().keys().next(), Some(&1));
}

/// A game that is paused costs nobody time, whoever replies, goes and comes back meanwhile.
#[test]
fn a_game_is_paused() {
    let mut world = duel("time_control = \"60\"", "");
    let ann = world.enter("Ann");
    let bob = world.enter("Bob");
    world.reply(ann, "sm e4;");
    world.wait(10 * SECOND);
    assert!(world.order("games").0.contains("waiting 10.0 s for Black"));
    assert_eq!(
        world.order("pause 1"),
        ("game 1 is paused".to_owned(), false)
    );
    assert!(world.order("pause 2").1 && world.order("resume 2").1);
    world.feed(Input::Tick);
    assert!(world.asked().is_empty());
    let board = *world.peers[&bob].board.as_ref().expect("reset").position();
    world.request(bob, &board, "refreq reply; sm e5;");
    world.cut(ann);
    world.wait(30 * SECOND);
    let ann = world.enter("Ann");
    world.wait(1000 * SECOND);
    assert!(world.order("games").0.contains("; paused"));
    assert_eq!(
        world.order("message back at nine"),
        ("2 players were told".to_owned(), false)
    );
    assert!(world.asked().is_empty() && world.results().is_empty());
    world.order("resume 1");
    assert_eq!(world.asked(), [bob]);
    world.now += 5 * SECOND;
    world.reply(bob, "sm e5;");
    assert_eq!(world.asked(), [ann]);
    let used = world.event.ledger().running()[&1].referee.clock().used();
    assert_eq!(used, [Duration::ZERO, 5 * SECOND]);
    let orders = world
        .reports
        .iter()
        .filter(|report| matches!(report, Report::Order { .. }));
    assert_eq!(orders.count(), 5);
}

/// A program that does not answer is killed when its game is over; the next one begins with a new one.
#[test]
fn a_hung_program_is_replaced() {
    let players = ["\"Ann\"\ncommand = \"ann\"", "\"Bob\""];
    let head = "format = \"match\"\ntime_control = \"10\"";
    let mut world = World::new(&settings(head, "", &players));
    let ann = world.enter("Ann");
    world.enter("Bob");
    world.wait(11 * SECOND);
    assert_eq!(world.killed, [0]);
    assert_eq!(
        world.event.ledger().running().len(),
        0,
        "not with the old one"
    );
    world.cut(ann);
    world.exit(0);
    assert_eq!(world.started.len(), 2);
    world.enter("Ann");
    world.feed(Input::Tick);
    assert_eq!(world.event.ledger().running().len(), 1);
}

/// A token proves who it is: the player takes its seat from a dead connection at once.
#[test]
fn a_seat_is_taken_back() {
    let hash = Secret::of("open sesame");
    let ann = format!("\"Ann\"\ntoken = \"{hash}\"");
    let access = Access {
        password: Some(Secret::of("password")),
        ..Access::default()
    };
    let head = "format = \"match\"";
    let mut world = World::of(ledger(&settings(head, "", &[&ann, "\"Bob\""])), access);
    let first = world.open();
    world.sign_on(first, "Ann", "Auth \"open sesame\";");
    let bob = world.open();
    world.sign_on(bob, "Bob", "Auth \"password\";");
    world.feed(Input::Tick);
    assert_eq!(world.asked(), [first]);
    let again = world.open();
    world.sign_on(again, "Ann", "Auth \"open sesame\";");
    world.feed(Input::Tick);
    assert_eq!(world.asked(), [again]);
    assert!(!world.peers.contains_key(&first));
    // Others do not get in: the password is not Ann's, and Bob's seat has no token to take it with.
    let (thief, second_bob) = (world.open(), world.open());
    world.sign_on(thief, "Ann", "Auth \"password\";");
    world.sign_on(second_bob, "Bob", "Auth \"password\";");
    assert!(!world.peers.contains_key(&second_bob));
    assert!(world.peers.contains_key(&thief), "the answer is delayed");
    world.sign_on(thief, "Ann", "Auth \"open sesame\";");
    world.wait(SECOND / 2);
    assert!(
        !world.peers.contains_key(&thief),
        "and nothing else is heard"
    );
    world.reply(again, "sm e4;");
    assert_eq!(world.asked(), [bob]);
}

/// Strangers hold connections and guess: players still come in, and the stream of events stays short.
#[test]
fn a_crowd_of_strangers() {
    let access = Access {
        password: Some(Secret::of("password")),
        ..Access::default()
    };
    let rules = "[rules]\nmax_connections = 1000\n";
    let mut world = World::of(
        ledger(&settings(
            "format = \"match\"",
            rules,
            &["\"Ann\"", "\"Bob\""],
        )),
        access,
    );
    for i in 0..2000 {
        world.open_from([10, 0, 0, (i % 3) as u8]);
        world.now += Duration::from_micros(200);
    }
    assert!(world.peers.len() <= 128, "{}", world.peers.len());
    for name in ["Ann", "Bob"] {
        let link = world.open_from([192, 168, 0, 1]);
        for _ in 0..50 {
            let guess = world.open_from([10, 0, 0, 1]);
            world.sign_on(guess, "Ann", "Auth \"guess\";");
        }
        world.sign_on(link, name, "Auth \"password\";");
    }
    world.feed(Input::Tick);
    assert_eq!(world.event.ledger().running().len(), 1);
    world.wait(11 * SECOND);
    world.wait(SECOND);
    assert_eq!(world.peers.len(), 2, "the others have gone");
    let refused = |report: &&Report| matches!(report, Report::Refused { .. });
    let logged = world.reports.iter().filter(refused).count();
    assert!(logged <= 60, "{logged}");
    let more = world.reports.iter().filter_map(|report| match report {
        Report::MoreRefused { count } => Some(*count),
        _ => None,
    });
    assert!(more.sum::<u64>() > 1900);
}

/// Peers that cannot make a handshake are turned away; the arbiter learns of the first ones.
#[test]
fn peers_without_tls() {
    let mut world = duel("", "");
    let said = world.said.len();
    for _ in 0..100 {
        let link = world.open();
        world.feed(Input::Unfit(link, "no TLS\u{1b}".to_owned()));
        assert!(!world.peers.contains_key(&link));
        // Its end, and what it sent meanwhile, are nobody's.
        world.feed(Input::Closed(link));
        world.line(link, "rubbish");
    }
    let said = &world.said[said..];
    assert_eq!(said.len(), 20, "{said:?}");
    assert!(said[0].contains(" was turned away: no TLS"), "{said:?}");
    assert!(!said[0].contains('\u{1b}'), "{said:?}");
    let ann = world.enter("Ann");
    // That would be a fault of the server; a player in its seat stays there.
    world.feed(Input::Unfit(ann, "no TLS".to_owned()));
    assert!(world.peers.contains_key(&ann));
}

/// Blank lines are no records, and too many of them are a nuisance.
#[test]
fn blank_lines_are_counted() {
    let mut world = duel("", "");
    let stranger = world.open();
    world.feed(Input::Blank(stranger, 15));
    assert!(world.peers.contains_key(&stranger));
    world.feed(Input::Blank(stranger, 1));
    assert!(!world.peers.contains_key(&stranger));
    let ann = world.enter("Ann");
    world.feed(Input::Blank(ann, 1_000_000));
    assert!(!world.peers.contains_key(&ann));
}

/// The place of a visitor who leaves before it has played is free again.
#[test]
fn open_places_are_not_used_up() {
    let mut world = World::new(&settings("format = \"match\"\nopen_entries = 2", "", &[]));
    for visitor in ["Fay", "Gus", "Hal", "Ida"] {
        let link = world.enter(visitor);
        assert!(world.peers.contains_key(&link), "{visitor}");
        world.cut(link);
    }
    world.enter("Ann");
    world.enter("Bob");
    assert_eq!(world.event.ledger().names(), ["Ann", "Bob"]);
    assert_eq!(world.event.ledger().running().len(), 1);
}

/// Silent players are sent the tags now and then: it has no effect, and a dead connection fails.
#[test]
fn silent_players_are_pinged() {
    let mut world = duel("", "");
    let ann = world.enter("Ann");
    let bob = world.enter("Bob");
    let count = |world: &World, link| {
        let commands = &world.peers[&link].commands;
        commands.iter().filter(|&&name| name == "inform").count()
    };
    let before = [count(&world, ann), count(&world, bob)];
    for _ in 0..4 {
        assert!(world.wait_until_due());
    }
    assert_eq!(world.now - world.begin, 20 * SECOND);
    assert_eq!(
        [count(&world, ann), count(&world, bob)],
        before.map(|n| n + 4)
    );
    world.reply(ann, "sm e4;");
    assert_eq!(world.asked(), [bob]);
}

/// A player that answers pings, in a game or not. The others of this test do not.
fn enter_with_pings(world: &mut World, name: &str) -> LinkId {
    let link = world.open();
    world.sign_on(link, name, "Ping;");
    link
}

/// A connection may be open although nothing passes any more. A player that answers pings is out of its
/// seat within twice the ping of the event then, and comes back with nothing but its name.
#[test]
fn a_dead_connection_is_noticed() {
    let mut world = duel("time_control = \"600\"", "");
    let ann = enter_with_pings(&mut world, "Ann");
    for count in 1..10 {
        world.wait(5 * SECOND);
        let pings = &world.peers[&ann].pings;
        assert_eq!(pings.len(), 1 + count);
        assert_eq!(pings[..2], [("reset", 5), ("inform", 5)]);
        world.line(ann, PONG);
    }
    world.enter("Bob");
    world.wait(SECOND);
    assert_eq!(world.asked(), [ann]);
    world.wait(4 * SECOND);
    world.line(ann, PONG);
    assert_eq!(world.asked(), [ann], "an answer to a ping is no reply");
    // What the referee says does not count as a sign of life.
    world.reply(ann, "sm e4;");
    let bob = world.asked()[0];
    world.wait(4 * SECOND);
    world.reply(bob, "sm e5;");
    assert_eq!(world.asked(), [ann]);
    world.wait(SECOND);
    world.wait(3999 * SECOND / 1000);
    let again = world.open();
    world.sign_on(again, "Ann", "Ping;");
    assert!(!world.peers.contains_key(&again), "her name is in use");
    world.wait(SECOND / 1000);
    assert!(!world.peers.contains_key(&ann));
    assert!(world.said.contains(&"Ann does not answer".to_owned()));
    let again = world.enter("Ann");
    world.feed(Input::Tick);
    assert_eq!(world.asked(), [again]);
    // This time she does not answer pings, so nobody asks for it.
    for _ in 0..10 {
        world.wait(5 * SECOND);
    }
    assert_eq!(world.asked(), [again]);
    assert!(world.peers[&again].pings.is_empty());
}

/// Answers that nobody asked for are strikes, late ones are not.
#[test]
fn answers_to_no_ping() {
    let mut world = duel("", "");
    let ann = enter_with_pings(&mut world, "Ann");
    world.wait(5 * SECOND);
    // The first strike comes before the answer, which is late then; 14 more answers are strikes too.
    world.line(ann, "junk");
    for _ in 0..15 {
        world.line(ann, PONG);
    }
    assert!(world.peers.contains_key(&ann));
    world.line(ann, PONG);
    assert!(!world.peers.contains_key(&ann));
}

/// What strangers write is not printed as it is.
#[test]
fn text_from_strangers_is_harmless() {
    let mut world = World::new(&settings(
        "format = \"match\"\nopen_entries = 1",
        "",
        &["\"Bob\""],
    ));
    let name = "\u{1b}[2J\u{202e}../x";
    let eve = world.enter(name);
    world.enter("Bob");
    world.feed(Input::Tick);
    world.line(eve, "\u{1b}]0;title\u{7} junk");
    world.reply(eve, "draw_offer; c0 \"\u{9b}31m\";");
    world.request(
        eve,
        &movegen::Position::start(),
        "refreq fault; c0 \"\u{9b}red\u{202e}\";",
    );
    let raw = |text: &str| {
        text.chars()
            .any(|letter| letter.is_control() || letter == '\u{202e}')
    };
    assert!(
        !world.said.is_empty() && !world.said.iter().any(|said| raw(said)),
        "{:?}",
        world.said
    );
    for report in &world.reports {
        let json = serde_json::to_string(report).expect("JSON");
        assert!(!raw(&json) && !json.contains("\\u00"), "{json}");
    }
    assert!(!raw(&world.games.replace('\n', "")), "{}", world.games);
}

/// A test goes on through crashes to the verdict of the other games.
#[test]
fn crashes_do_not_decide_a_test() {
    let verdict = |crashes: bool| {
        let players = ["\"Ann\"\ncommand = \"ann\"", "\"Bob\"\ncommand = \"bob\""];
        let head = "format = \"match\"\ngames_per_pairing = 400\nconcurrency = 8";
        let sprt = "[sprt]\nelo0 = 0\nelo1 = 150\n";
        let mut world = World::new(&settings(head, sprt, &players));
        let mut links: Vec<_> = (0..16)
            .map(|seat| Some(world.enter(if seat < 8 { "Ann" } else { "Bob" })))
            .collect();
        world.feed(Input::Tick);
        assert_eq!(world.event.ledger().running().len(), 8);
        let mut done = 0;
        while !world.event.is_over() && done < 400 {
            let (&number, game) = world
                .event
                .ledger()
                .running()
                .iter()
                .next()
                .expect("a game");
            let ann = usize::from(game.pairing.white == 1);
            let seats = game.seats;
            done += 1;
            // Bob crashes in one game of twenty, whoever is winning. Otherwise Ann wins two of three.
            if crashes && number % 20 == 7 {
                let seat = seats[1 - ann];
                let program = world.event.seats[seat].program;
                world.exit(program);
                world.cut(links[seat].take().expect("connected"));
                assert!(world.running.contains(&program), "started again");
                links[seat] = Some(world.enter("Bob"));
                world.feed(Input::Tick);
                continue;
            }
            let loser = if number % 3 == 0 { ann } else { 1 - ann };
            let result = if loser == 0 { "0-1" } else { "1-0" };
            world.order(&format!("adjudicate {number} {result}"));
            world.feed(Input::Tick);
        }
        let sprt = world.event.ledger().sprt().expect("a test");
        let crashed = world
            .results()
            .iter()
            .filter(|result| result.2.is_some())
            .count();
        (sprt.state, crashed)
    };
    let (expected, none) = verdict(false);
    let (found, crashed) = verdict(true);
    assert_eq!((found, none), (expected, 0));
    assert!(crashed > 0 && found != crate::core::sprt::SprtState::Continue);
}
