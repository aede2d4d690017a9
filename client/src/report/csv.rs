//! The records of a report as comma-separated values (RFC 4180, with line feeds): a line a record
//! and file.

use std::fmt::{Display, Write};

use super::answer::{Answer, Effort};
use super::rows::Row;
use super::summary::Report;

const HEAD: &str = "file,line,id,theme,position,bm,am,status,move,ce,points,most_points,\
                    solution_nodes,solution_depth,solution_milliseconds,nodes,depth,milliseconds";

pub fn render(report: &Report) -> String {
    let mut out = format!("{HEAD}\n");
    for (file, totals) in report.files.iter().enumerate() {
        for (row, answer) in report.answers(file) {
            let values: Vec<_> = values(&totals.name, row, answer)
                .iter()
                .map(|value| quote(value))
                .collect();
            let _ = writeln!(out, "{}", values.join(","));
        }
    }
    out
}

fn values(file: &str, row: &Row, answer: &Answer) -> [String; 18] {
    fn text<T: Display>(value: Option<T>) -> String {
        value.map_or_else(String::new, |value| value.to_string())
    }
    let effort = |effort: &Effort| {
        let Effort {
            nodes,
            depth,
            milliseconds,
        } = effort;
        [nodes, depth, milliseconds].map(|number| text(*number))
    };
    let [solution_nodes, solution_depth, solution_time] = effort(&answer.solution);
    let [nodes, depth, time] = effort(&answer.whole);
    [
        file.to_owned(),
        answer.line.to_string(),
        text(row.id.as_ref()),
        text(row.theme.as_ref()),
        row.fields.clone(),
        row.best.join(" "),
        row.avoid.join(" "),
        answer.status.word().to_owned(),
        text(answer.choice),
        text(answer.ce),
        text(answer.points),
        text(answer.most_points),
        solution_nodes,
        solution_depth,
        solution_time,
        nodes,
        depth,
        time,
    ]
}

/// A value, in quotes where it needs them.
fn quote(value: &str) -> String {
    if value.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", value.replace('"', "\"\""))
    } else {
        value.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_quoted_where_they_must_be() {
        for (value, expected) in [
            ("a b", "a b"),
            ("", ""),
            ("a,b", "\"a,b\""),
            ("a \"b\"", "\"a \"\"b\"\"\""),
            ("a\nb", "\"a\nb\""),
        ] {
            assert_eq!(quote(value), expected);
        }
    }
}
