//! The line on which orders are typed.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// A line with a cursor.
#[derive(Debug, Default)]
pub struct Prompt {
    text: String,
    /// The bytes before the cursor.
    cursor: usize,
    /// The place in the list of earlier lines, from the newest on; none for a new line.
    earlier: Option<usize>,
}

/// What came of a key.
#[derive(Debug, PartialEq, Eq)]
pub enum Typed {
    Nothing,
    Closed,
    /// The user wants the word before the cursor to be completed.
    Complete,
    Entered(String),
}

impl Prompt {
    pub const fn new(text: String) -> Self {
        Self {
            cursor: text.len(),
            text,
            earlier: None,
        }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text before the cursor.
    pub fn before_cursor(&self) -> &str {
        &self.text[..self.cursor]
    }

    /// Puts a word in place of that which begins here and ends at the cursor.
    pub fn replace_word(&mut self, start: usize, word: &str) {
        self.text.replace_range(start..self.cursor, word);
        self.cursor = start + word.len();
    }

    pub fn press(&mut self, key: KeyEvent, history: &[String]) -> Typed {
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Esc => return Typed::Closed,
            KeyCode::Char('c') if is_control => return Typed::Closed,
            KeyCode::Enter => return Typed::Entered(self.text.clone()),
            KeyCode::Tab => return Typed::Complete,
            // As in an editor: what opened the line is rubbed out.
            KeyCode::Backspace if self.text.is_empty() => return Typed::Closed,
            KeyCode::Backspace => self.delete_to(self.left()),
            KeyCode::Delete => self.delete_to(self.right()),
            KeyCode::Left => self.cursor = self.left(),
            KeyCode::Right => self.cursor = self.right(),
            KeyCode::Home => self.cursor = 0,
            KeyCode::End => self.cursor = self.text.len(),
            KeyCode::Up => self.recall(self.earlier.map_or(0, |place| place + 1), history),
            KeyCode::Down => match self.earlier.and_then(|place| place.checked_sub(1)) {
                Some(place) => self.recall(place, history),
                None => *self = Self::default(),
            },
            KeyCode::Char('a') if is_control => self.cursor = 0,
            KeyCode::Char('e') if is_control => self.cursor = self.text.len(),
            KeyCode::Char('u') if is_control => self.delete_to(0),
            KeyCode::Char('w') if is_control => self.delete_to(self.word_start()),
            KeyCode::Char(letter) if !is_control => {
                self.text.insert(self.cursor, letter);
                self.cursor += letter.len_utf8();
            }
            _ => {}
        }
        Typed::Nothing
    }

    /// The place of the cursor after a step to the left.
    fn left(&self) -> usize {
        let before = self.before_cursor().char_indices().next_back();
        before.map_or(0, |(place, _)| place)
    }

    fn right(&self) -> usize {
        let next = self.text[self.cursor..].chars().next();
        self.cursor + next.map_or(0, char::len_utf8)
    }

    /// The beginning of the word before the cursor.
    fn word_start(&self) -> usize {
        let before = self.before_cursor().trim_end();
        before
            .rfind(char::is_whitespace)
            .map_or(0, |blank| blank + 1)
    }

    /// Deletes what is between the cursor and a place.
    fn delete_to(&mut self, place: usize) {
        let (start, end) = (place.min(self.cursor), place.max(self.cursor));
        self.text.replace_range(start..end, "");
        self.cursor = start;
    }

    /// Shows an earlier line.
    fn recall(&mut self, place: usize, history: &[String]) {
        if let Some(line) = history.iter().rev().nth(place) {
            *self = Self::new(line.clone());
            self.earlier = Some(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(keys: &[KeyCode]) -> String {
        let mut prompt = Prompt::default();
        let history = ["games".to_owned(), "status".to_owned()];
        for &key in keys {
            prompt.press(KeyEvent::from(key), &history);
        }
        let (before, after) = prompt.text().split_at(prompt.before_cursor().len());
        format!("{before}|{after}")
    }

    #[test]
    fn a_line_is_edited() {
        use KeyCode::{Backspace, Char, Delete, Down, End, Home, Left, Right, Up};
        let letters = [Char('é'), Char('王'), Char('x')];
        let with = |keys: &[KeyCode]| typed(&[&letters, keys].concat());
        assert_eq!(with(&[]), "é王x|");
        assert_eq!(with(&[Left, Left]), "é|王x");
        assert_eq!(with(&[Left, Backspace]), "é|x");
        assert_eq!(with(&[Home, Delete, End]), "王x|");
        assert_eq!(with(&[Home, Left, Right, Char('-')]), "é-|王x");
        assert_eq!(with(&[Right, Delete]), "é王x|");
        assert_eq!(typed(&[Up]), "status|");
        assert_eq!(typed(&[Up, Up, Up]), "games|");
        assert_eq!(typed(&[Up, Up, Down]), "status|");
        assert_eq!(typed(&[Up, Down]), "|");
    }

    #[test]
    fn control_keys_delete_words_and_lines() {
        let control = |letter| KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL);
        let mut prompt = Prompt::new("kick Old Ann ".to_owned());
        prompt.press(control('w'), &[]);
        assert_eq!(prompt.text(), "kick Old ");
        prompt.press(control('u'), &[]);
        assert_eq!(prompt.text(), "");
        assert_eq!(prompt.press(KeyCode::Backspace.into(), &[]), Typed::Closed);
    }
}
