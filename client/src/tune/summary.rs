//! What is printed about a run.

use std::fmt::Write;
use std::num::NonZeroU32;

use super::params::{Kind, Param, number};
use super::state::State;
use crate::cli::Printed;
use crate::text::{grouped, grouped_count, trimmed};

/// The Elo difference for each point of the expected score, near one half: the slope of 400 log10(s / (1 - s)).
const ELO_OF_SCORE: f64 = 1600.0 / std::f64::consts::LN_10;

/// The text for standard output.
pub fn text(state: &State, printed: Printed) -> String {
    match printed {
        Printed::Table => table(state),
        Printed::Effects => effects(state),
        Printed::Params => params(state),
        Printed::Setoption => setoption(state),
        Printed::All => [table(state), params(state), setoption(state)].join("\n"),
    }
}

/// A row for each parameter: where it was and is, and by how many steps it moved.
fn table(state: &State) -> String {
    let heading = ["parameter", "start", "now", "change", "range"].map(str::to_owned);
    let mut rows = vec![heading];
    for (param, &value) in state.spsa.params().iter().zip(state.spsa.values()) {
        let change = (value - param.start) / param.c_end;
        rows.push([
            param.name.clone(),
            number(param.start),
            shown(param, value),
            format!("{} c_end", signed(change, 2)),
            format!("{}..{}", number(param.min), number(param.max)),
        ]);
    }
    [heading_of(state), aligned(&rows, &[0, 4])].concat()
}

/// A row for each parameter: what one step more is worth, in Elo or, with a suite, in percent of the score.
fn effects(state: &State) -> String {
    let pairs = state.head.settings.pairs.map_or(1, NonZeroU32::get);
    let (unit, scale) = if state.head.settings.suite.is_some() {
        // The result is twice the difference of the scores.
        ("% score", 50.0)
    } else {
        // The result is four times what the score of a pair is above one half.
        ("Elo", ELO_OF_SCORE / 4.0 / f64::from(pairs))
    };
    let heading = ["parameter", "step", unit, "error"].map(str::to_owned);
    let mut rows = vec![heading];
    let effects = state.effects.solve();
    for (i, param) in state.spsa.params().iter().enumerate() {
        let effect = effects.as_ref().map(|effects| effects[i]);
        let text = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
        rows.push([
            param.name.clone(),
            number(param.c_end),
            text(effect.map(|effect| signed(scale * effect.change, 1))),
            text(effect.map(|effect| format!("{:.1}", scale * effect.error))),
        ]);
    }
    let mut text = [heading_of(state), aligned(&rows, &[0])].concat();
    if effects.is_none() {
        text += "\nthe iterations are too few to tell the parameters apart\n";
    }
    text
}

/// A number with its sign and so many decimals, but never -0.
fn signed(value: f64, decimals: usize) -> String {
    let unit = 10_f64.powi(decimals as i32);
    let value = (value * unit).round() / unit + 0.0;
    format!("{value:+.decimals$}")
}

/// What a run has played, as a heading.
fn heading_of(state: &State) -> String {
    let (done, all) = (grouped(state.finished()), state.spsa.iterations());
    format!(
        "{}: {done} of {}; {}\n\n",
        state.head.engine,
        grouped_count(all, "iteration", "iterations"),
        score(state)
    )
}

/// Rows as lines: some columns flush left, the others flush right.
fn aligned<const N: usize>(rows: &[[String; N]], flush_left: &[usize]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: [usize; N] = std::array::from_fn(|column| width(column).unwrap_or(0));
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().zip(widths).enumerate();
        let cells = cells.map(|(column, (cell, width))| {
            if flush_left.contains(&column) {
                format!("{cell:<width$}")
            } else {
                format!("{cell:>width$}")
            }
        });
        text += cells.collect::<Vec<_>>().join("  ").trim_end();
        text.push('\n');
    }
    text
}

/// The games or the positions of the run, in words.
fn score(state: &State) -> String {
    let games = state.games.iter().sum::<u64>();
    let mut text = match (games, state.solved) {
        (0, [plus, minus]) if plus + minus > 0 => {
            format!("plus solved {}, minus {}", grouped(plus), grouped(minus))
        }
        _ => {
            let games = grouped_count(games, "game", "games");
            format!("{games}, plus against minus {}", state.score())
        }
    };
    if state.faults > 0 {
        let _ = write!(text, ", {}", grouped_count(state.faults, "fault", "faults"));
    }
    text
}

/// A value with the decimals that matter: a hundredth of a step.
fn shown(param: &Param, value: f64) -> String {
    let decimals = (2.0 - param.c_end.log10().floor()).clamp(0.0, 6.0) as usize;
    trimmed(value, decimals.max(usize::from(param.kind == Kind::Real)))
}

fn params(state: &State) -> String {
    lines(state.params_now().iter().map(Param::to_string))
}

fn setoption(state: &State) -> String {
    let line = |param: &Param| {
        let value = param.text(param.start);
        format!("setoption name {} value {value}", param.name)
    };
    lines(state.params_now().iter().map(line))
}

fn lines(lines: impl Iterator<Item = String>) -> String {
    lines.flat_map(|line| [line, "\n".to_owned()]).collect()
}
