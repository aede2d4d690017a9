//! The formats of a report, and its page in a browser.

use std::fs;

use super::{data, folder, python};
use crate::common::{FAILED, Folder, stdout};
use predicates::str::contains;

/// Each format, byte for byte. After an intended change, run `EPODE_BLESS=1 cargo test -p epode
/// --test end_to_end report` and review the differences.
#[test]
fn golden() {
    let folder = folder();
    for name in [
        "report.txt",
        "report.md",
        "report.csv",
        "report.json",
        "report.html",
        "report.svg",
    ] {
        let line = format!("report ours.epd theirs.epd -o {name}");
        folder.run(&line).success().stdout("").stderr("");
        let found = folder.read(name);
        if std::env::var_os("EPODE_BLESS").is_some() {
            fs::write(data(name), &found).expect("written");
        }
        let expected = fs::read_to_string(data(name)).expect("committed");
        assert!(found == expected, "{name} is another:\n{found}");
    }
    assert_eq!(folder.names().len(), 8, "{:?}", folder.names());
}

/// Files that do not say when their positions were solved leave nothing to draw, and no file.
#[test]
fn a_chart_needs_solutions() {
    let line = "r1b1k1nr/pp1p1ppp/8/4p3/8/8/PPP2PPP/R1B1K2R w KQ - bm O-O; pm O-O;\n";
    let folder = Folder::with("in.epd", line);
    folder
        .run("report in.epd -o chart.svg")
        .code(FAILED)
        .stderr(contains("nothing to draw"));
    assert!(!folder.path("chart.svg").exists());
}

#[test]
fn formats_by_name_or_by_option() {
    let folder = folder();
    let by_option =
        |format: &str| stdout(&folder.run(&format!("report ours.epd --format {format}")));
    for (format, begin) in [
        ("terminal", "Report on ours.epd\n"),
        ("markdown", "# Report on ours.epd\n"),
        ("csv", "file,line,id,"),
        ("json", "{\n"),
        ("html", "<!DOCTYPE html>\n"),
    ] {
        assert!(by_option(format).starts_with(begin), "{format}");
    }
    assert_eq!(
        stdout(&folder.run("report ours.epd")),
        by_option("terminal")
    );
    // `--format` takes precedence over the extension.
    folder
        .run("report ours.epd -o x.json --format csv")
        .success();
    assert_eq!(folder.read("x.json"), by_option("csv"));
}

/// Python's HTML parser finds every element closed, and the page refers to nothing outside itself.
#[test]
fn the_page_is_whole() {
    let folder = folder();
    folder
        .run("report ours.epd theirs.epd -o page.html")
        .success();
    let page = folder.read("page.html");
    for word in ["http:", "https:", "src=", "@import", "<link", "url(h"] {
        assert!(!page.contains(word), "{word}");
    }
    for (what, count) in [
        ("<svg class=\"board\"", 4),
        ("<svg class=\"chart small\"", 7),
        ("<svg class=\"chart wide\"", 1),
        ("<svg class=\"chart narrow\"", 1),
        ("<p class=\"conclusion\"", 1),
        ("<h1>", 1),
    ] {
        assert_eq!(page.matches(what).count(), count, "{what}");
    }
    fs::write(
        folder.path("check.py"),
        "import sys\n\
         from html.parser import HTMLParser\n\
         class Page(HTMLParser):\n\
         \x20   open, used, ids, tables = [], set(), set(), 0\n\
         \x20   def handle_starttag(self, tag, attributes):\n\
         \x20       assert all(not name.startswith('on') for name, _ in attributes), attributes\n\
         \x20       self.ids |= {value for name, value in attributes if name == 'id'}\n\
         \x20       self.used |= {value[1:] for name, value in attributes if name == 'href'}\n\
         \x20       self.tables += tag == 'table'\n\
         \x20       if tag not in ('meta', 'input'): self.open.append(tag)\n\
         \x20   def handle_endtag(self, tag):\n\
         \x20       assert self.open.pop() == tag, (tag, self.getpos())\n\
         page = Page()\n\
         page.feed(open(sys.argv[1], encoding='utf-8').read())\n\
         assert not page.open and page.used and page.used <= page.ids, (page.open, page.used)\n\
         print(page.tables)\n",
    )
    .expect("written");
    if let Some(tables) = python(&[folder.path("check.py"), folder.path("page.html")]) {
        assert_eq!(tables, "7\n");
    }
    folder
        .run("report theirs.epd --boards 1 -o page.html")
        .success();
    assert!(
        folder
            .read("page.html")
            .contains("Missed positions (1 of 3)")
    );
    folder
        .run("report theirs.epd --boards 0 -o page.html")
        .success();
    assert!(!folder.read("page.html").contains("<svg class=\"board\""));
}

/// A browser shows the page of two files with long names on screens of all sizes, and sorts its table
/// with the keyboard. With playwright and Chromium: `PATH=VENV/bin:$PATH cargo test -p epode --test
/// end_to_end browser`.
#[test]
fn a_browser_shows_the_page() {
    let folder = folder();
    let long = "A-program-with-a-long-name-3.14159-dev-20261122";
    let page = folder.path("page.html");
    let mut command = folder.command("report ours.epd theirs.epd theirs.epd -o page.html");
    command.args([
        "--name",
        long,
        "--name",
        "An engine at 30,000 nodes",
        "--name",
        "x",
    ]);
    crate::common::calm(command.assert()).success();
    if let Some(told) = python(&[data("page.py"), page]) {
        println!("{told}");
        assert!(told.contains("tested"), "{told}");
    }
}
