//! Pages of made-up events: hostile names, many games, and rules that all of them keep.

use std::collections::BTreeSet;

use movegen::Color;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::*;
use crate::core::equipment::{Conditions, Equipment};
use crate::core::event::stream::{GameReport, HalfMove, Report, Scheduled, Search, Start};
use crate::core::event::view::EventView;
use crate::core::event::view::rounds::script::{Script, knockout, ladder, swiss};
use crate::core::sprt::Sprt;
use crate::core::time_control::Control;

const AT: &str = "2026-11-23T10:00:00.000Z";

/// Names that would do harm in HTML, in an attribute, on a terminal, or by turning the text round.
const HOSTILE: [&str; 4] = [
    "<script>alert(1)</script>",
    "\" onmouseover=\"alert(1)\" x=\"",
    "'><img src=x onerror=alert(1)>&lt;",
    "\u{202e}evil\u{1b}[31m\0",
];

fn start(players: &[&str], games: usize) -> Start {
    let schedule = (0..games).map(|game| {
        let players = players.len();
        let white = game % players;
        Scheduled(
            1,
            game + 1,
            white,
            (white + 1 + game / players) % players,
            game,
        )
    });
    Start {
        name: players[0].to_owned(),
        site: players[1].to_owned(),
        time_control: "300+2".to_owned(),
        players: players.iter().map(|&name| name.to_owned()).collect(),
        games,
        schedule: schedule.collect(),
        sprt: Sprt::new(0.0, 5.0, 0.05, 0.05).ok(),
        ..Start::default()
    }
}

fn game(number: usize, players: &[&str]) -> GameReport {
    let half_move = HalfMove {
        ply: 2,
        san: "e5".to_owned(),
        uci: "e7e5".to_owned(),
        elapsed_ms: 1500.0,
        remaining_ms: Some(300_500.0),
        eval: Some(-20),
        comment: Some(players[1].to_owned()),
        search: Search {
            depth: Some(12),
            nodes: Some(123_456),
            pv: ["e5", "Nf3", "Nc6", players[0]].map(str::to_owned).to_vec(),
        },
    };
    GameReport {
        game: number,
        round: format!("1.{number}"),
        white: players[0].to_owned(),
        black: players[1].to_owned(),
        elo: [Some(2700), None],
        date: "2026.11.23".to_owned(),
        fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned(),
        opening: Some(players[2].to_owned()),
        opening_moves: vec!["e4".to_owned()],
        opening_comment: Some(players[0].to_owned()),
        clocks_ms: [Some(299_000.0), Some(300_500.0)],
        turn_ms: Some(250.0),
        is_paused: false,
        conditions: Conditions {
            equipment: [2, 3].map(|player| Equipment {
                machine: players.get(player).map(|&text| text.to_owned()),
                speed: Some(500_000),
            }),
            time_controls: Some(["300+2", "600+4"].map(|text| Control(text.parse().expect(text)))),
        },
        moves: vec![half_move],
    }
}

/// An event with so many games in progress, and one that has ended.
fn view(players: &[&str], running: usize) -> EventView {
    let mut view = EventView::default();
    view.apply(&Report::Start(Box::new(start(players, running + 1))), AT);
    for number in 1..=running + 1 {
        view.apply(&Report::Game(Box::new(game(number, players))), AT);
    }
    let note = Report::Note {
        game: Some(1),
        text: players[0].to_owned(),
    };
    view.apply(&note, AT);
    let result = Report::Result {
        game: running + 1,
        white: players[0].to_owned(),
        black: players[1].to_owned(),
        result: "1-0".to_owned(),
        termination: "normal".to_owned(),
        reason: format!("White wins: {}", players[1]),
        verdict: None,
        plies: 2,
        is_unplayed: false,
    };
    view.apply(&result, AT);
    view
}

/// All pages and fragments of an event.
fn pages(view: &EventView) -> Vec<String> {
    let last: Vec<_> = view.games.values().rev().take(1).cloned().collect();
    let shown = Shown {
        view,
        finished: &last,
        now: "2026-11-23T10:00:02.000Z".parse().ok(),
        seq: 7,
    };
    let first = &view.games[&1];
    let past = Look {
        ply: Some(1),
        side: Color::Black,
    };
    let pages = [
        overview(&shown),
        super::game(&shown, first, Look::default()),
        super::game(&shown, first, past),
        super::game(&shown, &last[0], Look::default()),
        not_found(&shown, HOSTILE[0]),
        games_fragment(&shown, Some(&[1, 2, 999])),
        event_fragment(&shown),
    ];
    let mut pages = pages.map(Markup::into_string).to_vec();
    pages.push(board_file(first, Look::default()));
    pages
}

/// The values of an attribute in a page.
fn values<'p>(page: &'p str, attribute: &str) -> Vec<&'p str> {
    let start = format!(" {attribute}=\"");
    let found = page
        .match_indices(&start)
        .map(|(at, _)| &page[at + start.len()..]);
    found.filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn hostile_names_do_nothing() {
    let view = view(&HOSTILE, 3);
    for page in pages(&view) {
        for harm in ["<script>", "<img", "\" on", "\u{202e}", "\u{1b}", "\0"] {
            assert!(!page.contains(harm), "{harm:?} in {page}");
        }
    }
}

#[test]
fn nothing_is_inline_or_foreign() {
    for page in pages(&view(&["Ann", "Bob", "Ruy Lopez"], 3)) {
        let page = page.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
        assert!(!page.contains("://"), "{page}");
        if !page.starts_with("<svg") {
            assert!(
                !page.contains("<style") && !page.contains(" style="),
                "{page}"
            );
        }
        assert_eq!(
            page.matches("<script").count(),
            page.matches("<script src=\"/page.js\"").count()
        );
        for link in values(&page, "href") {
            assert!(link.starts_with(['/', '#']), "{link}");
        }
    }
}

/// Each id is unique, and what refers to one finds it on a whole page.
#[test]
fn references_are_complete() {
    for page in pages(&view(&["Ann", "Bob", "Ruy Lopez"], 3)) {
        let ids = values(&page, "id");
        let unique: BTreeSet<_> = ids.iter().copied().collect();
        assert_eq!(ids.len(), unique.len(), "{ids:?}");
        if page.starts_with("<!DOCTYPE html>") {
            let local = values(&page, "href").into_iter();
            let local = local.filter_map(|link| link.strip_prefix('#'));
            for id in local.chain(values(&page, "aria-labelledby")) {
                assert!(unique.contains(id), "{id}");
            }
            for landmark in ["<header", "<nav", "<main", "<footer", "<h1", "lang=\"en\""] {
                assert!(page.contains(landmark), "{landmark}");
            }
        }
    }
}

#[test]
fn a_game_shows_what_is_known() {
    let view = view(&["Ann", "Bob", "Ruy Lopez"], 1);
    let text = pages(&view)[0].replace('\u{a0}', " ");
    for expected in [
        "Ann",
        "Ruy Lopez",
        "1... e5",
        "+0.20",
        "depth 12",
        "123k",
        "1... e5 2. Nf3 Nc6",
        // 2.25 s of White's move have passed.
        "data-ms=\"296750\"",
        "4:56",
        "5:00",
        "of 2 games finished",
        "LLR",
        "time control 300+2; Ruy Lopez; 500000 nodes/s",
        "time control 600+4; 500000 nodes/s",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert!(text.contains("data-live"));
    assert!(text.contains("http-equiv=\"refresh\""));
}

/// Two hundred games make a page of a moderate size, and an update of what is on the screen a small one.
#[test]
fn many_games_stay_light() {
    let view = view(&["Ann", "Bob", "Ruy Lopez"], 200);
    let shown = Shown {
        view: &view,
        finished: &[],
        now: AT.parse().ok(),
        seq: 7,
    };
    let page = overview(&shown).into_string();
    assert_eq!(page.matches("<article").count(), 200);
    assert!(page.len() < 800_000, "{}", page.len());
    let some: Vec<_> = (1..=20).collect();
    let update = games_fragment(&shown, Some(&some)).into_string();
    assert!(update.len() < 80_000, "{}", update.len());
}

const SIX: [&str; 6] = ["Ann", "Bob", "Cid", "Dee", "Eve", "Fay"];

/// The page of an event whose schedule grows.
fn grown(script: &Script) -> String {
    let shown = Shown {
        view: &script.view,
        finished: &[],
        now: AT.parse().ok(),
        seq: 7,
    };
    let fragment = event_fragment(&shown).into_string();
    let page = overview(&shown).into_string();
    for part in [
        "<section id=\"standings\"",
        "<div id=\"pairings\"",
        "<section id=\"schedule\"",
    ] {
        assert!(page.contains(part) && fragment.contains(part), "{part}");
    }
    page
}

/// The text of a page from a heading on, without tags, with blanks between its pieces.
fn text_from(page: &str, id: &str) -> String {
    let (_, rest) = page.split_once(&format!("id=\"{id}\"")).expect(id);
    let rest = rest.split("</section>").next().unwrap_or(rest);
    let texts = rest.split('<').filter_map(|piece| piece.split_once('>'));
    let texts: Vec<_> = texts
        .map(|(_, text)| text.trim())
        .filter(|text| !text.is_empty())
        .collect();
    texts.join(" ")
}

#[test]
fn swiss_rounds_are_shown_latest_first() {
    let before = grown(&Script::new(swiss(3), &SIX[..5], 2, 3));
    assert!(
        text_from(&before, "rounds").contains("Rounds The first round is paired when"),
        "{before}"
    );
    let script = Script::new(swiss(3), &SIX[..5], 2, 3).steps(400);
    let page = grown(&script);
    let text = text_from(&page, "rounds");
    assert!(
        text.starts_with("Round 3 of 3 Board White first Pts Result Pts Black first Games 1 "),
        "{text}"
    );
    assert!(text.contains("Bye: "), "{text}");
    let [second, first] =
        ["<summary>Round 2</summary>", "<summary>Round 1</summary>"].map(|part| page.find(part));
    assert!(second.is_some() && second < first);
    // Cid asked for a bye of half the points in round 2.
    assert!(text.contains("Cid (1 point)"), "{text}");
    assert!(page.contains("aria-label=\"game 1 ") && page.contains("href=\"/game/1\""));
    assert!(!page.contains("Cross table"));
    assert!(text_from(&page, "standings").contains(" Points Byes Games "));
    assert!(text_from(&page, "schedule").contains("All rounds have been played."));
}

#[test]
fn a_bracket_is_shown() {
    let before = grown(&Script::new(knockout(1), &SIX, 2, 3));
    assert!(text_from(&before, "bracket").contains("The first round is paired when"));
    let start = grown(&Script::new(knockout(1), &SIX, 2, 3).steps(2));
    let text = text_from(&start, "bracket");
    for part in [
        "Quarterfinal 1 Ann has won bye",
        "Semifinal 1 Ann Dee or Eve",
        "not known yet",
        "Third place",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(start.contains("class=\"match running\""));
    let end = grown(&Script::new(knockout(1), &SIX, 2, 3).steps(400));
    let text = text_from(&end, "bracket");
    assert_eq!(text.matches("has won").count(), 8);
    assert!(!text.contains("not known yet"));
    let standings = text_from(&end, "standings");
    assert!(
        standings.contains("Elo Reached 1 Ann") && standings.contains("winner"),
        "{standings}"
    );
    assert!(end.contains("href=\"/api/bracket\""));
}

/// A match that is tied to its end, and one whose player has left.
#[test]
fn matches_without_a_winner_by_points_say_why() {
    let mut seen = BTreeSet::new();
    for seed in 0..40 {
        let script = Script::new(knockout(0), &SIX, 2, seed)
            .with_accidents()
            .steps(200);
        let text = text_from(&grown(&script), "bracket");
        for part in ["tied, decided by seed", "has withdrawn"] {
            if text.contains(part) {
                seen.insert(part);
            }
        }
    }
    assert_eq!(seen.len(), 2, "{seen:?}");
}

#[test]
fn a_ladder_has_ratings_and_their_courses() {
    let page = grown(&Script::new(ladder(None), &SIX, 2, 3).steps(300));
    let text = text_from(&page, "standings");
    assert!(
        text.contains(
            "Rank Player Rating \u{b1} Course Games + = \u{2212} Score Now 1 Bob 2580 fixed "
        ),
        "{text}"
    );
    assert_eq!(page.matches("aria-label=\"rating over ").count(), 6);
    assert!(text.contains("game\u{a0}"), "{text}");
    assert!(!page.contains("Cross table") && !page.contains("<progress"));
    assert!(text_from(&page, "schedule").contains("The ladder has no end."));
    assert!(page.contains("href=\"/api/rounds\"") && !page.contains("/api/bracket"));
}

/// A ladder of 64 players and 5,000 games: what each viewer gets after each result stays small.
#[test]
fn a_long_ladder_stays_light() {
    let names: Vec<_> = (1..=64)
        .map(|number| format!("Player number {number}"))
        .collect();
    let mut script = Script::new(ladder(Some(5000)), &names, 2, 1);
    while script.step() {}
    assert_eq!(script.view.ends.len(), 5000);
    let started = std::time::Instant::now();
    let page = grown(&script);
    println!(
        "{} bytes, page and fragment in {:?}",
        page.len(),
        started.elapsed()
    );
    assert!(page.len() < 120_000, "{}", page.len());
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 60,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(0x0E90_DE25),
        ..ProptestConfig::default()
    })]

    /// Each state of an event can be shown, with names of any kind, and keeps the rules of all pages.
    #[test]
    fn each_state_is_shown(
        players in 2..9_usize,
        format in 0..3_usize,
        games in 1..3_usize,
        seed in any::<u64>(),
        steps in 0..150_usize,
    ) {
        let format = [swiss(3.min(players - 1)), knockout(1), ladder(None)][format];
        let games = if matches!(format, crate::core::schedule::Format::Knockout(_)) { 2 } else { games };
        let names = [&HOSTILE[..], &["", "Eve", "Fay", "Gus"]].concat();
        let script = Script::new(format, &names[..players], games, seed).with_accidents().steps(steps);
        let page = grown(&script);
        for harm in ["<script>", "<img", "\" on", "\u{202e}", "\u{1b}", "\0", "<style", " style="] {
            prop_assert!(!page.contains(harm), "{:?} in {}", harm, page);
        }
        let ids = values(&page, "id");
        let unique: BTreeSet<_> = ids.iter().copied().collect();
        prop_assert_eq!(ids.len(), unique.len());
        let local = values(&page, "href").into_iter().filter_map(|link| link.strip_prefix('#'));
        for id in local.chain(values(&page, "aria-labelledby")) {
            prop_assert!(unique.contains(id), "{}", id);
        }
    }
}
