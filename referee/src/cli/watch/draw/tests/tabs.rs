//! The tabs of an event whose schedule is known from the start: games, one game, standings, schedule and log.

use ratatui::crossterm::event::KeyCode;
use ratatui::style::Color;
use serde_json::json;

use super::{drawn, lines, press, sample_state, screen, type_in};
use crate::cli::watch::draw::theme::Theme;
use crate::cli::watch::sample;
use crate::cli::watch::source::Feed;
use crate::cli::watch::state::Tab;

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
