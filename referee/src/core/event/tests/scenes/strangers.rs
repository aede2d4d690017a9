//! Who comes in, and who is kept out.

use std::time::Duration;

use super::{SECOND, duel, settings};
use crate::core::event::tests::world::{World, ledger};
use crate::core::event::{Access, Input, Report};
use crate::core::secret::Secret;

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
    assert_eq!(said.len(), 5, "{said:?}");
    assert!(said[0].contains(" was turned away: no TLS"), "{said:?}");
    assert!(!said[0].contains('\u{1b}'), "{said:?}");
    let ann = world.enter("Ann");
    // That would be a fault of the server; a player in its seat stays there.
    world.feed(Input::Unfit(ann, "no TLS".to_owned()));
    assert!(world.peers.contains_key(&ann));
}

/// Whoever cannot sign on is named, with the name that it gave.
#[test]
fn refused_players_are_named() {
    let access = Access {
        password: Some(Secret::of("password")),
        ..Access::default()
    };
    let head = "format = \"match\"";
    let mut world = World::of(ledger(&settings(head, "", &["\"Ann\"", "\"Bob\""])), access);
    let begin = world.said.len();
    for (name, secret) in [("Anm", "password"), ("Bob", "wrong")] {
        let link = world.open();
        world.sign_on(link, name, &format!("Auth {secret:?};"));
    }
    world.wait(SECOND);
    let wanted = [
        (
            " (Anm) was turned away: no player of this name is in the event",
            "Anm",
        ),
        (" (Bob) was turned away: wrong password", "Bob"),
    ];
    let names = world.reports.iter().filter_map(|report| match report {
        Report::Refused { name, .. } => name.clone(),
        _ => None,
    });
    let names: Vec<_> = names.collect();
    for (i, (text, name)) in wanted.into_iter().enumerate() {
        let said = &world.said[begin + i];
        assert!(said.ends_with(text), "{said}");
        assert_eq!(names[i], name);
    }
    let (status, _) = world.order("status");
    assert!(
        status.contains("; 0 of 2 players connected (missing: Ann, Bob)\n"),
        "{status}"
    );
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
