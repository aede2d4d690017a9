//! Articles 8 to 10: tie-breaks from the results and the ratings of a player's opponents.

use epode_pairing::tiebreaks::Kind;

use super::{expect, expect_swiss, round_robin, shown, swiss};

#[test]
fn article_8_1_buchholz() {
    // Solution: 15.0 for 4, 12.0 for 6, 13.5 for 11.
    expect_swiss(
        "BH",
        "12.5 13.0 15.5 14.0 8.5 11.5 14.5 13.5 9.0 13.0 12.5 11.5 14.0 11.0 12.0 12.5",
    );
}

#[test]
fn article_8_2_average_buchholz_of_opponents() {
    // The averages of the values above.
    expect_swiss(
        "AOB",
        "12.40 13.60 12.90 13.38 13.20 13.25 11.70 12.90 12.75 10.80 12.75 14.00 11.90 13.00 12.20 13.10",
    );
}

#[test]
fn article_8_3_fore_buchholz() {
    // Solution: 15.5 for 4, 12.5 for 11, 11.5 for 12.
    expect_swiss(
        "FB",
        "13.5 13.5 15.0 14.5 10.0 12.0 13.5 12.5 9.5 12.5 12.0 11.0 13.5 10.5 12.0 13.5",
    );
    // Before the last round, it is the Buchholz.
    let mut event = swiss();
    event.rounds = 6;
    assert_eq!(
        shown(&event, Kind::Swiss, "FB"),
        shown(&event, Kind::Swiss, "BH")
    );
}

#[test]
fn article_9_1_sonneborn_berger() {
    // Solution: 9.75 for 4, 6.50 for 6, 5.75 for 11.
    expect_swiss(
        "SB",
        "8.00 9.50 10.50 9.25 4.25 6.00 3.25 5.25 2.25 1.50 4.75 4.00 4.25 4.50 3.50 7.25",
    );
    expect(
        &round_robin(),
        Kind::RoundRobin,
        "SB",
        "9.25 6.25 6.25 4.25 3.25 2.25",
    );
}

#[test]
fn article_9_2_koya() {
    expect(
        &round_robin(),
        Kind::RoundRobin,
        "KS",
        "2.0 0.5 0.5 1.0 0.5 0.0",
    );
}

#[test]
fn article_10_1_average_rating_of_opponents() {
    expect_swiss(
        "ARO",
        "1820 1880 1940 1888 1690 1813 1760 1730 1975 1880 1863 2050 1930 1800 1860 1820",
    );
    // Of his only opponent, nothing is left for player 12.
    expect_swiss(
        "ARO-C1",
        "1900 1988 2000 1983 1738 1900 1838 1800 2200 1975 2000 - 2025 1900 1963 1900",
    );
    // Ratings do not apply where a player has none.
    let mut event = swiss();
    event.players[15].rating = 0;
    for tie_break in ["ARO", "TPR", "PTP", "APRO", "APPO", "RTNG"] {
        assert_eq!(shown(&event, Kind::Swiss, tie_break), ["-"; 16]);
    }
}

#[test]
fn article_10_2_performance() {
    expect_swiss(
        "TPR",
        "1969 2120 2089 2081 1690 1813 1611 1730 1175 1640 1776 1250 1781 1925 1788 1969",
    );
    // Forfeits do not count in a round robin either (15.2).
    expect(
        &round_robin(),
        Kind::RoundRobin,
        "TPR",
        "2199 2209 2219 1931 2038 1803",
    );
}

#[test]
fn article_10_3_perfect_performance() {
    // The solution gives the value of player 3.
    expect_swiss(
        "PTP",
        "2029 2216 2112 2168 1689 1810 1531 1715 950 1575 1763 1250 1744 1942 1768 2013",
    );
}

#[test]
fn article_10_4_average_performance_of_opponents() {
    // The solution gives the values of players 1, 3, 4 and 16.
    expect_swiss(
        "APRO",
        "1789 1856 1904 1772 1719 1846 1869 1915 1805 1717 1840 2081 1879 1775 1776 1805",
    );
}

#[test]
fn article_10_5_average_perfect_performance_of_opponents() {
    expect_swiss(
        "APPO",
        "1769 1852 1934 1784 1676 1836 1890 1924 1802 1687 1836 2168 1909 1756 1767 1799",
    );
}

#[test]
fn article_10_6_rating() {
    expect_swiss(
        "RTNG",
        "2200 2150 2100 2050 2000 1950 1900 1850 1800 1750 1700 1650 1600 1550 1500 1450",
    );
}
