//! A report as tables and lists of words, which the formats for people lay out in their own way.

use super::answer::Status;
use super::comparison::{Comparison, Sooner};
use super::effort::{Distribution, Measure, Part};
use super::summary::{Report, Theme, Totals};
use super::words::{NOTHING, capital, or_nothing, percent, probability, score};

/// A part of a report under a title.
#[derive(Debug)]
pub enum Section {
    Table {
        title: String,
        head: Vec<Column>,
        rows: Vec<Vec<Cell>>,
    },
    List {
        title: String,
        items: Vec<String>,
    },
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
    /// A part of one, of a file.
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
        Self::Table {
            title: title.to_owned(),
            head: head.into_iter().collect(),
            rows,
        }
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

/// The names of the files, as headings.
fn names(report: &Report) -> impl Iterator<Item = &str> {
    report.files.iter().map(|file| file.name.as_str())
}

/// How much each file solved, a line a file.
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

/// What each file comes to: a line a number, a column a file.
pub fn totals(report: &Report) -> Section {
    type Number = (&'static str, fn(&Totals) -> Option<String>);
    fn some(count: usize) -> Option<String> {
        (count > 0).then(|| count.to_string())
    }
    const NUMBERS: [Number; 13] = [
        ("records", |file| Some(file.records.to_string())),
        ("with a target", |file| {
            Some(file.score.targets().to_string())
        }),
        ("solved", |file| Some(file.score.solved.to_string())),
        ("missed", |file| Some(file.score.missed.to_string())),
        ("no answer", |file| some(file.score.unanswered)),
        ("no target", |file| some(file.untargeted)),
        ("illegal positions", |file| some(file.illegal)),
        ("lines not understood", |file| some(file.unreadable)),
        ("points", |file| {
            file.score.points.map(|points| points.to_string())
        }),
        ("most points", |file| {
            file.score.most_points.map(|points| points.to_string())
        }),
        ("nodes", |file| file.nodes.map(|nodes| nodes.to_string())),
        ("time", |file| {
            file.milliseconds
                .map(|time| Measure::Milliseconds.text(time as f64))
        }),
        ("nodes a second", |file| {
            file.nodes_per_second.map(|rate| format!("{rate:.0}"))
        }),
    ];
    let rows = NUMBERS.iter().filter_map(|(name, number)| {
        let numbers: Vec<_> = report.files.iter().map(number).collect();
        // What no file has is left out.
        let is_known = numbers.iter().any(Option::is_some);
        is_known.then(|| {
            let numbers = numbers.into_iter().map(|number| or_nothing(number).into());
            std::iter::once((*name).into()).chain(numbers).collect()
        })
    });
    let head = std::iter::once(left("")).chain(names(report).map(right));
    Section::table("Totals", rows.collect(), head)
}

/// How much of each theme was solved; none where ids tell no themes.
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

/// What the searches took, in a few numbers.
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
                spread.count.to_string().into(),
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

/// The distributions of which there are histograms: one bar says nothing that the spread does not.
pub fn charted(report: &Report) -> impl Iterator<Item = &Distribution> {
    let distributions = report.distributions.iter();
    distributions.filter(|distribution| distribution.bins.len() > 1)
}

/// How often each amount was needed, and how many had been solved by then.
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
            row.push(count.to_string().into());
            if is_solution {
                row.push(sum.to_string().into());
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

/// Who solved what, two files at a time; then who was sooner; none for one file.
pub fn comparisons(report: &Report) -> Vec<Section> {
    if report.comparisons.is_empty() {
        return Vec::new();
    }
    let name = |file: usize| Cell::from(report.files[file].name.as_str());
    let numbers =
        |numbers: &[usize]| -> Vec<Cell> { numbers.iter().map(|n| n.to_string().into()).collect() };
    let solved = |comparison: &Comparison| {
        let [first, second] = comparison.files.map(name);
        let Comparison {
            records,
            both,
            only,
            neither,
            ..
        } = comparison;
        let counts = numbers(&[*records, *both, only[0], only[1], *neither]);
        let p = probability(comparison.p).into();
        [first, second]
            .into_iter()
            .chain(counts)
            .chain([p])
            .collect()
    };
    let sooner = |comparison: &Comparison, sooner: &Sooner| {
        let [first, second] = comparison.files.map(name);
        let counts = numbers(&[sooner.less[0], sooner.less[1], sooner.equal]);
        let by = sooner.measure.word().into();
        let p = probability(sooner.p).into();
        [first, second, by]
            .into_iter()
            .chain(counts)
            .chain([p])
            .collect()
    };
    let counts = [
        "records",
        "both",
        "first alone",
        "second alone",
        "neither",
        "McNemar p",
    ];
    let head = [left("first"), left("second")];
    let rows = report.comparisons.iter().map(solved).collect();
    let mut sections = vec![Section::table(
        "Who solved what",
        rows,
        head.into_iter().chain(counts.map(right)),
    )];
    let rows: Vec<_> = report
        .comparisons
        .iter()
        .flat_map(|comparison| {
            comparison
                .sooner
                .iter()
                .map(move |by| sooner(comparison, by))
        })
        .collect();
    if !rows.is_empty() {
        let head = [left("first"), left("second"), left("by")];
        let counts = ["first sooner", "second sooner", "equal", "sign test p"];
        let head = head.into_iter().chain(counts.map(right));
        sections.push(Section::table(
            "Who was sooner, where both solved",
            rows,
            head,
        ));
    }
    for comparison in &report.comparisons {
        for [one, other] in [[0, 1], [1, 0]].map(|order| order.map(|i| comparison.files[i])) {
            let items = solved_by_one(report, one, other);
            if !items.is_empty() {
                let [one, other] = [one, other].map(|file| &report.files[file].name);
                let title = format!("Solved in {one} and not in {other}");
                sections.push(Section::List { title, items });
            }
        }
    }
    sections
}

/// What was solved in a file and not in another that has it.
fn solved_by_one(report: &Report, one: usize, other: usize) -> Vec<String> {
    let rows = report.answers(one).filter(|(row, answer)| {
        let other = row.answers[other].as_ref();
        answer.status == Status::Solved && other.is_some_and(|other| other.status.is_failure())
    });
    rows.map(|(row, _)| row.label().to_owned()).collect()
}

/// The positions that a file at least has not solved, and what each chose.
pub fn missed(report: &Report) -> Option<Section> {
    let missed = report.records.iter().filter(|row| row.is_missed());
    let rows = missed.map(|row| {
        let choices = row.answers.iter().map(|answer| {
            let Some(answer) = answer else {
                return NOTHING.into();
            };
            let choice = answer.choice.map(|san| san.to_string()).unwrap_or_default();
            match answer.status {
                Status::Solved => format!("\u{2713} {choice}").into(),
                Status::Unanswered => "no answer".into(),
                Status::Missed | Status::Untargeted => choice.into(),
            }
        });
        let row = [row.label().into(), row.wanted().into()];
        row.into_iter().chain(choices).collect()
    });
    let rows: Vec<_> = rows.collect();
    let head = [left("id"), left("wanted")].into_iter();
    let head = head.chain(names(report).map(left));
    let title = if report.files.len() == 1 {
        "Missed"
    } else {
        "Missed in one file or more (\u{2713}: solved)"
    };
    (!rows.is_empty()).then(|| Section::table(title, rows, head))
}

/// The positions that each file has solved.
pub fn solved(report: &Report) -> Vec<Section> {
    let files = names(report).enumerate().filter_map(|(file, name)| {
        let solved = report.answers(file);
        let solved = solved.filter(|(_, answer)| answer.status == Status::Solved);
        let items: Vec<_> = solved.map(|(row, _)| row.label().to_owned()).collect();
        let title = format!("Solved in {name}");
        (!items.is_empty()).then_some(Section::List { title, items })
    });
    files.collect()
}

/// Everything, in the order in which it is read.
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
