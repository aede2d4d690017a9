//! `epode sample`: a random part of the records.

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::cli::Sample;
use crate::exit_status::ExitStatus;
use crate::text::counted;
use crate::verbs::lines::{Content, Depth, Entry, Input, Streams, copy_lines};

pub fn run(args: &Sample) -> anyhow::Result<ExitStatus> {
    let files = &args.files;
    let streams = Streams {
        input: &files.input,
        output: &files.output,
        force: files.force,
        castling: files.castling,
        jobs: files.jobs.get(),
        depth: Depth::Position,
    };
    // ChaCha gives the same numbers in every version of the program.
    let mut random = ChaCha8Rng::seed_from_u64(args.seed);
    let mut chosen = 0;
    let counts = match (args.count, args.fraction) {
        (Some(count), _) => {
            let input = Input::open(&files.input)?;
            let mut output = input.create_output(&streams)?;
            let mut reservoir = Reservoir::new(count.get());
            let counts = input.read_only(
                &streams,
                |_, _| (),
                |entry| {
                    if let Content::Record(()) = entry.content {
                        reservoir.offer(entry.text, &mut random);
                    }
                    Ok(())
                },
            )?;
            let texts = reservoir.finish();
            chosen = texts.len();
            for text in texts {
                output.write_with(|out| out.write_all(&text))?;
            }
            output.finish()?;
            counts
        }
        (None, fraction) => {
            let fraction = fraction.unwrap_or(1.0);
            copy_lines(
                &streams,
                |_, _| (),
                |entry: Entry<'_, ()>, out| {
                    if matches!(entry.content, Content::Record(())) && random.random_bool(fraction)
                    {
                        chosen += 1;
                        out.extend(entry.text);
                    }
                    Ok(())
                },
            )?
        }
    };
    let records = counted(counts.records, "record", "records");
    eprintln!("{chosen} of {records}{}", counts.rest(", left out"));
    Ok(counts.status())
}

/// A random sample of fixed size from a stream of unknown length (Vitter's algorithm R).
struct Reservoir {
    size: usize,
    /// The number of texts so far.
    seen: u64,
    /// The sample, each text with its number.
    texts: Vec<(u64, Vec<u8>)>,
}

impl Reservoir {
    fn new(size: usize) -> Self {
        Self {
            size,
            seen: 0,
            texts: Vec::new(),
        }
    }

    fn offer(&mut self, text: &[u8], random: &mut ChaCha8Rng) {
        let number = self.seen;
        self.seen += 1;
        if self.texts.len() < self.size {
            self.texts.push((number, text.to_vec()));
            return;
        }
        let place = random.random_range(0..=number);
        if let Some(slot) = usize::try_from(place)
            .ok()
            .and_then(|place| self.texts.get_mut(place))
        {
            *slot = (number, text.to_vec());
        }
    }

    /// The sample in the order of the stream.
    fn finish(mut self) -> Vec<Vec<u8>> {
        self.texts.sort_unstable_by_key(|&(number, _)| number);
        self.texts.into_iter().map(|(_, text)| text).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each of ten texts is in about three of ten samples of three.
    #[test]
    fn all_are_equally_likely() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut times = [0; 10];
        for _ in 0..10_000 {
            let mut reservoir = Reservoir::new(3);
            for text in 0..10_u8 {
                reservoir.offer(&[text], &mut random);
            }
            let sample = reservoir.finish();
            assert!(sample.is_sorted() && sample.len() == 3);
            for text in sample {
                times[usize::from(text[0])] += 1;
            }
        }
        // The standard deviation is 46.
        assert!(
            times.iter().all(|&times| (2800..3200).contains(&times)),
            "{times:?}"
        );
    }
}
