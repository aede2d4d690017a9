//! The conclusion of a report in a few sentences.

use std::fmt::Write;

use super::comparison::Comparison;
use super::effort::Measure;
use super::summary::{Report, Totals};
use super::words::{about_percent, about_probability};
use crate::text::{grouped, grouped_count};

/// Explanations of the p-values.
pub const MCNEMAR: &str = "McNemar p is how probable a difference as large as this one is, or a larger \
     one, if both solve each position equally often (McNemar's exact test on the positions that only \
     one of them solved). Small values, commonly below 0.05, speak against chance.";
pub const SIGN_TEST: &str = "Sign test p is how probable a split as uneven as this one is, or a more \
     uneven one, if either is equally likely to be first.";
pub const SEVERAL: &str = "With several comparisons some are below 0.05 by chance alone: p is not \
     corrected for their number.";

/// The sentences at the beginning of a report.
pub fn sentences(report: &Report) -> Vec<String> {
    if report.files.iter().all(|file| file.score.targets() == 0) {
        return vec![without_targets(report)];
    }
    let mut sentences = match &report.files[..] {
        [only] => vec![of_one(report, only)],
        [one, other] => {
            let comparison = &report.comparisons[0];
            let mut sentences = of_two(one, other, comparison);
            sentences.extend(sooner(one, other, comparison));
            sentences
        }
        _ => of_several(report),
    };
    sentences.extend(ratings(report));
    sentences
}

fn without_targets(report: &Report) -> String {
    let records = report.records.len();
    let records = grouped_count(records, "position", "positions");
    format!("{records}, none with a move to find or to avoid (bm, am).")
}

/// `18 of 24 solved (75%)`.
fn of_all(totals: &Totals) -> String {
    let [solved, targets] = [totals.score.solved, totals.score.targets()].map(grouped);
    format!("{solved} of {targets}")
}

fn share(totals: &Totals) -> String {
    about_percent(totals.score.share().unwrap_or(0.0))
}

fn of_one(report: &Report, totals: &Totals) -> String {
    let mut text = format!("{} solved ({})", of_all(totals), share(totals));
    if let Some((distribution, spread)) = report.solution_spread(0)
        && spread.count > 1
    {
        let median = distribution.measure.about(spread.median);
        let _ = write!(text, ", half of them within {median}");
    }
    if let Some((points, most)) = totals.score.points.zip(totals.score.most_points) {
        let _ = write!(
            text,
            "; {} of {}",
            grouped(points),
            grouped_count(most, "point", "points")
        );
    }
    text + "."
}

fn of_two(one: &Totals, other: &Totals, comparison: &Comparison) -> Vec<String> {
    let same_targets = one.score.targets() == other.score.targets();
    let second = if same_targets {
        grouped(other.score.solved)
    } else {
        of_all(other)
    };
    let first = format!("{} solved {} ({})", one.name, of_all(one), share(one));
    let both = format!("{first}, {} solved {second} ({})", other.name, share(other));
    let shared = comparison.records;
    if shared == 0 {
        return vec![format!(
            "{both}; they share no position, so nothing is compared."
        )];
    }
    if shared == one.score.targets() && same_targets {
        return vec![format!("{both}; {}.", difference(comparison))];
    }
    let [a, b] = comparison.only.map(|only| grouped(comparison.both + only));
    let shared = grouped_count(
        shared,
        "position that both have",
        "positions that both have",
    );
    let compared = format!(
        "Of the {shared}, {} solved {a} and {} {b}",
        one.name, other.name
    );
    vec![
        format!("{both}."),
        format!("{compared}; {}.", difference(comparison)),
    ]
}

/// The significance of a difference.
fn difference(comparison: &Comparison) -> String {
    match comparison.only {
        [0, 0] => "they solved the same positions".to_owned(),
        [one, other] if one == other => {
            format!("each solved {} that the other missed", grouped(one))
        }
        _ => format!(
            "the difference {} ({})",
            chance(comparison.p),
            about_probability(comparison.p)
        ),
    }
}

fn chance(p: f64) -> &'static str {
    match p {
        ..0.001 => "is hardly chance",
        ..0.05 => "is unlikely to be chance",
        ..0.2 => "may be chance",
        _ => "is well within chance",
    }
}

/// Which was faster, by time if it is known and differs, or else by nodes.
fn sooner(one: &Totals, other: &Totals, comparison: &Comparison) -> Option<String> {
    let sooner = comparison.sooner.iter().find(|by| by.less != [0, 0])?;
    let less = match sooner.measure {
        Measure::Milliseconds => "less time",
        _ => "fewer nodes",
    };
    let [mut first, mut second] = [(one, sooner.less[0]), (other, sooner.less[1])];
    if second.1 > first.1 {
        (first, second) = (second, first);
    }
    let all = sooner.less[0] + sooner.less[1] + sooner.equal;
    let (name, other) = (&first.0.name, &second.0.name);
    let [won, lost] = [first.1, second.1].map(grouped);
    let all = grouped_count(all, "position", "positions");
    Some(format!(
        "Of the {all} that both solved, {name} needed {less} in {won} and {other} in {lost}: this {} ({}).",
        chance(sooner.p),
        about_probability(sooner.p)
    ))
}

fn of_several(report: &Report) -> Vec<String> {
    let share_of = |file: usize| report.files[file].score.share().unwrap_or(-1.0);
    let mut order: Vec<_> = (0..report.files.len()).collect();
    order.sort_by(|&one, &other| share_of(other).total_cmp(&share_of(one)));
    let names = order.iter().map(|&file| {
        let totals = &report.files[file];
        format!("{}: {} ({})", totals.name, of_all(totals), share(totals))
    });
    let mut sentences = vec![format!(
        "Solved, best first: {}.",
        names.collect::<Vec<_>>().join("; ")
    )];
    let mut first_two = [order[0], order[1]];
    first_two.sort_unstable();
    let comparison = report
        .comparisons
        .iter()
        .find(|each| each.files == first_two);
    if let Some(comparison) = comparison.filter(|comparison| comparison.records > 0) {
        let [one, other] = [order[0], order[1]].map(|file| &report.files[file].name);
        sentences.push(format!(
            "Between {one} and {other}, {}.",
            difference(comparison)
        ));
    }
    sentences
}

fn ratings(report: &Report) -> Option<String> {
    let files = report.files.iter();
    let ratings: Vec<_> = files
        .filter_map(|file| {
            let rating = file.sts_rating?;
            Some(match report.files.len() {
                1 => format!("about {rating}"),
                _ => format!("{} about {rating}", file.name),
            })
        })
        .collect();
    (!ratings.is_empty()).then(|| format!("STS rating, an estimate: {}.", ratings.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::answer;
    use crate::report::rows::Records;

    /// A report on files, each position solved in so many nodes or not.
    fn report(files: &[(&str, &[Option<u64>])]) -> Report {
        let mut records = Records::default();
        let mut totals = Vec::new();
        for (name, answers) in files {
            records.begin_file();
            let mut file = Totals {
                name: (*name).to_owned(),
                ..Totals::default()
            };
            for (i, nodes) in answers.iter().enumerate() {
                let answer = nodes.map_or("pm Kb2;".to_owned(), |n| format!("Scn {n}; pm Kb1;"));
                let line = format!("8/P7/8/8/8/8/5k2/K7 w - - bm Kb1; id \"T.{i}\"; {answer}");
                let record = epd::read(&line, &mut Vec::new()).expect("readable");
                let position = record.position().expect("legal");
                let (question, answer) = answer::read(i + 1, &record, &position, &mut |_| ());
                file.count(&answer);
                records.add(&question, answer);
            }
            totals.push(file);
        }
        Report::new(totals, records)
    }

    #[test]
    fn verdicts() {
        let all = [Some(9); 20];
        let most = [[Some(7); 12], [None; 12]].concat();
        let nearly = [&[Some(9); 13][..], &[None; 11]].concat();
        let many = [&[Some(9); 24][..]].concat();
        for (files, expected) in [
            (
                &[("A", &most[..])][..],
                "12 of 24 solved (50%), half of them within 7 nodes.",
            ),
            (&[("A", &[None, None])], "0 of 2 solved (0%)."),
            (
                &[("A", &nearly), ("B", &most)],
                "A solved 13 of 24 (54.2%), B solved 12 (50%); the difference is well within chance (p = 1.00). \
                 Of the 12 positions that both solved, B needed fewer nodes in 12 and A in 0: this is \
                 hardly chance (p < 0.001).",
            ),
            (
                &[("A", &many), ("B", &most)],
                "A solved 24 of 24 (100%), B solved 12 (50%); the difference is hardly chance (p < 0.001). \
                 Of the 12 positions that both solved, B needed fewer nodes in 12 and A in 0: this is \
                 hardly chance (p < 0.001).",
            ),
            (
                &[("A", &all), ("B", &all)],
                "A solved 20 of 20 (100%), B solved 20 (100%); they solved the same positions.",
            ),
            (
                &[("A", &all), ("B", &nearly)],
                "A solved 20 of 20 (100%), B solved 13 of 24 (54.2%). Of the 20 positions that both have, A \
                 solved 20 and B 13; the difference is unlikely to be chance (p = 0.016).",
            ),
            (
                &[("A", &most), ("B", &nearly), ("C", &many)],
                "Solved, best first: C: 24 of 24 (100%); B: 13 of 24 (54.2%); A: 12 of 24 (50%). Between C \
                 and B, the difference is hardly chance (p < 0.001).",
            ),
            (
                &[("A", &[])],
                "0 positions, none with a move to find or to avoid (bm, am).",
            ),
        ] {
            assert_eq!(sentences(&report(files)).join(" "), expected);
        }
    }
}
