//! The lines of a report that say how the event is paired.

use super::lines::Line;
use super::report::{Announced, TrfError};
use crate::event::{Colour, Event, Forbidden, PointSystem, Round, Score};

/// What the lines say so far.
#[derive(Debug, Default)]
pub(super) struct Settings {
    pub(super) rounds: Option<(Line, usize)>,
    pub(super) first_colour: Option<Colour>,
    pub(super) points: PointSystem,
    pairing_bye_is_set: bool,
    is_baku: bool,
    forbidden: Vec<(Line, Forbidden)>,
    virtual_points: Vec<(Line, usize, Vec<Score>)>,
    /// For players from one to another, in rounds from one to another.
    virtual_ranges: Vec<(Line, [usize; 2], [usize; 2], Score)>,
    /// The round, or the next one to pair.
    byes: Vec<(Line, Option<usize>, usize, Round)>,
}

impl Settings {
    /// Reads a line, and returns whether it is one of these.
    pub(super) fn read(&mut self, line: &Line) -> Result<bool, TrfError> {
        match line.code().as_str() {
            "XXR" | "142" => self.read_rounds(line)?,
            "XXC" => return self.read_configuration(line),
            "152" => self.read_first_colour(line)?,
            "XXZ" => self.read_absent(line)?,
            "240" => self.read_byes(line)?,
            "XXP" => self.read_forbidden(line, 3, None)?,
            "260" => {
                let rounds = line.round(4..7)?..=line.round(8..11)?;
                self.read_forbidden(line, 11, Some(rounds))?;
            }
            "XXA" => self.read_virtual_points(line)?,
            "250" => self.read_virtual_range(line)?,
            "XXS" | "162" | "BBW" | "BBD" | "BBL" | "BBZ" | "BBF" | "BBU" => {
                self.read_points(line)?;
            }
            "192" => {
                self.is_baku = line.field(4..line.len()).ends_with("_BAKU");
                return Ok(false);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn read_rounds(&mut self, line: &Line) -> Result<(), TrfError> {
        let expected = "the number of rounds, from 1 to 999";
        let word = line.single(3, expected)?;
        match line.parse_number(word.column, &word.text, expected)? {
            rounds @ 1..=999 => self.rounds = Some((line.clone(), rounds as usize)),
            _ => return Err(line.expected(word.column, &word.text, expected)),
        }
        Ok(())
    }

    /// A line that says more than the first colour is kept.
    fn read_configuration(&mut self, line: &Line) -> Result<bool, TrfError> {
        let mut is_ours = true;
        for word in line.words(3) {
            match word.text.as_str() {
                "white1" => self.first_colour = Some(Colour::White),
                "black1" => self.first_colour = Some(Colour::Black),
                "rank" => {
                    let message =
                        "found \"rank\", but players are paired by their starting ranks only";
                    return Err(line.error(word.column, message));
                }
                _ => is_ours = false,
            }
        }
        Ok(is_ours)
    }

    fn read_first_colour(&mut self, line: &Line) -> Result<(), TrfError> {
        let word = line.single(3, "W or B")?;
        self.first_colour = Some(match word.text.as_str() {
            "W" => Colour::White,
            "B" => Colour::Black,
            other => return Err(line.expected(word.column, other, "W or B")),
        });
        Ok(())
    }

    fn read_absent(&mut self, line: &Line) -> Result<(), TrfError> {
        for word in line.words(3) {
            let player = line.parse_player(word.column, &word.text)?;
            self.byes.push((line.clone(), None, player, Round::Absent));
        }
        Ok(())
    }

    fn read_byes(&mut self, line: &Line) -> Result<(), TrfError> {
        let bye = match line.char(4) {
            'F' => Round::FullPointBye,
            'H' => Round::HalfPointBye,
            'Z' => Round::Absent,
            other => return Err(line.expected(4, other.to_string().trim(), "F, H or Z")),
        };
        let round = line.round(6..9)?;
        for word in line.words(9) {
            let player = line.parse_player(word.column, &word.text)?;
            self.byes.push((line.clone(), Some(round), player, bye));
        }
        Ok(())
    }

    fn read_forbidden(
        &mut self,
        line: &Line,
        from: usize,
        rounds: Option<std::ops::RangeInclusive<usize>>,
    ) -> Result<(), TrfError> {
        let words = line.words(from);
        let players: Result<Vec<usize>, TrfError> = words
            .iter()
            .map(|word| line.parse_player(word.column, &word.text))
            .collect();
        self.forbidden.push((
            line.clone(),
            Forbidden {
                players: players?,
                rounds,
            },
        ));
        Ok(())
    }

    fn read_virtual_points(&mut self, line: &Line) -> Result<(), TrfError> {
        let player = line.player(4..8)?;
        let mut points = Vec::new();
        for start in (9..line.len()).step_by(5) {
            let is_blank = line.field(start..start + 4).is_empty();
            points.push(if is_blank {
                Score::default()
            } else {
                line.score(start..start + 4)?
            });
        }
        self.virtual_points.push((line.clone(), player, points));
        Ok(())
    }

    fn read_virtual_range(&mut self, line: &Line) -> Result<(), TrfError> {
        let points = line.score(9..13)?;
        let rounds = [line.round(14..17)?, line.round(18..21)?];
        let players = [line.player(22..26)?, line.player(27..31)?];
        self.virtual_ranges
            .push((line.clone(), players, rounds, points));
        Ok(())
    }

    fn read_points(&mut self, line: &Line) -> Result<(), TrfError> {
        match line.code().as_str() {
            "162" => {
                for start in (5..line.len()).step_by(9) {
                    let code = line.char(start).to_string();
                    let points = line.score(start + 1..start + 5)?;
                    self.set_points(line, start, &code, points)?;
                }
            }
            "XXS" => {
                for word in line.words(3) {
                    let Some((code, text)) = word.text.split_once('=') else {
                        return Err(line.expected(
                            word.column,
                            &word.text,
                            "a result and its points, such as W=1.0",
                        ));
                    };
                    let points = line.parse_score(word.column + code.chars().count() + 1, text)?;
                    self.set_points(line, word.column, code, points)?;
                }
            }
            code => {
                let word = line.single(3, "points such as 1.5")?;
                let points = line.parse_score(word.column, &word.text)?;
                self.set_points(line, 2, &code[1..], points)?;
            }
        }
        Ok(())
    }

    fn set_points(
        &mut self,
        line: &Line,
        column: usize,
        code: &str,
        points: Score,
    ) -> Result<(), TrfError> {
        let system = &mut self.points;
        match code {
            "W" | "BW" | "WW" => {
                system.win = points;
                if !self.pairing_bye_is_set {
                    system.pairing_bye = points;
                }
            }
            "D" | "BD" => system.draw = points,
            "L" | "BL" => system.loss = points,
            "BZ" => system.absence = points,
            "BF" => system.forfeit_loss = points,
            "Z" | "A" => (system.absence, system.forfeit_loss) = (points, points),
            "P" | "BU" => {
                system.pairing_bye = points;
                self.pairing_bye_is_set = true;
            }
            other => {
                return Err(line.expected(column, other, "one of the results W, D, L, Z and P"));
            }
        }
        Ok(())
    }

    /// Adds what the lines say of players to an event whose players and rounds are known; returns the byes of rounds
    /// after the next one.
    pub(super) fn apply(self, event: &mut Event) -> Result<Vec<Announced>, TrfError> {
        let count = event.players.len();
        let known = |line: &Line, player: usize| {
            if player < count {
                Ok(player)
            } else {
                Err(no_such_player(line, player, count))
            }
        };
        for (line, group) in self.forbidden {
            for &player in &group.players {
                known(&line, player)?;
            }
            event.forbidden.push(group);
        }
        let mut announced = Vec::new();
        for (line, round, player, bye) in self.byes {
            let entry = &mut event.players[known(&line, player)?];
            if let Some(round) = round.filter(|&round| round > event.paired) {
                announced.push(Announced { player, round, bye });
            }
            if round.is_none_or(|round| round == event.paired) && entry.rounds.len() == event.paired
            {
                entry.rounds.push(bye);
            }
        }
        if self.is_baku && self.virtual_points.is_empty() && self.virtual_ranges.is_empty() {
            crate::baku::accelerate(event);
        }
        for (line, player, points) in self.virtual_points {
            event.players[known(&line, player)?].virtual_points = points;
        }
        for (line, [first, last], [from, to], points) in self.virtual_ranges {
            for player in first..=known(&line, last)? {
                let all = &mut event.players[player].virtual_points;
                all.resize(all.len().max(to + 1), Score::default());
                all.iter_mut()
                    .take(to + 1)
                    .skip(from)
                    .for_each(|one| *one = points);
            }
        }
        Ok(announced)
    }
}

fn no_such_player(line: &Line, player: usize, count: usize) -> TrfError {
    line.error(
        3,
        format!(
            "found player {}, but the report has {count} players",
            player + 1
        ),
    )
}
