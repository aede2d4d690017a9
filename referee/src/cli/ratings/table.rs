//! The table of ratings.

use std::fmt::Write;

use referee::ratings::Ratings;
use referee::text::visible;
use serde::Serialize;
use unicode_width::UnicodeWidthStr;

use super::games::Games;

/// What is printed.
#[derive(Debug, Serialize)]
pub struct Table {
    games: usize,
    games_without_result: usize,
    /// `None` if it cannot be found.
    white_advantage: Option<f64>,
    /// `None` if it was given or cannot be found.
    white_advantage_error: Option<f64>,
    /// The probability of a draw between equal players.
    draw_rate: Option<f64>,
    players: Vec<Row>,
    /// Players whose rating would be infinite, or that are not linked with the others.
    not_rated: Vec<Unrated>,
}

#[derive(Debug, Serialize)]
struct Row {
    rank: usize,
    name: String,
    rating: f64,
    error: Option<f64>,
    points: f64,
    games: usize,
    draws: usize,
    /// The likelihood of superiority over the next player; `None` for the last one.
    superiority: Option<f64>,
}

#[derive(Debug, Serialize)]
struct Unrated {
    name: String,
    points: f64,
    games: usize,
}

impl Table {
    /// The players with at least `min_games` games, best first.
    pub fn new(games: &Games, ratings: &Ratings, finds_advantage: bool, min_games: usize) -> Self {
        let mut half_points = vec![0_usize; games.names.len()];
        let (mut played, mut draws) = (half_points.clone(), half_points.clone());
        for game in &games.results {
            for (player, half) in [
                (game.white, game.half_points),
                (game.black, 2 - game.half_points),
            ] {
                half_points[player] += usize::from(half);
                played[player] += 1;
                draws[player] += usize::from(half == 1);
            }
        }
        let points = |player: usize| half_points[player] as f64 / 2.0;
        let listed = (0..games.names.len()).filter(|&player| played[player] >= min_games);
        let (mut rated, unrated): (Vec<_>, Vec<_>) =
            listed.partition(|&player| ratings.of(player).is_some());
        let elo = |player: usize| ratings.of(player).map_or(0.0, |rating| rating.elo);
        rated.sort_by(|&one, &other| {
            elo(other)
                .total_cmp(&elo(one))
                .then_with(|| games.names[one].cmp(&games.names[other]))
        });
        let row = |(i, &player): (usize, &usize)| Row {
            rank: i + 1,
            name: games.names[player].clone(),
            rating: elo(player),
            error: ratings.of(player).and_then(|rating| rating.error),
            points: points(player),
            games: played[player],
            draws: draws[player],
            superiority: rated
                .get(i + 1)
                .and_then(|&next| ratings.superiority(player, next)),
        };
        Self {
            games: games.results.len(),
            games_without_result: games.without_result,
            white_advantage: ratings.white_advantage,
            white_advantage_error: ratings
                .white_advantage
                .filter(|_| finds_advantage)
                .map(|_| ratings.white_advantage_error),
            draw_rate: ratings.draw_rate,
            players: rated.iter().enumerate().map(row).collect(),
            not_rated: unrated
                .iter()
                .map(|&player| Unrated {
                    name: games.names[player].clone(),
                    points: points(player),
                    games: played[player],
                })
                .collect(),
        }
    }

    /// The table of the players that are rated, and what is known beside their ratings.
    fn rated(&self) -> String {
        let names = self.players.iter().map(|row| visible(&row.name).width());
        let width = names.max().unwrap_or(0).max("player".len());
        let mut text = format!(
            "rank  player{:1$}  rating   error   points  games      %  draws   LOS\n",
            "",
            width - 6
        );
        for row in &self.players {
            let games = row.games as f64;
            let Row {
                rank,
                rating,
                points,
                draws,
                ..
            } = row;
            let name = visible(&row.name);
            let error = row
                .error
                .map_or_else(|| "-".to_owned(), |error| format!("{error:.1}"));
            let pad = width - name.width();
            let (score, draws) = (100.0 * points / games, 100.0 * *draws as f64 / games);
            let _ = write!(
                text,
                "{rank:>4}  {name}{:pad$}  {rating:>6.1}  {error:>6}  {points:>7.1}  {:>5}  {score:>5.1}  {draws:>5.1}",
                "", row.games
            );
            let _ = match row.superiority {
                Some(superiority) => writeln!(text, "  {:>4.0}", 100.0 * superiority),
                None => writeln!(text, "     -"),
            };
        }
        text.push('\n');
        let _ = match (self.white_advantage, self.white_advantage_error) {
            (Some(elo), Some(error)) => {
                writeln!(text, "White's advantage: {elo:.1} +- {error:.1} Elo")
            }
            (Some(elo), None) => writeln!(text, "White's advantage: {elo:.1} Elo (given)"),
            (None, _) => writeln!(text, "White's advantage cannot be found from these games"),
        };
        if let Some(rate) = self.draw_rate {
            let _ = writeln!(text, "draws between equal players: {:.1} %", 100.0 * rate);
        }
        text
    }

    pub fn text(&self) -> String {
        let mut text = if self.players.is_empty() {
            "no player can be rated\n".to_owned()
        } else {
            self.rated()
        };
        if self.games_without_result > 0 {
            let _ = writeln!(
                text,
                "games left out, without a result, without a player or abandoned: {}",
                self.games_without_result
            );
        }
        for (
            i,
            Unrated {
                name,
                points,
                games,
            },
        ) in self.not_rated.iter().enumerate()
        {
            if i == 0 {
                text.push_str("not rated, since all games were won or lost, or there is no link with the others:\n");
            }
            let _ = writeln!(text, "  {}  {points} of {games}", visible(name));
        }
        text
    }

    pub fn csv(&self) -> String {
        let mut text = String::from("rank,player,rating,error,points,games,draws,superiority\n");
        for row in &self.players {
            let quoted = row.name.replace('"', "\"\"");
            let error = row.error.map(|error| format!("{error:.2}"));
            let error = error.unwrap_or_default();
            let superiority = row
                .superiority
                .map(|superiority| format!("{superiority:.4}"))
                .unwrap_or_default();
            let _ = writeln!(
                text,
                "{},\"{quoted}\",{:.2},{error},{},{},{},{superiority}",
                row.rank, row.rating, row.points, row.games, row.draws
            );
        }
        text
    }
}
