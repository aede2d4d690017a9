//! UCI commands.

use movegen::Word;

/// A command.
#[derive(Debug)]
pub enum Command<'l> {
    Uci,
    IsReady,
    NewGame,
    /// With the words that follow it.
    Position(Vec<Word<'l>>),
    SetOption(String, String),
    /// With the words that follow it.
    Go(Vec<Word<'l>>),
    Stop,
    PonderHit,
    /// Show the board; not part of the protocol.
    Show,
    /// Explain the evaluation; not part of the protocol.
    Evaluate,
    /// Run the benchmark, with the words that follow it; not part of the protocol.
    Bench(Vec<Word<'l>>),
    /// Show the compiler and the target of the build; not part of the protocol.
    Compiler,
    /// List the commands; not part of the protocol.
    Help,
    Quit,
}

impl<'l> Command<'l> {
    /// Reads a line; none if it is empty or can be ignored. Unknown words before a command are
    /// skipped, as the protocol requires.
    pub fn read(line: &'l str) -> Result<Option<Self>, String> {
        let words: Vec<_> = movegen::words(line).collect();
        for (i, word) in words.iter().enumerate() {
            let rest = &words[i + 1..];
            return Ok(Some(match word.text {
                "uci" => Self::Uci,
                "isready" => Self::IsReady,
                "ucinewgame" => Self::NewGame,
                "position" => Self::Position(rest.to_vec()),
                "setoption" => option(rest)?,
                "go" => Self::Go(rest.to_vec()),
                "stop" => Self::Stop,
                "ponderhit" => Self::PonderHit,
                "d" => Self::Show,
                "eval" => Self::Evaluate,
                "bench" => Self::Bench(rest.to_vec()),
                "help" => Self::Help,
                "compiler" => Self::Compiler,
                "quit" => Self::Quit,
                "debug" | "register" => return Ok(None),
                _ => continue,
            }));
        }
        if words.is_empty() {
            Ok(None)
        } else {
            Err(format!("unknown command: {}", line.trim()))
        }
    }
}

/// `name <words> value <words>`
fn option(words: &[Word<'_>]) -> Result<Command<'static>, String> {
    let words: Vec<_> = words.iter().map(|word| word.text).collect();
    let Some((&"name", words)) = words.split_first() else {
        return Err("setoption: expected name".to_owned());
    };
    let at = words
        .iter()
        .position(|word| *word == "value")
        .unwrap_or(words.len());
    let value = words.get(at + 1..).unwrap_or_default();
    Ok(Command::SetOption(words[..at].join(" "), value.join(" ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_with_junk_are_understood() {
        assert!(matches!(Command::read("  uci\r"), Ok(Some(Command::Uci))));
        assert!(matches!(Command::read("joho debug on"), Ok(None)));
        let stop = Command::read("please stop now");
        assert!(matches!(stop, Ok(Some(Command::Stop))));
        assert!(matches!(Command::read(""), Ok(None)));
        assert_eq!(
            Command::read("what is that").expect_err("junk"),
            "unknown command: what is that"
        );
    }
}
