//! The numbers of the search as variables, in builds with the feature `tune`.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use super::values;

/// All numbers of the search. Searches that run while one is set may use the old or the new value.
#[must_use]
pub fn tunables() -> &'static [&'static Tunable] {
    values::ALL
}

/// A number of the search.
#[derive(Debug)]
pub struct Tunable {
    /// Its name, such as `futility_margin`.
    pub name: &'static str,
    /// Whether it is always a whole number.
    pub is_integer: bool,
    /// Its value when the program starts.
    pub default: f64,
    /// The sensible range.
    pub range: [f64; 2],
    /// The bits of the value.
    value: AtomicU64,
}

impl Tunable {
    pub(super) const fn new(
        name: &'static str,
        kind: &'static str,
        default: f64,
        range: [f64; 2],
    ) -> Self {
        Self {
            name,
            is_integer: kind.as_bytes()[0] != b'f',
            default,
            range,
            value: AtomicU64::new(default.to_bits()),
        }
    }

    /// The present value.
    #[must_use]
    pub fn get(&self) -> f64 {
        f64::from_bits(self.value.load(Relaxed))
    }

    /// Sets the value. Returns false, and changes nothing, if it is out of range or should be a whole number.
    pub fn set(&self, value: f64) -> bool {
        let [least, most] = self.range;
        let is_valid =
            (least..=most).contains(&value) && (!self.is_integer || value.fract() == 0.0);
        if is_valid {
            self.value.store(value.to_bits(), Relaxed);
        }
        is_valid
    }
}
