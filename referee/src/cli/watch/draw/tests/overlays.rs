//! What stands in front of a tab or below it: questions, the prompt, answers and the help.

use ratatui::crossterm::event::KeyCode;

use super::{press, sample_state, screen, type_in};
use crate::cli::watch::control::Answer;
use crate::cli::watch::draw::overlay;

#[test]
fn questions_show_the_orders_that_answer_them() {
    let mut state = sample_state();
    type_in(&mut state, "a");
    let seen = screen(&mut state);
    for line in [
        "How does game 2, Bob - 王者, end?",
        "w  Bob wins   adjudicate 2 1-0",
        "b  王者 wins  adjudicate 2 0-1",
        "d  draw       adjudicate 2 1/2",
        "e  edit the order, for example to add a reason",
        "n  no",
    ] {
        assert!(seen.contains(line), "{line}\n{seen}");
    }
}

#[test]
fn the_prompt_offers_what_may_come_next() {
    let mut state = sample_state();
    type_in(&mut state, ":forfeit 'Old Ann' ");
    let seen = screen(&mut state);
    assert!(
        seen.contains("\n 2  Bob - 王者\n 3  王者 - Old Ann\n"),
        "\n{seen}"
    );
    assert!(seen.ends_with("\n:forfeit 'Old Ann'"), "\n{seen}");
    press(&mut state, &[KeyCode::Enter]);
    type_in(&mut state, ":adjudicate 2 3-1");
    press(&mut state, &[KeyCode::Enter]);
    let seen = screen(&mut state);
    assert!(
        seen.contains("invalid value '3-1'"),
        "what is wrong stays on the line:\n{seen}"
    );
}

#[test]
fn answers_of_several_lines_stand_in_front() {
    let mut state = sample_state();
    let answer = |text: &str| Answer {
        order: "games".to_owned(),
        text: text.to_owned(),
        is_refused: false,
    };
    state.show_answer(answer("one line\n"));
    assert!(screen(&mut state).contains("\none line\n"));
    state.show_answer(answer("first\nsecond"));
    let seen = screen(&mut state);
    assert!(seen.contains("│ second │"), "\n{seen}");
    type_in(&mut state, "x");
    assert!(!screen(&mut state).contains("second"));
}

/// The help fits the smallest usual terminal and lists the keys.
#[test]
fn the_help_fits() {
    let mut state = sample_state();
    type_in(&mut state, "?");
    let seen = screen(&mut state);
    for line in overlay::HELP.lines() {
        assert!(seen.contains(&format!("│ {line}")), "{line}\n{seen}");
    }
}
