//! What a record says, as values instead of texts.
//!
//! Every getter returns `Ok(None)` where the record has no such operation, and an error where its
//! operands are not of the kind that the lexicon asks for. Every setter takes the place of what was
//! there.

use movegen::{Move, Position, San};

use crate::opcode::Opcode;
use crate::opcode::time::{Clock, Date, MillisecondClock, TimeOfDay};
use crate::opcode::value::PawnScore;
use crate::record::Record;
use crate::record::operand::Operand;
use crate::record::operation::{OperandError, Operation};

type Get<T> = Result<Option<T>, OperandError>;

/// A getter and a setter for an operation with one value, or with two.
macro_rules! values {
    ($($opcode:literal $get:ident $set:ident $Type:ty, $expected:literal, $doc:literal;)*) => {$(
        #[doc = concat!("`", $opcode, "`: ", $doc, ".")]
        pub fn $get(&self) -> Get<$Type> {
            self.get($opcode).map(|operation| operation.value($expected)).transpose()
        }

        #[doc = concat!("Sets `", $opcode, "`: ", $doc, ".")]
        pub fn $set(&mut self, value: $Type) {
            self.set(Operation::new($opcode).symbol(value));
        }
    )*};
    (two: $($opcode:literal $get:ident $set:ident $One:ty, $Two:ty, $expected:literal, $doc:literal;)*) => {$(
        #[doc = concat!("`", $opcode, "`: ", $doc, ".")]
        pub fn $get(&self) -> Get<($One, $Two)> {
            self.get($opcode).map(|operation| operation.values($expected)).transpose()
        }

        #[doc = concat!("Sets `", $opcode, "`: ", $doc, ".")]
        pub fn $set(&mut self, one: $One, two: $Two) {
            self.set(Operation::new($opcode).symbol(one).symbol(two));
        }
    )*};
}

/// A getter and a setter for an operation with one text.
macro_rules! texts {
    ($($opcode:literal $get:ident $set:ident, $doc:literal;)*) => {$(
        #[doc = concat!("`", $opcode, "`: ", $doc, ".")]
        pub fn $get(&self) -> Get<&str> {
            self.get($opcode).map(|operation| operation.single().map(Operand::text)).transpose()
        }

        #[doc = concat!("Sets `", $opcode, "`: ", $doc, ".")]
        pub fn $set(&mut self, text: &str) {
            self.set(Operation::new($opcode).string(text));
        }
    )*};
}

/// A getter and a setter for an operation that says all by being there.
macro_rules! flags {
    ($($opcode:literal $get:ident $set:ident, $doc:literal;)*) => {$(
        #[doc = concat!("`", $opcode, "`: whether ", $doc, ".")]
        #[must_use]
        pub fn $get(&self) -> bool {
            self.get($opcode).is_some()
        }

        #[doc = concat!("Sets or removes `", $opcode, "`: whether ", $doc, ".")]
        pub fn $set(&mut self, is_so: bool) {
            self.remove($opcode);
            if is_so {
                self.add(Operation::new($opcode));
            }
        }
    )*};
}

/// Getters and setters for moves; they are read as [`movegen::san::parse_lenient`] does and written exactly.
macro_rules! moves {
    (each: $($opcode:literal $get:ident $set:ident, $doc:literal;)*) => {$(
        #[doc = concat!("`", $opcode, "`: ", $doc, ".")]
        pub fn $get(&self, position: &Position) -> Get<Vec<Move>> {
            self.get($opcode).map(|operation| operation.moves(position)).transpose()
        }

        #[doc = concat!("Sets `", $opcode, "`: ", $doc, ".")]
        pub fn $set(&mut self, position: &Position, moves: &[Move]) {
            let texts = moves.iter().map(|&mv| San::of(position, mv));
            self.set(texts.fold(Operation::new($opcode), Operation::symbol));
        }
    )*};
    (one: $($opcode:literal $get:ident $set:ident, $doc:literal;)*) => {$(
        #[doc = concat!("`", $opcode, "`: ", $doc, ".")]
        pub fn $get(&self, position: &Position) -> Get<Move> {
            let Some(operation) = self.get($opcode) else {
                return Ok(None);
            };
            operation.single()?;
            Ok(operation.moves(position)?.pop())
        }

        #[doc = concat!("Sets `", $opcode, "`: ", $doc, ".")]
        pub fn $set(&mut self, position: &Position, mv: Move) {
            self.set(Operation::new($opcode).symbol(San::of(position, mv)));
        }
    )*};
    (line: $($opcode:literal $get:ident $set:ident, $doc:literal;)*) => {$(
        #[doc = concat!("`", $opcode, "`: ", $doc, ".")]
        pub fn $get(&self, position: &Position) -> Get<Vec<Move>> {
            self.get($opcode).map(|operation| operation.variation(position)).transpose()
        }

        #[doc = concat!("Sets `", $opcode, "`: ", $doc, ".")]
        ///
        /// # Panics
        /// When a move is not legal where it is played.
        pub fn $set(&mut self, position: &Position, line: &[Move]) {
            self.set(Operation::new($opcode).line(position, line));
        }
    )*};
}

/// What a record says, as values.
///
/// ```
/// use epode_epd::Record;
///
/// let mut record: Record =
///     "r1k5/8/8/8/8/8/8/4K2R w K - bm O-O Rh8+; ce 15; id \"rook\";".parse()?;
/// let position = record.position()?;
/// let best = record.best_moves(&position)?.unwrap();
/// assert_eq!(record.evaluation()?, Some(15));
/// record.set_predicted_variation(&position, &best[1..]);
/// record.set_nodes(120);
/// assert_eq!(
///     record.to_string(),
///     "r1k5/8/8/8/8/8/8/4K2R w K - acn 120; bm O-O Rh8+; ce 15; id \"rook\"; pv Rh8+;"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl Record {
    values! {
        "acd" depth set_depth u64, "a number of plies", "how deep it was analysed, in plies";
        "acn" nodes set_nodes u64, "a number of nodes", "how many nodes the analysis took";
        "acs" seconds set_seconds u64, "a number of seconds", "how many seconds the analysis took";
        "ce" evaluation set_evaluation i64, "a number of centipawns", "centipawns for the side to move";
        "cte" time_elapsed set_time_elapsed MillisecondClock, "a clock such as 000.01:05:59.250", "how long the analysis took";
        "ctu" time_used set_time_used MillisecondClock, "a clock such as 000.01:05:59.250", "how much processor time the analysis took";
        "dm" mate_in set_mate_in u32, "a number of moves", "in how many moves the side to move mates";
        "fmvn" fullmove_number set_fullmove_number u32, "a move number", "the number of the move";
        "hmvc" halfmove_clock set_halfmove_clock u32, "a number of plies", "how many plies ago the last capture or pawn move was";
        "rc" repetitions set_repetitions u32, "a number of times", "how often the position occurred";
    }

    values! { two:
        "cc" clocks set_clocks Clock, Clock, "two clocks such as 000:01:05:59", "the time consumed by White and by Black";
        "ctcc" chess_clocks set_chess_clocks MillisecondClock, MillisecondClock, "two clocks such as 000.01:05:59.250", "the chess clocks of White and Black";
        "ts" timestamp set_timestamp Date, TimeOfDay, "a date and a time such as 1995.11.26 18:05:59", "when the record was changed, UTC";
    }

    texts! {
        "eco" eco set_eco, "the opening in the Encyclopedia of Chess Openings";
        "id" id set_id, "the label of the position";
        "nic" nic set_nic, "the opening in New In Chess";
    }

    flags! {
        "draw_accept" accepts_draw set_accepts_draw, "the draw offer is accepted";
        "draw_claim" claims_draw set_claims_draw, "a draw is claimed";
        "draw_offer" offers_draw set_offers_draw, "a draw is offered with the move supplied";
        "draw_reject" rejects_draw set_rejects_draw, "the draw offer is rejected";
        "resign" resigns set_resigns, "the side to move resigns";
    }

    moves! { each:
        "am" avoid_moves set_avoid_moves, "the moves to avoid";
        "bm" best_moves set_best_moves, "the best moves";
    }

    moves! { one:
        "pm" predicted_move set_predicted_move, "the predicted move";
        "sm" supplied_move set_supplied_move, "the move that was played";
    }

    moves! { line:
        "pv" predicted_variation set_predicted_variation, "the predicted variation";
        "sv" supplied_variation set_supplied_variation, "the variation that was played";
    }

    /// `pes`: the evaluation in pawns for the side to move.
    pub fn pawn_score(&self) -> Get<PawnScore> {
        self.get("pes")
            .map(|operation| operation.value("a score such as +0.250"))
            .transpose()
    }

    /// Sets `pes`: the evaluation in pawns for the side to move. A mate is in quotes, since other
    /// programs take a bare word for a move.
    pub fn set_pawn_score(&mut self, value: PawnScore) {
        let operation = Operation::new("pes");
        self.set(match value {
            PawnScore::Millipawns(_) => operation.symbol(value),
            _ => operation.string(&value.to_string()),
        });
    }

    /// `c0` to `c9`: the comment of a rank.
    ///
    /// # Panics
    /// When the rank is above 9.
    pub fn comment(&self, rank: u8) -> Get<&str> {
        self.ranked('c', rank)
    }

    /// `v0` to `v9`: the name of the variation, by rank.
    ///
    /// # Panics
    /// When the rank is above 9.
    pub fn variation_name(&self, rank: u8) -> Get<&str> {
        self.ranked('v', rank)
    }

    /// Sets the comment of a rank.
    ///
    /// # Panics
    /// When the rank is above 9.
    pub fn set_comment(&mut self, rank: u8, text: &str) {
        assert!(rank < 10, "comments have ranks 0 to 9");
        self.set(Operation::of(ranked('c', rank)).string(text));
    }

    /// Sets the name of the variation, by rank.
    ///
    /// # Panics
    /// When the rank is above 9.
    pub fn set_variation_name(&mut self, rank: u8, text: &str) {
        assert!(rank < 10, "names of variations have ranks 0 to 9");
        self.set(Operation::of(ranked('v', rank)).string(text));
    }

    fn ranked(&self, family: char, rank: u8) -> Get<&str> {
        assert!(rank < 10, "registers have ranks 0 to 9");
        let operation = self.get(&ranked(family, rank));
        operation
            .filter(|operation| !operation.operands.is_empty())
            .map(|operation| operation.single().map(Operand::text))
            .transpose()
    }

    /// `ptp`: the tag pairs of PGN, in their order.
    pub fn tags(&self) -> Get<Vec<(&str, &str)>> {
        let Some(operation) = self.get("ptp") else {
            return Ok(None);
        };
        let (pairs, rest) = operation.operands.as_chunks();
        if !rest.is_empty() {
            return Err(OperandError::Count {
                opcode: operation.opcode.clone(),
                found: operation.operands.len(),
                expected: "pairs",
            });
        }
        let texts = pairs.iter().map(|[tag, value]| (tag.text(), value.text()));
        Ok(Some(texts.collect()))
    }

    /// Sets `ptp`: the tag pairs of PGN.
    pub fn set_tags<'t>(&mut self, tags: impl IntoIterator<Item = (&'t str, &'t str)>) {
        let tags = tags.into_iter();
        self.set(tags.fold(Operation::new("ptp"), |operation, (tag, value)| {
            operation.symbol(tag).string(value)
        }));
    }

    /// `tcri` (the receiver) or `tcsi` (the sender) of a correspondence: address and name.
    fn party(&self, opcode: &str) -> Get<(&str, &str)> {
        let Some(operation) = self.get(opcode) else {
            return Ok(None);
        };
        match &operation.operands[..] {
            [address, name] => Ok(Some((address.text(), name.text()))),
            operands => Err(OperandError::Count {
                opcode: operation.opcode.clone(),
                found: operands.len(),
                expected: "an address and a name",
            }),
        }
    }

    /// `tcri`: address and name of the receiver.
    pub fn receiver(&self) -> Get<(&str, &str)> {
        self.party("tcri")
    }

    /// `tcsi`: address and name of the sender.
    pub fn sender(&self) -> Get<(&str, &str)> {
        self.party("tcsi")
    }

    /// Sets `tcri`: address and name of the receiver.
    pub fn set_receiver(&mut self, address: &str, name: &str) {
        self.set(Operation::new("tcri").string(address).string(name));
    }

    /// Sets `tcsi`: address and name of the sender.
    pub fn set_sender(&mut self, address: &str, name: &str) {
        self.set(Operation::new("tcsi").string(address).string(name));
    }
}

/// The opcode of a family and a rank.
fn ranked(family: char, rank: u8) -> Opcode {
    Opcode::of_word(&format!("{family}{rank}"))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn record(operations: &str) -> Record {
        let line = format!("8/P7/8/8/8/8/5k2/K7 w - - {operations}");
        crate::read(&line, &mut Vec::new()).expect("readable")
    }

    /// What is set is what is got, and what is printed.
    #[test]
    fn values_go_in_and_come_out() {
        let mut record = record("");
        let position = record.position().expect("legal");
        let promotion = crate::Operation::new("bm").symbol("a8=Q");
        let promotion = promotion.moves(&position).expect("legal")[0];
        let clock = Clock::from_seconds(65);
        let precise = MillisecondClock::new(Duration::from_millis(65_250));
        record.set_depth(5);
        record.set_nodes(u64::MAX);
        record.set_evaluation(-32767);
        record.set_clocks(clock, Clock::from_seconds(0));
        record.set_time_used(precise);
        record.set_timestamp(
            "1995.11.26".parse().expect("a day"),
            "18:05:59".parse().expect("a time"),
        );
        record.set_pawn_score(PawnScore::MateIn(3));
        record.set_id("a \"b\"");
        record.set_resigns(true);
        record.set_best_moves(&position, &[promotion]);
        record.set_supplied_move(&position, promotion);
        record.set_supplied_variation(&position, &[promotion]);
        record.set_comment(3, "c");
        record.set_variation_name(0, "");
        record.set_tags([("White", "A b"), ("Black", "C")]);
        record.set_sender("a@b", "N");
        assert_eq!(
            record.to_string(),
            "8/P7/8/8/8/8/5k2/K7 w - - acd 5; acn 18446744073709551615; bm a8=Q; c3 \"c\"; \
             cc 000:00:01:05 000:00:00:00; ce -32767; ctu 000.00:01:05.250; id \"a 'b'\"; pes \"MateIn3\"; \
             ptp White \"A b\" Black \"C\"; resign; sm a8=Q; sv a8=Q; tcsi \"a@b\" \"N\"; \
             ts 1995.11.26 18:05:59; v0 \"\";"
        );
        assert_eq!(record.depth(), Ok(Some(5)));
        assert_eq!(record.nodes(), Ok(Some(u64::MAX)));
        assert_eq!(record.seconds(), Ok(None));
        assert_eq!(record.evaluation(), Ok(Some(-32767)));
        assert_eq!(record.clocks(), Ok(Some((clock, Clock::from_seconds(0)))));
        assert_eq!(record.time_used(), Ok(Some(precise)));
        assert_eq!(record.pawn_score(), Ok(Some(PawnScore::MateIn(3))));
        assert_eq!(record.best_moves(&position), Ok(Some(vec![promotion])));
        assert_eq!(record.supplied_move(&position), Ok(Some(promotion)));
        assert_eq!(
            record.supplied_variation(&position),
            Ok(Some(vec![promotion]))
        );
        assert_eq!(record.predicted_variation(&position), Ok(None));
        assert_eq!(
            (record.comment(3), record.comment(4)),
            (Ok(Some("c")), Ok(None))
        );
        assert_eq!(record.variation_name(0), Ok(Some("")));
        assert_eq!(
            record.tags(),
            Ok(Some(vec![("White", "A b"), ("Black", "C")]))
        );
        assert_eq!(record.sender(), Ok(Some(("a@b", "N"))));
        assert!(record.resigns() && !record.offers_draw());
        record.set_resigns(false);
        assert!(!record.resigns());
    }

    #[test]
    fn operands_of_another_kind_are_errors() {
        let record = record(
            "acd x; cc 000:00:00:00; dm -3; id; pm a8=Q a8=R; ptp White; tcri \"a\"; ts 1 2;",
        );
        let position = record.position().expect("legal");
        for (error, message) in [
            (
                record.depth().expect_err("text"),
                "acd: \"x\" is not a number of plies",
            ),
            (
                record.clocks().expect_err("one"),
                "cc: 1 operands, expected two",
            ),
            (
                record.mate_in().expect_err("sign"),
                "dm: \"-3\" is not a number of moves",
            ),
            (
                record.id().expect_err("none"),
                "id: 0 operands, expected one",
            ),
            (
                record.predicted_move(&position).expect_err("two"),
                "pm: 2 operands, expected one",
            ),
            (
                record.tags().expect_err("odd"),
                "ptp: 1 operands, expected pairs",
            ),
            (
                record.receiver().expect_err("one"),
                "tcri: 1 operands, expected an address and a name",
            ),
            (
                record.timestamp().expect_err("numbers"),
                "ts: \"1\" is not a date and a time such as 1995.11.26 18:05:59",
            ),
        ] {
            assert_eq!(error.to_string(), message);
        }
    }
}
