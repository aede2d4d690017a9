//! The title of a report and the description of its runs, as far as they are known.

use super::summary::{Report, Totals};
use super::words::listed;
use crate::batch::run_info::{RunInfo, RunLimits};
use crate::text::{counted, grouped, grouped_count, trimmed};

/// The maximum number of names in a title.
const MOST_NAMES: usize = 4;

/// The suite and the limits, or else the names of the files.
pub fn title(report: &Report) -> String {
    let runs = || report.files.iter().filter_map(|file| file.run.as_ref());
    let suites = distinct(
        runs()
            .map(|run| run.input.clone())
            .filter(|name| name != "-"),
    );
    if suites.is_empty() {
        let names = report.files.iter().map(|file| file.name.clone());
        return format!("Report on {}", short_list(&distinct(names)));
    }
    let limits = distinct(runs().filter_map(|run| limits(&run.limits)));
    let mut title = short_list(&suites);
    if !limits.is_empty() {
        title = format!("{title}, {} a position", short_list(&limits));
    }
    title
}

/// The title with the engines.
pub fn long_title(report: &Report) -> String {
    let runs = report.files.iter().filter_map(|file| file.run.as_ref());
    let engines = distinct(runs.map(|run| run.engine.name.clone()));
    if engines.is_empty() {
        title(report)
    } else {
        format!("{}: {}", title(report), short_list(&engines))
    }
}

/// The description of a run: file, engine, settings and date.
pub fn run(totals: &Totals) -> Option<Vec<String>> {
    let run = totals.run.as_ref()?;
    let mut parts = Vec::new();
    if totals.file != totals.name {
        parts.push(totals.file.clone());
    }
    if !run.engine.name.is_empty() && run.engine.name != totals.name {
        parts.push(run.engine.name.clone());
    }
    parts.extend(
        run.engine
            .command
            .clone()
            .filter(|command| *command != run.engine.name),
    );
    let limits = limits(&run.limits).map(|limits| format!("{limits} a position"));
    parts.extend(limits);
    parts.extend(settings(run));
    if let Some(began) = run.started.or(run.finished) {
        parts.push(began.strftime("%Y-%m-%d %H:%M UTC").to_string());
    }
    if run.started.is_some() && run.finished.is_none() {
        parts.push("not finished".to_owned());
    }
    Some(parts)
}

fn settings(run: &RunInfo) -> Vec<String> {
    let mut parts = Vec::new();
    if run.threads > 0 {
        parts.push(counted(run.threads, "thread", "threads"));
    }
    if run.hash_mib > 0 {
        parts.push(format!("{} MiB hash", grouped(run.hash_mib)));
    }
    if run.multipv > 1 {
        parts.push(format!("{} lines", run.multipv));
    }
    let options = run.engine.options.iter();
    parts.extend(options.map(|(name, value)| format!("{name}={value}")));
    parts
}

/// The limits per position; none without limits.
fn limits(limits: &RunLimits) -> Option<String> {
    let time = limits
        .time_ms
        .map(|time| format!("{} s", trimmed(time as f64 / 1000.0, 3)));
    let parts = [
        limits.moves.map(|moves| format!("mate in {moves}")),
        time,
        limits
            .nodes
            .map(|nodes| grouped_count(nodes, "node", "nodes")),
        limits.depth.map(|depth| format!("depth {depth}")),
    ];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(" or "))
}

fn distinct(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut known = Vec::new();
    for text in texts.filter(|text| !text.is_empty()) {
        if !known.contains(&text) {
            known.push(text);
        }
    }
    known
}

fn short_list(names: &[String]) -> String {
    if names.len() <= MOST_NAMES {
        return listed(names);
    }
    let mut names = names.to_vec();
    let more = names.split_off(MOST_NAMES - 1).len();
    names.push(format!("{more} more"));
    listed(&names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::run_info::RunEngine;

    fn file(name: &str, input: &str, nodes: Option<u64>) -> Totals {
        let run = RunInfo {
            input: input.to_owned(),
            threads: 1,
            hash_mib: 16,
            limits: RunLimits {
                nodes,
                ..RunLimits::default()
            },
            engine: RunEngine {
                name: "Epode 0.1.0".to_owned(),
                options: [("Contempt".to_owned(), "0".to_owned())].into(),
                ..RunEngine::default()
            },
            started: "2026-11-22T20:05:08Z".parse().ok(),
            ..RunInfo::default()
        };
        Totals {
            name: name.to_owned(),
            file: name.to_owned(),
            run: (!input.is_empty()).then_some(run),
            ..Totals::default()
        }
    }

    fn titled(files: Vec<Totals>) -> String {
        let mut records = crate::report::rows::Records::default();
        for _ in &files {
            records.begin_file();
        }
        long_title(&Report::new(files, records))
    }

    #[test]
    fn titles() {
        let wac = |nodes| file("a", "wac.epd", nodes);
        for (files, expected) in [
            (
                vec![wac(Some(5000)), wac(Some(5000))],
                "wac.epd, 5,000 nodes a position: Epode 0.1.0",
            ),
            (
                vec![wac(Some(500)), wac(Some(5000)), file("b", "", None)],
                "wac.epd, 500 nodes and 5,000 nodes a position: Epode 0.1.0",
            ),
            (
                vec![wac(None), file("b", "bk.epd", None)],
                "wac.epd and bk.epd: Epode 0.1.0",
            ),
            (
                vec![file("a", "", None), file("b", "", None)],
                "Report on a and b",
            ),
            (
                ["a", "b", "c", "d", "e"]
                    .map(|name| file(name, "", None))
                    .into(),
                "Report on a, b, c and 2 more",
            ),
        ] {
            assert_eq!(titled(files), expected);
        }
    }

    #[test]
    fn runs_are_described() {
        let parts = run(&file("a", "wac.epd", Some(5000))).expect("known");
        let expected = "Epode 0.1.0, 5,000 nodes a position, 1 thread, 16 MiB hash, Contempt=0, \
                        2026-11-22 20:05 UTC, not finished";
        assert_eq!(parts.join(", "), expected);
        assert_eq!(run(&file("a", "", None)), None);
    }
}
