//! Getters and setters for the values of a record.
//!
//! A getter returns `Ok(None)` if the record does not have the operation, and an error if the
//! operands are not what the lexicon asks for. A setter replaces the operation.

use movegen::{Move, Position, San};

use crate::opcode::Opcode;
use crate::opcode::time::{Clock, Date, MillisecondClock, TimeOfDay};
use crate::opcode::value::PawnScore;
use crate::record::Record;
use crate::record::operand::Operand;
use crate::record::operation::{OperandError, Operation};

type Get<T> = Result<Option<T>, OperandError>;

/// Getters and setters of one kind: values, pairs of values, texts, flags, moves or variations.
macro_rules! accessors {
    ($kind:ident: $($opcode:literal $get:ident $set:ident $(-> $($Type:ty),+)?, $doc:literal;)*) => {
        $(accessors! { @$kind $opcode $get $set ($($($Type),+)?) $doc })*
    };
    (@value $opcode:literal $get:ident $set:ident ($Type:ty) $doc:literal) => {
        #[doc = concat!("Gets `", $opcode, "`: ", $doc, ".")]
        pub fn $get(&self) -> Get<$Type> {
            self.checked($opcode)?.map(|operation| operation.standard_value(0)).transpose()
        }

        #[doc = concat!("Sets `", $opcode, "`: ", $doc, ".")]
        pub fn $set(&mut self, value: $Type) {
            self.set(Operation::new($opcode).symbol(value));
        }
    };
    (@pair $opcode:literal $get:ident $set:ident ($First:ty, $Second:ty) $doc:literal) => {
        #[doc = concat!("Gets `", $opcode, "`: ", $doc, ".")]
        pub fn $get(&self) -> Get<($First, $Second)> {
            let Some(operation) = self.checked($opcode)? else {
                return Ok(None);
            };
            Ok(Some((operation.standard_value(0)?, operation.standard_value(1)?)))
        }

        #[doc = concat!("Sets `", $opcode, "`: ", $doc, ".")]
        pub fn $set(&mut self, first: $First, second: $Second) {
            self.set(Operation::new($opcode).symbol(first).symbol(second));
        }
    };
    (@text $opcode:literal $get:ident $set:ident () $doc:literal) => {
        #[doc = concat!("Gets `", $opcode, "`: ", $doc, ".")]
        pub fn $get(&self) -> Get<&str> {
            self.get($opcode).map(|operation| operation.single().map(Operand::text)).transpose()
        }

        #[doc = concat!("Sets `", $opcode, "`: ", $doc, ".")]
        pub fn $set(&mut self, text: &str) {
            self.set(Operation::new($opcode).string(text));
        }
    };
    (@texts $opcode:literal $get:ident $set:ident () $doc:literal) => {
        #[doc = concat!("Gets `", $opcode, "`: ", $doc, ".")]
        pub fn $get(&self) -> Get<(&str, &str)> {
            let operands = self.checked($opcode)?.map(|operation| &operation.operands[..]);
            Ok(operands.map(|operands| (operands[0].text(), operands[1].text())))
        }

        #[doc = concat!("Sets `", $opcode, "`: ", $doc, ".")]
        pub fn $set(&mut self, address: &str, name: &str) {
            self.set(Operation::new($opcode).string(address).string(name));
        }
    };
    (@flag $opcode:literal $get:ident $set:ident () $doc:literal) => {
        #[doc = concat!("Whether the record has `", $opcode, "`: ", $doc, ".")]
        #[must_use]
        pub fn $get(&self) -> bool {
            self.get($opcode).is_some()
        }

        #[doc = concat!("Sets or removes `", $opcode, "`: ", $doc, ".")]
        pub fn $set(&mut self, on: bool) {
            self.remove($opcode);
            if on {
                self.add(Operation::new($opcode));
            }
        }
    };
    (@moves $opcode:literal $get:ident $set:ident () $doc:literal) => {
        #[doc = concat!("Gets `", $opcode, "`: ", $doc, ".")]
        pub fn $get(&self, position: &Position) -> Get<Vec<Move>> {
            self.get($opcode).map(|operation| operation.moves(position)).transpose()
        }

        #[doc = concat!("Sets `", $opcode, "`: ", $doc, ".")]
        pub fn $set(&mut self, position: &Position, moves: &[Move]) {
            let texts = moves.iter().map(|&mv| San::of(position, mv));
            self.set(texts.fold(Operation::new($opcode), Operation::symbol));
        }
    };
    (@one_move $opcode:literal $get:ident $set:ident () $doc:literal) => {
        #[doc = concat!("Gets `", $opcode, "`: ", $doc, ".")]
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
    };
    (@variation $opcode:literal $get:ident $set:ident () $doc:literal) => {
        #[doc = concat!("Gets `", $opcode, "`: ", $doc, ".")]
        pub fn $get(&self, position: &Position) -> Get<Vec<Move>> {
            self.get($opcode).map(|operation| operation.variation(position)).transpose()
        }

        #[doc = concat!("Sets `", $opcode, "`: ", $doc, ".")]
        ///
        /// # Panics
        /// If a move is not legal.
        pub fn $set(&mut self, position: &Position, line: &[Move]) {
            self.set(Operation::new($opcode).line(position, line));
        }
    };
}

/// # Typed values
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
    accessors! { value:
        "acd" depth set_depth -> u64, "the depth of the analysis in plies";
        "acn" nodes set_nodes -> u64, "the nodes of the analysis";
        "acs" seconds set_seconds -> u64, "the time of the analysis in seconds";
        "ce" evaluation set_evaluation -> i64, "the evaluation in centipawns for the side to move";
        "cte" time_elapsed set_time_elapsed -> MillisecondClock, "the elapsed time of the analysis";
        "ctu" time_used set_time_used -> MillisecondClock, "the processor time of the analysis";
        "dm" mate_in set_mate_in -> u32, "the number of moves to mate";
        "fmvn" fullmove_number set_fullmove_number -> u32, "the fullmove number";
        "hmvc" halfmove_clock set_halfmove_clock -> u32, "the plies since the last capture or pawn move";
        "rc" repetitions set_repetitions -> u32, "how often the position has occurred";
    }

    accessors! { pair:
        "cc" clocks set_clocks -> Clock, Clock, "the time used by White and by Black";
        "ctcc" chess_clocks set_chess_clocks -> MillisecondClock, MillisecondClock, "the time used by White and by Black, in milliseconds";
        "ts" timestamp set_timestamp -> Date, TimeOfDay, "date and time of the last change, UTC";
    }

    accessors! { text:
        "eco" eco set_eco, "the opening code of the Encyclopedia of Chess Openings";
        "id" id set_id, "the name of the position";
        "nic" nic set_nic, "the opening code of New In Chess";
    }

    accessors! { texts:
        "tcri" receiver set_receiver, "address and name of the receiver in a correspondence";
        "tcsi" sender set_sender, "address and name of the sender in a correspondence";
    }

    accessors! { flag:
        "draw_accept" accepts_draw set_accepts_draw, "the player accepts the draw offer";
        "draw_claim" claims_draw set_claims_draw, "the player claims a draw";
        "draw_offer" offers_draw set_offers_draw, "the player offers a draw with the supplied move";
        "draw_reject" rejects_draw set_rejects_draw, "the player rejects the draw offer";
        "resign" resigns set_resigns, "the side to move resigns";
    }

    accessors! { moves:
        "am" avoid_moves set_avoid_moves, "the moves to avoid";
        "bm" best_moves set_best_moves, "the best moves";
    }

    accessors! { one_move:
        "pm" predicted_move set_predicted_move, "the predicted move";
        "sm" supplied_move set_supplied_move, "the move that is played";
    }

    accessors! { variation:
        "pv" predicted_variation set_predicted_variation, "the predicted variation";
        "sv" supplied_variation set_supplied_variation, "the moves that are played";
    }

    /// Gets `pes`: the evaluation in pawns for the side to move.
    pub fn pawn_score(&self) -> Get<PawnScore> {
        let operation = self.checked("pes")?;
        operation.map(|pes| pes.standard_value(0)).transpose()
    }

    /// Sets `pes`: the evaluation in pawns for the side to move. A mate score gets quotes, because
    /// other programs read a word without quotes as a move.
    pub fn set_pawn_score(&mut self, value: PawnScore) {
        let operation = Operation::new("pes");
        self.set(match value {
            PawnScore::Millipawns(_) => operation.symbol(value),
            _ => operation.string(&value.to_string()),
        });
    }

    /// Gets a comment, `c0` to `c9`.
    ///
    /// # Panics
    /// If the register is above 9.
    pub fn comment(&self, register: u8) -> Get<&str> {
        self.register('c', register)
    }

    /// Gets a variation name, `v0` to `v9`.
    ///
    /// # Panics
    /// If the register is above 9.
    pub fn variation_name(&self, register: u8) -> Get<&str> {
        self.register('v', register)
    }

    /// Sets a comment, `c0` to `c9`.
    ///
    /// # Panics
    /// If the register is above 9.
    pub fn set_comment(&mut self, register: u8, text: &str) {
        self.set(Operation::of(Opcode::of_register('c', register)).string(text));
    }

    /// Sets a variation name, `v0` to `v9`.
    ///
    /// # Panics
    /// If the register is above 9.
    pub fn set_variation_name(&mut self, register: u8, text: &str) {
        self.set(Operation::of(Opcode::of_register('v', register)).string(text));
    }

    fn register(&self, family: char, register: u8) -> Get<&str> {
        let operation = self.get(&Opcode::of_register(family, register));
        operation
            .filter(|operation| !operation.operands.is_empty())
            .map(|operation| operation.single().map(Operand::text))
            .transpose()
    }

    /// Gets `ptp`: the PGN tag pairs, in their order.
    pub fn tags(&self) -> Get<Vec<(&str, &str)>> {
        let Some(operation) = self.checked("ptp")? else {
            return Ok(None);
        };
        let (pairs, _) = operation.operands.as_chunks();
        let texts = pairs.iter().map(|[tag, value]| (tag.text(), value.text()));
        Ok(Some(texts.collect()))
    }

    /// Sets `ptp`: the PGN tag pairs.
    pub fn set_tags<'t>(&mut self, tags: impl IntoIterator<Item = (&'t str, &'t str)>) {
        let tags = tags.into_iter();
        self.set(tags.fold(Operation::new("ptp"), |operation, (tag, value)| {
            operation.symbol(tag).string(value)
        }));
    }

    /// The operation with an opcode, if the record has it, with the number of operands that the
    /// lexicon asks for.
    fn checked(&self, opcode: &str) -> Get<&Operation> {
        let operation = self.get(opcode);
        operation.map_or(Ok(()), Operation::check_standard_count)?;
        Ok(operation)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::parse::reader::read;

    fn record(operations: &str) -> Record {
        let line = format!("8/P7/8/8/8/8/5k2/K7 w - - {operations}");
        read(&line, &mut Vec::new()).expect("readable")
    }

    #[test]
    fn getters_return_what_setters_set() {
        let mut record = record("");
        let position = record.position().expect("legal");
        let promotion = Operation::new("bm").symbol("a8=Q");
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
    fn operands_of_the_wrong_type_are_errors() {
        let record = record(
            "acd x; cc 000:00:00:00; dm -3; id; pm a8=Q a8=R; ptp White; tcri \"a\"; ts 1 2;",
        );
        let position = record.position().expect("legal");
        for (error, message) in [
            (
                record.depth().expect_err("text"),
                "acd: x is not an integer from 0",
            ),
            (
                record.clocks().expect_err("one"),
                "cc has 1 operand, expected a clock such as 000:01:05:59, a clock such as 000:01:05:59",
            ),
            (
                record.mate_in().expect_err("sign"),
                "dm: -3 is not an integer from 1 to 1023",
            ),
            (
                record.id().expect_err("none"),
                "id has 0 operands, expected one",
            ),
            (
                record.predicted_move(&position).expect_err("two"),
                "pm has 2 operands, expected one",
            ),
            (
                record.tags().expect_err("odd"),
                "ptp has 1 operand, expected pairs: an identifier of 1 to 15 letters, digits and underscores, a string in quotes",
            ),
            (
                record.receiver().expect_err("one"),
                "tcri has 1 operand, expected a string in quotes, a string in quotes",
            ),
            (
                record.timestamp().expect_err("numbers"),
                "ts: 1 is not a date such as 1995.11.26",
            ),
        ] {
            assert_eq!(error.to_string(), message);
        }
    }
}
