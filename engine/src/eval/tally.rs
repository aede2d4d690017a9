//! What terms are added up in: numbers for play, or counts of each weight for tuning.

/// A number for the middlegame and one for the endgame, in the halves of one so that both are added
/// and multiplied at once. Each half must stay within sixteen bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tapered(i32);

pub(super) const fn t(middlegame: i32, endgame: i32) -> Tapered {
    Tapered(middlegame + (endgame << 16))
}

impl Tapered {
    #[inline(always)]
    pub const fn middlegame(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The lower half, when negative, has borrowed from the upper one.
    #[inline(always)]
    pub const fn endgame(self) -> i32 {
        (self.0 + 0x8000) >> 16
    }
}

/// Weights of one kind, by what their table goes by.
pub(super) struct Term<const N: usize> {
    /// The place of the first among all weights.
    #[cfg_attr(
        not(any(test, feature = "tuning")),
        allow(dead_code, reason = "for tuning")
    )]
    pub offset: usize,
    pub values: [Tapered; N],
}

/// Adds up how often each weight counts.
pub(super) trait Tally {
    /// Counts the weight at an index of a term so many times.
    fn count<const N: usize>(&mut self, term: &'static Term<N>, index: usize, times: i32);

    /// Counts the weight at an index of a term.
    #[inline(always)]
    fn add<const N: usize>(&mut self, term: &'static Term<N>, index: usize) {
        self.count(term, index, 1);
    }
}

/// For play: the weights are known when the program is compiled.
impl Tally for Tapered {
    #[inline(always)]
    fn count<const N: usize>(&mut self, term: &'static Term<N>, index: usize, times: i32) {
        self.0 += term.values[index].0 * times;
    }
}

/// For tuning: how often each weight counts.
#[cfg(any(test, feature = "tuning"))]
impl Tally for Vec<i32> {
    fn count<const N: usize>(&mut self, term: &'static Term<N>, index: usize, times: i32) {
        assert!(index < N, "{index} of {N}");
        self[term.offset + index] += times;
    }
}

/// A term as the file of weights has it.
#[cfg(any(test, feature = "tuning"))]
pub struct NamedTerm {
    /// The name of its table.
    pub name: &'static str,
    /// The lines of its comment.
    pub about: &'static [&'static str],
    /// Its weights, for the middlegame and the endgame.
    pub values: Vec<[i32; 2]>,
}

/// Makes a [`Term`] of each table, and the list of all of them.
macro_rules! weights {
    ($($(#[doc = $about:literal])* $NAME:ident: $count:literal = [$($value:expr),* $(,)?];)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "the names of the tables")]
        enum Place { $($NAME),* }
        pub(super) const COUNTS: &[usize] = &[$($count),*];
        const fn offset(place: usize) -> usize {
            let (mut sum, mut i) = (0, 0);
            while i < place {
                sum += COUNTS[i];
                i += 1;
            }
            sum
        }
        $($(#[doc = $about])* pub(super) static $NAME: Term<$count> = Term {
            offset: offset(Place::$NAME as usize),
            values: [$($value),*],
        };)*
        /// Every term, in the order of the file.
        #[cfg(any(test, feature = "tuning"))]
        pub(super) fn all() -> Vec<NamedTerm> {
            vec![$(NamedTerm {
                name: stringify!($NAME),
                about: &[$($about),*],
                values: $NAME.values.iter().map(|w| [w.middlegame(), w.endgame()]).collect(),
            }),*]
        }
    };
}
pub(super) use weights;
