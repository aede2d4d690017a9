//! Players that leave and come back, that are away too often, and that never come.

use crate::common::player::{Answer, Link, random, spawn};
use crate::common::{Referee, event};
use epd::protocol::Message;
use movegen::Game;

/// A player that is killed and started again goes on with its game.
#[test]
fn a_player_comes_back() {
    let text = event(
        "format = \"match\"\ngames_per_pairing = 1\ntime_control = \"600\"",
        "[rules]\nmax_disconnections = 0\n",
        &["Ann", "Bob"],
    );
    let mut referee = Referee::run(&text);
    let address = referee.address();
    let bob = spawn(address, "Bob", random(2));
    for life in 1_usize.. {
        let mut moves = random(life as u64);
        let mut left = 5;
        let dies = move |game: &Game, content: &Message| {
            left -= 1;
            if left == 0 {
                return Answer::Vanish;
            }
            moves(game, content)
        };
        let transcript = spawn(address, "Ann", dies).join().expect("no complaints");
        assert!(transcript.games.len() <= 2, "{transcript:?}");
        // Its new connection may come before the referee has seen the end of the old one.
        match transcript.farewell.as_deref() {
            None => {}
            Some(text) if text.contains("this name is in use") => {}
            Some(_) => break,
        }
    }
    let seen = bob.join().expect("no complaints");
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    let game = referee.games().remove(0);
    game.check_to_the_end();
    assert_eq!(seen.games.last().expect("a game").moves, game.moves);
}

/// A player that comes back each time loses the game all the same with its third disconnection, and plays on
/// in the next one.
#[test]
fn a_player_is_disconnected_too_often() {
    let text = event(
        "format = \"match\"\ntime_control = \"600\"",
        "",
        &["Ann", "Bob"],
    );
    let mut referee = Referee::run(&text);
    let address = referee.address();
    let bob = spawn(address, "Bob", random(2));
    let vanish = |_: &Game, _: &Message| Answer::Vanish;
    for count in 1..=3 {
        spawn(address, "Ann", vanish).join().expect("no complaints");
        referee.wait_for_output(&format!("Ann disconnected ({count} of 3)"));
    }
    let ann = spawn(address, "Ann", random(1));
    ann.join().expect("no complaints");
    bob.join().expect("no complaints");
    assert_eq!(referee.wait(), 1, "{}", referee.output());
    let results = referee.events_of("result");
    assert_eq!(
        results[0]["reason"],
        "Black wins: White was disconnected 3 times"
    );
    assert_eq!(results[0]["verdict"], "disconnect");
    assert_eq!(results[1]["verdict"], serde_json::Value::Null);
    let lost = referee.events_of("lost");
    let count = |event: &serde_json::Value| event["disconnections"].as_u64();
    assert_eq!(
        lost[..3].iter().map(count).collect::<Vec<_>>(),
        [Some(1), Some(2), Some(3)]
    );
    assert_eq!(
        (&lost[2]["game"], &lost[2]["max_disconnections"]),
        (&1.into(), &3.into())
    );
    assert_eq!(referee.games()[0].tag("Termination"), "abandoned");
}

/// A player that cannot start, or ends at once, ends its own games and nothing else.
#[test]
fn players_that_do_not_come() {
    let text = event(
        "concurrency = 2\ntime_control = \"60\"",
        "[rules]\nmax_forfeits = 0\n",
        &["Ann", "Bob"],
    ) + "[[player]]\nname = \"Nobody\"\ncommand = \"/no/such/program\"\n"
        + "[[player]]\nname = \"Quitter\"\ncommand = \"sh -c 'echo no >&2; exit 3'\"\ninstances = 1\n";
    let mut referee = Referee::run(&text);
    let players = ["Ann", "Bob"].map(|name| spawn(referee.address(), name, random(1)));
    for player in players {
        player.join().expect("no complaints");
    }
    assert_eq!(referee.wait(), 1, "{}", referee.output());
    let games = referee.games();
    assert_eq!(games.len(), 12);
    let mut played = 0;
    for game in games {
        let (white, black) = game.players();
        let is_there = |name: &str| ["Ann", "Bob"].contains(&name);
        match (is_there(&white), is_there(&black)) {
            (true, true) => {
                game.check_to_the_end();
                played += 1;
            }
            (true, false) => assert_eq!(game.result, "1-0"),
            (false, true) => assert_eq!(game.result, "0-1"),
            (false, false) => assert_eq!(game.result, "*"),
        }
    }
    assert_eq!(played, 2);
    assert_eq!(
        referee.read("stderr/Quitter.log"),
        "no\n".repeat(4),
        "three restarts"
    );
    for result in referee.events_of("result") {
        let expected = result["verdict"]
            .as_str()
            .is_none_or(|verdict| verdict == "never_came");
        assert!(expected, "{result}");
    }
}

/// A typing error in a command costs nothing: the event pauses, and when it is resumed with the right
/// command, the games that were forfeited without a move are played.
#[test]
fn a_typing_error_is_corrected() {
    let Some(epode) = crate::common::epode() else {
        return;
    };
    let text = event(
        &format!(
            "format = \"match\"\ngames_per_pairing = 4\n{}",
            crate::common::CLOCK
        ),
        "",
        &["Ann"],
    ) + "[[player]]\nname = \"Bob\"\ncommand = \"/no/such/program\"\n";
    let mut referee = Referee::run(&text);
    let ann = spawn(referee.address(), "Ann", random(1));
    referee
        .wait_for_output("paused: Bob has forfeited 3 games in a row, the last one by never_came");
    assert!(referee.control("status").contains("paused: Bob has"));
    let (said, status) = referee.program("stop cup");
    assert_eq!((said.as_str(), status), ("stopped\n", 0));
    assert_eq!(referee.wait(), 3);
    ann.join().expect("no complaints");
    let command = format!(
        "'{}' client {{address}} --name {{name}} --overhead {}",
        epode.display(),
        crate::common::OVERHEAD
    );
    let text = referee
        .read("event.toml")
        .replace("/no/such/program", &command);
    std::fs::write(referee.path("event.toml"), text).expect("written");
    let mut referee = referee.resume();
    let ann = spawn(referee.address(), "Ann", random(1));
    ann.join().expect("no complaints");
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    // The stream of events reports the games that are played again.
    assert_eq!(referee.events_of("withdrawn").len(), 3);
    let games = referee.games();
    assert_eq!(games.len(), 4);
    for game in games {
        game.check_to_the_end();
    }
}

/// Who has been there and does not come again does not hold up the event.
#[test]
fn a_player_that_leaves_between_games() {
    let rules = "[rules]\nreconnect_timeout = \"200ms\"\n";
    let mut referee = Referee::run(&event("format = \"match\"", rules, &["Ann", "Bob"]));
    let mut bob = Link::open(referee.address());
    bob.sign_on("Bob");
    bob.command().expect("a reset");
    bob.request(&movegen::Position::start(), "refreq sign_off;");
    assert_eq!(bob.command(), None);
    let ann = spawn(referee.address(), "Ann", random(1));
    ann.join().expect("no complaints");
    assert_eq!(referee.wait(), 1);
    for game in referee.games() {
        assert_eq!(game.tag("Termination"), "abandoned");
        assert_eq!(
            game.result,
            if game.tag("White") == "Ann" {
                "1-0"
            } else {
                "0-1"
            }
        );
    }
}
