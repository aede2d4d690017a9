//! Events on real connections: every way in which a game ends, and what the arbiter can do.

use std::collections::HashSet;

use crate::common::games::Played;
use crate::common::player::{Answer, Link, Transcript, playing, random, script, spawn};
use crate::common::{Referee, event};
use epd::protocol::{Message, PlayerActions};
use movegen::Game;
use referee::journal::{self, Entry};

/// What came of an event of two players.
struct Duel {
    referee: Referee,
    status: i32,
    game: Played,
    white: Transcript,
    black: Transcript,
}

fn duel(
    settings: &str,
    tables: &str,
    white: impl FnMut(&Game, &Message) -> Answer + Send + 'static,
    black: impl FnMut(&Game, &Message) -> Answer + Send + 'static,
) -> Duel {
    duel_from(None, settings, tables, white, black)
}

/// One game between Ann, who has White, and Bob, perhaps from a position.
fn duel_from(
    opening: Option<&str>,
    settings: &str,
    tables: &str,
    white: impl FnMut(&Game, &Message) -> Answer + Send + 'static,
    black: impl FnMut(&Game, &Message) -> Answer + Send + 'static,
) -> Duel {
    let settings = format!("format = \"match\"\ngames_per_pairing = 1\n{settings}");
    let book = opening.map_or("", |_| "[openings]\nfile = \"book.epd\"\n");
    let text = event(&settings, &format!("{tables}{book}"), &["Ann", "Bob"]);
    let files: Vec<_> = opening.map(|text| ("book.epd", text)).into_iter().collect();
    let mut referee = Referee::run_with(&text, &files, &[]);
    let white = spawn(referee.address(), "Ann", white);
    let black = spawn(referee.address(), "Bob", black);
    let (white, black) = (white.join(), black.join());
    let status = referee.wait();
    let mut games = referee.games();
    assert_eq!(games.len(), 1, "{}", referee.output());
    let duel = Duel {
        status,
        game: games.remove(0),
        white: white.expect("White without complaints"),
        black: black.expect("Black without complaints"),
        referee,
    };
    assert_eq!(duel.game.players(), ("Ann".to_owned(), "Bob".to_owned()));
    duel
}

impl Duel {
    /// The ending, as the file of games, the stream of events and both players have it.
    #[track_caller]
    fn ends(&self, result: &str, termination: &str, words: &str, verdict: Option<&str>) {
        let said = self.referee.output();
        assert_eq!(self.game.result, result, "{said}");
        assert_eq!(self.game.tag("Termination"), termination, "{said}");
        assert!(
            self.game.comments.contains(words) || self.game.moves.is_empty(),
            "{said}"
        );
        self.game.check();
        let events = self.referee.events_of("result");
        assert_eq!(events.len(), 1);
        assert_eq!(events[0]["result"], result);
        assert_eq!(events[0]["verdict"].as_str(), verdict, "{said}");
        assert_eq!(events[0]["termination"], termination, "{said}");
        self.is_spelled_so(result, termination, verdict);
        let reason = events[0]["reason"].as_str().expect("a reason");
        assert!(reason.contains(words), "{reason}");
        assert_eq!(self.status, i32::from(verdict.is_some()));
    }

    /// The journal and the standings have the same words.
    #[track_caller]
    fn is_spelled_so(&self, result: &str, termination: &str, verdict: Option<&str>) {
        let journal = self.referee.read("journal.log");
        let (entries, _) = journal::read(journal.as_bytes()).expect("a journal");
        let Some(Entry::Ended {
            result: written,
            termination: how,
            forfeit,
            ..
        }) = entries.last()
        else {
            panic!("{entries:?}");
        };
        assert_eq!((&**written, &**how), (result, termination));
        assert_eq!(forfeit.as_deref(), verdict);
        let standings = self.referee.read("standings.json");
        let standings: serde_json::Value = serde_json::from_str(&standings).expect("JSON");
        let players = standings["players"].as_array().expect("players");
        let faults = players
            .iter()
            .filter_map(|player| player["faults"].as_object());
        let faults: Vec<_> = faults.flat_map(|faults| faults.keys().cloned()).collect();
        assert_eq!(faults, Vec::from_iter(verdict.map(str::to_owned)));
    }

    /// Both players were there to the end and know the game.
    #[track_caller]
    fn is_known_to_both(&self) {
        for transcript in [&self.white, &self.black] {
            let seen = transcript.games.last().expect("a game");
            assert_eq!(seen.moves, self.game.moves);
            assert_eq!(seen.tag("Result"), self.game.result);
            assert_eq!(seen.tag("Termination"), self.game.tag("Termination"));
            assert_eq!(seen.commands.last(), Some(&"conclude"));
            assert_eq!(transcript.farewell.as_deref(), Some("the event is over"));
        }
    }
}

const fn pass() -> Answer {
    Answer::Reply(String::new())
}

fn does(operations: &str) -> Answer {
    Answer::Reply(operations.to_owned())
}

#[test]
fn a_round_robin_of_random_movers() {
    let names = ["Ann", "Bob", "Cid", "Dora"];
    let text = event("concurrency = 2\ntime_control = \"300+2\"", "", &names);
    let mut referee = Referee::run(&text);
    let players: Vec<_> = names
        .iter()
        .zip(1..)
        .map(|(name, seed)| spawn(referee.address(), name, random(seed)))
        .collect();
    let transcripts: Vec<_> = players
        .into_iter()
        .map(|player| player.join().expect("no complaints"))
        .collect();
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    let games = referee.games();
    let meetings: HashSet<_> = games.iter().map(Played::players).collect();
    assert_eq!((games.len(), meetings.len()), (12, 12));
    for game in &games {
        game.check_to_the_end();
        for (name, transcript) in names.iter().zip(&transcripts) {
            let (white, black) = game.players();
            if [&white, &black].contains(&&(*name).to_owned()) {
                let seen = transcript
                    .games
                    .iter()
                    .find(|seen| seen.tag("White") == white && seen.tag("Black") == black);
                assert_eq!(seen.expect("a game").moves, game.moves);
            }
        }
    }
    let moves = referee.events_of("move").len();
    assert_eq!(
        moves,
        games.iter().map(|game| game.moves.len()).sum::<usize>()
    );
    assert!(referee.read("standings.json").contains("Dora"));
}

/// Decisions 62 and 78: the mated side is told the move.
#[test]
fn checkmate_and_stalemate() {
    let moves = "f3 e5 g4 Qh4#";
    let mate = duel("", "", script(moves, pass()), script(moves, pass()));
    mate.ends("0-1", "normal", "checkmate", None);
    mate.is_known_to_both();
    assert_eq!(mate.game.check(), Some("checkmate"));
    let moves = "e3 a5 Qh5 Ra6 Qxa5 h5 h4 Rah6 Qxc7 f6 Qxd7+ Kf7 Qxb7 Qd3 Qxb8 Qh7 Qxc8 Kg6 Qe6";
    let stalemate = duel("", "", script(moves, pass()), script(moves, pass()));
    stalemate.ends("1/2-1/2", "normal", "stalemate", None);
    stalemate.is_known_to_both();
}

/// Decision 62: whoever goes after the mate changes nothing.
#[test]
fn a_mated_side_that_vanishes() {
    let moves = "f3 e5 g4 Qh4#";
    let mate = duel("", "", script(moves, Answer::Vanish), script(moves, pass()));
    mate.ends("0-1", "normal", "checkmate", None);
}

/// Decision 63.
#[test]
fn draws_by_rule() {
    let moves = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8";
    let threefold = duel("", "", script(moves, pass()), script(moves, pass()));
    threefold.ends("1/2-1/2", "normal", "repetition", None);
    threefold.is_known_to_both();
    let fifty = duel_from(
        Some("7k/8/8/8/8/8/R7/K7 w - - hmvc 98; fmvn 60;\n"),
        "",
        "",
        script("Rb2", pass()),
        script("- Kg8", pass()),
    );
    fifty.ends("1/2-1/2", "normal", "50 moves", None);
    fifty.is_known_to_both();
}

/// Decisions 68 and 69.
#[test]
fn offers() {
    let accepts = |game: &Game, content: &Message| {
        assert!(
            content.actions.contains(PlayerActions::OFFER_DRAW),
            "after {} plies",
            game.moves().len()
        );
        does("draw_accept;")
    };
    let agreed = duel("", "", script("", does("sm e4; draw_offer;")), accepts);
    agreed.ends("1/2-1/2", "normal", "agreement", None);
    agreed.is_known_to_both();
}

/// Decisions 74 and 75.
#[test]
fn claims() {
    let rules = "[rules]\ndraws = \"claims\"\n";
    let moves = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1";
    let right = duel(
        "",
        rules,
        script(moves, pass()),
        script(moves, does("sm Ng8; draw_claim;")),
    );
    right.ends("1/2-1/2", "normal", "repetition", None);
    right.is_known_to_both();
    let mut wrong = 0;
    let claimer = move |_: &Game, content: &Message| {
        wrong += 1;
        match wrong {
            1 => does("draw_claim;"),
            2 => {
                assert!(
                    content.actions.contains(PlayerActions::REJECT_DRAW),
                    "the claim is refused"
                );
                does("sm e4; draw_claim;")
            }
            _ => does("resign;"),
        }
    };
    let answers = |_: &Game, content: &Message| {
        assert_eq!(
            content.actions,
            PlayerActions::OFFER_DRAW,
            "a wrong claim is an offer"
        );
        playing("e5")
    };
    duel("", "", claimer, answers).ends("0-1", "normal", "White resigns", None);
}

/// Decision 79: the flag falls when it falls and not before, without anything else happening. That the
/// referee means to wake for it in time the tests of the game tell, which have a clock of their own.
#[test]
fn a_hung_player_is_judged() {
    let hung = duel(
        "time_control = \"0.3\"",
        "[rules]\ntime_margin = \"50ms\"\n",
        script("e4", Answer::Nothing),
        script("- e5", pass()),
    );
    hung.ends("0-1", "time forfeit", "White loses on time", Some("time"));
    let at = |event: &serde_json::Value| {
        let at: jiff::Timestamp = event["at"]
            .as_str()
            .expect("a time")
            .parse()
            .expect("a time");
        at.as_millisecond()
    };
    let moves = hung.referee.events_of("move");
    let asked = at(moves.last().expect("a move"));
    let used = moves[0]["elapsed_ms"].as_f64().expect("a number") as i64;
    let judged = at(&hung.referee.events_of("result")[0]);
    let after = judged - asked;
    let least = 300 - used + 50;
    // Both times and what was used are rounded to milliseconds.
    assert!(after >= least - 3, "{after} ms, at least {least}");
}

/// Decisions 54 and 58.
#[test]
fn cheats_lose() {
    let illegal = duel("", "", script("", does("sm Ke2;")), script("", pass()));
    illegal.ends("0-1", "rules infraction", "Ke2", Some("illegal_move"));
    let lie = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R w KQkq - refreq reply; sm e4;";
    let liar = script("", Answer::Line(lie.to_owned()));
    let lied = duel("", "", liar, script("", pass()));
    lied.ends(
        "0-1",
        "rules infraction",
        "another position",
        Some("protocol_fault"),
    );
    // Decision 57: once is borne.
    let silent = duel("", "", script("e4", pass()), script("- e5", pass()));
    silent.ends(
        "0-1",
        "rules infraction",
        "without a move",
        Some("protocol_fault"),
    );
}

/// Decisions 22 and 80.
#[test]
fn players_that_go_or_hang() {
    let patience = "[rules]\nreconnect_timeout = \"200ms\"\nmove_timeout = \"300ms\"\n";
    let gone = duel(
        "",
        "[rules]\nreconnect_timeout = \"200ms\"\n",
        script("e4", Answer::Vanish),
        script("- e5", pass()),
    );
    gone.ends(
        "0-1",
        "abandoned",
        "White is disconnected",
        Some("disconnect"),
    );
    let hung = duel(
        "",
        patience,
        script("e4", Answer::Nothing),
        script("- e5", pass()),
    );
    hung.ends("0-1", "abandoned", "White does not reply", Some("stall"));
}

/// A player that waits until the arbiter has spoken.
fn with_arbiter(
    command: &str,
    result: &str,
    termination: &str,
    words: &str,
    verdict: Option<&str>,
) -> Duel {
    let text = event(
        "format = \"match\"\ngames_per_pairing = 1",
        "",
        &["Ann", "Bob"],
    );
    let mut referee = Referee::run(&text);
    let (asked, is_asked) = std::sync::mpsc::channel();
    let waits = move |_: &Game, _: &Message| {
        asked.send(()).expect("waited for");
        Answer::Nothing
    };
    let white = spawn(referee.address(), "Ann", script("e4", pass()));
    let black = spawn(referee.address(), "Bob", waits);
    is_asked.recv_timeout(crate::common::LIMIT).expect("a move");
    assert!(
        referee
            .control("games")
            .contains("game 1: Ann (-) - Bob (-), move 1")
    );
    assert!(referee.control(command).contains(words));
    let status = referee.wait();
    let duel = Duel {
        status,
        game: referee.games().remove(0),
        white: white.join().expect("White without complaints"),
        black: black.join().expect("Black without complaints"),
        referee,
    };
    duel.ends(result, termination, words, verdict);
    duel
}

/// Decision 81; decision 41: a game that is given up is reset and nothing else.
#[test]
fn the_arbiter_decides() {
    let won = with_arbiter(
        "adjudicate 1 1-0",
        "1-0",
        "adjudication",
        "White wins: decision",
        None,
    );
    won.is_known_to_both();
    let forfeited = with_arbiter(
        "forfeit Bob 1",
        "1-0",
        "adjudication",
        "White wins: Black forfeits",
        Some("arbiter"),
    );
    forfeited.is_known_to_both();
    let none = with_arbiter("abort 1", "*", "unterminated", "aborted", None);
    for transcript in [&none.white, &none.black] {
        let [.., seen, last] = &transcript.games[..] else {
            panic!("{transcript:?}");
        };
        assert!(!seen.is_concluded() && seen.tag("Result") == "*");
        assert_eq!(last.commands, ["reset"]);
    }
}

/// Commands that do not end a game.
#[test]
fn other_commands() {
    let text = event(
        "format = \"match\"\ngames_per_pairing = 1",
        "",
        &["Old Ann", "Bob"],
    );
    let mut referee = Referee::run(&text);
    let mut ann = Link::open(referee.address());
    ann.sign_on("Old Ann");
    ann.command().expect("a reset");
    let status = referee.control("status");
    assert!(
        status.contains("0 of 1 games finished, 0 in progress; 1 of 2 players connected"),
        "{status}"
    );
    assert!(
        referee
            .refuses("sing")
            .contains("unexpected argument 'sing'")
    );
    assert!(
        referee
            .refuses("abort 7")
            .contains("no game 7 is in progress")
    );
    assert!(referee.refuses("kick Bob").contains("Bob is not connected"));
    assert!(referee.control("kick Old Ann").contains("was disconnected"));
    assert_eq!(
        ann.farewell().as_deref(),
        Some("disconnected by the arbiter")
    );
    assert!(
        referee
            .control("pause")
            .contains("no new games are started")
    );
    let players = ["Old Ann", "Bob"].map(|name| spawn(referee.address(), name, random(1)));
    assert!(
        referee
            .control("resume")
            .contains("resumed: new games are started")
    );
    for player in players {
        player.join().expect("no complaints");
    }
    assert_eq!(referee.wait(), 0);
    assert!(
        referee
            .program("control cup status")
            .0
            .contains("no referee is running")
    );
}

/// The arbiter puts both players back: a reset and all moves.
#[test]
fn a_game_is_begun_again() {
    let text = event(
        "format = \"match\"\ngames_per_pairing = 1",
        "",
        &["Ann", "Bob"],
    );
    let mut referee = Referee::run(&text);
    let (asked, is_asked) = std::sync::mpsc::channel();
    let mut times = 0;
    let hangs_once = move |game: &Game, _: &Message| {
        times += 1;
        if times == 1 {
            asked.send(()).expect("waited for");
            return Answer::Nothing;
        }
        assert_eq!(game.moves().len(), 1);
        does("resign;")
    };
    let white = spawn(referee.address(), "Ann", script("e4", pass()));
    let black = spawn(referee.address(), "Bob", hangs_once);
    is_asked.recv_timeout(crate::common::LIMIT).expect("a move");
    referee.control("reset 1");
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    for player in [white, black] {
        let transcript = player.join().expect("no complaints");
        let seen = transcript.games.last().expect("a game");
        assert_eq!(
            (&seen.moves[..], seen.tag("Result")),
            (&["e4".to_owned()][..], "1-0")
        );
    }
}

/// The tables of three pieces, as a setting of an event.
fn tablebases() -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../movegen/syzygy/tables");
    format!("[adjudication]\ntablebases = {folder:?}\n")
}

/// White takes a rook, and has a won ending with three pieces.
const CAPTURE: &str = "3k4/8/8/8/8/8/4r3/R3K3 w - - hmvc 0; fmvn 1;\n";

#[test]
fn tablebases_end_games() {
    let won = duel_from(
        Some(CAPTURE),
        "",
        &tablebases(),
        script("Kxe2", pass()),
        script("", pass()),
    );
    let words = "adjudication by tablebases";
    won.ends("1-0", "adjudication", words, None);
    won.is_known_to_both();
    let journal = won.referee.read("journal.log");
    assert!(journal.contains("Tablebases \"1-0\";"), "{journal}");
    assert!(journal.contains(words), "{journal}");
    // In this mode only draws are ended.
    let tables = format!("{}mode = \"draws\"\n", tablebases());
    let open = duel_from(
        Some(CAPTURE),
        "",
        &tables,
        script("Kxe2", pass()),
        script("", does("resign;")),
    );
    open.ends("1-0", "normal", "resigns", None);
    let drawn = duel_from(
        Some("8/8/8/4k3/4P3/4K1b1/8/8 b - - hmvc 0; fmvn 1;\n"),
        "",
        &tables,
        script("- Kxf2", pass()),
        script("Bf2+", pass()),
    );
    drawn.ends("1/2-1/2", "adjudication", words, None);
}

#[test]
fn a_side_loses_by_its_own_scores() {
    let lost = |game: &Game, _: &Message| match game.moves().len() {
        1 => does("sm e5; ce -600;"),
        _ => does("sm Nf6; ce -700;"),
    };
    let resigned = duel(
        "",
        "[adjudication]\nresign = { score = 600, moves = 2 }\n",
        script("e4 - Nf3", pass()),
        lost,
    );
    resigned.ends(
        "1-0",
        "adjudication",
        "adjudication by Black's own evaluation",
        None,
    );
    resigned.is_known_to_both();
}

#[test]
fn a_long_game_is_drawn() {
    let moves = "e4 e5 Nf3 Nc6";
    let drawn = duel(
        "",
        "[adjudication]\nmax_moves = 2\n",
        script(moves, pass()),
        script(moves, pass()),
    );
    drawn.ends(
        "1/2-1/2",
        "adjudication",
        "adjudication after 2 moves",
        None,
    );
    drawn.is_known_to_both();
}

/// The results are in the journal: an event whose tables are gone goes on, with a warning.
#[test]
fn an_event_outlives_its_tablebases() {
    let folder = tempfile::TempDir::new().expect("a folder");
    std::fs::create_dir(folder.path().join("tables")).expect("a folder");
    let from = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../movegen/syzygy/tables/KRvK.rtbw"
    );
    let table = folder.path().join("tables/KRvK.rtbw");
    std::fs::copy(from, &table).expect("a table");
    std::fs::write(folder.path().join("book.epd"), CAPTURE).expect("written");
    let text = event(
        "format = \"match\"\ngames_per_pairing = 2",
        "[adjudication]\ntablebases = \"tables\"\n[openings]\nfile = \"book.epd\"\n",
        &["Ann", "Bob"],
    );
    let mut referee = Referee::run_in(folder, &text);
    let moves = "Kxe2 Kc7 Ra7+";
    let ann = spawn(referee.address(), "Ann", script(moves, does("resign;")));
    let stops = |game: &Game, _: &Message| match game.moves().len() {
        0 => Answer::Nothing,
        _ => does("resign;"),
    };
    let bob = spawn(referee.address(), "Bob", stops);
    referee.wait_for_output("game 1: Ann - Bob 1-0");
    referee.kill();
    let _ = (ann.join(), bob.join());
    std::fs::remove_file(table).expect("gone");
    let mut referee = referee.resume();
    referee.wait_for_output("they no longer end any game");
    let ann = spawn(referee.address(), "Ann", script(moves, does("resign;")));
    let bob = spawn(referee.address(), "Bob", script(moves, does("resign;")));
    assert!(ann.join().is_ok() && bob.join().is_ok());
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    let games = referee.games();
    assert_eq!(games[0].tag("Termination"), "adjudication");
    assert_eq!(games[1].tag("Termination"), "normal");
    assert_eq!(games[1].moves.len(), 3);
}

/// Exit status 3, and what was left is played on.
#[test]
fn an_event_is_left_and_resumed() {
    let text = event(
        "format = \"match\"\ntime_control = \"60\"",
        "",
        &["Ann", "Bob"],
    );
    let mut referee = Referee::run(&text);
    let ann = spawn(referee.address(), "Ann", random(1));
    // Whom the referee has not let in yet it does not know to take leave of.
    let started = std::time::Instant::now();
    while !referee
        .control("status")
        .contains("1 of 2 players connected")
    {
        assert!(started.elapsed() < crate::common::LIMIT, "Ann has not come");
    }
    referee.control("quit");
    assert_eq!(referee.wait(), 3, "{}", referee.output());
    let farewell = ann.join().expect("no complaints").farewell;
    assert_eq!(farewell.as_deref(), Some("the referee is shutting down"));
    let old = referee.address();
    let mut referee = referee.resume();
    assert_eq!(referee.address(), old, "players know where");
    let players = ["Ann", "Bob"].map(|name| spawn(referee.address(), name, random(1)));
    for player in players {
        player.join().expect("no complaints");
    }
    assert_eq!(referee.wait(), 0);
    assert_eq!(referee.games().len(), 2);
}
