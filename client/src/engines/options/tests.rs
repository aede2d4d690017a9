use super::*;

fn options() -> Options {
    let mut options = Options::default();
    for line in [
        "name Hash type spin default 16 min 1 max 1024",
        "name Threads type spin default 1 min 1 max 8",
        "name Ponder type check default false",
        "name Clear Hash type button",
        "name Style type combo default Very Solid var Very Solid var Normal",
        "name Contempt type spin default 0",
        "name SyzygyPath type string default <empty>",
        "name BookFile type file default x",
        "nonsense",
    ] {
        options.add_uci(line);
    }
    options
}

#[test]
fn values_that_are_declared_are_sent() {
    for (name, value, sent) in [
        ("Hash", "1", "Hash value 1"),
        ("hash", "1024", "Hash value 1024"),
        ("Contempt", "-7", "Contempt value -7"),
        ("Ponder", "TRUE", "Ponder value true"),
        ("Clear Hash", "", "Clear Hash"),
        ("Style", "very solid", "Style value Very Solid"),
        ("SyzygyPath", "/a b;/c", "SyzygyPath value /a b;/c"),
        ("SyzygyPath", "", "SyzygyPath value <empty>"),
        ("BookFile", "y", "BookFile value y"),
    ] {
        let sent = format!("setoption name {sent}");
        assert_eq!(options().uci_command(name, value), Ok(sent));
    }
}

#[test]
fn others_are_refused_with_what_is_expected() {
    for (name, value, why) in [
        ("Hash", "0", "takes a whole number from 1 to 1024 for Hash"),
        (
            "Hash",
            "1025",
            "takes a whole number from 1 to 1024 for Hash",
        ),
        ("Hash", "", "takes a whole number from 1 to 1024 for Hash"),
        (
            "Hash",
            "16MB",
            "takes a whole number from 1 to 1024 for Hash",
        ),
        ("Contempt", "high", "takes a whole number for Contempt"),
        ("Ponder", "yes", "takes true or false for Ponder"),
        ("Clear Hash", "1", "takes no value for Clear Hash"),
        ("style", "wild", "takes one of Very Solid, Normal for Style"),
        (
            "SyzygyPath",
            "/a\ngo",
            "takes a text in one line for SyzygyPath",
        ),
        ("Hahs", "16", "has no option Hahs; did you mean Hash?"),
        ("thread", "2", "has no option thread; did you mean Threads?"),
        (
            "zzz",
            "1",
            "has no option zzz; it has Hash, Threads, Ponder, Clear Hash, Style, Contempt, \
             SyzygyPath, BookFile",
        ),
    ] {
        let refusal = options().uci_command(name, value).expect_err(value);
        assert_eq!(refusal.to_string(), why);
    }
    let none = Options::default()
        .uci_command("Hash", "1")
        .expect_err("none");
    assert_eq!(none.to_string(), "has no option Hash; it has no options");
}

#[test]
fn options_with_numbers() {
    let mut options = options();
    options.add_uci("name LmrBase type string default 0.75");
    let found: Vec<_> = options
        .numbers()
        .map(|option| (option.name, option.range, option.default))
        .collect();
    assert_eq!(
        found,
        [
            ("Hash", Some([1, 1024]), Some(16.0)),
            ("Threads", Some([1, 8]), Some(1.0)),
            ("Contempt", Some([i64::MIN, i64::MAX]), Some(0.0)),
            ("LmrBase", None, Some(0.75)),
        ]
    );
}

#[test]
fn options_of_xboard_engines() {
    let mut options = Options::default();
    for text in [
        "Resign -check 0",
        "Randomizer (0-50) -slider 0 0 50",
        "Selects -combo FIDE-Clobberers /// *FIDE-Nutters",
        "Ini File -file /usr/share/fmax.ini",
        "Clear Hash -button",
        "nonsense",
    ] {
        options.add_xboard(text);
    }
    for (name, value, sent) in [
        ("resign", "true", Ok("option Resign=1")),
        ("Resign", "False", Ok("option Resign=0")),
        ("Randomizer (0-50)", "7", Ok("option Randomizer (0-50)=7")),
        ("selects", "fide-nutters", Ok("option Selects=FIDE-Nutters")),
        ("Ini File", "", Ok("option Ini File=")),
        ("Clear Hash", "", Ok("option Clear Hash")),
        ("Resign", "1", Err("takes true or false for Resign")),
        (
            "Randomizer (0-50)",
            "51",
            Err("takes a whole number from 0 to 50 for Randomizer (0-50)"),
        ),
        (
            "Clear Hahs",
            "",
            Err("has no option Clear Hahs; did you mean Clear Hash?"),
        ),
    ] {
        let command = options.xboard_command(name, value);
        let command = command.map_err(|refusal| refusal.to_string());
        assert_eq!(command.as_deref().map_err(String::as_str), sent, "{name}");
    }
}

#[test]
fn what_nobody_asked_for_is_brought_into_range() {
    let near = |name, number| options().uci_command_near(name, number);
    let sent = |text: &str| Some(format!("setoption name {text}"));
    assert_eq!(near("Hash", 0), sent("Hash value 1"));
    assert_eq!(near("Hash", 9999), sent("Hash value 1024"));
    assert_eq!(near("MultiPV", 1), None);
}
