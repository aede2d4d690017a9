//! The rating estimated from the Strategic Test Suite (Dann Corbit and Swaminathan).

/// The formula and its origin.
pub const ORIGIN: &str = "The STS rating is an estimate of a CCRL 40/4 rating: 44.523 times the share \
     of points in percent, less 242.85 (STS Rating v13 by Ferdinand Mosca, fitted to searches of about \
     0.2 s a position on one thread of 2011).";

/// Whether all ids are from the suite; false without ids.
pub fn are<'a>(mut ids: impl Iterator<Item = &'a str>) -> bool {
    ids.next().is_some_and(is_sts) && ids.all(is_sts)
}

fn is_sts(id: &str) -> bool {
    let id = id.trim_start();
    id.starts_with("STS(v") || id.starts_with("STS (v")
}

/// The estimated rating from the points of the moves and those of the best moves; none without points.
pub fn rating(points: Option<u64>, most: Option<u64>) -> Option<i64> {
    let (points, most) = points.zip(most)?;
    let percent = 100.0 * points as f64 / most as f64;
    (most > 0).then(|| (44.523 * percent - 242.85).round() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings() {
        for (points, most, expected) in [
            (Some(12_000), Some(15_000), Some(3319)),
            (Some(0), Some(15_000), Some(-243)),
            (Some(0), Some(0), None),
            (None, None, None),
        ] {
            assert_eq!(rating(points, most), expected, "{points:?}");
        }
    }

    #[test]
    fn ids_of_the_suite() {
        let sts = "STS(v2.2) Open Files and Diagonals.001";
        for (ids, expected) in [
            (&[sts, sts][..], true),
            (&[sts, "WAC.001"], false),
            (&["WAC.001"], false),
            (&[], false),
        ] {
            assert_eq!(are(ids.iter().copied()), expected);
        }
    }
}
