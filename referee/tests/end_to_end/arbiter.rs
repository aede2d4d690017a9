//! The arbiter's orders on a referee at work: what they do to players, and that they outlive a crash.

use std::fs;

use crate::common::player::{Answer, playing, random, script, spawn};
use crate::common::{LIMIT, Referee, event};
use epd::protocol::Message;
use movegen::Game;
use referee::event::{GivenOrder, NoOrder};
use referee::journal::{self, Entry};

const GUIDE: &str = include_str!("../../README.md");

/// A match of one game with clocks.
fn one_game() -> String {
    let settings = "format = \"match\"\ngames_per_pairing = 1\ntime_control = \"600\"";
    event(settings, "", &["Ann", "Bob"])
}

/// Plays these moves, then is silent and says so; when it is asked again later, it resigns.
fn silent_after(
    plies: &'static str,
    told: std::sync::mpsc::Sender<()>,
) -> impl FnMut(&Game, &Message) -> Answer + Send + 'static {
    let mut moves = script(plies, Answer::Nothing);
    let mut was_silent = false;
    move |game, content| {
        if was_silent {
            return Answer::Reply("resign;".to_owned());
        }
        let answer = moves(game, content);
        if matches!(answer, Answer::Nothing) {
            was_silent = true;
            told.send(()).expect("waited for");
        }
        answer
    }
}

/// The last order of an event is answered although the referee ends by it.
#[test]
fn every_order_is_answered() {
    for _ in 0..10 {
        let mut referee = Referee::run(&event("", "", &["Ann", "Bob"]));
        assert_eq!(referee.control("quit"), "shutting down\n");
        assert_eq!(referee.wait(), 3);
        let output = referee.output();
        let stopped = "\nstopped: 0 of 2 games played; to continue: epode-referee resume cup\n";
        assert!(output.contains(stopped), "{output}");
        let (said, status) = referee.program("control cup status");
        assert!(
            status == 2 && said.contains("no referee is running"),
            "{said}"
        );
    }
}

/// A clock is extended and moves are taken back; the referee is killed; everything is as it was.
#[test]
fn orders_outlive_a_crash() {
    let referee = Referee::run(&one_game());
    let (told, is_silent) = std::sync::mpsc::channel();
    let players = |referee: &Referee, told: &std::sync::mpsc::Sender<()>| {
        let ann = spawn(
            referee.address(),
            "Ann",
            silent_after("e4 e5 Nf3 Nc6", told.clone()),
        );
        let bob = spawn(
            referee.address(),
            "Bob",
            script("e4 e5 Nf3 Nc6", Answer::Nothing),
        );
        [ann, bob]
    };
    let old = players(&referee, &told);
    is_silent.recv_timeout(LIMIT).expect("four moves");
    let refused = referee.refuses("takeback 1 4");
    assert!(
        refused.contains("it has 4 half-moves: expected from 0 to 3"),
        "{refused}"
    );
    referee.control("pause 1");
    referee.control("takeback 1 3 --reason noise");
    let extended = "extend 1 black 1h --by Eve";
    assert_eq!(referee.control(extended), "game 1: black has 1h more\n");
    let paused = referee.control("games");
    assert!(
        paused.contains("move 2: ") && paused.ends_with("; paused\n"),
        "{paused}"
    );
    let mut referee = referee.resume();
    for player in old {
        let transcript = player.join().expect("no complaints");
        let seen = transcript.games.last().expect("a game");
        assert!(seen.moves.len() <= 3, "{seen:?}");
    }
    let [ann, bob] = players(&referee, &told);
    let again = referee.control("games");
    let clocks = |games: &str| games.split(", move").next().map(str::to_owned);
    assert_eq!(clocks(&again), clocks(&paused), "{again}");
    referee.control("resume 1");
    is_silent
        .recv_timeout(LIMIT)
        .expect("the move was made again");
    referee.control("reset 1");
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    let game = referee.games().remove(0);
    game.check();
    assert_eq!(
        (&*game.result, &game.moves[..]),
        ("0-1", &["e4", "e5", "Nf3", "Nc6"].map(str::to_owned)[..])
    );
    assert!(
        game.comments
            .contains("the arbiter takes back 1 half-move (noise)"),
        "{}",
        game.comments
    );
    let clocks = game.annotations("%clk");
    assert!(
        clocks[1].starts_with("0:") && clocks[3].starts_with("1:"),
        "{clocks:?}"
    );
    for player in [ann, bob] {
        let transcript = player.join().expect("no complaints");
        assert_eq!(transcript.games.last().expect("a game").moves, game.moves);
    }
    let journal = journal::read(referee.read("journal.log").as_bytes())
        .expect("whole")
        .0;
    let orders = journal.iter().filter_map(|entry| match entry {
        Entry::Ordered { given, at, .. } => {
            assert!(at.parse::<jiff::Timestamp>().is_ok(), "{at}");
            Some((given.order.to_string(), given.reason.clone()))
        }
        _ => None,
    });
    let expected = [
        ("pause 1", None),
        ("takeback 1 3", Some("noise".to_owned())),
        ("extend 1 black 1h", None),
        ("resume 1", None),
        ("reset 1", None),
    ];
    let expected = expected.map(|(order, reason)| (order.to_owned(), reason));
    assert_eq!(orders.collect::<Vec<_>>(), expected);
    assert!(
        referee
            .read("journal.log")
            .contains("By \"Eve\"; Game 1; Order \"extend 1 black 1h\";")
    );
    // The refused order is in the stream of events alone.
    let refused = referee.events_of("order");
    let refused = refused.iter().filter(|order| order["is_refused"] == true);
    assert_eq!(refused.count(), 1);
}

/// A program is started again by order, and another one takes its place in the middle of a game.
#[cfg(unix)]
#[test]
fn programs_are_restarted_and_replaced() {
    let Some(epode) = crate::common::epode() else {
        return;
    };
    let command = format!("'{}' client {{address}} --name {{name}}", epode.display());
    let text = event(
        "format = \"match\"\ngames_per_pairing = 1\ntime_control = \"600\"",
        "",
        &["Ann"],
    ) + &format!("[[player]]\nname = \"Bob\"\ncommand = \"\"\"{command}\"\"\"\n");
    let mut referee = Referee::run(&text);
    let (told, is_silent) = std::sync::mpsc::channel();
    let ann = spawn(referee.address(), "Ann", move |game: &Game, _: &Message| {
        if game.moves().is_empty() {
            told.send(()).expect("waited for");
            Answer::Nothing
        } else {
            Answer::Reply("resign;".to_owned())
        }
    });
    is_silent.recv_timeout(LIMIT).expect("a question");
    assert!(
        referee
            .refuses("restart Ann")
            .contains("connects by itself")
    );
    assert_eq!(referee.control("restart Bob"), "Bob is started again\n");
    is_silent.recv_timeout(LIMIT).expect("the question again");
    // Somebody else comes for the program.
    let said = referee.control("replace Bob Zoe");
    assert_eq!(said, "Zoe takes the place of Bob; it connects by itself\n");
    let exits = referee.events_of("exit");
    assert_eq!(exits[0]["player"], "Bob");
    assert_eq!(referee.events_of("sign_on").len(), 3);
    let zoe = spawn(referee.address(), "Zoe", |_: &Game, _: &Message| {
        playing("e5")
    });
    is_silent.recv_timeout(LIMIT).expect("the question again");
    referee.control("adjudicate 1 0-1 --reason silence");
    ann.join().expect("no complaints");
    zoe.join().expect("no complaints");
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    assert_eq!(
        referee.games()[0].players(),
        ("Ann".to_owned(), "Zoe".to_owned())
    );
    assert!(
        referee
            .output()
            .contains("\nZoe took the place of Bob after 0 games\n")
    );
}

/// `resume` refuses an event file whose players or schedule contradict what was played, and names the
/// difference; what is harmless is accepted.
#[test]
fn a_changed_event_file() {
    let settings = "format = \"match\"\ngames_per_pairing = 2\nseed = 1";
    let book =
        "4k3/8/8/8/8/8/5P2/4K3 w - -\n4k3/8/8/8/8/8/4P3/4K3 w - -\n4k3/8/8/8/8/8/3P4/4K3 w - -\n";
    let text = event(
        settings,
        "[openings]\nfile = \"book.epd\"\n",
        &["Ann", "Bob"],
    );
    let mut referee = Referee::run_with(&text, &[("book.epd", book)], &[]);
    let players = ["Ann", "Bob"].map(|name| spawn(referee.address(), name, random(1)));
    for player in players {
        player.join().expect("no complaints");
    }
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    let path = referee.path("event.toml");
    let text = fs::read_to_string(&path).expect("an event");
    let games = referee.read("games.pgn");
    let refused = |old: &str, new: &str, why: &str| {
        assert!(text.contains(old));
        fs::write(&path, text.replace(old, new)).expect("written");
        let (said, status) = referee.program("resume cup");
        assert_eq!(status, 2, "{said}");
        assert!(said.contains(why), "{said}");
        assert_eq!(referee.read("games.pgn"), games, "nothing is rewritten");
    };
    refused(
        "\"Bob\"",
        "\"Rob\"",
        "game 1 of the journal is Ann - Bob, but by the event file it is Ann - Rob",
    );
    refused(
        "[[player]]\nname = \"Ann\"\n",
        "",
        "1 player, expected at least 2",
    );
    refused(
        "games_per_pairing = 2",
        "games_per_pairing = 1",
        "game 2 of the journal is not in the schedule",
    );
    refused(
        "seed = 1",
        "seed = 3",
        "game 1 of the journal has another opening than by the event file",
    );
    refused(
        "seed = 1",
        "seed = 1\ntime_control = \"61\"",
        "but by the event file it is 61: restore `time_control`",
    );
    fs::write(
        &path,
        text.replace("games_per_pairing = 2", "games_per_pairing = 3"),
    )
    .expect("written");
    let mut referee = referee.resume();
    let players = ["Ann", "Bob"].map(|name| spawn(referee.address(), name, random(1)));
    for player in players {
        player.join().expect("no complaints");
    }
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    assert_eq!(referee.games().len(), 3, "one game more");
}

/// The guide lists the orders as `help` does.
#[test]
fn the_guide_lists_the_orders() {
    let Err(NoOrder::Help(help)) = "help".parse::<GivenOrder>() else {
        panic!("no help");
    };
    assert!(GUIDE.contains(&help), "{help}");
}

/// A line of standard input that is not text is refused, and the orders after it are carried out.
#[test]
fn an_order_that_is_not_text() {
    use std::io::{BufRead as _, BufReader, Write as _};
    use std::process::{Command, Stdio};
    let folder = tempfile::TempDir::new().expect("a folder");
    let text = event("listen = \"127.0.0.1:0\"", "", &["Ann", "Bob"]);
    std::fs::write(folder.path().join("cup.toml"), text).expect("written");
    let mut command = Command::new(crate::common::PROGRAM);
    command.args(["run", "cup.toml"]).current_dir(folder.path());
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut referee = crate::common::Killed(child.expect(crate::common::PROGRAM));
    let mut input = referee.0.stdin.take().expect("piped");
    input
        .write_all(b"message \xe9\ngames\r\nquit\n")
        .expect("written");
    let output = BufReader::new(referee.0.stdout.take().expect("piped"));
    let said: Vec<_> = output.lines().map_while(Result::ok).collect();
    let expected = [
        "the order is not valid UTF-8",
        "no games in progress",
        "shutting down",
    ];
    for line in expected {
        assert!(said.iter().any(|said| said == line), "{said:?}");
    }
}
