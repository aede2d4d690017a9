//! Property tests: any records make a valid report in every format, with consistent numbers.

use epd::Record;
use proptest::prelude::*;

use super::answer::Status;
use super::rows::Records;
use super::summary::Totals;
use super::*;

/// Valid and invalid operations of results.
const OPERATIONS: [&str; 30] = [
    "bm Kb1;",
    "bm Kb2 a8=Q;",
    "bm;",
    "bm Qh9;",
    "am Kb1;",
    "am Kb2;",
    "pm Kb1;",
    "pm Kb2;",
    "pm x;",
    "pv Kb1 Kf3;",
    "pv;",
    "Scn 5;",
    "Scn 18446744073709551615;",
    "Scn -1;",
    "Scd 3;",
    "Scd 99999999999;",
    "Sct 000.00:00:01.250;",
    "Sct 1;",
    "acd 0;",
    "acn 18446744073709551615;",
    "acs 99999999999999999999;",
    "acs 18446744073709551615;",
    "cte 999.23:59:59.999;",
    "c0 \"Kb1=10, a8=Q=18446744073709551615\";",
    "c7 \"Kb1 Kb2\"; c8 \"3 5\";",
    "ce 32767;",
    "id \"<&>' | \u{7f}\u{1b}[31m\";",
    "id \"A.1\";",
    "id \"B 99999999999999999999999\";",
    "id;",
];

const POSITIONS: [&str; 3] = [
    "8/P7/8/8/8/8/5k2/K7 w - -",
    "7k/5Q2/6K1/8/8/8/8/8 b - -",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
];

fn entries() -> impl Strategy<Value = Vec<(answer::Question, answer::Answer)>> {
    let operation = prop_oneof![
        8 => prop::sample::select(&OPERATIONS[..]).prop_map(str::to_owned),
        1 => "(acn|acs|cte|ce|pm|pv|bm|am|Scn|Sct|c0|c7|c8) [ -~\u{e9}]{0,12};",
        1 => "id \"\\PC{0,12}\";",
    ];
    let line = (
        prop::sample::select(&POSITIONS[..]),
        prop::collection::vec(operation, 0..8),
    );
    let entry = |(position, operations): (&str, Vec<String>)| {
        let line = format!("{position} {}", operations.join(" "));
        let record: Record = epd::read(line.trim_end(), &mut Vec::new()).ok()?;
        let position = record.position().ok()?;
        Some(answer::read(1, &record, &position, &mut |_| ()))
    };
    prop::collection::vec(line, 0..12)
        .prop_map(move |lines| lines.into_iter().filter_map(entry).collect())
}

fn report(files: Vec<Vec<(answer::Question, answer::Answer)>>) -> Report {
    let mut records = Records::default();
    let mut totals = Vec::new();
    for (entries, n) in files.into_iter().zip(1..) {
        records.begin_file();
        let mut file = Totals {
            name: format!("<{n}> & \"co\""),
            ..Totals::default()
        };
        for (question, answer) in entries {
            file.count(&answer);
            records.add(&question, answer);
        }
        totals.push(file);
    }
    Report::new(totals, records)
}

/// Elements without an end tag.
const VOID: [&str; 2] = ["meta", "input"];

/// Whether every element is closed and attributes are quoted.
fn is_well_formed(page: &str) -> bool {
    let mut open = Vec::new();
    let text = page.strip_prefix("<!DOCTYPE html>").expect("a page");
    for tag in text.split('<').skip(1) {
        let Some((tag, _)) = tag.split_once('>') else {
            return false;
        };
        if tag.matches('"').count() % 2 != 0 {
            return false;
        }
        let name = tag.split([' ', '/']).find(|word| !word.is_empty());
        if tag.starts_with('/') {
            if open.pop() != name {
                return false;
            }
        } else if !tag.ends_with('/') && name.is_none_or(|name| !VOID.contains(&name)) {
            open.push(name.unwrap_or_default());
        }
    }
    open.is_empty()
}

/// The targets of all links of a page.
fn references(page: &str) -> impl Iterator<Item = &str> {
    let tags = page.split('<').filter_map(|text| text.split('>').next());
    let begins = ["href=\"", "src=\"", "url("];
    tags.flat_map(move |tag| begins.map(|begin| tag.split_once(begin)))
        .flatten()
        .map(|(_, reference)| reference)
}

#[test]
fn what_is_not_well_formed_is_noticed() {
    let page = |body: &str| format!("<!DOCTYPE html><html>{body}</html>");
    assert!(is_well_formed(&page("<p class=\"a\">b<input></p>")));
    for body in ["<p>", "</p>", "<p></b>", "<p class=\"a></p>", "<"] {
        assert!(!is_well_formed(&page(body)), "{body}");
    }
}

proptest! {
    #[test]
    fn any_records_make_a_report(files in prop::collection::vec(entries(), 1..4)) {
        let counts: Vec<_> = files.iter().map(Vec::len).collect();
        let report = report(files);
        for (file, (totals, count)) in report.files.iter().zip(counts).enumerate() {
            prop_assert_eq!(totals.records, count);
            prop_assert_eq!(totals.score.targets() + totals.untargeted, count);
            prop_assert_eq!(report.answers(file).count(), count);
            let solved = report.answers(file).filter(|(_, a)| a.status == Status::Solved);
            prop_assert_eq!(solved.count(), totals.score.solved);
            let themes = report.themes.iter().map(|theme| theme.files[file].solved);
            prop_assert_eq!(themes.sum::<usize>(), totals.score.solved);
            for distribution in &report.distributions {
                let sample = &distribution.files[file];
                let count = sample.spread.map_or(0, |spread| spread.count);
                prop_assert_eq!(sample.counts.iter().sum::<usize>(), count);
            }
        }
        for pair in &report.comparisons {
            let solved = pair.both + pair.only[0] + pair.only[1];
            prop_assert_eq!(solved + pair.neither, pair.records);
            for sooner in &pair.sooner {
                prop_assert!(sooner.less[0] + sooner.less[1] + sooner.equal <= pair.both);
            }
        }
        terminal::render(&report);
        markdown::render(&report);
        let mut csv = Vec::new();
        csv::write(&report, &mut csv).unwrap();
        let csv = String::from_utf8(csv).unwrap();
        let lines = report.files.iter().map(|file| file.records).sum::<usize>();
        prop_assert_eq!(csv.lines().count(), lines + 1);
        let mut text = Vec::new();
        json::write(&report, &mut text).unwrap();
        let json: serde_json::Value = serde_json::from_slice(&text).unwrap();
        prop_assert_eq!(json["records"].as_array().unwrap().len(), report.records.len());
        let page = html::render(&report, 5);
        prop_assert!(is_well_formed(&page), "{}", page);
        prop_assert_eq!(references(&page).find(|name| !name.starts_with('#')), None);
        prop_assert!(!page.contains(|letter: char| letter != '\n' && letter.is_control()));
    }
}
