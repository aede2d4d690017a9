//! The sections of a report: tables and lists, which each format for people lays out.

use super::answer::Status;
use super::comparison::{Comparison, Sooner};
use super::distribution::Distribution;
use super::effort::{Measure, Part};
use super::summary::{Report, Theme, Totals};
use super::words::{NOTHING, capital, or_nothing, percent, probability, score};
use super::{conclusion, sts};
use crate::text::grouped;

/// A section with a title.
#[derive(Debug)]
pub struct Section {
    pub title: String,
    pub body: Body,
    /// An explanation below it.
    pub note: Option<String>,
}

#[derive(Debug)]
pub enum Body {
    Table {
        head: Vec<Column>,
        rows: Vec<Vec<Cell>>,
    },
    List(Vec<String>),
}

/// The maximum number of records in a table or list; CSV and JSON have all of them.
const MOST_NAMED: usize = 500;

/// Keeps the first [`MOST_NAMED`] records; returns the total, those kept, and a note if some were
/// cut.
fn first<T>(items: impl Iterator<Item = T>) -> (usize, Vec<T>, Option<String>) {
    let mut all = 0;
    let mut kept = Vec::new();
    for item in items {
        all += 1;
        if all <= MOST_NAMED {
            kept.push(item);
        }
    }
    let note = (all > kept.len()).then(|| {
        let [kept, all] = [kept.len(), all].map(grouped);
        format!("These are the first {kept} of {all}; -o FILE.csv and -o FILE.json have all.")
    });
    (all, kept, note)
}

#[derive(Debug)]
pub struct Column {
    pub name: String,
    pub align: Align,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    Left,
    Right,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    Text(String),
    /// The bar of a share, in the colour of a file.
    Bar {
        part: f64,
        file: usize,
    },
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self::Text(text.into())
    }
}

impl Section {
    fn table(title: &str, rows: Vec<Vec<Cell>>, head: impl IntoIterator<Item = Column>) -> Self {
        Self {
            title: title.to_owned(),
            body: Body::Table {
                head: head.into_iter().collect(),
                rows,
            },
            note: None,
        }
    }

    /// A list of records, with their number in the title; none if it is empty.
    fn list(title: &str, items: impl Iterator<Item = String>) -> Option<Self> {
        let (all, items, note) = first(items);
        (all > 0).then(|| Self {
            title: format!("{title} ({})", grouped(all)),
            body: Body::List(items),
            note,
        })
    }
}

fn left(name: &str) -> Column {
    Column {
        name: name.to_owned(),
        align: Align::Left,
    }
}

fn right(name: &str) -> Column {
    Column {
        name: name.to_owned(),
        align: Align::Right,
    }
}

/// The names of the files as column headings.
fn names(report: &Report) -> impl Iterator<Item = &str> {
    report.files.iter().map(|file| file.name.as_str())
}

/// The number of solved positions, with a row for each file.
pub fn headline(report: &Report) -> Section {
    let rows = report.files.iter().enumerate().map(|(file, totals)| {
        let share = totals.score.share();
        let part = share.unwrap_or(0.0);
        let name = totals.name.as_str().into();
        let percent = or_nothing(share.map(percent)).into();
        vec![
            name,
            Cell::Bar { part, file },
            percent,
            score(&totals.score).into(),
        ]
    });
    let head = [left("file"), left(""), right("solved"), right("")];
    Section::table("Solved", rows.collect(), head)
}

/// The totals, with a row for each number and a column for each file.
pub fn totals(report: &Report) -> Section {
    type Number = (&'static str, fn(&Totals) -> Option<String>);
    fn some(count: usize) -> Option<String> {
        (count > 0).then(|| grouped(count))
    }
    const NUMBERS: [Number; 14] = [
        ("records", |file| Some(grouped(file.records))),
        ("with a target", |file| Some(grouped(file.score.targets()))),
        ("solved", |file| Some(grouped(file.score.solved))),
        ("missed", |file| Some(grouped(file.score.missed))),
        ("no answer", |file| some(file.score.unanswered)),
        ("no target", |file| some(file.untargeted)),
        ("illegal positions", |file| some(file.illegal)),
        ("lines not understood", |file| some(file.unreadable)),
        ("points", |file| file.score.points.map(grouped)),
        ("most points", |file| file.score.most_points.map(grouped)),
        ("STS rating (estimate)", |file| {
            file.sts_rating.map(|rating| rating.to_string())
        }),
        ("nodes", |file| file.nodes.map(grouped)),
        ("time", |file| {
            file.milliseconds
                .map(|time| Measure::Milliseconds.text(time as f64))
        }),
        ("nodes a second", |file| {
            file.nodes_per_second.map(|rate| grouped(rate as u64))
        }),
    ];
    let rows = NUMBERS.iter().filter_map(|(name, number)| {
        let numbers: Vec<_> = report.files.iter().map(number).collect();
        // Rows without a value in any file are left out.
        let is_known = numbers.iter().any(Option::is_some);
        is_known.then(|| {
            let numbers = numbers.into_iter().map(|number| or_nothing(number).into());
            std::iter::once((*name).into()).chain(numbers).collect()
        })
    });
    let head = std::iter::once(left("")).chain(names(report).map(right));
    let mut section = Section::table("Totals", rows.collect(), head);
    if report.files.iter().any(|file| file.sts_rating.is_some()) {
        section.note = Some(sts::ORIGIN.to_owned());
    }
    section
}

/// The results by theme; none if the ids have no themes.
pub fn themes(report: &Report) -> Option<Section> {
    if report.themes.len() < 2 {
        return None;
    }
    let is_asked = |theme: &&Theme| theme.files.iter().any(|file| file.targets() > 0);
    let rows = report.themes.iter().filter(is_asked).map(|theme| {
        let name = theme.name.as_deref().unwrap_or("(other)");
        let mut row = vec![Cell::from(name)];
        for (file, totals) in theme.files.iter().enumerate() {
            let part = totals.share().unwrap_or(0.0);
            row.push(Cell::Bar { part, file });
            row.push(score(totals).into());
        }
        row
    });
    let files = names(report).flat_map(|name| [left(""), right(name)]);
    let head = std::iter::once(left("theme")).chain(files);
    Some(Section::table("Themes", rows.collect(), head))
}

/// Summaries of the effort.
pub fn spreads(report: &Report) -> Option<Section> {
    let mut rows = Vec::new();
    for distribution in &report.distributions {
        for (sample, name) in distribution.files.iter().zip(names(report)) {
            let Some(spread) = &sample.spread else {
                continue;
            };
            let text = |number| Cell::from(distribution.measure.text(number));
            rows.push(vec![
                distribution.title().into(),
                name.into(),
                grouped(spread.count).into(),
                text(spread.least as f64),
                text(spread.median),
                text(spread.mean),
                text(spread.most as f64),
            ]);
        }
    }
    let numbers = ["records", "least", "median", "mean", "most"].map(right);
    let head = [left(""), left("")].into_iter().chain(numbers);
    (!rows.is_empty()).then(|| Section::table("Effort", rows, head))
}

/// The distributions to draw as histograms: a single bar would add nothing to the summary.
pub fn charted(report: &Report) -> impl Iterator<Item = &Distribution> {
    let distributions = report.distributions.iter();
    distributions.filter(|distribution| distribution.bins.len() > 1)
}

/// A histogram as a table, with cumulative counts for solutions.
pub fn histogram(report: &Report, distribution: &Distribution) -> Section {
    let most = distribution.files.iter().flat_map(|file| &file.counts);
    let most = most.max().copied().unwrap_or(0).max(1);
    let is_solution = distribution.part == Part::Solution;
    let mut sums = vec![0; distribution.files.len()];
    let rows = distribution.bins.iter().enumerate().map(|(i, &bin)| {
        let mut row = vec![Cell::from(distribution.measure.range(bin))];
        for (file, (sample, sum)) in distribution.files.iter().zip(&mut sums).enumerate() {
            let count = sample.counts[i];
            let part = count as f64 / most as f64;
            *sum += count;
            row.push(Cell::Bar { part, file });
            row.push(grouped(count).into());
            if is_solution {
                row.push(grouped(*sum).into());
            }
        }
        row
    });
    let files = names(report).flat_map(|name| {
        let sum = is_solution.then(|| right("by then"));
        [left(name), right("")].into_iter().chain(sum)
    });
    let head = std::iter::once(right(distribution.measure.word())).chain(files);
    Section::table(&capital(&distribution.title()), rows.collect(), head)
}

/// The comparisons of each pair of files: solved positions, then speed; none for a single file.
pub fn comparisons(report: &Report) -> Vec<Section> {
    if report.comparisons.is_empty() {
        return Vec::new();
    }
    let mut sections = vec![who_solved(report)];
    sections.extend(who_was_sooner(report));
    for comparison in &report.comparisons {
        for [one, other] in [[0, 1], [1, 0]].map(|order| order.map(|i| comparison.files[i])) {
            let [name, other_name] = [one, other].map(|file| &report.files[file].name);
            let title = format!("Solved by {name} and not by {other_name}");
            sections.extend(Section::list(&title, solved_by_one(report, one, other)));
        }
    }
    sections
}

/// The cells of a comparison: names, counts and p-value.
fn compared(names: &[&str], counts: &[usize], p: f64) -> Vec<Cell> {
    let names = names.iter().map(|&name| name.into());
    let counts = counts.iter().map(|&count| grouped(count).into());
    names.chain(counts).chain([probability(p).into()]).collect()
}

/// Which positions each of two files solved.
fn who_solved(report: &Report) -> Section {
    let row = |comparison: &Comparison| {
        let names = comparison
            .files
            .map(|file| report.files[file].name.as_str());
        let [first, second] = comparison.only;
        let Comparison {
            records,
            both,
            neither,
            ..
        } = *comparison;
        compared(
            &names,
            &[records, both, first, second, neither],
            comparison.p,
        )
    };
    let numbers = [
        "records",
        "both",
        "first alone",
        "second alone",
        "neither",
        "McNemar p",
    ];
    let head = [left("first"), left("second")].into_iter();
    let rows = report.comparisons.iter().map(row).collect();
    let mut section = Section::table("Who solved what", rows, head.chain(numbers.map(right)));
    let several = (report.comparisons.len() > 1).then_some(conclusion::SEVERAL);
    let notes = [Some(conclusion::MCNEMAR), several];
    section.note = Some(notes.into_iter().flatten().collect::<Vec<_>>().join(" "));
    section
}

/// Which of two files was faster; none if no effort is known.
fn who_was_sooner(report: &Report) -> Option<Section> {
    let mut rows = Vec::new();
    for comparison in &report.comparisons {
        let [first, second] = comparison
            .files
            .map(|file| report.files[file].name.as_str());
        for Sooner {
            measure,
            less,
            equal,
            p,
        } in &comparison.sooner
        {
            let names = [first, second, measure.word()];
            rows.push(compared(&names, &[less[0], less[1], *equal], *p));
        }
    }
    if rows.is_empty() {
        return None;
    }
    let head = [left("first"), left("second"), left("by")].into_iter();
    let numbers = ["first sooner", "second sooner", "equal", "sign test p"];
    let title = "Who was sooner, where both solved";
    let mut section = Section::table(title, rows, head.chain(numbers.map(right)));
    section.note = Some(conclusion::SIGN_TEST.to_owned());
    Some(section)
}

/// The records that one file solved and another, which has them too, did not.
fn solved_by_one(report: &Report, one: usize, other: usize) -> impl Iterator<Item = String> {
    let rows = report.answers(one).filter(move |(row, answer)| {
        let other = row.answer(other);
        answer.status == Status::Solved && other.is_some_and(|other| other.status.is_failure())
    });
    rows.map(|(row, _)| row.label().to_owned())
}

/// The positions that at least one file missed, with the choice of each file.
pub fn missed(report: &Report) -> Option<Section> {
    let missed = report.records.iter().filter(|row| row.is_missed());
    let (all, missed, note) = first(missed);
    let rows = missed.into_iter().map(|row| {
        let choices = row.answers().map(|answer| {
            let Some(answer) = answer else {
                return NOTHING.into();
            };
            let choice = answer.choice().unwrap_or_default();
            match answer.status {
                Status::Solved => format!("\u{2713} {choice}").into(),
                Status::Unanswered => "no answer".into(),
                Status::Missed | Status::Untargeted => choice.into(),
            }
        });
        let row = [row.label().into(), row.expected().into()];
        row.into_iter().chain(choices).collect()
    });
    let rows: Vec<_> = rows.collect();
    let head = [left("id"), left("expected")].into_iter();
    let head = head.chain(names(report).map(left));
    let all = grouped(all);
    let title = if report.files.len() == 1 {
        format!("Missed ({all})")
    } else {
        format!("Missed by one or more ({all}; \u{2713}: solved)")
    };
    (!rows.is_empty()).then(|| Section {
        note,
        ..Section::table(&title, rows, head)
    })
}

/// The positions that each file solved.
pub fn solved(report: &Report) -> Vec<Section> {
    let files = names(report).enumerate().filter_map(|(file, name)| {
        let solved = report.answers(file);
        let solved = solved.filter(|(_, answer)| answer.status == Status::Solved);
        let items = solved.map(|(row, _)| row.label().to_owned());
        let title = match report.files.len() {
            1 => "Solved".to_owned(),
            _ => format!("Solved by {name}"),
        };
        Section::list(&title, items)
    });
    files.collect()
}

/// All sections in reading order.
pub fn sections(report: &Report) -> Vec<Section> {
    let mut sections = vec![headline(report), totals(report)];
    sections.extend(themes(report));
    sections.extend(comparisons(report));
    sections.extend(spreads(report));
    sections.extend(charted(report).map(|distribution| histogram(report, distribution)));
    sections.extend(missed(report));
    sections.extend(solved(report));
    sections
}
