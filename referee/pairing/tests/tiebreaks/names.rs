//! How tie-breaks are written.

use epode_pairing::tiebreaks::TieBreak;

#[test]
fn names_are_read_and_shown() {
    for (text, shown) in [
        ("DE", "DE"),
        ("bh", "BH"),
        ("BH-C1", "BH-C1"),
        ("bh/c2", "BH-C2"),
        ("Buchholz-Cut-1", "BH-C1"),
        ("buchholz_cut_1", "BH-C1"),
        ("buchholz-median-1", "BH-M1"),
        ("sonneborn-berger", "SB"),
        ("Sonneborn-Berger Cut 1", "SB-C1"),
        ("direct-encounter", "DE"),
        ("wins", "WIN"),
        ("games-won", "WON"),
        ("black-games", "BPG"),
        ("black-wins", "BWG"),
        ("progressive", "PS"),
        ("PS-C1", "PS-C1"),
        ("AOB/F", "AOB-F"),
        ("KS/L+2", "KS-L2"),
        ("ks-l-1", "KS-L-1"),
        ("KS-L0", "KS"),
        (" ARO-M1 ", "ARO-M1"),
        ("average-rating", "ARO"),
        ("average-performance", "APRO"),
        ("average-perfect-performance", "APPO"),
        ("Rating", "RTNG"),
    ] {
        let tie_break: TieBreak = text.parse().expect(text);
        assert_eq!(tie_break.to_string(), shown);
        assert_eq!(shown.parse(), Ok(tie_break));
    }
    let message = |text: &str| text.parse::<TieBreak>().unwrap_err().to_string();
    assert_eq!(
        message("BH-X1"),
        "found the tie-break \"BH-X1\", but BH takes C1 to C9 (cut) or M1 to M9 (median)"
    );
    assert_eq!(
        message("win-c1"),
        "found the tie-break \"win-c1\", but WIN takes no modifier"
    );
    let unknown = message("Bucholz");
    assert!(
        unknown.starts_with(
            "found the tie-break \"Bucholz\", expected one of: DE (direct-encounter), WIN (wins), "
        ) && unknown.contains("SB (sonneborn-berger)")
            && unknown.contains("BH-C1"),
        "{unknown}"
    );
}
