//! Orders on their way to the referee.

use std::path::PathBuf;
use std::thread;

use referee::event::{GivenOrder, NoOrder};

use crate::cli::control;

/// What came of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The line of the order.
    pub order: String,
    /// What the referee says.
    pub text: String,
    pub is_refused: bool,
}

/// The way of orders to the referee of a folder.
pub struct Orders {
    directory: PathBuf,
}

impl Orders {
    pub const fn new(directory: PathBuf) -> Self {
        Self { directory }
    }

    /// Gives the order of a line. A referee that does not answer holds up nothing else.
    pub fn give(&self, line: String, answered: impl FnOnce(Answer) + Send + 'static) {
        let directory = self.directory.clone();
        thread::spawn(move || {
            let (text, is_refused) = match line.parse::<GivenOrder>() {
                Ok(given) => match control::ask(&directory, given) {
                    Ok(text) => (text, false),
                    Err(error) => (format!("{error:#}"), true),
                },
                Err(NoOrder::Help(text)) => (text, false),
                Err(error) => (error.to_string(), true),
            };
            answered(Answer {
                order: line,
                text,
                is_refused,
            });
        });
    }
}
