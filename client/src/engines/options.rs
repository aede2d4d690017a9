//! The options that an engine declares, and their valid values.

use std::fmt;

/// The similarity, from 0 to 1, that a name needs to be suggested; the same as in clap.
const LIKENESS: f64 = 0.7;

/// The options of an engine.
#[derive(Debug, Default)]
pub struct Options(Vec<Declared>);

/// An option as the engine declares it.
#[derive(Debug, PartialEq, Eq)]
struct Declared {
    name: String,
    kind: Kind,
    /// The default value, where it is declared.
    default: Option<String>,
}

/// An option whose value is a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumberOption<'o> {
    pub name: &'o str,
    /// The least and the greatest value of a whole number; none for a text, which may be any number.
    pub range: Option<[i64; 2]>,
    /// The default value, where it is declared.
    pub default: Option<f64>,
}

/// The type of an option, with its valid values.
#[derive(Debug, PartialEq, Eq)]
enum Kind {
    Check,
    Spin {
        min: i64,
        max: i64,
    },
    Combo(Vec<String>),
    Button,
    /// A string, or a type that the protocol does not define.
    Text,
}

/// Why an option cannot be set. The message follows the name of the engine.
#[derive(Debug, PartialEq, Eq)]
pub enum Refusal {
    /// There is no option of this name.
    Unknown {
        name: String,
        nearest: Option<String>,
        all: Vec<String>,
    },
    /// The value is invalid.
    Value { name: String, expected: String },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { name, nearest, all } => {
                write!(f, "has no option {name}")?;
                match nearest {
                    Some(nearest) => write!(f, "; did you mean {nearest}?"),
                    None if all.is_empty() => f.write_str("; it has no options"),
                    None => write!(f, "; it has {}", all.join(", ")),
                }
            }
            Self::Value { name, expected } => write!(f, "takes {expected} for {name}"),
        }
    }
}

/// Why an option cannot be set that is not among those declared in these lines.
pub fn unknown_option(name: &str, declaration: &str) -> Refusal {
    let mut options = Options::default();
    for line in declaration.lines() {
        options.add_uci(line.strip_prefix("option ").unwrap_or(line));
    }
    options.unknown(name)
}

impl Options {
    /// Adds an option from its declaration in UCI, which begins with `name`.
    pub fn add_uci(&mut self, line: &str) {
        self.0.extend(Declared::read_uci(line));
    }

    /// Adds an option from the value of the xboard feature `option`: `Style -combo Solid /// Wild`.
    pub fn add_xboard(&mut self, text: &str) {
        self.0.extend(Declared::read_xboard(text));
    }

    /// Finds an option; names are not case-sensitive.
    fn find(&self, name: &str) -> Option<&Declared> {
        let mut options = self.0.iter();
        options.find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// The options whose values are numbers: of type spin, or of type string without a default that is
    /// anything but a number.
    pub fn numbers(&self) -> impl Iterator<Item = NumberOption<'_>> {
        self.0.iter().filter_map(|option| {
            let default = option.default.as_deref().map(str::parse);
            let range = match (&option.kind, &default) {
                (Kind::Spin { min, max }, _) => Some([*min, *max]),
                (Kind::Text, Some(Ok(_))) => None,
                _ => return None,
            };
            Some(NumberOption {
                name: &option.name,
                range,
                default: default.and_then(Result::ok),
            })
        })
    }

    pub fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// The UCI command that sets an option, if it is declared and the value is valid.
    pub fn uci_command(&self, name: &str, value: &str) -> Result<String, Refusal> {
        let option = self.find(name).ok_or_else(|| self.unknown(name))?;
        let name = &option.name;
        Ok(match option.value(value)? {
            Some(value) if value.is_empty() => format!("setoption name {name} value <empty>"),
            Some(value) => format!("setoption name {name} value {value}"),
            None => format!("setoption name {name}"),
        })
    }

    /// The UCI command that sets an option to a number or the nearest valid one; none if there is no
    /// such option.
    pub fn uci_command_near(&self, name: &str, number: i64) -> Option<String> {
        let number = match self.find(name)?.kind {
            Kind::Spin { min, max } => number.max(min).min(max),
            _ => number,
        };
        self.uci_command(name, &number.to_string()).ok()
    }

    /// The xboard command that sets an option, if it is declared and the value is valid.
    pub fn xboard_command(&self, name: &str, value: &str) -> Result<String, Refusal> {
        let option = self.find(name).ok_or_else(|| self.unknown(name))?;
        let name = &option.name;
        Ok(match (option.value(value)?, &option.kind) {
            (Some(value), Kind::Check) => format!("option {name}={}", u8::from(value == "true")),
            (Some(value), _) => format!("option {name}={value}"),
            (None, _) => format!("option {name}"),
        })
    }

    fn unknown(&self, name: &str) -> Refusal {
        let like = |option: &Declared| {
            strsim::jaro_winkler(&option.name.to_lowercase(), &name.to_lowercase())
        };
        let all = self.0.iter().filter(|option| like(option) > LIKENESS);
        let nearest = all.max_by(|a, b| like(a).total_cmp(&like(b)));
        Refusal::Unknown {
            name: name.to_owned(),
            nearest: nearest.map(|option| option.name.clone()),
            all: self.0.iter().map(|option| option.name.clone()).collect(),
        }
    }
}

impl Declared {
    /// `name Clear Hash type button`, `name Hash type spin default 16 min 1 max 1024` ...
    fn read_uci(line: &str) -> Option<Self> {
        let rest = line.trim_start().strip_prefix("name ")?;
        let (name, rest) = rest.split_once(" type ")?;
        let (kind, details) = rest.trim().split_once(' ').unwrap_or((rest.trim(), ""));
        let number = |word: &str| -> Option<i64> {
            let mut words = details.split_whitespace();
            words.find(|&other| other == word)?;
            words.next()?.parse().ok()
        };
        let mut words = details.split_whitespace();
        words.find(|&word| word == "default");
        let default = words.next().map(str::to_owned);
        let kind = match kind {
            "check" => Kind::Check,
            "spin" => Kind::Spin {
                min: number("min").unwrap_or(i64::MIN),
                max: number("max").unwrap_or(i64::MAX),
            },
            "combo" => Kind::Combo(variants(details)),
            "button" => Kind::Button,
            _ => Kind::Text,
        };
        let name = name.trim().to_owned();
        Some(Self {
            name,
            kind,
            default,
        })
    }

    /// `Clear Hash -button`, `Hash -spin 16 1 1024` ...
    fn read_xboard(text: &str) -> Option<Self> {
        let (name, rest) = text.split_once(" -")?;
        let (kind, details) = rest.trim().split_once(' ').unwrap_or((rest.trim(), ""));
        let kind = match kind {
            "check" => Kind::Check,
            "spin" | "slider" => {
                // The default comes first.
                let mut numbers = details.split_whitespace().skip(1).map(str::parse);
                let mut bound = || numbers.next().and_then(Result::ok);
                Kind::Spin {
                    min: bound().unwrap_or(i64::MIN),
                    max: bound().unwrap_or(i64::MAX),
                }
            }
            "combo" => {
                let choices = details.split("///").map(str::trim);
                // A star marks the default.
                let choices = choices.map(|choice| choice.trim_start_matches('*'));
                Kind::Combo(choices.map(str::to_owned).collect())
            }
            "button" | "save" | "reset" => Kind::Button,
            _ => Kind::Text,
        };
        let name = name.trim().to_owned();
        Some(Self {
            name,
            kind,
            default: None,
        })
    }

    /// The value to send; none for a button.
    fn value(&self, value: &str) -> Result<Option<String>, Refusal> {
        let found = match &self.kind {
            Kind::Check => ["true", "false"]
                .into_iter()
                .find(|word| word.eq_ignore_ascii_case(value))
                .map(str::to_owned),
            Kind::Spin { min, max } => {
                let number = value
                    .parse()
                    .ok()
                    .filter(|number| (min..=max).contains(&number));
                number.map(|number: i64| number.to_string())
            }
            Kind::Combo(variants) => {
                let mut variants = variants.iter();
                let same = |variant: &&String| variant.eq_ignore_ascii_case(value);
                variants.find(same).cloned()
            }
            Kind::Button if value.is_empty() => return Ok(None),
            Kind::Button => None,
            Kind::Text => Some(value.to_owned()).filter(|text| !text.contains(char::is_control)),
        };
        found.map(Some).ok_or_else(|| Refusal::Value {
            name: self.name.clone(),
            expected: self.kind.to_string(),
        })
    }
}

/// The value after each `var`, which may have several words.
fn variants(details: &str) -> Vec<String> {
    let mut variants: Vec<String> = Vec::new();
    let mut is_variant = false;
    for word in details.split_whitespace() {
        match (word, variants.last_mut()) {
            ("var", _) => {
                is_variant = true;
                variants.push(String::new());
            }
            ("default", _) => is_variant = false,
            (word, Some(last)) if is_variant => {
                if !last.is_empty() {
                    last.push(' ');
                }
                last.push_str(word);
            }
            _ => {}
        }
    }
    variants
}

/// Prints a description of the valid values.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Check => f.write_str("true or false"),
            Self::Spin {
                min: i64::MIN,
                max: i64::MAX,
            } => f.write_str("a whole number"),
            Self::Spin { min, max } => write!(f, "a whole number from {min} to {max}"),
            Self::Combo(variants) => write!(f, "one of {}", variants.join(", ")),
            Self::Button => f.write_str("no value"),
            Self::Text => f.write_str("a text in one line"),
        }
    }
}

#[cfg(test)]
mod tests;
