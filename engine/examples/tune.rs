//! Tunes the weights of the evaluation on games of the engine against itself, and prints the file of
//! weights (<https://www.chessprogramming.org/Texel%27s_Tuning_Method>):
//!
//! ```text
//! epode datagen data.bin --positions 1000000
//! cargo run --release -p epode-engine --features tuning --example tune -- data.bin > weights.rs
//! mv weights.rs engine/src/eval/weights.rs
//! ```
//!
//! The square of the difference between what a position should be worth and what the evaluation
//! expects is made small by Adam (<https://arxiv.org/abs/1412.6980>). Both are points of White: what
//! it should be worth is a blend of the result of the game and what the search expected; centipawns
//! become points by a logistic curve, whose one number is fitted to the evaluation as it was, so
//! that the scale of the weights stays. Every tenth game is kept for validation, and the weights
//! that do best there are printed. The same data and options give the same weights.

use std::io::Read;
use std::process::ExitCode;

use epode_engine::Sample;
use epode_engine::tuning::{Counts, DANGER_DIVISORS, DANGER_LIMIT, terms, trace};
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;

const USAGE: &str =
    "usage: tune [--epochs N] [--result-share X] [--rate X] [--pull X] [--seed N] DATA...";

/// Positions after which the weights are moved.
const BATCH: usize = 8192;
/// Every so many games one is for validation.
const VALIDATION_GAMES: usize = 10;

struct Options {
    epochs: usize,
    /// The share of the result in what a position should be worth; the rest is the score's.
    result_share: f32,
    /// Centipawns that a weight moves at most in a step, at first.
    rate: f32,
    /// How strongly weights that few games have seen are held where they were: the loss, in
    /// thousand millionths, of one that is a centipawn away.
    pull: f32,
    seed: u64,
    files: Vec<String>,
}

impl Options {
    fn read(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self {
            epochs: 150,
            result_share: 0.6,
            rate: 0.7,
            pull: 10.0,
            seed: 1,
            files: Vec::new(),
        };
        while let Some(word) = words.next() {
            if !word.starts_with("--") {
                options.files.push(word);
                continue;
            }
            let value = words.next().ok_or(format!("{word}: expected a number"))?;
            let bad = || format!("{word}: found {value:?}, expected a number");
            match &word[2..] {
                "epochs" => options.epochs = value.parse().map_err(|_| bad())?,
                "result-share" => options.result_share = value.parse().map_err(|_| bad())?,
                "rate" => options.rate = value.parse().map_err(|_| bad())?,
                "pull" => options.pull = value.parse().map_err(|_| bad())?,
                "seed" => options.seed = value.parse().map_err(|_| bad())?,
                _ => return Err(format!("unknown option {word}")),
            }
        }
        if options.files.is_empty() {
            return Err("no data".to_owned());
        }
        Ok(options)
    }
}

/// A weight for the middlegame and one for the endgame.
type Weights = Vec<[f32; 2]>;

/// The weights that the evaluation has.
fn present_weights() -> Weights {
    let all = terms().into_iter().flat_map(|term| term.values);
    all.map(|halves| halves.map(|half| half as f32)).collect()
}

/// A position: where its counts stand in [`Data::counts`] and what it should be worth.
struct Entry {
    /// The ends of the counts of the sum and of White's danger and Black's; they begin where the
    /// entry before it ends.
    ends: [u32; 3],
    phase: f32,
    scale: [f32; 2],
    /// The points of White.
    result: f32,
    /// Centipawns.
    score: f32,
    validates: bool,
}

/// All positions, their counts one after the other.
struct Data {
    counts: Counts,
    entries: Vec<Entry>,
}

impl Data {
    fn load(files: &[String]) -> Result<Self, String> {
        let mut data = Self {
            counts: Vec::new(),
            entries: Vec::new(),
        };
        let mut games = 0;
        for name in files {
            let mut bytes = Vec::new();
            let mut file = std::fs::File::open(name).map_err(|error| format!("{name}: {error}"))?;
            let read = file.read_to_end(&mut bytes);
            read.map_err(|error| format!("{name}: {error}"))?;
            let (samples, rest) = bytes.as_chunks::<{ Sample::SIZE }>();
            if !rest.is_empty() {
                return Err(format!("{name}: {} bytes too many", rest.len()));
            }
            let mut last_ply = u16::MAX;
            for (i, bytes) in samples.iter().enumerate() {
                let sample = Sample::from_bytes(bytes);
                let sample = sample.map_err(|fault| format!("{name}: position {i}: {fault}"))?;
                games += usize::from(sample.ply <= last_ply);
                last_ply = sample.ply;
                data.add(&sample, games % VALIDATION_GAMES == 0);
            }
        }
        eprintln!("{} positions of {games} games", data.entries.len());
        Ok(data)
    }

    fn add(&mut self, sample: &Sample, validates: bool) {
        let Some(trace) = trace(&sample.position) else {
            return;
        };
        let [white, black] = trace.dangers;
        let ends = [trace.sum, white, black].map(|counts| {
            self.counts.extend(counts);
            self.counts.len() as u32
        });
        self.entries.push(Entry {
            ends,
            phase: trace.phase,
            scale: trace.scale,
            result: sample.result.points() as f32,
            score: sample.score.into(),
            validates,
        });
    }

    /// The counts of an entry: the sum, White's danger, Black's.
    fn counts_of(&self, i: usize) -> [&[(u16, i16)]; 3] {
        let begin = i
            .checked_sub(1)
            .map_or(0, |last| self.entries[last].ends[2]);
        let [sum, white, black] = self.entries[i].ends.map(|end| end as usize);
        [
            &self.counts[begin as usize..sum],
            &self.counts[sum..white],
            &self.counts[white..black],
        ]
    }

    /// What the evaluation says in centipawns, and how it changes with the sum for the middlegame,
    /// that for the endgame, and each danger.
    fn evaluate(&self, i: usize, weights: &Weights) -> (f32, [f32; 2], [f32; 2]) {
        let entry = &self.entries[i];
        let [sum, white, black] = self.counts_of(i);
        let mut halves = [0.0, 0.0];
        for &(weight, times) in sum {
            let [middlegame, endgame] = weights[usize::from(weight)];
            halves[0] += middlegame * f32::from(times);
            halves[1] += endgame * f32::from(times);
        }
        let [square, even] = DANGER_DIVISORS;
        let mut slopes = [[0.0; 2]; 2];
        for (side, (counts, sign)) in [(white, 1.0), (black, -1.0)].into_iter().enumerate() {
            let danger = counts
                .iter()
                .map(|&(weight, times)| weights[usize::from(weight)][0] * f32::from(times));
            let danger: f32 = danger.sum();
            let within = danger.clamp(0.0, DANGER_LIMIT);
            halves[0] += sign * within * within / square;
            halves[1] += sign * within / even;
            if danger > 0.0 && danger < DANGER_LIMIT {
                slopes[side] = [2.0 * sign * within / square, sign / even];
            }
        }
        let mut by = [entry.phase, 1.0 - entry.phase];
        let whole = halves[0] * by[0] + halves[1] * by[1];
        let scale = entry.scale[usize::from(whole <= 0.0)];
        by = by.map(|share| share * scale);
        let value = whole * scale;
        (
            value,
            by,
            slopes.map(|slope| slope[0] * by[0] + slope[1] * by[1]),
        )
    }

    /// The mean square of the error of these entries.
    fn loss(&self, entries: &[usize], weights: &Weights, curve: &Curve) -> f64 {
        let errors = entries.iter().map(|&i| {
            let (value, ..) = self.evaluate(i, weights);
            let error = curve.points(value) - curve.target(&self.entries[i]);
            f64::from(error * error)
        });
        errors.sum::<f64>() / entries.len() as f64
    }

    /// Adds the slope of the square error of an entry.
    fn add_slope(&self, i: usize, weights: &Weights, curve: &Curve, slope: &mut Weights) {
        let (value, by, dangers) = self.evaluate(i, weights);
        let points = curve.points(value);
        let error = points - curve.target(&self.entries[i]);
        let slope_of_value = 2.0 * error * points * (1.0 - points) * curve.steepness;
        let [sum, white, black] = self.counts_of(i);
        for &(weight, times) in sum {
            for half in 0..2 {
                slope[usize::from(weight)][half] += slope_of_value * by[half] * f32::from(times);
            }
        }
        for (counts, danger) in [(white, dangers[0]), (black, dangers[1])] {
            for &(weight, times) in counts {
                slope[usize::from(weight)][0] += slope_of_value * danger * f32::from(times);
            }
        }
    }
}

/// From centipawns to points.
struct Curve {
    steepness: f32,
    result_share: f32,
}

impl Curve {
    /// The curve by which the evaluation, as it is, tells the results best.
    fn fitted(data: &Data, entries: &[usize], weights: &Weights, result_share: f32) -> Self {
        let values: Vec<_> = entries
            .iter()
            .map(|&i| (data.evaluate(i, weights).0, data.entries[i].result))
            .collect();
        let loss = |steepness: f32| {
            let curve = Self {
                steepness,
                result_share: 1.0,
            };
            let errors = values.iter().map(|&(value, result)| {
                let error = f64::from(curve.points(value) - result);
                error * error
            });
            errors.sum::<f64>() / values.len() as f64
        };
        // The loss has one valley: the golden section closes in on it.
        let (mut low, mut high) = (0.0005_f32, 0.02_f32);
        for _ in 0..25 {
            let step = 0.382 * (high - low);
            if loss(low + step) < loss(high - step) {
                high -= step;
            } else {
                low += step;
            }
        }
        let steepness = f32::midpoint(low, high);
        eprintln!(
            "points = 1 / (1 + exp(-{steepness:.5} centipawns)), loss {:.6}",
            loss(steepness)
        );
        Self {
            steepness,
            result_share,
        }
    }

    fn points(&self, centipawns: f32) -> f32 {
        1.0 / (1.0 + (-self.steepness * centipawns).exp())
    }

    fn target(&self, entry: &Entry) -> f32 {
        self.result_share * entry.result + (1.0 - self.result_share) * self.points(entry.score)
    }
}

/// Adam: each weight has its own pace, by the mean of its slopes and of their squares.
struct Adam {
    means: Weights,
    squares: Weights,
    steps: i32,
}

impl Adam {
    fn step(&mut self, weights: &mut Weights, slope: &Weights, rate: f32) {
        const KEPT: [f32; 2] = [0.9, 0.999];
        self.steps += 1;
        let grown = KEPT.map(|kept| 1.0 - kept.powi(self.steps));
        for (i, slopes) in slope.iter().enumerate() {
            for (half, &slope) in slopes.iter().enumerate() {
                let (mean, square) = (&mut self.means[i][half], &mut self.squares[i][half]);
                *mean = KEPT[0] * *mean + (1.0 - KEPT[0]) * slope;
                *square = KEPT[1] * *square + (1.0 - KEPT[1]) * slope * slope;
                let pace = (*square / grown[1]).sqrt() + 1e-9;
                weights[i][half] -= rate * (*mean / grown[0]) / pace;
            }
        }
    }
}

fn tune(options: &Options, data: &Data) -> Weights {
    let mut weights = present_weights();
    let (validation, mut training): (Vec<_>, Vec<_>) =
        (0..data.entries.len()).partition(|&i| data.entries[i].validates);
    let curve = Curve::fitted(data, &training, &weights, options.result_share);
    let mut adam = Adam {
        means: vec![[0.0; 2]; weights.len()],
        squares: vec![[0.0; 2]; weights.len()],
        steps: 0,
    };
    let mut random = StdRng::seed_from_u64(options.seed);
    let mut least = data.loss(&validation, &weights, &curve);
    let first = weights.clone();
    let mut best = weights.clone();
    eprintln!("validation loss at first {least:.6}");
    for epoch in 1..=options.epochs {
        // In big steps at first, in the end in small ones.
        let done = (epoch - 1) as f32 / options.epochs as f32;
        let rate = options.rate * (1.0 - done).max(0.02);
        training.shuffle(&mut random);
        for batch in training.chunks(BATCH) {
            let mut slope = vec![[0.0; 2]; weights.len()];
            for &i in batch {
                data.add_slope(i, &weights, &curve, &mut slope);
            }
            let all = slope.iter_mut().flatten();
            for (slope, (weight, first)) in
                all.zip(weights.iter().flatten().zip(first.iter().flatten()))
            {
                *slope = *slope / batch.len() as f32 + 2e-9 * options.pull * (weight - first);
            }
            adam.step(&mut weights, &slope, rate);
        }
        let loss = data.loss(&validation, &weights, &curve);
        if loss < least {
            (least, best) = (loss, weights.clone());
        }
        if epoch % 10 == 0 || epoch == options.epochs {
            let trained = data.loss(&training, &weights, &curve);
            eprintln!("epoch {epoch}: loss {trained:.6}, validation {loss:.6}, least {least:.6}");
        }
    }
    best
}

/// Prints the file of weights with other numbers.
fn print(weights: &Weights) {
    let file = include_str!("../src/eval/weights.rs");
    for line in file.lines() {
        println!("{line}");
        if line == "weights! {" {
            break;
        }
    }
    let mut left = weights.iter();
    for term in terms() {
        for line in term.about {
            println!("    ///{line}");
        }
        let count = term.values.len();
        let cells: Vec<String> = left
            .by_ref()
            .take(count)
            .map(|[middlegame, endgame]| format!("t({middlegame:.0}, {endgame:.0})"))
            .map(|cell| cell.replace("-0,", "0,").replace("-0)", "0)"))
            .collect();
        if count <= 5 {
            println!("    {}: {count} = [{}];", term.name, cells.join(", "));
            continue;
        }
        // Rows of what belongs together: half ranks, and what divides the rest.
        let width = [4, 7, 5, 3].into_iter().find(|width| count % width == 0);
        println!("    {}: {count} = [", term.name);
        for row in cells.chunks(width.unwrap_or(8)) {
            println!("        {},", row.join(", "));
        }
        println!("    ];");
    }
    println!("}}");
}

fn main() -> ExitCode {
    let options = match Options::read(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(message) => {
            eprintln!("tune: {message}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match Data::load(&options.files) {
        Ok(data) => {
            print(&tune(&options, &data));
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("tune: {message}");
            ExitCode::from(2)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use epode_engine::{GameResult, Searcher, SelfPlay, Signals, tuning};

    /// What is tuned is what the engine plays with: but for rounding the scores are the same.
    #[test]
    fn the_tuner_evaluates_as_the_engine_does() {
        let play = SelfPlay {
            starts: Vec::new(),
            nodes: 50,
            seed: 3,
        };
        let mut searcher = Searcher::new(1);
        let (mut positions, mut results) = (0, [0; 3]);
        for number in 0..40 {
            let played = play.play(number, &mut searcher, &Signals::default());
            let mut data = Data {
                counts: Vec::new(),
                entries: Vec::new(),
            };
            for sample in &played.expect("played").samples {
                let before = data.entries.len();
                data.add(sample, false);
                if data.entries.len() == before {
                    // A bare king.
                    continue;
                }
                let (value, ..) = data.evaluate(before, &present_weights());
                let expected = tuning::evaluate(&sample.position) as f32;
                let position = sample.position;
                assert!(
                    (value - expected).abs() < 6.0,
                    "{position}: {value}, {expected}"
                );
                positions += 1;
                results[sample.result as usize] += 1;
            }
        }
        assert!(positions > 1000, "{positions}");
        assert!(results[GameResult::Draw as usize] > 0);
    }

    /// The slope is that of the loss.
    #[test]
    fn slopes_are_those_of_the_loss() {
        let mut data = Data {
            counts: Vec::new(),
            entries: Vec::new(),
        };
        data.add(
            &Sample {
                position: "r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - 0 1"
                    .parse()
                    .expect("legal"),
                score: 30,
                result: GameResult::WhiteWon,
                ply: 30,
            },
            false,
        );
        let curve = Curve {
            steepness: 0.006,
            result_share: 0.5,
        };
        let weights = present_weights();
        let mut slope = vec![[0.0; 2]; weights.len()];
        data.add_slope(0, &weights, &curve, &mut slope);
        assert!(
            slope
                .iter()
                .flatten()
                .filter(|&&slope| slope != 0.0)
                .count()
                > 50
        );
        for i in 0..weights.len() {
            for half in 0..2 {
                let loss = |step: f32| {
                    let mut moved = weights.clone();
                    moved[i][half] += step;
                    data.loss(&[0], &moved, &curve)
                };
                let found = (loss(0.5) - loss(-0.5)) as f32;
                let difference = (found - slope[i][half]).abs();
                assert!(
                    difference < 2e-5 + 0.02 * found.abs(),
                    "weight {i}: {found}"
                );
            }
        }
    }
}
