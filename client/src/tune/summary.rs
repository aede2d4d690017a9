//! What is printed about a run.

use std::fmt::Write;

use super::params::{Kind, Param, number};
use super::state::State;
use crate::cli::Printed;
use crate::text::{grouped, grouped_count, trimmed};

/// The text for standard output.
pub fn text(state: &State, printed: Printed) -> String {
    match printed {
        Printed::Table => table(state),
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
        // No -0.00.
        let change = (change * 100.0).round() / 100.0 + 0.0;
        rows.push([
            param.name.clone(),
            number(param.start),
            shown(param, value),
            format!("{change:+.2} c_end"),
            format!("{}..{}", number(param.min), number(param.max)),
        ]);
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..5).map(|column| width(column).unwrap_or(0)).collect();
    let (done, all) = (grouped(state.finished()), state.spsa.iterations());
    let mut text = format!(
        "{}: {done} of {}; {}\n\n",
        state.head.engine,
        grouped_count(all, "iteration", "iterations"),
        score(state)
    );
    for row in &rows {
        let [name, rest @ .., range] = row;
        let _ = write!(text, "{name:<0$}", widths[0]);
        for (cell, width) in rest.iter().zip(&widths[1..]) {
            let _ = write!(text, "  {cell:>width$}");
        }
        let _ = writeln!(text, "  {range}");
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
