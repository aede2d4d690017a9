//! The arithmetic of the network on simd registers: AVX-512 or AVX2 where the program is built
//! for them, and plain Rust everywhere else. All give the same numbers to the last bit.

#[cfg(any(test, all(target_arch = "x86_64", target_feature = "avx2")))]
use super::OUTPUT_LIMIT;
use super::{ONE, Row};

// A square that is no more than 16 bits without a sign.
const _: () = assert!(ONE * ONE <= u16::MAX as i32);
/// The greatest product of half a square and a weight.
#[cfg(any(test, all(target_arch = "x86_64", target_feature = "avx2")))]
const MOST_PRODUCT: i64 = (ONE * ONE / 2) as i64 * OUTPUT_LIMIT as i64;

/// `from`, with rows added and others taken away.
pub fn update<'a>(
    from: &Row,
    to: &mut Row,
    added: impl Iterator<Item = &'a Row> + Clone,
    removed: impl Iterator<Item = &'a Row> + Clone,
) {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx512bw"))]
    // SAFETY: the program is built for processors that have what this needs.
    unsafe {
        avx512::update(from, to, added, removed);
    }
    #[cfg(all(
        target_arch = "x86_64",
        target_feature = "avx2",
        not(target_feature = "avx512bw")
    ))]
    // SAFETY: as above.
    unsafe {
        avx2::update(from, to, added, removed);
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
    portable::update(from, to, added, removed);
}

/// The sum over all neurons of half the square of its value, clipped to 0 to [`ONE`](super::ONE) and
/// rounded down, times its weight. Half the square fits 16 bits with a sign, the whole would not.
pub fn dot(values: &Row, weights: &Row) -> i64 {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx512bw"))]
    // SAFETY: as above.
    let sum = unsafe { avx512::dot(values, weights) };
    #[cfg(all(
        target_arch = "x86_64",
        target_feature = "avx2",
        not(target_feature = "avx512bw")
    ))]
    // SAFETY: as above.
    let sum = unsafe { avx2::dot(values, weights) };
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
    let sum = portable::dot(values, weights);
    sum
}

/// What any processor can do, and what the others are held against.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
mod portable {
    use super::super::{ONE, Row};

    pub fn update<'a>(
        from: &Row,
        to: &mut Row,
        added: impl Iterator<Item = &'a Row> + Clone,
        removed: impl Iterator<Item = &'a Row> + Clone,
    ) {
        to.0 = from.0;
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

    pub fn dot(values: &Row, weights: &Row) -> i64 {
        let products = values.0.iter().zip(&weights.0).map(|(&value, &weight)| {
            let value = i32::from(value).clamp(0, ONE);
            i64::from(value * value / 2 * i32::from(weight))
        });
        products.sum()
    }
}

/// A version for registers of one kind: where it is the one in use, how wide they are in lanes of 16
/// bits, and the instructions. A row is worked through in blocks that stay in registers whatever is
/// added.
#[cfg(target_arch = "x86_64")]
macro_rules! version {
    ($name:ident, $where:meta, $features:literal, $register:ty, $lanes:literal, $load:ident,
     $store:ident, $add:ident, $sub:ident, $min:ident, $max:ident, $splat:ident, $multiply:ident,
     $halve:ident, $multiply_add:ident, $add_wide:ident, $zero:ident) => {
        #[cfg(any(test, $where))]
        mod $name {
            use std::arch::x86_64::*;

            use super::super::{HIDDEN, ONE, Row};
            use super::MOST_PRODUCT;

            /// Lanes of a register.
            const LANES: usize = $lanes;
            /// Registers of a block.
            const BLOCK: usize = if HIDDEN / LANES < 8 {
                HIDDEN / LANES
            } else {
                8
            };
            const _: () = assert!(HIDDEN.is_multiple_of(LANES * BLOCK));
            /// Products that a lane of 32 bits adds up.
            const PRODUCTS: usize = HIDDEN / (LANES / 2);
            const _: () = assert!(
                PRODUCTS as i64 * MOST_PRODUCT <= i32::MAX as i64,
                "so many neurons make the sums of a lane overflow"
            );

            /// The register that begins at a lane.
            ///
            /// # Safety
            ///
            /// The processor must know the instructions, and the lanes must lie within the row.
            #[target_feature(enable = $features)]
            unsafe fn load(row: &Row, lane: usize) -> $register {
                // SAFETY: the caller's; a row is aligned to 64 bytes.
                unsafe { $load(row.0.as_ptr().add(lane).cast()) }
            }

            /// # Safety
            ///
            /// The processor must know the instructions.
            #[target_feature(enable = $features)]
            pub unsafe fn update<'a>(
                from: &Row,
                to: &mut Row,
                added: impl Iterator<Item = &'a Row> + Clone,
                removed: impl Iterator<Item = &'a Row> + Clone,
            ) {
                for block in (0..HIDDEN).step_by(LANES * BLOCK) {
                    let mut sums: [$register; BLOCK] = [$zero(); BLOCK];
                    for (i, sum) in sums.iter_mut().enumerate() {
                        // SAFETY: the blocks make up the row.
                        *sum = unsafe { load(from, block + i * LANES) };
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

            /// The sums of a register's lanes fit 32 bits, as is asserted above.
            ///
            /// # Safety
            ///
            /// The processor must know the instructions.
            #[target_feature(enable = $features)]
            pub unsafe fn dot(values: &Row, weights: &Row) -> i64 {
                let mut sum = $zero();
                for lane in (0..HIDDEN).step_by(LANES) {
                    // SAFETY: the steps make up the row.
                    let (value, weight) = unsafe { (load(values, lane), load(weights, lane)) };
                    let value = $min($max(value, $zero()), $splat(ONE as i16));
                    let half = $halve::<1>($multiply(value, value));
                    sum = $add_wide(sum, $multiply_add(half, weight));
                }
                // SAFETY: both are so many bits without a meaning of their own.
                let sums: [i32; LANES / 2] = unsafe { std::mem::transmute(sum) };
                sums.into_iter().map(i64::from).sum()
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
version!(
    avx2,
    all(target_feature = "avx2", not(target_feature = "avx512bw")),
    "avx2",
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
    target_feature = "avx512bw",
    "avx512f,avx512bw",
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
mod tests {
    use super::super::{HIDDEN, ONE, OUTPUT_LIMIT, Row};
    use super::*;
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    fn row(rng: &mut StdRng, limit: i16) -> Row {
        Row(std::array::from_fn(|_| rng.random_range(-limit..=limit)))
    }

    /// Whatever the processor knows gives what plain Rust gives, on the extremes as well.
    #[test]
    fn every_version_gives_the_same() {
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
            let [added, removed] = [&added, &removed].map(|rows| rows.iter().copied());
            let from = row(&mut rng, i16::MAX);
            let mut expected = Row([0; HIDDEN]);
            portable::update(&from, &mut expected, added.clone(), removed.clone());
            let (values, weights) = match round {
                0 => extreme.clone(),
                1 => negative.clone(),
                _ => (row(&mut rng, 400), row(&mut rng, OUTPUT_LIMIT)),
            };
            let sum = portable::dot(&values, &weights);

            let mut found = Row([0; HIDDEN]);
            update(&from, &mut found, added.clone(), removed.clone());
            assert_eq!((&found, dot(&values, &weights)), (&expected, sum));
            #[cfg(target_arch = "x86_64")]
            if is_x86_feature_detected!("avx2") {
                let mut found = Row([0; HIDDEN]);
                // SAFETY: the processor was asked.
                let product = unsafe {
                    avx2::update(&from, &mut found, added.clone(), removed.clone());
                    avx2::dot(&values, &weights)
                };
                assert_eq!((&found, product), (&expected, sum));
            }
            #[cfg(target_arch = "x86_64")]
            if is_x86_feature_detected!("avx512bw") {
                let mut found = Row([0; HIDDEN]);
                // SAFETY: the processor was asked.
                let product = unsafe {
                    avx512::update(&from, &mut found, added.clone(), removed.clone());
                    avx512::dot(&values, &weights)
                };
                assert_eq!((&found, product), (&expected, sum));
            }
        }
    }
}
