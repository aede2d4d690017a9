//! `epode-referee trf` and `init --trf`: tournament report files.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, RwLock};
use std::thread::JoinHandle;

use crate::common::player::{Answer, Transcript, random, spawn};
use crate::common::{PROGRAM, Referee, event, program};
use epd::protocol::Message;
use movegen::Game;
use pairing::trf::Report;
use pairing::{Colour, Outcome, Round};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::Value;
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

/// The file of an event with these players, rated 2500, 2450, and so on.
fn rated(settings: &str, players: &[&str]) -> String {
    let head = event(settings, "", &[]);
    let players = players.iter().enumerate();
    let players = players.map(|(i, name)| {
        format!(
            "[[player]]\nname = {name:?}\nrating = {}\n{}",
            2500 - 50 * i,
            if i == 3 { "byes = [2]\n" } else { "" }
        )
    });
    head + &players.collect::<String>()
}

/// The report of the event, and what was said about it.
fn report(referee: &Referee) -> (Report, String) {
    let (said, status) = referee.program("trf cup -o cup.trf");
    assert_eq!(status, 0, "{said}");
    let text = fs::read_to_string(referee.path("../cup.trf")).expect("written");
    (Report::parse(&text).expect(&text), said)
}

fn standings(referee: &Referee) -> BTreeMap<String, (f64, u64)> {
    let standings: Value = serde_json::from_str(&referee.read("standings.json")).expect("JSON");
    let players = standings["players"].as_array().expect("players").iter();
    let line = |player: &Value| {
        let name = player["name"].as_str().expect("a name").to_owned();
        (
            name,
            (
                player["points"].as_f64().expect("points"),
                player["rank"].as_u64().expect("a rank"),
            ),
        )
    };
    players.map(line).collect()
}

/// Points and ranks are those of the standings.
fn compare_standings(referee: &Referee, report: &Report) {
    let standings = standings(referee);
    assert_eq!(report.event.players.len(), standings.len());
    for (number, player) in report.event.players.iter().enumerate() {
        let points = f64::from(report.event.score(number, report.event.paired).tenths) / 10.0;
        let rank = report.details[number].rank.expect("a rank").into();
        assert_eq!((points, rank), standings[&player.name], "{}", player.name);
    }
}

fn review(referee: &Referee, rounds: usize) {
    let (said, status) = referee.program("pair --review cup.trf");
    assert_eq!(
        (said, status),
        (
            format!("{rounds} of {rounds} rounds are as the rules say\n"),
            0
        )
    );
}

/// What bbpPairings says of the report, where the environment variable `EPODE_BBP` names it.
fn bbp(referee: &Referee, option: &str) -> Option<String> {
    let Some(bbp) = std::env::var_os("EPODE_BBP") else {
        println!("EPODE_BBP does not name bbpPairings: not compared");
        return None;
    };
    let output = Command::new(bbp)
        .arg("--dutch")
        .arg(referee.path("../cup.trf"))
        .arg(option)
        .output();
    let output = output.expect("bbpPairings");
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    Some(text)
}

#[test]
fn a_swiss_event() {
    let text = rated(
        "format = \"swiss\"\nrounds = 4\ngames_per_pairing = 1\nconcurrency = 3\nseed = 1\n\
         forbidden = [[\"Ann\", \"Dora\", \"Eve\"]]",
        &PLAYERS,
    );
    let mut referee = Referee::run(&text);
    let players: Vec<_> = PLAYERS.iter().map(|name| enter(&referee, name)).collect();
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    drop(players);
    let (report, said) = report(&referee);
    assert_eq!(said, "");
    review(&referee, 4);
    if let Some(said) = bbp(&referee, "-c") {
        assert_eq!(said.matches("Round #").count(), 4, "{said}");
        assert!(
            !said.contains("Checker pairings") && !said.contains("No valid pairing"),
            "{said}"
        );
    }
    compare_standings(&referee, &report);
    let event = &report.event;
    let names: Vec<_> = event
        .players
        .iter()
        .map(|player| (&player.name[..], player.rating))
        .collect();
    assert_eq!(names[0], ("Ann", 2500));
    assert_eq!(names[6], ("Gus", 2200));
    assert_eq!(
        (event.rounds, event.paired, event.first_colour),
        (4, 4, Colour::Black)
    );
    assert_eq!(event.players[3].rounds[1], Round::HalfPointBye);
    assert_eq!(event.forbidden.len(), 3);
    let byes = event.players.iter().flat_map(|player| &player.rounds);
    assert_eq!(byes.filter(|&&round| round == Round::PairingBye).count(), 3);
    let date = referee.games()[0].tag("Date").replace('.', "/");
    let column = format!("132 {:85}  {}  {}", "", &date[2..], &date[2..]);
    for line in [
        "012 Test",
        "022 Here",
        &format!("042 {date}"),
        "062 7",
        "072 7",
        "092 Individual: Swiss-System (FIDE Dutch)",
        "122 -",
    ] {
        assert!(
            report.lines.iter().any(|there| there == line),
            "{line}: {:?}",
            report.lines
        );
    }
    assert!(
        report.lines.iter().any(|there| there.starts_with(&column)),
        "{:?}",
        report.lines
    );
    // The PGN has the same ratings.
    let games = referee.games();
    for game in &games {
        for (name, elo) in [("White", "WhiteElo"), ("Black", "BlackElo")] {
            let name = game.tag(name);
            let player = event.players.iter().find(|player| player.name == name);
            assert_eq!(game.tag(elo), player.expect(name).rating.to_string());
        }
        assert_eq!(
            (game.tag("EventType"), game.tag("EventRounds")),
            ("swiss", "4")
        );
    }
    // Standard output has the same text.
    let (printed, _) = referee.program("trf cup -o -");
    assert_eq!(
        printed,
        fs::read_to_string(referee.path("../cup.trf")).expect("written")
    );
}

/// The games of a meeting are rounds of the report, in the order in which they were played.
#[test]
fn meetings_of_two_games() {
    let text = rated(
        "format = \"swiss\"\nrounds = 3\nconcurrency = 3\nswiss = { acceleration = \"baku\" }",
        &PLAYERS,
    );
    let mut referee = Referee::run(&text);
    let players: Vec<_> = PLAYERS.iter().map(|name| enter(&referee, name)).collect();
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    drop(players);
    let (report, _) = report(&referee);
    compare_standings(&referee, &report);
    let event = &report.event;
    assert_eq!((event.rounds, event.paired), (6, 6));
    assert!(
        event.players[0].virtual_points.len() >= 2 && event.players[6].virtual_points.is_empty()
    );
    assert_eq!(event.players[3].rounds[2..4], [Round::HalfPointBye; 2]);
    for game in referee.games() {
        let number = |tag| {
            event
                .players
                .iter()
                .position(|player| player.name == game.tag(tag))
                .expect("a player")
        };
        let (white, black) = (number("White"), number("Black"));
        let (round, board) = game.tag("Round").split_once('.').expect("round and game");
        let [round, board]: [usize; 2] = [round, board].map(|text| text.parse().expect("a number"));
        let outcome = match game.tag("Result") {
            "1-0" => Outcome::Win,
            "0-1" => Outcome::Loss,
            _ => Outcome::Draw,
        };
        let wanted = Round::Played {
            opponent: black,
            colour: Colour::White,
            outcome,
            rated: true,
        };
        assert_eq!(
            event.players[white].rounds[2 * (round - 1) + (board - 1) % 2],
            wanted
        );
    }
}

/// Of a Swiss event in progress, the report has the whole rounds; what it lets others pair is what is being played.
#[test]
fn a_round_in_progress() {
    let text = rated(
        "format = \"swiss\"\nrounds = 3\ngames_per_pairing = 1\nconcurrency = 3",
        &PLAYERS,
    );
    let referee = Referee::run(&text);
    let gate = Arc::new(RwLock::new(()));
    let closed = gate.write().expect("sound");
    let players = PLAYERS.map(|name| {
        let (gate, mut policy) = (Arc::clone(&gate), quitter(name.as_bytes()[0].into()));
        let mut games = 0;
        spawn(
            referee.address(),
            name,
            move |game: &Game, message: &Message| {
                games += usize::from(game.moves().len() < 2);
                // They wait in their second game.
                if games > 1 {
                    drop(gate.read());
                }
                policy(game, message)
            },
        )
    });
    referee.wait_for_output("round 2 is paired: ");
    let (first, said) = report(&referee);
    assert!(
        said.contains("round 2 is in progress and left out"),
        "{said}"
    );
    assert_eq!((first.event.paired, first.event.rounds), (1, 3));
    review(&referee, 1);
    let (numbers, _) = referee.program("pair cup.trf --format numbers");
    let paired = referee.events_of("paired");
    let meetings = paired[1]["meetings"].as_array().expect("meetings");
    // Ratings are in the order of the players: their numbers are those of the event.
    let number =
        |meeting: &Value, color: &str| meeting[color].as_u64().map_or(0, |player| player + 1);
    let pairs = meetings.iter().map(|meeting| {
        format!(
            "{} {}\n",
            number(meeting, "white"),
            number(meeting, "black")
        )
    });
    let expected = format!("{}\n{}", meetings.len(), pairs.collect::<String>());
    assert_eq!(numbers, expected);
    if let Some(said) = bbp(&referee, "-p") {
        assert_eq!(said, expected);
    }
    drop(closed);
    drop(players);
}

/// Who comes late is absent before, and who is out of the event afterwards. Nobody has taken the last place.
#[test]
fn late_entries_and_withdrawals() {
    let text = rated(
        "format = \"swiss\"\nrounds = 3\ngames_per_pairing = 1\nconcurrency = 4\nopen_entries = 2",
        &PLAYERS[..4],
    );
    let mut referee = Referee::run(&text);
    let gate = Arc::new(RwLock::new(()));
    let closed = gate.write().expect("sound");
    let waiting = |name: &'static str| {
        let (gate, mut policy) = (Arc::clone(&gate), quitter(name.as_bytes()[0].into()));
        spawn(
            referee.address(),
            name,
            move |game: &Game, message: &Message| {
                drop(gate.read());
                policy(game, message)
            },
        )
    };
    let mut players = vec![enter(&referee, "Ann"), enter(&referee, "Cid")];
    players.extend(["Bob", "Dora"].map(waiting));
    for name in &PLAYERS[..4] {
        referee.wait_for_output(&format!("{name} connected"));
    }
    referee.control("begin");
    referee.wait_for_output("round 1 is paired");
    referee.wait_for_output("game 1: ");
    referee.control("forfeit Cid --reason 'ill'");
    players.push(waiting("Zoe"));
    referee.wait_for_output("Zoe connected");
    drop(closed);
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    drop(players);
    let (report, _) = report(&referee);
    let event = &report.event;
    let names: Vec<_> = event
        .players
        .iter()
        .map(|player| &player.name[..])
        .collect();
    assert_eq!(names, ["Ann", "Bob", "Cid", "Dora", "Zoe"]);
    assert_eq!(event.players[4].rounds[0], Round::Absent);
    assert_eq!(event.players[2].rounds[1..], [Round::Absent; 2]);
    assert!(event.players[4].rounds[1..].iter().any(Round::was_paired));
    review(&referee, 3);
    if let Some(said) = bbp(&referee, "-c") {
        assert_eq!(said.matches("Round #").count(), 3, "{said}");
        assert!(
            !said.contains("Checker pairings") && !said.contains("No valid pairing"),
            "{said}"
        );
    }
}

/// Players who never came lose all games by default, and games that are still to be played are blank.
#[test]
fn round_robins_and_forfeits() {
    let long = [
        "A very long name of a chess engine, 64 bits",
        "A very long name of a chess engine, 32 bits",
    ];
    let text = event("concurrency = 2", "", &[long[0], "Away", long[1]])
        .replace("name = \"Away\"\n", "name = \"Away\"\nrating = 12345\n");
    let mut referee = Referee::run(&text);
    let first = enter(&referee, long[0]);
    referee.wait_for_output("connected");
    // Two of six games end at once.
    referee.control("forfeit Away");
    let (before, _) = report(&referee);
    assert_eq!((before.event.rounds, before.event.players.len()), (6, 3));
    let second = enter(&referee, long[1]);
    assert_eq!(referee.wait(), 1, "{}", referee.output());
    drop((first, second));
    let (report, said) = report(&referee);
    compare_by_number(&referee, &report);
    let event = &report.event;
    let names: Vec<_> = event
        .players
        .iter()
        .map(|player| (&player.name[..], player.rating))
        .collect();
    assert_eq!(
        names,
        [
            ("A very long name of a chess engin", 0),
            ("Away", 0),
            ("A very long name of a chess eng~2", 0)
        ]
    );
    for said_of in [
        "64 bits\" is written as \"A very long name of a chess engin\": names have up to 33 characters",
        "32 bits\" is written as \"A very long name of a chess eng~2\"",
        "Away: the rating 12345 has more than four digits and is left out",
    ] {
        assert!(said.contains(said_of), "{said}");
    }
    let of_away = event.players[1].rounds.iter();
    let forfeits = of_away
        .clone()
        .filter(|round| matches!(round, Round::Forfeit { won: false, .. }));
    let free = of_away.filter(|round| **round == Round::Absent);
    assert_eq!((forfeits.count(), free.count()), (4, 2));
    let won = |player: usize| {
        let rounds = event.players[player].rounds.iter();
        rounds
            .filter(|round| matches!(round, Round::Forfeit { won: true, .. }))
            .count()
    };
    assert_eq!((won(0), won(2)), (2, 2));
    assert!(
        report
            .lines
            .iter()
            .any(|line| line == "092 Individual: Round-Robin"),
        "{:?}",
        report.lines
    );
    assert!(
        !fs::read_to_string(referee.path("games.pgn"))
            .expect("games")
            .contains("EventType")
    );
}

/// The same where names are cut.
fn compare_by_number(referee: &Referee, report: &Report) {
    let standings: Value = serde_json::from_str(&referee.read("standings.json")).expect("JSON");
    for line in standings["players"].as_array().expect("players") {
        let number = line["player"].as_u64().expect("a number") as usize;
        let points = f64::from(report.event.score(number, report.event.paired).tenths) / 10.0;
        let rank = report.details[number].rank.map(u64::from);
        assert_eq!(
            (Some(points), rank),
            (line["points"].as_f64(), line["rank"].as_u64())
        );
    }
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

#[test]
fn events_without_a_report() {
    for (format, message) in [
        ("ladder", "cup: a ladder has no rounds"),
        ("knockout", "cup: a knockout has no report"),
    ] {
        let folder = folder(&event(&format!("format = {format:?}"), "", &PLAYERS));
        let (said, status) = program(folder.path(), "trf cup");
        assert!(
            status == 2 && said.contains(message) && said.contains("games.pgn"),
            "{said}"
        );
    }
    let folder = folder(&event("", "", &PLAYERS));
    let (said, status) = program(folder.path(), "trf cap");
    assert!(
        status == 2 && said.contains("cannot read cap/event.toml"),
        "{said}"
    );
    let (said, status) = program(folder.path(), "trf cup -o nowhere/cup.trf");
    assert!(
        status == 2 && said.contains("cannot write nowhere/cup.trf"),
        "{said}"
    );
}

#[test]
fn events_that_have_not_begun() {
    for (settings, players, kind, rounds) in [
        ("", 7, "Round-Robin", 14),
        (
            "rounds = 2\ngames_per_pairing = 1",
            4,
            "Double Round-Robin",
            6,
        ),
        ("format = \"match\"\ngames_per_pairing = 3", 2, "Match", 3),
        (
            "format = \"gauntlet\"\nseeds = 2\nrounds = 2",
            5,
            "Gauntlet of 2",
            12,
        ),
        (
            "format = \"swiss\"\nrounds = 3\ngames_per_pairing = 4",
            5,
            "Swiss-System (FIDE Dutch)",
            12,
        ),
    ] {
        let folder = folder(&event(settings, "", &PLAYERS[..players]));
        let (said, status) = program(folder.path(), "trf cup");
        let report = Report::parse(&said).expect(&said);
        assert_eq!(
            (status, report.event.paired, report.event.rounds),
            (0, 0, rounds),
            "{said}"
        );
        assert_eq!(report.event.players.len(), players);
        assert!(
            said.contains(&format!("\n092 Individual: {kind}\n")),
            "{said}"
        );
        assert!(
            !said.contains("\n042 ") && !said.contains("\n132 "),
            "{said}"
        );
    }
}

/// In a round robin, games of several rounds may be in progress; what has a result counts.
#[test]
fn games_still_to_be_played_are_blank() {
    let text = event("games_per_pairing = 1\nconcurrency = 2", "", &PLAYERS[..4]);
    let referee = Referee::run(&text);
    // Their game is in the last round; the others have not come.
    let players = ["Ann", "Cid"].map(|name| enter(&referee, name));
    referee.wait_for_output("game 6: Cid - Ann ");
    let (report, _) = report(&referee);
    let event = &report.event;
    assert_eq!((event.rounds, event.paired), (3, 3));
    assert!(event.players[0].rounds[2].was_played() && event.players[2].rounds[2].was_played());
    let text = fs::read_to_string(referee.path("../cup.trf")).expect("written");
    let games = |name: &str| {
        let line = text.lines().find(|line| line.contains(name)).expect(name);
        line.get(89..).unwrap_or_default().to_owned()
    };
    assert!(
        games("Ann").starts_with(&" ".repeat(25)) && games("Ann").contains("3 b "),
        "{text}"
    );
    assert_eq!(games("Bob"), "", "{text}");
    drop(players);
}

const OPEN: &str = "\
012 Open of \"Nowhere\"
022 Nowhere
122 40 moves in 90 minutes
XXR 5
XXC black1
XXP    1    3
240 H   4    2
001    1 m GM Adams, Ann                        2700 ENG      400041 1971/11/17  0.0    1
001    2      Baker, Bob                        2600 SCO                         0.0    2  0000 - H
001    3      Carter, Cay                       2500                             0.0    3
001    4      Dyer, Dan                                                          0.0    4
001    5      Evans, Eve                                                         0.0    5
001    6      Frei, Fritz                                                        0.0    6
";

/// An event of a report: its own report before the first round says the same.
#[test]
fn an_event_of_a_report() {
    let folder = TempDir::new().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    fs::write(path("open.trf"), OPEN).expect("written");
    let (said, status) = program(folder.path(), "init --trf open.trf cup.toml");
    assert_eq!(status, 0, "{said}");
    assert!(
        said.contains("open.trf: set `time_control`: the report says \"40 moves in 90 minutes\""),
        "{said}"
    );
    let text = fs::read_to_string(path("cup.toml")).expect("written");
    for line in [
        "event = 'Open of \"Nowhere\"'",
        "format = \"swiss\"",
        "rounds = 5",
        "byes = [1, 4]",
        "rating = 2700",
    ] {
        assert!(text.lines().any(|there| there == line), "{line}\n{text}");
    }
    let (said, status) = program(folder.path(), "check cup.toml");
    assert!(
        status == 0 && said.contains("Swiss event (FIDE Dutch system), 5 rounds of one game each"),
        "{said}"
    );
    let cup = self::folder(&text);
    let (said, _) = program(cup.path(), "trf cup");
    let (given, mut made) = (
        Report::parse(OPEN).expect("sound"),
        Report::parse(&said).expect(&said),
    );
    assert_eq!(made.event, given.event);
    assert_eq!(made.announced, given.announced);
    made.lines.retain(|line| given.lines.contains(line));
    assert_eq!(made.lines, &given.lines[..2]);
    // An existing file is kept, and pipes work.
    let (said, status) = program(folder.path(), "init --trf open.trf cup.toml");
    assert!(
        status == 2 && said.contains("cannot create cup.toml"),
        "{said}"
    );
    let printed = piped(folder.path(), "init --trf -", OPEN);
    assert_eq!(printed, text);
}

fn piped(folder: &Path, line: &str, input: &str) -> String {
    let mut command = Command::new(PROGRAM);
    command.args(line.split(' ')).current_dir(folder);
    let input = tempfile::NamedTempFile::new().map(|file| {
        fs::write(file.path(), input).expect("written");
        file.reopen().expect("open")
    });
    let output = command
        .stdin(Stdio::from(input.expect("a file")))
        .output()
        .expect(PROGRAM);
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Acceleration and byes of a report; and what an event cannot have.
#[test]
fn what_a_report_says_beyond_the_players() {
    let folder = TempDir::new().expect("a folder");
    let init = |text: &str| {
        fs::write(folder.path().join("open.trf"), text).expect("written");
        program(folder.path(), "init --trf open.trf")
    };
    let (said, _) = init(&OPEN.replace("XXC black1", "192 FIDE_DUTCH_BAKU"));
    assert!(
        said.contains("\nswiss = { acceleration = \"baku\" }\n") && said.contains("\n# seed = 0 "),
        "{said}"
    );
    let (said, _) = init(&OPEN.replace("XXC black1", "XXA    1  1.0  0.5"));
    assert!(
        said.contains("not those of the Baku method") && !said.contains("\nswiss = "),
        "{said}"
    );
    let (said, _) = init(&OPEN.replace("0.0    2  0000 - H", "0.0    2  0000 - F"));
    assert!(
        said.contains("Baker, Bob: a bye of a full point in round 1 is left out")
            && said.contains("\nbyes = [4]\n"),
        "{said}"
    );
    let (said, _) = init(&OPEN.replace("XXP ", "260   1   2 "));
    assert!(said.contains("kept apart in all rounds"), "{said}");
    let (said, _) = init(&OPEN.replace(" 2500 ", " 2650 "));
    assert!(said.contains("do not follow the ratings"), "{said}");
    for (from, to, message) in [
        (
            "XXR 5",
            "XXR 5\nBBW  3.0",
            "open.trf: the report has points of its own",
        ),
        (
            "Carter, Cay",
            "Adams, Ann ",
            "open.trf: two players have the name \"Adams, Ann\"",
        ),
        (
            "Carter, Cay",
            "           ",
            "open.trf: a player has an empty name",
        ),
        ("XXR 5", "XXR 6", "open.trf: 6 rounds for 6 players"),
        ("XXR 5", "XXR five", "open.trf:4:5: found \"five\""),
    ] {
        let (said, status) = init(&OPEN.replacen(from, to, 1));
        assert!(status == 2 && said.contains(message), "{message}: {said}");
    }
    let played = OPEN
        .replace("0.0    1\n", "1.0    1     4 w 1\n")
        .replace("0.0    4\n", "0.0    4     1 b 0\n");
    let played = played.replace("0.0    2 ", "0.5    2 ");
    let (said, status) = init(&played);
    assert!(
        status == 2 && said.contains("open.trf: round 1 has been played already"),
        "{said}"
    );
}
