//! The screens, as a terminal shows them.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Size;
use ratatui::style::{Color, Modifier};
use serde_json::json;
use unicode_width::UnicodeWidthStr as _;

use super::theme::Theme;
use crate::cli::watch::control::Answer;
use crate::cli::watch::sample::script::{Script, knockout, ladder, swiss};
use crate::cli::watch::source::Feed;
use crate::cli::watch::state::{State, Tab};
use crate::cli::watch::{keys, sample};

/// A view of the sample event.
fn sample_state() -> State {
    let mut state = State::new("cup".to_owned(), true, Theme::new(false));
    state.zone = TimeZone::UTC;
    state.take_in(Feed::Events(sample::stream()));
    state.take_in(Feed::Connected);
    state
}

/// The screen 3.2 seconds after the last event.
fn drawn(state: &mut State, columns: u16, lines: u16) -> Buffer {
    let now: Timestamp = sample::AT.parse().expect("a time");
    let now = now + SignedDuration::from_millis(3200);
    let backend = TestBackend::new(columns, lines);
    let mut terminal = Terminal::new(backend).expect("a terminal");
    state.size = Size::new(columns, lines);
    terminal
        .draw(|frame| super::screen(frame, state, now))
        .expect("drawn");
    terminal.backend().buffer().clone()
}

/// The lines of a screen without the blanks at their ends.
fn lines(buffer: &Buffer) -> Vec<String> {
    let width = usize::from(buffer.area.width);
    let lines = buffer.content.chunks(width).map(|cells| {
        let mut line = String::new();
        for (column, cell) in cells.iter().enumerate() {
            // A wide character hides the cell after it.
            if line.width() <= column {
                line.push_str(cell.symbol());
            }
        }
        line.trim_end().to_owned()
    });
    lines.collect()
}

fn screen(state: &mut State) -> String {
    lines(&drawn(state, 80, 24)).join("\n")
}

fn press(state: &mut State, keys: &[KeyCode]) {
    for &key in keys {
        keys::press(state, key.into());
    }
}

fn type_in(state: &mut State, text: &str) {
    for letter in text.chars() {
        keys::press(state, KeyCode::Char(letter).into());
    }
}

#[test]
fn the_overview_has_boards_where_there_is_room() {
    let expected = "\
Autumn Cup · 300+3 · 1 of 6 games finished, 2 in progress                running
 1 Games   2 Game 2   3 Standings   4 Schedule   5 Log
╔ Game 2 · Ruy Lopez ════════════════╗ ┌ Game 3 · Ruy Lopez ────────────────┐
║▶ 王者                 +0.20    4:58║ │  Old Ann                       5:00│
║  ♜ · ♝ ♛ ♚ ♝ ♞ ♜  2... Nc6         ║ │  ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜  paused           │
║  ♟ ♟ ♟ ♟ · ♟ ♟ ♟  3. Bb5           ║ │  ♟ ♟ ♟ ♟ · ♟ ♟ ♟                   │
║    · ♞ ·   ·   ·  3.2 s            ║ │    ·   ·   ·   ·                   │
║▃ · ♗ ·   ♟   ·                     ║ │  ·   ·   ♟   ·                     │
║█   ·   · ♙ ·   ·                   ║ │    ·   · ♙ ·   ·                   │
║█ ·   ·   · ♘ ·                     ║ │  ·   ·   · ♘ ·                     │
║█ ♙ ♙ ♙ ♙   ♙ ♙ ♙                   ║ │  ♙ ♙ ♙ ♙   ♙ ♙ ♙                   │
║█ ♖ ♘ ♗ ♕ ♔   · ♖                   ║ │  ♖ ♘ ♗ ♕ ♔ ♗ · ♖                   │
║  Bob                  +0.35    5:01║ │  王者                          5:00│
╚════════════════════════════════════╝ └────────────────────────────────────┘
    # White        Clock Black        Clock    Eval Last move     State
    1 Old Ann       5:00 Bob           5:01   +0.20 2... Nc6      0-1 Black win…







↑↓ select  Enter open  b boards/table  p pause  : order  ? help  q quit";
    let seen = screen(&mut sample_state());
    assert_eq!(seen, expected, "\n{seen}");
}

#[test]
fn the_overview_is_a_table_on_request() {
    let mut state = sample_state();
    type_in(&mut state, "b");
    let seen = screen(&mut state);
    let expected = "    # White        Clock Black        Clock    Eval Last move     State
    2 Bob           5:01 王者          4:58   +0.35 3. Bb5        Black 3.2 s
    3 王者          5:00 Old Ann       5:00                       paused
    1 Old Ann       5:00 Bob           5:01   +0.20 2... Nc6      0-1 Black win…
";
    assert!(seen.contains(expected), "\n{seen}");
    let wide = lines(&drawn(&mut state, 200, 60)).join("\n");
    assert!(wide.contains("0-1 Black wins on time"), "\n{wide}");
    assert!(wide.contains("Ruy Lopez"), "\n{wide}");
    type_in(&mut state, "b");
    assert!(screen(&mut state).contains("╔ Game 2 · Ruy Lopez ═"));
}

#[test]
fn a_game_shows_its_board_moves_and_thoughts() {
    let mut state = sample_state();
    press(&mut state, &[KeyCode::Enter]);
    let expected = "\
Autumn Cup · 300+3 · 1 of 6 games finished, 2 in progress                running
 1 Games   2 Game 2   3 Standings   4 Schedule   5 Log
▶ 王者          4:58  Game 2, round 1
  8 ♜ · ♝ ♛ ♚ ♝ ♞ ♜   Ruy Lopez
  7 ♟ ♟ ♟ ♟ · ♟ ♟ ♟   Black thinks for 3.2 s
  6   · ♞ ·   ·   ·   White +0.35 d20 1.2Mn 1.5 s Bb5 a6
▃ 5 · ♗ ·   ♟   ·     Black +0.20 d20 1.2Mn 1.5 s Nc6 a6
█ 4   ·   · ♙ ·   ·
█ 3 ·   ·   · ♘ ·
█ 2 ♙ ♙ ♙ ♙   ♙ ♙ ♙     1. e4       e5
█ 1 ♖ ♘ ♗ ♕ ♔   · ♖     2. Nf3      Nc6
    a b c d e f g h     3. Bb5
  Bob           5:01
Evaluation: what is filled is White's part";
    let seen = screen(&mut state);
    assert!(seen.starts_with(expected), "\n{seen}");
    // A large screen has a large board.
    let large = lines(&drawn(&mut state, 200, 60)).join("\n");
    assert!(
        large.contains("8   ♜     ·     ♝     ♛     ♚     ♝     ♞     ♜"),
        "\n{large}"
    );
    // Back to the position before Bb5, and to the start.
    press(&mut state, &[KeyCode::Left]);
    let back = screen(&mut state);
    assert!(
        back.contains("after 2... Nc6, 1.5 s") && back.contains("1 ♖ ♘ ♗ ♕ ♔ ♗ · ♖"),
        "\n{back}"
    );
    press(&mut state, &[KeyCode::Home]);
    let start = screen(&mut state);
    assert!(
        start.contains("in the opening") && start.contains("2 ♙ ♙ ♙ ♙ ♙ ♙ ♙ ♙"),
        "\n{start}"
    );
    press(&mut state, &[KeyCode::End, KeyCode::Down, KeyCode::Down]);
    let ended = screen(&mut state);
    assert!(
        ended.contains("Game 1, round 1") && ended.contains("0-1 Black wins on time"),
        "\n{ended}"
    );
    press(&mut state, &[KeyCode::Esc]);
    assert_eq!(state.tab, Tab::Games);
}

#[test]
fn a_game_shows_what_its_players_run_on() {
    let mut state = sample_state();
    press(&mut state, &[KeyCode::Enter]);
    let game = state.view.games.get_mut(&2).expect("in progress");
    let machine = "abacus\u{1b}, 1 thread".to_owned();
    game.game.conditions.equipment[1].machine = Some(machine);
    let seen = screen(&mut state);
    let expected = "
  7 ♟ ♟ ♟ ♟ · ♟ ♟ ♟   Black thinks for 3.2 s
  6   · ♞ ·   ·   ·   Black: abacus?, 1 thread
▃ 5 · ♗ ·   ♟   ·     White +0.35 d20 1.2Mn 1.5 s Bb5 a6
";
    assert!(seen.contains(expected), "\n{seen}");
}

#[test]
fn the_standings_have_a_cross_table() {
    let mut state = sample_state();
    type_in(&mut state, "3");
    let seen = screen(&mut state);
    let expected = "\
Rank Name                    Points Games    +    =    - Score %      Elo     SB
   1 Bob                        1.0     1    1    0    0   100.0        -   0.00
   2 Old Ann                    0.0     1    0    0    1     0.0        -   0.00
   2 王者                       0.0     0    0    0    0       -        -   0.00
Old Ann forfeited 1 of 1 games, which the Elo figures leave out: 1 time

    Cross table   1   2   3
  1 Bob           x   1   *
  2 Old Ann       0   x   *
  3 王者          *   *   x
";
    assert!(seen.contains(expected), "\n{seen}");
}

#[test]
fn the_schedule_lists_all_games() {
    let mut state = sample_state();
    type_in(&mut state, "4");
    let seen = screen(&mut state);
    let expected = "
     #   Round White         Black          Plies     Ended Result
     1     1.1 Old Ann       Bob                4  10:00:00 0-1 Black wins on t…
     2     1.2 Bob           王者               5           in progress
     3     1.3 王者          Old Ann            3           paused
     4     2.1 Bob           Old Ann
     5     2.2 王者          Bob
     6     2.3 Old Ann       王者
";
    assert!(seen.contains(expected), "\n{seen}");
    press(&mut state, &[KeyCode::End, KeyCode::Enter]);
    assert!(screen(&mut state).contains("Game 6 has not begun."));
}

#[test]
fn the_log_highlights_faults() {
    let mut state = sample_state();
    state.theme = Theme::new(true);
    type_in(&mut state, "5");
    let seen = screen(&mut state);
    let expected = "
10:00:00             The referee of Autumn Cup has started
10:00:00             Bob has signed on
10:00:00 ! game 1    Old Ann - Bob 0-1: Black wins on time
10:00:00 !           Old Ann is disconnected
";
    assert!(seen.contains(expected), "\n{seen}");
    let buffer = drawn(&mut state, 80, 24);
    assert_eq!(buffer[(21, 4)].fg, Color::Red);
    assert_eq!(buffer[(21, 3)].fg, Color::Reset);
    type_in(&mut state, "f");
    let faults = screen(&mut state);
    assert!(
        !faults.contains("signed on") && faults.contains("is disconnected"),
        "\n{faults}"
    );
}

/// Without colours nothing is coloured, and what is selected is told by other means.
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
    for line in super::overlay::HELP.lines() {
        assert!(seen.contains(&format!("│ {line}")), "{line}\n{seen}");
    }
}

/// An event that is stopped or whose referee was killed says so, and its clocks stand still.
#[test]
fn clocks_stand_still_without_a_referee() {
    let mut state = sample_state();
    state.take_in(Feed::Waiting("no referee is running".to_owned()));
    let seen = screen(&mut state);
    assert!(
        seen.lines()
            .next()
            .is_some_and(|line| line.ends_with("no referee is running"))
    );
    assert!(
        seen.contains("▶ 王者                 +0.20    5:01"),
        "\n{seen}"
    );
    state.take_in(Feed::Connected);
    let end = sample::event(json!({"event": "end", "why": "stopped"}));
    state.take_in(Feed::Events(vec![end]));
    assert!(screen(&mut state).contains("ended: stopped\n"));
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

const SIX: [&str; 6] = ["Old Ann", "Bob", "王者", "Dee", "Eve", "Fay"];

/// A view of an event whose schedule grows, at its tab of pairings.
fn grown_state(script: Script) -> State {
    let mut state = State::new("cup".to_owned(), true, Theme::new(false));
    state.zone = TimeZone::UTC;
    state.view = script.view;
    state.waiting = None;
    state.tab = Tab::Schedule;
    state
}

#[test]
fn rounds_show_boards_and_byes() {
    let before = screen(&mut grown_state(Script::new(swiss(3), &SIX[..5], 2, 3)));
    assert!(
        before.contains("The first round is paired when the players are there."),
        "\n{before}"
    );
    let mut state = grown_state(Script::new(swiss(3), &SIX[..5], 2, 3).steps(24));
    let seen = screen(&mut state);
    let expected = "\
Autumn Cup · 300+3 · round 3 of 3, 10 games finished, 1 in progress      running
 1 Games   2 Game 11   3 Standings   4 Rounds   5 Log
Round 3 of 3   This is the last round.
Board White               Points  Result   Points Black               Games
    1 Eve                      3   1½-½    2      Dee                 9-10
    2 王者                    2½     *     2½     Bob                 11-12
Bye: Old Ann (2 points)
";
    assert!(seen.contains(expected), "\n{seen}");
    assert!(
        seen.ends_with("\n↑↓ select  ←→ round  Enter open  p pause  : order  ? help  q quit"),
        "\n{seen}"
    );
    press(&mut state, &[KeyCode::Left]);
    let earlier = screen(&mut state);
    let expected = "
Round 2 of 3   ← → other rounds
Board White               Points  Result   Points Black               Games
    1 Bob                     1½    1-1    2      Eve                 5-6
    2 Dee                      ½   1½-½    ½      Old Ann             7-8
Bye: 王者 (1 point)
";
    assert!(earlier.contains(expected), "\n{earlier}");
    press(&mut state, &[KeyCode::Down, KeyCode::Enter]);
    assert_eq!((state.tab, state.selected()), (Tab::Game, Some(8)));
    press(&mut state, &[KeyCode::Esc, KeyCode::Right]);
    assert_eq!(
        (state.round, state.selected()),
        (None, Some(10)),
        "the latest round"
    );
    type_in(&mut state, "3");
    let standings = screen(&mut state);
    let expected = "
Rank Name              Points Byes Games    +    =    - Score % BH-C1   BH    SB
   1 Eve                  4.5  2.0     4    2    1    1    62.5   5.5  8.0 12.25
";
    assert!(standings.contains(expected), "\n{standings}");
    assert!(!standings.contains("Cross table"), "\n{standings}");
}

#[test]
fn a_bracket_is_drawn() {
    let before = screen(&mut grown_state(Script::new(knockout(1), &SIX, 2, 3)));
    assert!(
        before.contains("The first round is paired when the players are there."),
        "\n{before}"
    );
    let mut state = grown_state(Script::new(knockout(1), &SIX, 2, 3).steps(14));
    let expected = "\
Autumn Cup · 300+3 · semifinal, 5 games finished, 1 in progress          running
 1 Games   2 Game 5   3 Standings   4 Bracket   5 Log
Quarterfinal            Semifinal               Final
 1 Old Ann
   bye               ─┐  1 Old Ann         0*
                      ├─ 5 Eve             0 ─┐
 4 Dee             ½ ─┘                       │
 5 Eve            1½                          │    Old Ann or Eve
                                              ├─   Bob or 王者
 2 Bob                                        │
   bye               ─┐  2 Bob             ½ ─┘ Third place
                      ├─ 3 王者            ½       ?
 3 王者           1½ ─┘                            ?
 6 Fay             ½
";
    let seen = screen(&mut state);
    assert!(seen.contains(expected), "\n{seen}");
    assert!(
        seen.contains("\nSemifinal, Old Ann - Eve, games 5 6\n"),
        "\n{seen}"
    );
    // Terminals without these lines get plain signs.
    type_in(&mut state, "u");
    let plain = screen(&mut state);
    assert!(
        plain.contains(
            "   bye               -+  1 Old Ann         0*\n                      +- 5 Eve"
        ),
        "\n{plain}"
    );
}

#[test]
fn matches_are_selected_by_keys() {
    let mut state = grown_state(Script::new(knockout(1), &SIX, 2, 3).steps(14));
    press(&mut state, &[KeyCode::Down, KeyCode::Enter]);
    assert_eq!((state.tab, state.selected()), (Tab::Game, Some(7)));
    press(&mut state, &[KeyCode::Esc, KeyCode::Right]);
    assert!(screen(&mut state).contains("\nFinal, not known yet\n"));
    for key in [KeyCode::Enter, KeyCode::Char('p')] {
        press(&mut state, &[key]);
        let seen = screen(&mut state);
        assert!(
            seen.contains("no game of this match has been paired"),
            "\n{seen}"
        );
    }
    press(&mut state, &[KeyCode::Down]);
    assert!(screen(&mut state).contains("\nThird place, not known yet\n"));
    press(&mut state, &[KeyCode::Left, KeyCode::Left, KeyCode::End]);
    let seen = screen(&mut state);
    assert!(
        seen.contains("\nQuarterfinal, 王者 - Fay, games 3 4: won by 王者\n"),
        "\n{seen}"
    );
    let buffer = drawn(&mut state, 80, 24);
    let is_reversed = |line| buffer[(1, line)].modifier.contains(Modifier::REVERSED);
    assert!(is_reversed(12) && is_reversed(13) && !is_reversed(9));
}

/// What does not fit is reached by the arrow keys.
#[test]
fn large_brackets_scroll() {
    let names: Vec<_> = (1..=20).map(|number| format!("Player {number}")).collect();
    let mut state = grown_state(Script::new(knockout(1), &names, 2, 3).steps(60));
    let seen = screen(&mut state);
    assert!(
        seen.contains("\nRound of 32                Round of 16                Quarterfinal\n"),
        "\n{seen}"
    );
    assert!(seen.contains("\n 1 Player 1\n"), "\n{seen}");
    press(&mut state, &[KeyCode::Right; 3]);
    let seen = screen(&mut state);
    assert!(
        seen.contains("\nQuarterfinal               Semifinal                  Final\n"),
        "\n{seen}"
    );
    press(&mut state, &[KeyCode::Left; 4]);
    press(&mut state, &[KeyCode::End]);
    let seen = screen(&mut state);
    assert!(
        seen.contains("\nRound of 32, Player 11 has a bye\n") && seen.contains("\n 3 Player 3\n"),
        "\n{seen}"
    );
}

#[test]
fn the_standings_of_a_knockout_say_how_far_players_came() {
    let mut state = grown_state(Script::new(knockout(1), &SIX, 2, 3).steps(400));
    assert!(screen(&mut state).contains("Third place, Eve - 王者, games 13 14 15 16: won by 王者"));
    type_in(&mut state, "3");
    let expected = "
Rank Name              Points Games    +    =    - Score %      Elo      Reached
   1 Old Ann              4.5     6    4    1    1    75.0 +191±336       winner
   2 Bob                  1.5     4    1    1    2    37.5      -89        final
   3 王者                 5.0     8    4    2    2    62.5  +89±243      place 3
   4 Eve                  4.0    10    3    2    5    40.0  -70±178      place 4
   5 Dee                  0.5     2    0    1    1    25.0   -191±0 quarterfinal
";
    let seen = screen(&mut state);
    assert!(seen.contains(expected), "\n{seen}");
}

#[test]
fn a_ladder_shows_ratings_and_their_courses() {
    let mut state = grown_state(Script::new(ladder(None), &SIX, 2, 3).steps(300));
    let schedule = screen(&mut state);
    assert!(
        schedule.contains(
            "\nWhoever is there is paired as soon as it is free. The ladder has no end.\n"
        ),
        "\n{schedule}"
    );
    type_in(&mut state, "3");
    let expected = "
Rank Name              Rating     ± Course         Games    +    =    - Now
   1 Bob                 2580 fixed ▅▅▅▅▅▅▅▅▅▅▅▅▅▅    42   19   12   11
   2 Old Ann             2569   101 ▇▁▃▅▅▃▃▂▃▃▅▆██    47   17   19   11 game 120
";
    let seen = screen(&mut state);
    assert!(seen.contains(expected), "\n{seen}");
    assert!(!seen.contains("Cross table"), "\n{seen}");
    type_in(&mut state, "u");
    let plain = screen(&mut state);
    assert!(plain.contains(" 101 '_.--.._..--''    47 "), "\n{plain}");
    // With more room there is the score too, with less fewer columns.
    let wide = lines(&drawn(&mut state, 100, 24)).join("\n");
    assert!(wide.contains("Score % Now"), "\n{wide}");
    let narrow = lines(&drawn(&mut state, 60, 24)).join("\n");
    assert!(
        narrow.contains("Rating     ± Course         Now"),
        "\n{narrow}"
    );
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
