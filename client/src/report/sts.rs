//! The rating that results of the Strategic Test Suite (Dann Corbit and Swaminathan) point to.

use super::summary::Score;

/// What the estimate is and where it comes from.
pub const ORIGIN: &str = "The STS rating is an estimate of a CCRL 40/4 rating: 44.523 times the share \
     of points in percent, less 242.85 (STS Rating v13 by Ferdinand Mosca, fitted to searches of about \
     0.2 s a position on one thread of 2011).";

/// Whether ids are those of the suite: all of them, and some.
pub fn are<'a>(mut ids: impl Iterator<Item = &'a str>) -> bool {
    ids.next().is_some_and(is_sts) && ids.all(is_sts)
}

fn is_sts(id: &str) -> bool {
    let id = id.trim_start();
    id.starts_with("STS(v") || id.starts_with("STS (v")
}

/// The estimate; none without points.
pub fn rating(score: &Score) -> Option<i64> {
    let (points, most) = score.points.zip(score.most_points)?;
    let percent = 100.0 * points as f64 / most as f64;
    (most > 0).then(|| (44.523 * percent - 242.85).round() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings() {
        let score = |points, most_points| Score {
            points,
            most_points,
            ..Score::default()
        };
        for (points, most, expected) in [
            (Some(12_000), Some(15_000), Some(3319)),
            (Some(0), Some(15_000), Some(-243)),
            (Some(0), Some(0), None),
            (None, None, None),
        ] {
            assert_eq!(rating(&score(points, most)), expected, "{points:?}");
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
