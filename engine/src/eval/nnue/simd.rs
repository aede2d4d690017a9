//! The arithmetic of the network: AVX-512 or AVX2 where the processor has them, and plain Rust,
//! which the compiler vectorises, everywhere else. All versions give the same numbers.

use super::layout::{HIDDEN, ONE, OUTPUT_LIMIT, Row};

// The square of a clipped value fits 16 bits without a sign, half of it 16 bits with a sign.
const _: () = assert!(ONE * ONE <= u16::MAX as i32);
/// The largest product of half a square and a weight.
const PRODUCT_LIMIT: i64 = (ONE * ONE / 2) as i64 * OUTPUT_LIMIT as i64;

/// The arithmetic on the rows of the network. A value exists only for instructions that the processor
/// has.
pub(crate) trait Arithmetic: Copy {
    /// Sets `to` to `from`, or to itself, plus the rows that are added and minus those that are removed.
    fn update<'a>(
        self,
        from: Option<&Row>,
        to: &mut Row,
        added: impl Iterator<Item = &'a Row> + Clone,
        removed: impl Iterator<Item = &'a Row> + Clone,
    );

    /// The sum over all neurons of half the square of its value, clipped to 0 to [`ONE`] and
    /// rounded down, times its weight. Half the square fits 16 bits with a sign, the whole would not.
    fn dot(self, values: &Row, weights: &Row) -> i64;
}

/// Work that is compiled once for each kind of instructions. `run` must be `#[inline(always)]`, so
/// that all of it, and not only the arithmetic, may use the instructions.
pub(crate) trait Task {
    type Output;
    fn run(self, arithmetic: impl Arithmetic) -> Self::Output;
}

/// The instructions that the network uses, chosen at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Simd {
    #[cfg(target_arch = "x86_64")]
    Avx512(avx512::Token),
    #[cfg(target_arch = "x86_64")]
    Avx2(avx2::Token),
    Portable(portable::Token),
}

impl Simd {
    /// All kinds of instructions that this processor has, the fastest first.
    fn available() -> impl Iterator<Item = Self> {
        #[cfg(target_arch = "x86_64")]
        let special = [
            avx512::Token::detect().map(Self::Avx512),
            avx2::Token::detect().map(Self::Avx2),
        ];
        #[cfg(not(target_arch = "x86_64"))]
        let special: [Option<Self>; 0] = [];
        let special = special.into_iter().flatten();
        special.chain([Self::Portable(portable::Token)])
    }

    /// The fastest instructions that this processor has.
    pub fn detect() -> Self {
        let portable = Self::Portable(portable::Token);
        Self::available().next().unwrap_or(portable)
    }

    /// The name of the instructions.
    pub const fn name(self) -> &'static str {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => "AVX-512",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => "AVX2",
            Self::Portable(_) => "portable",
        }
    }

    /// Runs a task with these instructions.
    #[inline]
    pub fn run<T: Task>(self, task: T) -> T::Output {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(token) => token.run(task),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(token) => token.run(task),
            Self::Portable(token) => task.run(token),
        }
    }
}

/// Plain Rust for any processor, in fixed chunks so that the compiler vectorises it (SSE2, NEON).
mod portable {
    use super::{Arithmetic, HIDDEN, ONE, PRODUCT_LIMIT, Row};

    /// Products that are added in 32 bits.
    const CHUNK: usize = 32;
    const _: () = assert!(HIDDEN.is_multiple_of(CHUNK));
    const _: () = assert!(CHUNK as i64 * PRODUCT_LIMIT <= i32::MAX as i64);

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Token;

    impl Arithmetic for Token {
        fn update<'a>(
            self,
            from: Option<&Row>,
            to: &mut Row,
            added: impl Iterator<Item = &'a Row> + Clone,
            removed: impl Iterator<Item = &'a Row> + Clone,
        ) {
            if let Some(from) = from {
                to.0 = from.0;
            }
            for row in added {
                for (value, weight) in to.0.iter_mut().zip(&row.0) {
                    *value = value.wrapping_add(*weight);
                }
            }
            for row in removed {
                for (value, weight) in to.0.iter_mut().zip(&row.0) {
                    *value = value.wrapping_sub(*weight);
                }
            }
        }

        fn dot(self, values: &Row, weights: &Row) -> i64 {
            let (values, _) = values.0.as_chunks::<CHUNK>();
            let (weights, _) = weights.0.as_chunks::<CHUNK>();
            let chunks = values.iter().zip(weights).map(|(values, weights)| {
                let products = values.iter().zip(weights).map(|(&value, &weight)| {
                    let value = value.clamp(0, ONE as i16) as u16;
                    let half = (value * value / 2) as i16;
                    i32::from(half) * i32::from(weight)
                });
                i64::from(products.sum::<i32>())
            });
            chunks.sum()
        }
    }
}

/// A version for registers of one kind, given their width in lanes of 16 bits and the instructions.
/// A row is processed in blocks that stay in registers while all rows are added.
#[cfg(target_arch = "x86_64")]
macro_rules! version {
    ($name:ident, $features:literal, [$($feature:tt),+], $register:ty, $lanes:literal, $load:ident,
     $store:ident, $add:ident, $sub:ident, $min:ident, $max:ident, $splat:ident, $multiply:ident,
     $halve:ident, $multiply_add:ident, $add_wide:ident, $zero:ident) => {
        mod $name {
            use std::arch::x86_64::*;

            use super::{Arithmetic, HIDDEN, ONE, PRODUCT_LIMIT, Row, Task};

            /// 16-bit lanes of a register.
            const LANES: usize = $lanes;
            /// Neurons whose products cannot overflow the 32-bit lanes that add them: a register of
            /// them adds two products to each lane.
            const PART: usize = (i32::MAX as i64 / (2 * PRODUCT_LIMIT)) as usize * LANES;
            /// Registers of a block.
            const BLOCK: usize = if HIDDEN / LANES < 8 {
                HIDDEN / LANES
            } else {
                8
            };
            const _: () = assert!(HIDDEN.is_multiple_of(LANES * BLOCK));

            /// Proof that the processor has the instructions.
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub struct Token(());

            impl Token {
                /// A token if the processor has the instructions.
                pub fn detect() -> Option<Self> {
                    let has_all = $(is_x86_feature_detected!($feature))&&+;
                    has_all.then_some(Self(()))
                }

                #[inline]
                pub fn run<T: Task>(self, task: T) -> T::Output {
                    #[target_feature(enable = $features)]
                    unsafe fn run<T: Task>(task: T, token: Token) -> T::Output {
                        task.run(token)
                    }
                    // SAFETY: the token proves that the processor has the instructions.
                    unsafe { run(task, self) }
                }
            }

            impl Arithmetic for Token {
                #[inline(always)]
                fn update<'a>(
                    self,
                    from: Option<&Row>,
                    to: &mut Row,
                    added: impl Iterator<Item = &'a Row> + Clone,
                    removed: impl Iterator<Item = &'a Row> + Clone,
                ) {
                    // SAFETY: the token proves that the processor has the instructions.
                    unsafe { update(from, to, added, removed) }
                }

                #[inline(always)]
                fn dot(self, values: &Row, weights: &Row) -> i64 {
                    // SAFETY: as above.
                    unsafe { dot(values, weights) }
                }
            }

            /// The register that begins at a lane.
            ///
            /// # Safety
            ///
            /// The processor must have the instructions, and the lanes must lie within the row.
            #[target_feature(enable = $features)]
            unsafe fn load(row: &Row, lane: usize) -> $register {
                // SAFETY: the caller's; a row is aligned to 64 bytes.
                unsafe { $load(row.0.as_ptr().add(lane).cast()) }
            }

            /// # Safety
            ///
            /// The processor must have the instructions.
            #[target_feature(enable = $features)]
            unsafe fn update<'a>(
                from: Option<&Row>,
                to: &mut Row,
                added: impl Iterator<Item = &'a Row> + Clone,
                removed: impl Iterator<Item = &'a Row> + Clone,
            ) {
                for block in (0..HIDDEN).step_by(LANES * BLOCK) {
                    let mut sums: [$register; BLOCK] = [$zero(); BLOCK];
                    for (i, sum) in sums.iter_mut().enumerate() {
                        // SAFETY: the blocks make up the row.
                        *sum = unsafe { load(from.unwrap_or(to), block + i * LANES) };
                    }
                    for row in added.clone() {
                        for (i, sum) in sums.iter_mut().enumerate() {
                            // SAFETY: as above.
                            *sum = $add(*sum, unsafe { load(row, block + i * LANES) });
                        }
                    }
                    for row in removed.clone() {
                        for (i, sum) in sums.iter_mut().enumerate() {
                            // SAFETY: as above.
                            *sum = $sub(*sum, unsafe { load(row, block + i * LANES) });
                        }
                    }
                    for (i, sum) in sums.iter().enumerate() {
                        let lane = block + i * LANES;
                        // SAFETY: as above, and a row is aligned to 64 bytes.
                        unsafe { $store(to.0.as_mut_ptr().add(lane).cast(), *sum) };
                    }
                }
            }

            /// # Safety
            ///
            /// The processor must have the instructions.
            #[target_feature(enable = $features)]
            unsafe fn dot(values: &Row, weights: &Row) -> i64 {
                let mut total = 0;
                for part in (0..HIDDEN).step_by(PART) {
                    let mut sum = $zero();
                    for lane in (part..HIDDEN.min(part + PART)).step_by(LANES) {
                        // SAFETY: the steps make up the row.
                        let (value, weight) = unsafe { (load(values, lane), load(weights, lane)) };
                        let value = $min($max(value, $zero()), $splat(ONE as i16));
                        let half = $halve::<1>($multiply(value, value));
                        sum = $add_wide(sum, $multiply_add(half, weight));
                    }
                    // SAFETY: both are plain bits of the same size.
                    let sums: [i32; LANES / 2] = unsafe { std::mem::transmute(sum) };
                    total += sums.into_iter().map(i64::from).sum::<i64>();
                }
                total
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
version!(
    avx2,
    "avx2,bmi1,bmi2,lzcnt,popcnt",
    ["avx2", "bmi1", "bmi2", "lzcnt", "popcnt"],
    __m256i,
    16,
    _mm256_load_si256,
    _mm256_store_si256,
    _mm256_add_epi16,
    _mm256_sub_epi16,
    _mm256_min_epi16,
    _mm256_max_epi16,
    _mm256_set1_epi16,
    _mm256_mullo_epi16,
    _mm256_srli_epi16,
    _mm256_madd_epi16,
    _mm256_add_epi32,
    _mm256_setzero_si256
);

#[cfg(target_arch = "x86_64")]
version!(
    avx512,
    "avx512f,avx512bw,bmi1,bmi2,lzcnt,popcnt",
    ["avx512f", "avx512bw", "bmi1", "bmi2", "lzcnt", "popcnt"],
    __m512i,
    32,
    _mm512_load_si512,
    _mm512_store_si512,
    _mm512_add_epi16,
    _mm512_sub_epi16,
    _mm512_min_epi16,
    _mm512_max_epi16,
    _mm512_set1_epi16,
    _mm512_mullo_epi16,
    _mm512_srli_epi16,
    _mm512_madd_epi16,
    _mm512_add_epi32,
    _mm512_setzero_si512
);

#[cfg(test)]
impl Simd {
    /// All kinds that this processor has, the portable one first.
    pub fn all() -> Vec<Self> {
        let mut all: Vec<_> = Self::available().collect();
        all.reverse();
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    fn row(rng: &mut StdRng, limit: i16) -> Row {
        Row(std::array::from_fn(|_| rng.random_range(-limit..=limit)))
    }

    /// The dot product as its documentation defines it.
    fn dot_by_definition(values: &Row, weights: &Row) -> i64 {
        let terms = values.0.iter().zip(&weights.0).map(|(&value, &weight)| {
            let value = i64::from(value).clamp(0, ONE.into());
            value * value / 2 * i64::from(weight)
        });
        terms.sum()
    }

    /// Updates a row, and multiplies two others.
    struct Both<'a> {
        from: &'a Row,
        added: &'a [&'a Row],
        removed: &'a [&'a Row],
        factors: &'a (Row, Row),
    }

    impl Task for Both<'_> {
        type Output = (Row, i64);
        #[inline(always)]
        fn run(self, arithmetic: impl Arithmetic) -> (Row, i64) {
            let mut to = Row([0; HIDDEN]);
            let [added, removed] = [self.added, self.removed].map(|rows| rows.iter().copied());
            arithmetic.update(Some(self.from), &mut to, added.clone(), removed.clone());
            let mut in_place = self.from.clone();
            arithmetic.update(None, &mut in_place, added, removed);
            assert_eq!(in_place, to);
            let (values, weights) = self.factors;
            (to, arithmetic.dot(values, weights))
        }
    }

    /// All kinds of instructions, on random rows and on the extremes.
    #[test]
    fn all_instructions_give_the_same_numbers() {
        let mut rng = StdRng::seed_from_u64(1);
        let rows: Vec<_> = (0..40).map(|_| row(&mut rng, 1000)).collect();
        let extreme = (Row([ONE as i16; HIDDEN]), Row([OUTPUT_LIMIT; HIDDEN]));
        let negative = (Row([i16::MAX; HIDDEN]), Row([-OUTPUT_LIMIT; HIDDEN]));
        for round in 0..50 {
            let some = |count: usize, rng: &mut StdRng| {
                let rows = (0..count).map(|_| &rows[rng.random_range(0..rows.len())]);
                rows.collect::<Vec<_>>()
            };
            let (added, removed) = (some(round % 5, &mut rng), some(round % 3, &mut rng));
            let from = row(&mut rng, i16::MAX);
            let sums = Row(std::array::from_fn(|i| {
                let weight = |row: &&Row| row.0[i];
                let sum = added.iter().map(weight).fold(from.0[i], i16::wrapping_add);
                removed.iter().map(weight).fold(sum, i16::wrapping_sub)
            }));
            let factors = match round {
                0 => extreme.clone(),
                1 => negative.clone(),
                _ => (row(&mut rng, 400), row(&mut rng, OUTPUT_LIMIT)),
            };
            let expected = (sums, dot_by_definition(&factors.0, &factors.1));
            for simd in Simd::all() {
                let found = simd.run(Both {
                    from: &from,
                    added: &added,
                    removed: &removed,
                    factors: &factors,
                });
                assert_eq!(found, expected, "{simd:?}");
            }
        }
    }
}
