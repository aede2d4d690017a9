//! The bracket of a knockout event, in columns of rounds.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span, Text};
use referee::event::view::rounds::{GameState, Knockouts};
use referee::schedule::knockout::{Decision, Match};

use super::text::{cut, fit, player, points, width};
use super::theme::{SELECTED, STRONG};
use super::window::window;
use crate::cli::watch::state::State;

/// The columns for a match, from the fewest to the most.
const WIDTHS: (usize, usize) = (18, 30);
/// The columns for the lines to the next round.
const LINES: usize = 3;
/// The lines of a match of the first round on the screen, with the empty one below.
const HEIGHT: usize = 3;
/// The match for the third place is so many lines below the final, with its heading above.
const THIRD: usize = 4;

/// A bracket on a screen of a certain width.
struct Sheet<'k> {
    state: &'k State,
    knockout: &'k Knockouts,
    /// The matches of each round.
    rounds: Vec<Vec<&'k Match>>,
    selected: (usize, usize),
    /// The first round on the screen, from 0, and the number of rounds there.
    first: usize,
    count: usize,
    /// The columns of a match.
    width: usize,
}

pub fn draw(frame: &mut Frame, state: &State, area: Rect) {
    let theme = state.theme;
    let Some(knockout) = state.view.knockout() else {
        let outlook = state.view.outlook().unwrap_or_default();
        frame.render_widget(
            Line::styled(cut(&outlook, area.width.into()), theme.dim()),
            area,
        );
        return;
    };
    let sheet = Sheet::new(state, &knockout, area.width.into());
    let [heading, matches, detail] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Fill(1),
        Constraint::Length(1),
    ])
    .areas(area);
    frame.render_widget(Line::styled(sheet.heading(), theme.heading()), heading);
    let (round, place) = sheet.selected;
    let middle = sheet.line(round, place) + 1;
    let seen = window(Some(middle), sheet.lines(), matches.height.into());
    let lines: Text = seen.map(|line| sheet.draw_line(line)).collect();
    frame.render_widget(lines, matches);
    frame.render_widget(Line::raw(cut(&sheet.detail(), detail.width.into())), detail);
}

impl<'k> Sheet<'k> {
    fn new(state: &'k State, knockout: &'k Knockouts, columns: usize) -> Self {
        let rounds = State::matches(knockout);
        let room = (columns + LINES) / rounds.len().max(1);
        let names = knockout
            .seeds
            .iter()
            .map(|&seed| width(player(&state.view, seed)));
        // After the seed: a name with its points, or `Ann or Bob`.
        let name = names.max().unwrap_or(0);
        let needed = 3 + (name + 5).max(2 * name + " or ".len());
        let most = WIDTHS.1.min(needed.max(WIDTHS.0));
        let width = room.saturating_sub(LINES).clamp(WIDTHS.0, most);
        let count = ((columns + LINES) / (width + LINES)).clamp(1, rounds.len().max(1));
        // If not all rounds fit, those on the screen share the whole width.
        let width = ((columns + LINES) / count)
            .saturating_sub(LINES)
            .clamp(width, most);
        let selected = state.selected_match(knockout);
        let first = window(Some(selected.0), rounds.len(), count).start;
        Self {
            state,
            knockout,
            rounds,
            selected,
            first,
            count,
            width,
        }
    }

    /// The rounds on the screen.
    fn seen(&self) -> impl Iterator<Item = usize> {
        self.first..self.first + self.count
    }

    fn is_third_place(&self, round: usize, place: usize) -> bool {
        round + 1 == self.rounds.len() && place == 1
    }

    /// The first of the two lines of a match.
    fn line(&self, round: usize, place: usize) -> usize {
        if self.is_third_place(round, place) {
            return self.line(round, 0) + THIRD;
        }
        let height = HEIGHT << round.saturating_sub(self.first);
        place * height + (height - HEIGHT) / 2
    }

    /// The number of all lines.
    fn lines(&self) -> usize {
        let matches = self.seen().flat_map(|round| {
            let places = 0..self.rounds[round].len();
            places.map(move |place| (round, place))
        });
        let ends = matches.map(|(round, place)| self.line(round, place) + 2);
        ends.max().unwrap_or(0)
    }

    /// The names of the rounds.
    fn heading(&self) -> String {
        let names = self.seen().map(|round| {
            let name = self.knockout.bracket.round_name(round + 1);
            fit(&capital(&name), self.width + LINES)
        });
        names.collect::<String>().trim_end().to_owned()
    }

    fn draw_line(&self, line: usize) -> Line<'static> {
        let spans = self.seen().flat_map(|round| {
            let lines = if round + 1 < self.first + self.count {
                self.connection(round, line)
            } else {
                ""
            };
            [
                self.cell(round, line),
                Span::styled(lines, self.state.theme.dim()),
            ]
        });
        spans.collect::<Vec<_>>().into()
    }

    /// What a round has on a line.
    fn cell(&self, round: usize, line: usize) -> Span<'static> {
        let blank = || Span::raw(" ".repeat(self.width));
        for (place, one) in self.rounds[round].iter().enumerate() {
            let first = self.line(round, place);
            if self.is_third_place(round, place) && line + 1 == first {
                return Span::styled(fit("Third place", self.width), self.state.theme.heading());
            }
            if let Some(side) = line.checked_sub(first).filter(|side| *side < 2) {
                let (text, style) = self.side(one, (round, place), side);
                let style = if (round, place) == self.selected {
                    style.patch(SELECTED)
                } else {
                    style
                };
                return Span::styled(text, style);
            }
        }
        blank()
    }

    /// A player of a match: ` 1 Ann      1½`.
    fn side(&self, one: &Match, (round, place): (usize, usize), side: usize) -> (String, Style) {
        let theme = self.state.theme;
        let Some(number) = one.players[side] else {
            let text = format!("   {}", self.awaited(one, (round, place), side));
            return (fit(&text, self.width), theme.dim());
        };
        let games = self.state.view.games_of_match(one);
        let is_running = games.iter().any(|game| game.state == GameState::Running);
        let score = if games.is_empty() {
            String::new()
        } else {
            points(one.half_points[side] as f64 / 2.0)
        };
        let mark = if is_running && side == 0 { "*" } else { " " };
        let seed = self.knockout.seed(number).unwrap_or(0);
        let name = fit(
            player(&self.state.view, number),
            self.width.saturating_sub(8),
        );
        let text = format!("{seed:>2} {name}{score:>4}{mark}");
        let style = match one.winner {
            Some(winner) if winner == number => STRONG,
            Some(_) => theme.dim(),
            None if is_running => theme.running(),
            None => Style::new(),
        };
        (fit(&text, self.width), style)
    }

    /// Who may come to a place that is empty so far.
    fn awaited(&self, one: &Match, (round, place): (usize, usize), side: usize) -> String {
        if one.is_settled[side] {
            return if round == 0 { "bye" } else { "-" }.to_owned();
        }
        if self.is_third_place(round, place) {
            return "?".to_owned();
        }
        let feeder = self.knockout.feeder(round + 1, place, side);
        match feeder.map(|feeder| feeder.players) {
            Some([Some(first), Some(second)]) => {
                let name = |number| player(&self.state.view, number);
                format!("{} or {}", name(first), name(second))
            }
            _ => "?".to_owned(),
        }
    }

    /// The lines from the matches of a round to the next one.
    fn connection(&self, round: usize, line: usize) -> &'static str {
        let [upper, middle, lower, between] = if self.state.theme.has_letters {
            ["-+ ", " +-", "-+ ", " | "]
        } else {
            ["─┐ ", " ├─", "─┘ ", " │ "]
        };
        for place in 0..self.rounds[round].len() / 2 {
            let (from, to) = (
                self.line(round, 2 * place) + 1,
                self.line(round, 2 * place + 1),
            );
            let joint = self.line(round + 1, place) + 1;
            if line == joint {
                return middle;
            }
            if line == from {
                return upper;
            }
            if line == to {
                return lower;
            }
            if (from..to).contains(&line) {
                return between;
            }
        }
        "   "
    }

    /// The selected match in words.
    fn detail(&self) -> String {
        let (round, place) = self.selected;
        let Some(one) = self
            .rounds
            .get(round)
            .and_then(|matches| matches.get(place))
        else {
            return String::new();
        };
        let title = if self.is_third_place(round, place) {
            "Third place".to_owned()
        } else {
            capital(&self.knockout.bracket.round_name(round + 1))
        };
        let view = &self.state.view;
        let name = |number: usize| player(view, number);
        let players = match one.players {
            [Some(first), Some(second)] => format!("{} - {}", name(first), name(second)),
            [Some(only), None] | [None, Some(only)] => name(only).to_owned(),
            [None, None] => "not known yet".to_owned(),
        };
        let games = view.games_of_match(one);
        let numbers: Vec<_> = games.iter().map(|game| game.number.to_string()).collect();
        let games = match numbers.len() {
            0 => String::new(),
            1 => format!(", game {}", numbers[0]),
            _ => format!(", games {}", numbers.join(" ")),
        };
        let won = one
            .winner
            .map(|winner| format!(": won by {}", name(winner)));
        let won = won.unwrap_or_default();
        let end = match one.how {
            None => won,
            Some(Decision::Bye) => " has a bye".to_owned(),
            Some(Decision::Withdrawal) => format!("{won}, the opponent has withdrawn"),
            Some(Decision::Seed) => format!("{won}, tied and decided by seed"),
        };
        format!("{title}, {players}{games}{end}")
    }
}

/// A name with a capital letter.
fn capital(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}
