//! Events whose schedule grows: the rounds of a Swiss event, the bracket of a knockout, the ratings of a ladder.

use ratatui::crossterm::event::KeyCode;
use ratatui::style::Modifier;

use super::{drawn, grown_state, lines, press, screen, type_in};
use crate::cli::watch::sample::script::{Script, knockout, ladder, swiss};
use crate::cli::watch::state::Tab;

const SIX: [&str; 6] = ["Old Ann", "Bob", "王者", "Dee", "Eve", "Fay"];

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
   5 Dee                  0.5     2    0    1    1    25.0     -191 quarterfinal
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
    // With more room there is the score too, with less room fewer columns.
    let wide = lines(&drawn(&mut state, 100, 24)).join("\n");
    assert!(wide.contains("Score % Now"), "\n{wide}");
    let narrow = lines(&drawn(&mut state, 60, 24)).join("\n");
    assert!(
        narrow.contains("Rating     ± Course         Now"),
        "\n{narrow}"
    );
}
