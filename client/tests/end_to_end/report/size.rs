//! Reports on many records: their size, and the memory that they take.

use std::fs;
use std::path::PathBuf;

use super::python;
use crate::common::Folder;

/// Results of `count` records in the form of pfts; every third is missed.
fn many(records: usize) -> String {
    use std::fmt::Write;
    let positions = [
        "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - -",
        "3r1k2/4npp1/1ppr3p/p6P/P2PPPP1/1NR5/5K2/2R5 w - -",
        "2q1rr1k/3bbnnp/p2p1pp1/2pPp3/PpP1P1P1/1P2BNNP/2BQ1PRK/7R b - -",
    ];
    let moves = [("Qd1+", "Qd1+"), ("d5", "d5"), ("f5", "Nd8")];
    let mut text = String::new();
    for i in 0..records {
        let (position, (best, choice)) = (positions[i % 3], moves[i % 3]);
        let (theme, nodes) = (i / 7 % 11, i * 7919 % 100_003);
        let _ = writeln!(
            text,
            "{position} Scd 9; Scn {nodes}; acd 12; acn 113664; bm {best}; ce 89; \
             id \"Theme {theme}.{i:07}\"; pm {choice}; pv {choice};"
        );
    }
    text
}

/// With many records the page stays small, and CSV has them all.
#[test]
fn pages_stay_small() {
    let count = 12_000;
    let folder = Folder::with("a.epd", many(count));
    fs::write(folder.path("b.epd"), many(count).replace("Nd8", "f5")).expect("written");
    for files in ["a.epd", "a.epd b.epd"] {
        folder
            .run(&format!("report {files} -o page.html"))
            .success();
        let page = folder.read("page.html");
        assert!(page.len() < 5_000_000, "{files}: {} bytes", page.len());
        assert!(page.contains(" of 12,000 records, those that were missed before others"));
        let rows = page.matches("<tr data-kind=\"").count();
        assert!((2000..=5000).contains(&rows), "{rows}");
        folder.run(&format!("report {files} -o out.txt")).success();
        let text = folder.read("out.txt");
        assert!(text.len() < 200_000, "{files}: {} bytes", text.len());
        assert!(text.contains("These are the first 500 of "), "{text}");
    }
    folder.run("report a.epd b.epd -o all.csv").success();
    assert_eq!(folder.read("all.csv").lines().count(), 1 + 2 * count);
}

/// A million records in little memory, as a page and as the format with everything.
#[test]
#[ignore = "takes minutes: 160 s beside four other builds when last run, in November 2026"]
fn a_million_records_take_little_memory() {
    let folder = Folder::with("in.epd", many(1_000_000));
    fs::write(
        folder.path("measure.py"),
        "import resource, subprocess, sys\n\
         subprocess.run(sys.argv[1:], check=True)\n\
         print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)\n",
    )
    .expect("written");
    for name in ["page.html", "out.json"] {
        let program = PathBuf::from(assert_cmd::cargo::cargo_bin!("epode"));
        let (input, output) = (folder.path("in.epd"), folder.path(name));
        let mut arguments = vec![folder.path("measure.py"), program];
        arguments.extend(["report".into(), input, "-o".into(), output.clone()]);
        let Some(kibibytes) = python(&arguments) else {
            return;
        };
        let megabytes = kibibytes.trim().parse::<f64>().expect("a number") * 1024.0 / 1e6;
        let size = fs::metadata(&output).expect("written").len() as f64 / 1e6;
        println!("{name}: {megabytes:.0} MB of memory, {size:.1} MB written");
        assert!(megabytes < 300.0, "{name}: {megabytes} MB");
        if name == "page.html" {
            assert!(size < 5.0, "{name}: {size} MB");
        }
    }
}
