//! A vector of four 64-bit words: a 256-bit register in a build with AVX2, an array in others.

pub(crate) use imp::Quad;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
mod imp {
    #[allow(
        clippy::wildcard_imports,
        reason = "two dozen intrinsics with unmistakable names"
    )]
    use std::arch::x86_64::*;
    use std::ops::{BitAnd, BitOr};

    /// Four 64-bit words.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Quad(__m256i);

    // SAFETY (of all blocks below): the build has AVX2, and no instruction accesses memory except the
    // given arrays.
    impl Quad {
        #[inline(always)]
        pub fn new([a, b, c, d]: [u64; 4]) -> Self {
            // SAFETY: see above.
            Self(unsafe { _mm256_set_epi64x(d as i64, c as i64, b as i64, a as i64) })
        }

        #[inline(always)]
        pub fn load(words: &[u64; 4]) -> Self {
            // SAFETY: see above; the load needs no alignment.
            Self(unsafe { _mm256_loadu_si256(words.as_ptr().cast()) })
        }

        #[inline(always)]
        pub fn splat(word: u64) -> Self {
            // SAFETY: see above.
            Self(unsafe { _mm256_set1_epi64x(word as i64) })
        }

        #[inline(always)]
        pub fn words(self) -> [u64; 4] {
            // SAFETY: see above.
            unsafe {
                [
                    _mm256_extract_epi64::<0>(self.0) as u64,
                    _mm256_extract_epi64::<1>(self.0) as u64,
                    _mm256_extract_epi64::<2>(self.0) as u64,
                    _mm256_extract_epi64::<3>(self.0) as u64,
                ]
            }
        }

        /// Each word shifted left by its own number of bits.
        #[inline(always)]
        pub fn shl(self, by: [u64; 4]) -> Self {
            // SAFETY: see above.
            Self(unsafe { _mm256_sllv_epi64(self.0, Self::new(by).0) })
        }

        /// Each word shifted right by its own number of bits.
        #[inline(always)]
        pub fn shr(self, by: [u64; 4]) -> Self {
            // SAFETY: see above.
            Self(unsafe { _mm256_srlv_epi64(self.0, Self::new(by).0) })
        }

        /// The union (bitwise or) of the four words.
        #[inline(always)]
        pub fn union(self) -> u64 {
            // SAFETY: see above.
            unsafe {
                let halves = _mm_or_si128(
                    _mm256_castsi256_si128(self.0),
                    _mm256_extracti128_si256::<1>(self.0),
                );
                let both = _mm_or_si128(halves, _mm_unpackhi_epi64(halves, halves));
                _mm_cvtsi128_si64(both) as u64
            }
        }

        /// The number of ones in all words. Nibbles are looked up in a table, and bytes are added
        /// (W. Muła, <http://0x80.pl/articles/sse-popcount.html>).
        #[inline(always)]
        pub fn ones<const N: usize>(quads: [Self; N]) -> u32 {
            // SAFETY: see above.
            unsafe {
                let nibble = _mm256_setr_epi8(
                    0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, //
                    0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
                );
                let low = _mm256_set1_epi8(15);
                let mut bytes = _mm256_setzero_si256();
                for quad in quads {
                    let lower = _mm256_and_si256(quad.0, low);
                    let upper = _mm256_and_si256(_mm256_srli_epi16::<4>(quad.0), low);
                    bytes = _mm256_add_epi8(bytes, _mm256_shuffle_epi8(nibble, lower));
                    bytes = _mm256_add_epi8(bytes, _mm256_shuffle_epi8(nibble, upper));
                }
                let words = _mm256_sad_epu8(bytes, _mm256_setzero_si256());
                let halves = _mm_add_epi64(
                    _mm256_castsi256_si128(words),
                    _mm256_extracti128_si256::<1>(words),
                );
                let sum = _mm_add_epi64(halves, _mm_unpackhi_epi64(halves, halves));
                _mm_cvtsi128_si64(sum) as u32
            }
        }
    }

    impl BitAnd for Quad {
        type Output = Self;
        #[inline(always)]
        fn bitand(self, other: Self) -> Self {
            // SAFETY: see above.
            Self(unsafe { _mm256_and_si256(self.0, other.0) })
        }
    }

    impl BitOr for Quad {
        type Output = Self;
        #[inline(always)]
        fn bitor(self, other: Self) -> Self {
            // SAFETY: see above.
            Self(unsafe { _mm256_or_si256(self.0, other.0) })
        }
    }
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
mod imp {
    use std::array::from_fn;
    use std::ops::{BitAnd, BitOr};

    /// Four 64-bit words.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Quad([u64; 4]);

    impl Quad {
        #[inline(always)]
        pub fn new(words: [u64; 4]) -> Self {
            Self(words)
        }

        #[inline(always)]
        pub fn load(words: &[u64; 4]) -> Self {
            Self(*words)
        }

        #[inline(always)]
        pub fn splat(word: u64) -> Self {
            Self([word; 4])
        }

        #[inline(always)]
        pub fn words(self) -> [u64; 4] {
            self.0
        }

        /// Each word shifted left by its own number of bits.
        #[inline(always)]
        pub fn shl(self, by: [u64; 4]) -> Self {
            Self(from_fn(|i| self.0[i] << by[i]))
        }

        /// Each word shifted right by its own number of bits.
        #[inline(always)]
        pub fn shr(self, by: [u64; 4]) -> Self {
            Self(from_fn(|i| self.0[i] >> by[i]))
        }

        /// The union (bitwise or) of the four words.
        #[inline(always)]
        pub fn union(self) -> u64 {
            self.0.into_iter().fold(0, BitOr::bitor)
        }

        /// The number of ones in all words.
        #[inline(always)]
        pub fn ones<const N: usize>(quads: [Self; N]) -> u32 {
            quads
                .into_iter()
                .flat_map(Self::words)
                .map(u64::count_ones)
                .sum()
        }
    }

    impl BitAnd for Quad {
        type Output = Self;
        #[inline(always)]
        fn bitand(self, other: Self) -> Self {
            Self(from_fn(|i| self.0[i] & other.0[i]))
        }
    }

    impl BitOr for Quad {
        type Output = Self;
        #[inline(always)]
        fn bitor(self, other: Self) -> Self {
            Self(from_fn(|i| self.0[i] | other.0[i]))
        }
    }
}
