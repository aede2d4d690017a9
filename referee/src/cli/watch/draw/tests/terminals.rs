//! Every screen on every terminal: without colours, of any size, with names of all kinds, in each state of an event.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use ratatui::crossterm::event::KeyCode;
use ratatui::style::{Color, Modifier};
use serde_json::json;
use unicode_width::UnicodeWidthStr as _;

use super::{drawn, grown_state, lines, press, sample_state, screen, type_in};
use crate::cli::watch::draw::theme::Theme;
use crate::cli::watch::sample;
use crate::cli::watch::sample::script::{Script, knockout, ladder, swiss};
use crate::cli::watch::source::Feed;
use crate::cli::watch::state::State;

/// Without colours nothing is coloured, and the selection is shown in another way.
#[test]
fn colours_can_be_turned_off() {
    let mut state = sample_state();
    for tab in "12345".chars() {
        type_in(&mut state, &tab.to_string());
        for cell in &drawn(&mut state, 120, 40).content {
            assert_eq!(
                (cell.fg, cell.bg),
                (Color::Reset, Color::Reset),
                "tab {tab}"
            );
        }
    }
    type_in(&mut state, "4");
    let buffer = drawn(&mut state, 80, 24);
    assert!(
        buffer[(10, 4)].modifier.contains(Modifier::REVERSED),
        "game 2 is selected"
    );
    state.theme = Theme::new(true);
    type_in(&mut state, "1");
    let buffer = drawn(&mut state, 120, 40);
    assert!(
        buffer
            .content
            .iter()
            .any(|cell| matches!(cell.bg, Color::Indexed(_)))
    );
}

#[test]
fn names_of_all_kinds_keep_to_their_columns() {
    let mut state = sample_state();
    let names = [
        "\u{1b}[2J\u{202e}evil",
        "王者之剑王者之剑王者之剑王者之剑",
        "a\u{301}\u{301}\u{301} 👩‍👩‍👧 ❤️ 🇩🇪",
    ];
    let players = json!({
        "event": "start", "schema": 1, "address": "", "name": names[0], "site": "", "time_control": "1",
        "players": names, "games": 1, "schedule": [[1, 1, 0, 1, 0]],
    });
    let game = json!({
        "event": "game", "game": 1, "round": names[1], "white": names[0], "black": names[2], "date": "",
        "fen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "opening": names[1],
        "opening_moves": [], "clocks_ms": [null, null], "turn_ms": 0.0, "is_paused": false, "moves": [],
    });
    let events = [players, game, json!({"event": "note", "text": names[0]})].map(sample::event);
    state.take_in(Feed::Events(events.to_vec()));
    for keys in ["1", "1b", "2", "3", "4", "5", "1p", "1:kick "] {
        type_in(&mut state, keys);
        let seen = lines(&drawn(&mut state, 80, 24));
        for line in &seen {
            assert!(line.width() <= 80, "{line:?}");
            assert!(
                !line.contains(|letter: char| letter.is_control() || letter == '\u{202e}'),
                "{line:?}"
            );
        }
        press(&mut state, &[KeyCode::Esc]);
    }
    type_in(&mut state, "4");
    let seen = screen(&mut state);
    assert!(
        seen.contains("?[2J?evil     a\u{301}\u{301}\u{301} 👩?👩?👧 ❤…"),
        "\n{seen}"
    );
}

/// No size of the terminal breaks a screen.
#[test]
fn every_size_can_be_drawn() {
    let mut state = sample_state();
    for keys in ["1", "1b", "2", "3", "4", "5", "?", "1a", "1:", "1:replace "] {
        type_in(&mut state, keys);
        for (columns, lines) in (1..200).step_by(7).zip((1..).step_by(3)) {
            drawn(&mut state, columns, lines);
            drawn(&mut state, columns, 12);
            drawn(&mut state, 40, lines);
        }
        press(&mut state, &[KeyCode::Esc]);
    }
    let mut empty = State::new("cup".to_owned(), true, Theme::new(true));
    for keys in ["1", "2", "3", "4", "5", "1a", "3K", ":re"] {
        type_in(&mut empty, keys);
        drawn(&mut empty, 80, 24);
        press(&mut empty, &[KeyCode::Esc]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 60,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(0x0E90_DE25),
        ..ProptestConfig::default()
    })]

    /// Each state of an event can be drawn on any screen, whatever keys are pressed.
    #[test]
    fn each_state_is_drawn(
        players in 2..9_usize,
        format in 0..3_usize,
        seed in any::<u64>(),
        steps in 0..150_usize,
        size in (1..120_u16, 1..40_u16),
        letters in "[345hjklGgu\n\t]{0,12}",
    ) {
        let format = [swiss(3.min(players - 1)), knockout(1), ladder(None)][format];
        let names = ["\u{1b}[2J\u{202e}evil", "王者之剑王者之剑王者之剑", "", "Dee", "Eve", "Fay", "Gus", "Hal"];
        let mut state = grown_state(Script::new(format, &names[..players], 2, seed).with_accidents().steps(steps));
        for letter in letters.chars() {
            let key = match letter {
                '\n' => KeyCode::Enter,
                '\t' => KeyCode::Tab,
                letter => KeyCode::Char(letter),
            };
            press(&mut state, &[key]);
            drawn(&mut state, size.0, size.1);
        }
        let seen = lines(&drawn(&mut state, 80, 24));
        for line in &seen {
            prop_assert!(line.width() <= 80, "{:?}", line);
            prop_assert!(!line.contains(|letter: char| letter.is_control() || letter == '\u{202e}'), "{:?}", line);
        }
    }
}
