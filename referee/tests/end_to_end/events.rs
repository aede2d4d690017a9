//! Events on real connections: every way in which a game ends, and what the arbiter can do.

mod adjudication;
mod endings;
mod orders;
mod whole;

use crate::common::games::Played;
use crate::common::player::{Answer, Transcript, spawn};
use crate::common::{Referee, event};
use epd::protocol::Message;
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
