//! Unsigned integers of a fixed number of 64-bit words: the weights of pairs and the dual values of the matching.

/// An unsigned integer of `N` words. Sums and differences wrap.
///
/// The most significant word comes first, so that the derived order is the numeric order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wide<const N: usize>([u64; N]);

impl<const N: usize> Wide<N> {
    /// Zero.
    pub const ZERO: Self = Self([0; N]);
    /// The largest value.
    pub const MAX: Self = Self([u64::MAX; N]);
    /// How many bits a value has.
    pub const BITS: usize = N * 64;

    /// Whether this is zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        *self == Self::ZERO
    }

    /// The sum.
    #[must_use]
    pub fn plus(mut self, other: Self) -> Self {
        let mut carry = false;
        for (word, &addend) in self.0.iter_mut().zip(&other.0).rev() {
            let (sum, first) = word.overflowing_add(addend);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            *word = sum;
            carry = first | second;
        }
        self
    }

    /// The difference.
    #[must_use]
    pub fn minus(mut self, other: Self) -> Self {
        let mut borrow = false;
        for (word, &subtrahend) in self.0.iter_mut().zip(&other.0).rev() {
            let (difference, first) = word.overflowing_sub(subtrahend);
            let (difference, second) = difference.overflowing_sub(u64::from(borrow));
            *word = difference;
            borrow = first | second;
        }
        self
    }

    /// Twice the value.
    #[must_use]
    pub fn doubled(self) -> Self {
        self.plus(self)
    }

    /// Half the value, rounded down.
    #[must_use]
    pub fn halved(mut self) -> Self {
        let mut carry = 0;
        for word in &mut self.0 {
            let low = *word << 63;
            *word = *word >> 1 | carry;
            carry = low;
        }
        self
    }

    /// Adds `value` times 2 to the power of `position`.
    ///
    /// # Panics
    /// If `position` lies outside the integer.
    pub fn add_at(&mut self, position: usize, value: u64) {
        let (word, bit) = (N - 1 - position / 64, position % 64);
        let mut carry = self.add_word(word, value << bit);
        let mut place = word;
        while place > 0 {
            place -= 1;
            let spill = if place + 1 == word && bit > 0 {
                value >> (64 - bit)
            } else {
                0
            };
            if spill == 0 && !carry {
                return;
            }
            // The part of `value` here is far from the largest word, so that adding the carry cannot wrap.
            carry = self.add_word(place, spill + u64::from(carry));
        }
    }

    fn add_word(&mut self, place: usize, value: u64) -> bool {
        let carry;
        (self.0[place], carry) = self.0[place].overflowing_add(value);
        carry
    }
}

#[cfg(test)]
mod tests {
    use super::Wide;
    use proptest::prelude::*;

    fn wide(value: u128) -> Wide<2> {
        Wide([(value >> 64) as u64, value as u64])
    }

    proptest! {
        #[test]
        fn two_words_are_a_u128(a: u128, b: u128, small: u64, position in 0..128_usize) {
            prop_assert_eq!(wide(a).plus(wide(b)), wide(a.wrapping_add(b)));
            prop_assert_eq!(wide(a).minus(wide(b)), wide(a.wrapping_sub(b)));
            prop_assert_eq!(wide(a).halved(), wide(a / 2));
            prop_assert_eq!(wide(a).doubled(), wide(a.wrapping_mul(2)));
            prop_assert_eq!(wide(a).cmp(&wide(b)), a.cmp(&b));
            let mut sum = wide(a);
            sum.add_at(position, small);
            prop_assert_eq!(sum, wide(a.wrapping_add(u128::from(small) << position)));
        }
    }
}
