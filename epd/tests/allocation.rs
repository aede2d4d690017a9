//! Counts the allocations of reading, checking and writing a record.

use epode_epd::{Counters, Lexicon, check, read};

fn allocations(line: &str) -> u64 {
    let lexicon = Lexicon::standard();
    let mut repairs = Vec::new();
    let mut text = String::with_capacity(4096);
    let counted = allocation_counter::measure(|| {
        let record = read(line, &mut repairs).expect("readable");
        assert!(check(&record, &lexicon).is_empty());
        record
            .print(Counters::Operations, &mut text)
            .expect("strings take anything");
    });
    assert_eq!(text, line);
    counted.count_total
}

/// A record without operations needs no allocation; short operations need one, for the list of them.
#[test]
fn records_need_few_allocations() {
    let fields = "r1k5/8/8/8/8/8/8/4K2R w K -";
    assert_eq!(allocations(fields), 0);
    assert_eq!(allocations(&format!("{fields} bm Rh8+;")), 1);
    assert_eq!(allocations(&format!("{fields} bm Rh8+; id \"BK.01\";")), 1);
}
