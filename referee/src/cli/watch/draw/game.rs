//! One game: board, clocks, moves, what the players think.

use jiff::Timestamp;
use movegen::Color;
use movegen::pgn::Ply;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Paragraph, Wrap};
use referee::event::stream::HalfMove;
use referee::event::view::GameView;

use super::board::{Scale, with_coordinates};
use super::evaluation as bars;
use super::text::{
    clock, count, cut, duration, evaluation, fit, for_white, last_evaluation, mover, name,
    numbered, result, safe, thinking_time, time_left,
};
use super::theme::{SELECTED, STRONG, Theme};
use super::window::window;
use crate::cli::watch::state::State;

/// The lines above and below the board: the players.
const PLAYER: u16 = 1;
/// The columns of the bar beside the board.
const BAR: u16 = 2;
/// The lines of the graph and its title, where there is room.
const GRAPH: u16 = 9;
/// The hardware of the players is shown beside boards of at least so many lines.
const ROOM_FOR_MACHINES: u16 = 10;
/// The columns that texts beside the board need.
const TEXT: u16 = 34;

pub fn draw(frame: &mut Frame, state: &State, area: Rect, now: Timestamp) {
    let Some(game) = state.selected_game() else {
        frame.render_widget(missing(state), area);
        return;
    };
    // Beside the board there is text, and below it the graph.
    let scale = Scale::fitting(
        area.width.saturating_sub(BAR + TEXT),
        area.height.saturating_sub(2 * PLAYER + GRAPH),
    );
    let (plies, seen) = shown_plies(state, game);
    let board_width = BAR + scale.width();
    let [left, _, right] = Layout::horizontal([
        Constraint::Length(board_width),
        Constraint::Length(2),
        Constraint::Fill(1),
    ])
    .areas(area);
    let [board, graph] = Layout::vertical([
        Constraint::Length(scale.height() + 2 * PLAYER),
        Constraint::Fill(1),
    ])
    .areas(left);
    draw_board(frame, state, game, &plies[..seen], (board, scale), now);
    let is_stepped = seen < plies.len();
    let facts = facts(state, game, is_stepped.then_some(seen), now);
    let height = facts.height() as u16;
    // The graph is as wide as the screen where it stands below everything.
    let below = Rect {
        width: area.width,
        ..graph
    };
    let right = Rect {
        height: right.height.min(board.height),
        ..right
    };
    let machines = machines(state, game, right.height);
    let [top, machines_area, searches, moves] = Layout::vertical([
        Constraint::Length(height),
        Constraint::Length(machines.height() as u16),
        Constraint::Length(thoughts_height(right)),
        Constraint::Fill(1),
    ])
    .areas(right);
    frame.render_widget(facts, top);
    frame.render_widget(machines, machines_area);
    frame.render_widget(thoughts(state, game, seen), searches);
    draw_moves(frame, state, game, seen, moves);
    draw_graph(frame, state, game, seen, below);
}

/// What is said where there is no game to show.
fn missing(state: &State) -> Text<'static> {
    let text = match state.selected() {
        Some(game) if state.view.ends.contains_key(&game) => {
            format!(
                "Game {game} ended before this view began or long ago: games.pgn has its moves."
            )
        }
        Some(game) => format!("Game {game} has not begun."),
        None => "No game has begun.".to_owned(),
    };
    let lines = vec![
        Line::raw(""),
        Line::styled(text, state.theme.dim()).centered(),
    ];
    lines.into()
}

/// All half-moves, those of the opening included, and how many of them are shown.
fn shown_plies(state: &State, game: &GameView) -> (Vec<Ply>, usize) {
    let (plies, _) = game.plies();
    let seen = state.ply.map_or(plies.len(), |ply| ply.min(plies.len()));
    (plies, seen)
}

/// The move of a player after which so many half-moves have been made.
fn shown_move(game: &GameView, seen: usize) -> Option<&HalfMove> {
    game.game
        .moves
        .iter()
        .find(|half_move| half_move.ply == seen)
}

fn draw_board(
    frame: &mut Frame,
    state: &State,
    game: &GameView,
    plies: &[Ply],
    (area, scale): (Rect, Scale),
    now: Timestamp,
) {
    let mut position = game.start();
    for ply in plies {
        position.play(ply.mv);
    }
    let last = plies.last().map(|ply| ply.mv);
    let squares = with_coordinates(&position, last, scale, state.theme);
    let [top, middle, bottom] = Layout::vertical([
        Constraint::Length(PLAYER),
        Constraint::Length(scale.height()),
        Constraint::Length(PLAYER),
    ])
    .areas(area);
    for (line, side) in [(top, Color::Black), (bottom, Color::White)] {
        frame.render_widget(player(state, game, side, line.width.into(), now), line);
    }
    let [bar, board] =
        Layout::horizontal([Constraint::Length(BAR), Constraint::Fill(1)]).areas(middle);
    let shown = shown_move(game, plies.len());
    let eval = shown.and_then(|shown| Some(for_white(shown.eval?, mover(game, shown))));
    let eval = eval.or_else(|| last_evaluation(game, !game.turn()).filter(|_| state.ply.is_none()));
    // The letters of the files have no bar beside them.
    frame.render_widget(bars::bar(eval, bar.height - 1, state.theme), bar);
    frame.render_widget(Text::from(squares), board);
}

/// A player and its clock.
fn player(
    state: &State,
    game: &GameView,
    side: Color,
    width: usize,
    now: Timestamp,
) -> Line<'static> {
    let (sign, style) = match thinking_time(game, side, now) {
        Some(_) => ("▶ ", state.theme.running()),
        None => ("  ", STRONG),
    };
    let time = clock(time_left(game, side, now));
    let room = width.saturating_sub(2 + time.len() + 1);
    Line::from(vec![
        Span::styled(sign, style),
        Span::styled(fit(name(game, side), room), STRONG),
        Span::styled(format!(" {time}"), style),
    ])
}

/// What the game is, and how it stands, now or after the half-moves to which the user has stepped back.
fn facts(state: &State, game: &GameView, stepped: Option<usize>, now: Timestamp) -> Text<'static> {
    let theme = state.theme;
    let report = &game.game;
    let round = format!("Game {}, round {}", report.game, safe(&report.round));
    let mut lines = vec![Line::styled(round, theme.heading())];
    if let Some(opening) = &report.opening {
        lines.push(Line::raw(safe(opening)));
    }
    lines.push(match (&game.end, stepped) {
        (_, Some(seen)) => {
            let text = shown_move(game, seen).map_or_else(
                || "in the opening".to_owned(),
                |shown| {
                    format!(
                        "after {}, {}",
                        numbered(game, shown),
                        duration(shown.elapsed_ms)
                    )
                },
            );
            Line::styled(text, theme.running())
        }
        (Some(end), None) => {
            let style = match end.verdict {
                Some(_) => theme.fault(),
                None => theme.good(),
            };
            Line::styled(safe(&result(end)), style)
        }
        (None, None) if report.is_paused => Line::styled("paused by the arbiter", theme.fault()),
        (None, None) => {
            let side = game.turn();
            let text = match thinking_time(game, side, now) {
                Some(time) => format!("{side:?} thinks for {}", duration(time)),
                None => "no clock runs".to_owned(),
            };
            Line::raw(text)
        }
    });
    lines.into()
}

/// The hardware of the players, if it fits.
fn machines(state: &State, game: &GameView, height: u16) -> Text<'static> {
    let sides = [Color::White, Color::Black].into_iter();
    let sides = sides.filter(|_| height >= ROOM_FOR_MACHINES);
    let lines = sides.filter_map(|side| {
        let line = game.game.conditions.line(side)?;
        Some(Line::styled(
            format!("{side:?}: {}", safe(&line)),
            state.theme.dim(),
        ))
    });
    lines.collect::<Vec<_>>().into()
}

/// The lines for the thoughts of both players.
const fn thoughts_height(area: Rect) -> u16 {
    if area.height >= 16 { 6 } else { 4 }
}

/// What each player last said of its search: evaluation for White, depth, nodes, and its line.
fn thoughts(state: &State, game: &GameView, seen: usize) -> Paragraph<'static> {
    let moves = game.game.moves.iter().rev();
    let mut moves = moves.filter(|half_move| half_move.ply <= seen);
    let last = moves.next();
    let before = moves.next();
    let mut lines = Vec::new();
    for half_move in [last, before].into_iter().flatten() {
        lines.push(thought(state.theme, game, half_move));
    }
    Paragraph::new(lines).wrap(Wrap { trim: true })
}

fn thought(theme: Theme, game: &GameView, half_move: &HalfMove) -> Line<'static> {
    let side = mover(game, half_move);
    let eval = half_move.eval.map(|eval| evaluation(for_white(eval, side)));
    let search = &half_move.search;
    let depth = search.depth.map(|depth| format!("d{depth}"));
    let nodes = search.nodes.map(|nodes| format!("{}n", count(nodes)));
    let has_thought = eval.is_some() || depth.is_some() || nodes.is_some();
    let time = has_thought.then(|| duration(half_move.elapsed_ms));
    let effort: Vec<_> = [depth, nodes, time].into_iter().flatten().collect();
    let pv: Vec<_> = search.pv.iter().map(|san| safe(san)).collect();
    Line::from(vec![
        Span::styled(format!("{side:?} "), STRONG),
        Span::styled(
            eval.unwrap_or_else(|| "no evaluation".to_owned()),
            theme.running(),
        ),
        Span::styled(format!(" {}", effort.join(" ")), theme.dim()),
        Span::raw(format!(" {}", pv.join(" "))),
    ])
}

/// The moves of the game, a move of each side a line, with the shown one in the middle.
fn draw_moves(frame: &mut Frame, state: &State, game: &GameView, seen: usize, area: Rect) {
    let theme = state.theme;
    let start = game.start();
    let offset = usize::from(start.turn() == Color::Black);
    let sans: Vec<_> = sans(game);
    let pairs = (sans.len() + offset).div_ceil(2);
    let columns = usize::from(area.width / MOVES).max(1);
    let place = (seen + offset).checked_sub(1).map(|place| place / 2);
    let room = usize::from(area.height);
    let seen_pairs = window(place, pairs, room * columns);
    for (i, pair) in seen_pairs.enumerate() {
        let number = usize::from(start.fullmove_number()) + pair;
        let mut spans = vec![Span::styled(format!("{number:>3}. "), theme.dim())];
        for half in 0..2 {
            let place = (2 * pair + half).checked_sub(offset);
            let san = match place {
                None => "...",
                Some(place) => sans.get(place).map_or("", String::as_str),
            };
            let is_shown = place.is_some_and(|place| place + 1 == seen);
            let style = if is_shown {
                SELECTED
            } else {
                ratatui::style::Style::new()
            };
            spans.push(Span::styled(cut(san, 8), style));
            spans.push(Span::raw(
                " ".repeat(9usize.saturating_sub(san.len()).max(1)),
            ));
        }
        let line = Rect {
            x: area.x + (i / room) as u16 * MOVES,
            y: area.y + (i % room) as u16,
            width: MOVES.min(area.width),
            height: 1,
        };
        frame.render_widget(Line::from(spans), line);
    }
}

/// The columns of a move of each side.
const MOVES: u16 = 24;

/// All moves, those of the opening included.
fn sans(game: &GameView) -> Vec<String> {
    let opening = game.game.opening_moves.iter();
    let moves = game.game.moves.iter().map(|half_move| &half_move.san);
    opening.chain(moves).map(|san| safe(san)).collect()
}

fn draw_graph(frame: &mut Frame, state: &State, game: &GameView, seen: usize, area: Rect) {
    if area.height < 3 {
        return;
    }
    let [title, area] = Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]).areas(area);
    let has_evaluations = game
        .game
        .moves
        .iter()
        .any(|half_move| half_move.eval.is_some());
    let text = if has_evaluations {
        "Evaluation: what is filled is White's part"
    } else {
        "The players send no evaluations"
    };
    frame.render_widget(Line::styled(text, state.theme.dim()), title);
    let size = (area.width, area.height.min(GRAPH - 1));
    let graph = bars::graph(game, Some(seen), size, state.theme);
    frame.render_widget(graph, area);
}
