//! The ledger against its journal.

use std::time::Duration;

use epd::protocol::PlayerActions;
use movegen::pgn::{self, Outcome};
use movegen::{Color, UciMove};

use super::*;
use crate::core::ending::{Absence, Ending, Reason};
use crate::core::event::stream::Search;
use crate::core::game::Moved;
use crate::core::journal::Entry;
use crate::core::sprt::SprtState;

fn event() -> Ledger {
    let text = "event = \"Cup\"\ntime_control = \"60+1\"\nconcurrency = 2\n\
                [[player]]\nname = \"A\"\n[[player]]\nname = \"B\"\n[[player]]\nname = \"C\"\n";
    let config = Config::read(text).expect("sound");
    Ledger::new(config, vec![Opening::default()]).expect("a schedule")
}

fn moved(event: &Ledger, number: usize, text: &str) -> Moved {
    let game = &event.running()[&number];
    let position = game.referee.game().position();
    let mv = text
        .parse::<UciMove>()
        .expect(text)
        .find(position)
        .expect(text);
    Moved {
        color: position.turn(),
        before: *position,
        mv,
        elapsed: Duration::from_millis(1500),
        used: [Duration::from_millis(1500), Duration::ZERO],
        eval: Some(32_762),
        actions: PlayerActions::empty(),
        search: Search::default(),
        judged: None,
    }
}

#[test]
fn games_are_started_in_their_order_with_who_is_there() {
    let mut event = event();
    assert_eq!(event.schedule().len(), 6);
    assert_eq!(event.next_game(|_| false, |_| false), None);
    let first = event.next_game(|_| true, |_| false).expect("a game");
    assert_eq!(first.number, 1);
    // One is missing: a later game goes first.
    let other = event
        .next_game(
            |pairing| ![pairing.white, pairing.black].contains(&first.white),
            |_| false,
        )
        .expect("a game");
    assert!(other.number > 1);
    event.begin(other, "2026.11.21");
    let busy = [other.white, other.black];
    assert_eq!(
        event.next_game(
            |pairing| !busy.contains(&pairing.white) && !busy.contains(&pairing.black),
            |_| false,
        ),
        None,
        "three players, one game"
    );
    assert!(
        event.running()[&other.number]
            .color_of(other.white)
            .is_some()
    );
    event.end(other.number, &Ending::draw(Reason::Agreement));
    assert_eq!(
        event
            .next_game(|_| true, |_| false)
            .map(|pairing| pairing.number),
        Some(1)
    );
}

/// Decision 96: what the journal holds is enough.
#[test]
fn an_event_is_rebuilt_from_its_journal() {
    let mut event = event();
    let mut journal = Vec::new();
    let mut pgn = String::new();
    for _ in 0..2 {
        let is_free = |player| {
            let mut games = event.running().values();
            games.all(|game| game.color_of(player).is_none())
        };
        let pairing = event.next_game(
            |pairing| is_free(pairing.white) && is_free(pairing.black),
            |_| false,
        );
        let Some(pairing) = pairing else { break };
        journal.push(event.begin(pairing, "2026.11.21"));
    }
    for text in ["e2e4", "e7e5"] {
        let moved = moved(&event, 1, text);
        journal.push(Entry::moved(1, &moved));
        let game = event.game_mut(1).expect("running");
        game.restore(
            moved.mv,
            moved.used,
            moved.elapsed,
            moved.eval,
            moved.actions,
            moved.judged,
        )
        .expect("legal");
    }
    let mut half = self::event();
    assert_eq!(half.resume(journal.clone()), Ok(String::new()));
    assert_eq!(half.running()[&1].referee.game().moves().len(), 2);
    assert_eq!(
        half.running()[&1].referee.clock().used(),
        [Duration::from_millis(1500), Duration::ZERO]
    );

    let ending = Ending::loss(Color::White, Reason::Time);
    journal.push(event.end_entry(1, &ending).expect("running"));
    pgn.push_str(&event.end(1, &ending).expect("running"));
    assert!(
        pgn.contains("1. e4 {[%eval #2] [%clk 0:00:59.500] [%emt 0:00:01.500]}"),
        "{pgn}"
    );
    let mut again = self::event();
    assert_eq!(again.resume(journal.clone()), Ok(pgn));
    assert_eq!(
        (again.finished(), again.forfeits(), again.is_finished(1)),
        (1, 1, true)
    );
    assert_eq!(again.standings(), event.standings());
    assert_eq!(
        self::event().resume(journal[1..].to_vec()),
        Err(ResumeError::NoBeginning(1))
    );
}

/// A test stays decided, whatever the games that were in progress say, and however often the event is
/// resumed.
#[test]
fn a_verdict_is_final() {
    let text = "event = \"Cup\"\nformat = \"match\"\ngames_per_pairing = 100\nconcurrency = 8\n\
                [sprt]\nelo0 = 0\nelo1 = 300\n[[player]]\nname = \"A\"\n[[player]]\nname = \"B\"\n";
    let ledger = || {
        let config = Config::read(text).expect("sound");
        Ledger::new(config, vec![Opening::default()]).expect("a schedule")
    };
    let (mut event, mut journal) = (ledger(), Vec::new());
    let end = |event: &mut Ledger, journal: &mut Vec<Entry>, winner: usize| {
        let (&number, game) = event.running().iter().next().expect("a game");
        let loser = game.color_of(1 - winner).expect("a player");
        let ending = Ending::loss(loser, Reason::Resignation);
        journal.push(event.end_entry(number, &ending).expect("running"));
        event.end(number, &ending);
    };
    while !event.is_decided() {
        while let Some(pairing) = event.next_game(|_| true, |_| false) {
            journal.push(event.begin(pairing, "2026.11.21"));
        }
        end(&mut event, &mut journal, 0);
    }
    assert_eq!((event.running().len(), event.is_over()), (7, false));
    let verdict = event.sprt();
    while !event.running().is_empty() {
        assert!(!event.has_room());
        end(&mut event, &mut journal, 1);
    }
    assert!(event.is_over());
    assert_eq!(event.standings().sprt, verdict);
    let mut again = ledger();
    again.resume(journal).expect("a journal");
    assert!(again.is_over());
    assert_eq!(again.sprt(), verdict);
}

/// Journals of earlier referees hold such scores too.
#[test]
fn scores_beyond_the_scale_are_written() {
    let mut event = event();
    let pairing = event.next_game(|_| true, |_| false).expect("a game");
    event.begin(pairing, "2026.11.21");
    for (text, eval) in [("e2e4", i32::MIN), ("e7e5", i32::MAX)] {
        let moved = moved(&event, 1, text);
        let game = event.game_mut(1).expect("running");
        game.add(&Moved {
            eval: Some(eval),
            ..moved.clone()
        });
        game.referee
            .restore(moved.mv, moved.used, Some(eval), moved.actions)
            .expect("legal");
    }
    let pgn = event.end(1, &Ending::draw(Reason::Agreement));
    let pgn = pgn.expect("running");
    assert_eq!(pgn.matches("[%eval -320.00]").count(), 2, "{pgn}");
}

/// Each name is spelled in one way, whatever file or message it is in.
#[test]
fn names_come_back() {
    use crate::core::event::{Order, side_name};
    use strum::VariantArray as _;
    for state in [
        SprtState::Continue,
        SprtState::AcceptH0,
        SprtState::AcceptH1,
    ] {
        assert_eq!(serde_json::json!(state), state.to_string());
    }
    for termination in pgn::Termination::ALL {
        assert_eq!(termination.to_string().parse(), Ok(termination));
    }
    for outcome in Outcome::ALL {
        assert_eq!(outcome.to_string().parse(), Ok(outcome));
        // Orders say 1/2 for 1/2-1/2, and nothing else in another way.
        let order = format!("adjudicate 1 {}", outcome.to_string().replace("-1/2", ""));
        let read: Order = order.parse().expect(&order);
        assert_eq!(read.to_string(), order);
    }
    for side in [Color::White, Color::Black] {
        assert_eq!(side_name(side), format!("{side:?}").to_lowercase());
    }
    for &forfeit in Forfeit::VARIANTS {
        let name = forfeit.to_string();
        assert_eq!(name.parse(), Ok(forfeit));
        assert_eq!(serde_json::json!(forfeit), name, "one spelling everywhere");
    }
    assert!("bad_luck".parse::<Forfeit>().is_err());
}

/// A game that is withdrawn is played again, and its old result is nowhere.
#[test]
fn a_withdrawn_game_counts_once() {
    let mut event = event();
    let mut journal = Vec::new();
    let first = event.next_game(|_| true, |_| false).expect("a game");
    journal.push(event.begin(first, "2026.11.21"));
    let lost = Ending::loss(Color::White, Reason::Absent(Absence::NeverCame));
    journal.push(event.end_entry(1, &lost).expect("running"));
    event.end(1, &lost);
    assert_eq!(event.forfeited_without_a_move(), [1]);
    journal.push(event.withdrawn_entry(1, "a typo").expect("finished"));
    event.withdraw(1);
    assert_eq!((event.finished(), event.forfeits()), (0, 0));
    let mut again = self::event();
    assert_eq!(again.resume(journal.clone()), Ok(String::new()));
    assert_eq!(again.next_game(|_| true, |_| false), Some(first));
    journal.push(event.begin(first, "2026.11.22"));
    let drawn = Ending::draw(Reason::Agreement);
    journal.push(event.end_entry(1, &drawn).expect("running"));
    let pgn = event.end(1, &drawn).expect("running");
    assert_eq!(self::event().resume(journal), Ok(pgn));
}

/// The tablebases ended a game, but the referee was killed before it could write that. It is known
/// without them.
#[test]
fn a_result_of_tablebases_outlives_them() {
    let mut first = event();
    let pairing = first.next_game(|_| true, |_| false).expect("a game");
    let mut journal = vec![first.begin(pairing, "2026.11.21")];
    let moved = Moved {
        judged: Some(Outcome::Draw),
        ..moved(&first, 1, "e2e4")
    };
    journal.push(Entry::moved(1, &moved));
    let lines: String = journal.iter().map(Entry::line).collect();
    assert!(lines.contains("Tablebases \"1/2-1/2\";"), "{lines}");
    let (entries, _) = crate::core::journal::read(lines.as_bytes()).expect("a journal");
    let mut second = event();
    second.resume(entries).expect("the same event");
    let referee = &mut second.game_mut(1).expect("running").referee;
    let ending = Ending::by_tablebases(Outcome::Draw);
    assert_eq!(referee.decided(), Some(&ending));
    let out = referee.proceed(std::time::Instant::now());
    assert!(
        out.contains(&crate::core::game::Out::Ended(ending)),
        "{out:?}"
    );
}
