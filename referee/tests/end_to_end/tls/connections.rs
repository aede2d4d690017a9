//! Players who connect, play and come back by TLS; peers that speak plain text, or say nothing.

use std::fs;
use std::io::Read as _;
use std::net::TcpStream;

use super::{Kind, Player, SOUND, TLS, pair, referee};
use crate::common::{CLOCK, LIMIT, OVERHEAD, Referee, event};

/// One player comes from outside and knows the certificate; the other is started by the referee, which
/// tells it the certificate, whatever its names and dates are.
#[test]
fn a_game_over_tls() {
    let Some(epode) = crate::common::epode() else {
        return;
    };
    for kind in [
        SOUND,
        Kind {
            names: &["referee.example"],
            years: [2020, 2021],
            ..SOUND
        },
    ] {
        let (certificate, key) = pair(kind);
        let command = format!(
            "'{}' client {{address}} --name Bob --depth 1 --overhead {OVERHEAD}",
            epode.display()
        );
        let settings = format!("{TLS}\nformat = \"match\"\ngames_per_pairing = 1\n{CLOCK}");
        let text = event(&settings, "", &["Ann", "Bob"]);
        let text = text.replace("\"Bob\"", &format!("\"Bob\"\ncommand = {command:?}"));
        let text = if kind.years == SOUND.years {
            text
        } else {
            text.replace(
                "\"Ann\"",
                &format!("\"Ann\"\ncommand = {:?}", command.replace("Bob", "Ann")),
            )
        };
        let mut referee =
            Referee::run_with(&text, &[("cup.crt", &certificate), ("cup.key", &key)], &[]);
        let player = (kind.years == SOUND.years).then(|| {
            Player::start(
                &epode,
                &referee,
                "localhost:PORT --name Ann --tls --ca cup.crt --log ann.log",
            )
        });
        referee.wait_for_ply(6);
        assert!(referee.control("games").contains("game 1: Ann ("));
        referee.control("adjudicate 1 1/2");
        assert_eq!(referee.wait(), 0, "{}", referee.output());
        assert!(
            !referee.output().contains("turned away"),
            "{}",
            referee.output()
        );
        assert_eq!(referee.games().len(), 1);
        if let Some(player) = player {
            let (status, said) = player.ends();
            assert_eq!(status, 0, "{said}");
            // Nothing was lost on the way: what one side sent is what the other received.
            let received = fs::read_to_string(referee.path("../ann.log")).expect("a log");
            let received = records(&received, " < ", "");
            assert!(received.len() > 4);
            assert_eq!(
                received,
                records(&referee.read("records.log"), " > \"", "Ann\" ")
            );
        }
    }
}

/// The records of one direction in a log.
fn records(log: &str, direction: &str, name: &str) -> Vec<String> {
    let lines = log.lines().filter_map(|line| line.split_once(direction));
    lines
        .filter_map(|(_, rest)| rest.strip_prefix(name))
        .map(str::to_owned)
        .collect()
}

/// Neither side waits for the other: no timeout of this event ends before the test's.
#[test]
fn plain_text_and_tls() {
    let Some(epode) = crate::common::epode() else {
        return;
    };
    let tables = "[rules]\nsign_on_timeout = \"1h\"\n";
    let secured = referee(SOUND, tables);
    let plain = "127.0.0.1:PORT --name Ann --reconnect";
    let (status, said) = Player::start(&epode, &secured, plain).ends();
    assert_eq!(status, 2, "{said}");
    assert!(
        said.ends_with("plain text, but this event uses TLS: connect with --tls\n"),
        "{said}"
    );
    secured.wait_for_output(" was turned away: plain text, but this event uses TLS");
    let refused = secured.events_of("refused");
    assert_eq!(refused.len(), 1, "{refused:?}");
    let open = Referee::run(&event("", tables, &["Ann", "Bob"]));
    fs::write(open.path("../cup.crt"), pair(SOUND).0).expect("written");
    let words = format!("{plain} --tls --ca cup.crt");
    let (status, said) = Player::start(&epode, &open, &words).ends();
    assert_eq!(status, 2, "{said}");
    assert!(
        said.contains(": the referee does not use TLS; connect without --tls"),
        "{said}"
    );
    open.wait_for_output(" was turned away: TLS, which this event does not use");
    // What it was told is no record that it could read, but no game either.
    assert_eq!(open.events_of("refused").len(), 1);
}

/// A killed referee and its players go on over new connections.
#[test]
fn players_come_back_over_tls() {
    let Some(epode) = crate::common::epode() else {
        return;
    };
    let mut referee = referee(SOUND, "");
    let players = ["Ann", "Bob"].map(|name| {
        let words = format!("127.0.0.1:PORT --name {name} --tls --ca cup.crt --reconnect");
        Player::start(&epode, &referee, &words)
    });
    referee.wait_for_ply(2);
    let address = referee.address();
    referee.kill();
    let plies = referee.events_of("move").len();
    let mut referee = referee.resume();
    assert_eq!(referee.address(), address);
    referee.wait_for_ply(plies + 2);
    referee.control("adjudicate 1 1-0");
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    for player in players {
        let (status, said) = player.ends();
        assert_eq!(status, 0, "{said}");
        assert!(said.contains("connection lost; reconnecting"), "{said}");
    }
}

/// Peers that begin no handshake are strangers like others: they cannot keep players out.
#[test]
fn silent_peers_are_few() {
    let Some(epode) = crate::common::epode() else {
        return;
    };
    let referee = referee(SOUND, "[rules]\nsign_on_timeout = \"1h\"\n");
    let mut silent: Vec<_> = (0..140)
        .map(|_| TcpStream::connect(referee.address()).expect("a connection"))
        .collect();
    for stream in &mut silent[..12] {
        stream.set_read_timeout(Some(LIMIT)).expect("set");
        let mut said = Vec::new();
        // The end, or a reset.
        let _ = stream.read_to_end(&mut said);
        assert_eq!(said, b"");
    }
    let _player = Player::start(
        &epode,
        &referee,
        "127.0.0.1:PORT --name Ann --tls --ca cup.crt",
    );
    referee.wait_for_output("Ann connected from ");
}
