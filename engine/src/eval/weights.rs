//! What everything counts, in centipawns for the middlegame and the endgame, from the point of view
//! of the side it is counted for. `cargo run --release -p epode-engine --features tuning --example
//! tune` prints this file.

#[cfg(any(test, feature = "tuning"))]
use super::tally::NamedTerm;
use super::tally::{Term, t, weights};

#[rustfmt::skip]
weights! {
    /// From pawn to queen.
    MATERIAL: 5 = [t(62, 110), t(301, 329), t(319, 351), t(398, 598), t(1006, 1054)];
    /// From a1 to d1, then a2 to d2 and so on, as the piece's side counts; the other half of the
    /// board is the same.
    PAWN_SQUARES: 32 = [
        t(0, 0), t(0, 0), t(0, 0), t(0, 0),
        t(0, 16), t(1, 19), t(-1, 11), t(6, -6),
        t(2, -9), t(-6, -4), t(4, -3), t(3, 2),
        t(-1, 3), t(-7, 5), t(9, -11), t(5, -12),
        t(17, 18), t(8, 21), t(26, -1), t(20, 1),
        t(20, 22), t(-3, 34), t(20, 31), t(25, 31),
        t(48, 41), t(40, 55), t(43, 57), t(62, 58),
        t(0, 0), t(0, 0), t(0, 0), t(0, 0),
    ];
    /// As above.
    KNIGHT_SQUARES: 32 = [
        t(-49, -35), t(-21, -21), t(-21, -8), t(-14, -11),
        t(-25, -15), t(-17, -7), t(-18, -3), t(0, -6),
        t(-20, -29), t(-2, -10), t(1, 12), t(9, 11),
        t(-15, -7), t(10, -2), t(15, 8), t(12, 26),
        t(11, 3), t(10, 20), t(25, 10), t(31, 19),
        t(-10, -17), t(6, -1), t(14, 8), t(23, 14),
        t(-16, -20), t(-8, -12), t(13, -1), t(8, 4),
        t(-59, -36), t(-37, -30), t(-22, -12), t(-13, -10),
    ];
    /// As above.
    BISHOP_SQUARES: 32 = [
        t(-19, -4), t(5, -8), t(-6, -4), t(-2, 3),
        t(19, -12), t(7, -16), t(-3, 0), t(13, -6),
        t(1, 1), t(13, 10), t(10, 15), t(3, 20),
        t(7, -1), t(-2, 0), t(17, 6), t(9, 10),
        t(9, 7), t(9, 16), t(2, 12), t(11, 13),
        t(-11, 6), t(7, 1), t(10, 3), t(7, 0),
        t(-14, -3), t(-6, 0), t(-3, -4), t(-2, 2),
        t(-21, -9), t(-13, -3), t(-9, -3), t(-10, -2),
    ];
    /// As above.
    ROOK_SQUARES: 32 = [
        t(-12, 2), t(2, -13), t(-1, -2), t(7, -13),
        t(-30, 4), t(-27, -8), t(-23, -8), t(-5, -15),
        t(-10, 1), t(-1, -5), t(0, -10), t(1, -11),
        t(-12, 5), t(0, 5), t(2, -1), t(1, -2),
        t(-8, 19), t(-10, 9), t(1, 11), t(15, 11),
        t(12, 8), t(1, 11), t(13, 12), t(19, 12),
        t(13, 15), t(15, 12), t(17, 13), t(24, 12),
        t(7, 22), t(20, 21), t(17, 17), t(19, 16),
    ];
    /// As above.
    QUEEN_SQUARES: 32 = [
        t(-6, -28), t(-8, -22), t(-16, -16), t(-4, -17),
        t(-2, -20), t(4, -13), t(4, -7), t(1, 1),
        t(-14, -7), t(3, -7), t(2, 6), t(5, 8),
        t(-4, 0), t(3, 12), t(-7, 17), t(1, 15),
        t(11, 8), t(14, 19), t(10, 26), t(2, 28),
        t(-3, 7), t(11, 18), t(18, 25), t(17, 29),
        t(3, 0), t(-7, 7), t(9, 18), t(3, 20),
        t(6, 2), t(3, 3), t(9, 12), t(7, 16),
    ];
    /// As above.
    KING_SQUARES: 32 = [
        t(31, -48), t(27, -29), t(-6, -24), t(-1, -25),
        t(17, -17), t(16, -7), t(-16, 0), t(-11, -5),
        t(-20, -14), t(-7, 3), t(-39, 5), t(-44, 16),
        t(-35, -13), t(-27, -1), t(-57, 11), t(-60, 31),
        t(-40, 3), t(-37, 10), t(-63, 24), t(-66, 40),
        t(-35, 8), t(-33, 16), t(-62, 31), t(-69, 37),
        t(-33, -7), t(-26, 11), t(-56, 19), t(-65, 22),
        t(-32, -31), t(-28, -13), t(-56, -1), t(-66, 1),
    ];
    /// By the number of free squares that are reached.
    KNIGHT_MOBILITY: 9 = [
        t(-32, -24), t(-16, -11), t(-5, -8),
        t(-2, 4), t(3, 6), t(4, 11),
        t(5, 12), t(10, 23), t(9, 15),
    ];
    /// By the number of free squares that are reached.
    BISHOP_MOBILITY: 14 = [
        t(-42, -25), t(-25, -25), t(-15, -15), t(-11, -15), t(-4, -10), t(-1, 1), t(1, 8),
        t(4, 15), t(2, 13), t(9, 16), t(12, 19), t(17, 16), t(34, 34), t(34, 31),
    ];
    /// By the number of free squares that are reached.
    ROOK_MOBILITY: 15 = [
        t(-35, -41), t(-23, -43), t(-15, -25), t(-14, -9), t(-6, -18),
        t(-8, 3), t(-8, 8), t(-4, 4), t(2, 14), t(0, 21),
        t(0, 19), t(11, 22), t(12, 27), t(9, 29), t(8, 43),
    ];
    /// By the number of free squares that are reached.
    QUEEN_MOBILITY: 28 = [
        t(-13, -52), t(-17, -49), t(-14, -47), t(-9, -43),
        t(-6, -40), t(-3, -30), t(-2, -30), t(-1, -21),
        t(2, -21), t(2, -13), t(1, -1), t(2, -3),
        t(1, 5), t(0, 4), t(1, 11), t(7, 15),
        t(3, 16), t(4, 22), t(0, 25), t(1, 25),
        t(4, 28), t(12, 36), t(7, 34), t(10, 39),
        t(11, 44), t(12, 45), t(12, 51), t(14, 56),
    ];
    /// Two bishops or more.
    BISHOP_PAIR: 1 = [t(21, 43)];
    /// For each own pawn on squares of the bishop's colour.
    BISHOP_PAWNS: 1 = [t(-3, 2)];
    /// On a file with pawns of the other side alone; without any.
    ROOK_FILE: 2 = [t(14, 11), t(34, 13)];
    /// A knight or bishop right behind a pawn of either side.
    MINOR_BEHIND_PAWN: 1 = [t(2, 6)];
    /// On the fourth to sixth rank, where no pawn can chase it away: a knight alone, supported by a
    /// pawn; a bishop likewise.
    OUTPOST: 4 = [t(6, 0), t(21, 5), t(12, -1), t(7, 7)];
    /// By rank: defended by a pawn.
    SUPPORTED_PAWN: 8 = [
        t(0, 0), t(8, 6), t(14, 0), t(13, 9),
        t(10, 12), t(18, 22), t(14, 17), t(0, 0),
    ];
    /// By rank: beside a pawn.
    PHALANX_PAWN: 8 = [
        t(0, 0), t(6, -11), t(3, 3), t(7, 5),
        t(11, 9), t(11, 16), t(4, 2), t(0, 0),
    ];
    /// Behind another pawn: alone, supported.
    DOUBLED_PAWN: 2 = [t(-3, -7), t(2, -9)];
    /// No pawns on the files beside: on a half-open file, against a pawn.
    ISOLATED_PAWN: 2 = [t(-16, -3), t(-4, -19)];
    /// Behind those beside it and held up: on a half-open file, against a pawn.
    BACKWARD_PAWN: 2 = [t(-9, -1), t(4, -4)];
    /// It can capture a pawn: tension opens the game for whoever brings it about.
    PAWN_LEVER: 1 = [t(15, 3)];
    /// By rank: half-open file, and as many helpers as adversaries.
    CANDIDATE_PAWN: 8 = [
        t(0, 0), t(3, 5), t(3, -8), t(5, 14),
        t(2, 8), t(6, 31), t(0, 0), t(0, 0),
    ];
    /// By rank.
    PASSED_PAWN: 8 = [
        t(0, 0), t(6, 16), t(5, 26), t(0, 39),
        t(29, 65), t(48, 95), t(84, 143), t(0, 0),
    ];
    /// By rank: there is something before it.
    PASSED_PAWN_BLOCKED: 8 = [
        t(0, 0), t(-8, -14), t(0, -2), t(-3, -3),
        t(3, 0), t(2, -16), t(-12, -28), t(0, 0),
    ];
    /// By rank: the step before it is safe.
    PASSED_PAWN_CAN_ADVANCE: 8 = [
        t(0, 0), t(0, 5), t(-3, 5), t(2, 8),
        t(5, 1), t(7, 30), t(9, 32), t(0, 0),
    ];
    /// By rank: nothing stands on its path, and nothing attacks it.
    PASSED_PAWN_FREE_PATH: 8 = [
        t(0, 0), t(-1, 6), t(-3, 0), t(-1, 6),
        t(6, 19), t(3, 22), t(4, 23), t(0, 0),
    ];
    /// By rank: for each step of the own king to the square before it.
    PASSED_PAWN_OWN_KING: 8 = [
        t(0, 0), t(3, 0), t(3, -5), t(4, -10),
        t(1, -19), t(-2, -29), t(-6, -21), t(0, 0),
    ];
    /// By rank: for each step of the other king to the square before it.
    PASSED_PAWN_OTHER_KING: 8 = [
        t(0, 0), t(-5, 1), t(-3, 4), t(-7, 11),
        t(-4, 23), t(-1, 42), t(7, 38), t(0, 0),
    ];
    /// The other side has pawns alone, and its king comes too late.
    PASSED_PAWN_UNSTOPPABLE: 1 = [t(0, 199)];
    /// With an own rook behind it.
    PASSED_PAWN_ROOK_BEHIND: 1 = [t(14, 15)];
    /// By file from the edge, and by the steps to the nearest own pawn before the king, 0 for none.
    SHELTER: 32 = [
        t(-24, 8), t(12, -9), t(3, 4), t(6, 13),
        t(5, -5), t(3, 0), t(-1, 1), t(0, 0),
        t(-19, 14), t(16, -3), t(6, -6), t(-5, -6),
        t(-12, 3), t(0, 0), t(0, 1), t(0, 0),
        t(-9, 2), t(19, 1), t(6, 3), t(-1, -2),
        t(-5, -1), t(0, 1), t(-5, -4), t(0, 0),
        t(-8, -1), t(12, -4), t(6, -5), t(2, 5),
        t(10, -10), t(3, 4), t(0, -1), t(0, 0),
    ];
    /// By file from the edge, and by the steps to the nearest other pawn before the king, 7 for none.
    STORM: 32 = [
        t(1, 8), t(-2, -4), t(-1, 3), t(-10, 4),
        t(-7, 4), t(-13, 11), t(-6, -6), t(-14, -8),
        t(2, 2), t(1, -6), t(-7, 3), t(3, 1),
        t(9, 4), t(7, 1), t(7, -4), t(5, -2),
        t(5, 2), t(4, 0), t(-8, 3), t(0, 4),
        t(7, 6), t(7, -8), t(4, -3), t(-4, 1),
        t(4, 7), t(1, -7), t(6, 11), t(3, 0),
        t(-2, 1), t(5, -2), t(4, 2), t(1, 0),
    ];
    /// By steps: that pawn stands against the own one.
    STORM_BLOCKED: 8 = [
        t(0, 0), t(0, 0), t(-8, -4), t(-6, -6),
        t(-7, -5), t(-2, -14), t(-1, 1), t(0, 0),
    ];
    /// By the role that is attacked: all of these.
    THREAT_BY_PAWN: 5 = [t(0, 0), t(58, 37), t(54, 35), t(45, 33), t(47, 33)];
    /// By a knight or bishop; of pawns, only weak ones.
    THREAT_BY_MINOR: 5 = [t(6, 14), t(14, 31), t(29, 24), t(54, 25), t(50, 20)];
    /// By a rook; of pawns, only weak ones.
    THREAT_BY_ROOK: 5 = [t(-1, 22), t(14, 18), t(18, 17), t(-4, -1), t(44, 22)];
    /// Weak pieces and pawns that the king attacks.
    THREAT_BY_KING: 1 = [t(33, 16)];
    /// A pawn, a piece that is attacked and not defended.
    HANGING: 2 = [t(18, 36), t(16, 9)];
    /// Pieces that a safe push of a pawn would attack.
    THREAT_BY_PUSH: 1 = [t(18, 15)];
    /// Squares that the other side attacks, and cannot well go to.
    RESTRICTED: 1 = [t(4, 0)];
    /// To be on the move.
    TEMPO: 1 = [t(26, 12)];
    /// Dangers have one number each, in units of their own: what becomes of their sum stands in
    /// `eval.rs`. Without a queen to attack with, with one.
    DANGER_BASE: 2 = [t(-69, 0), t(19, 0)];
    /// A knight, bishop, rook, queen that reaches the squares around the king.
    DANGER_ATTACKER: 4 = [t(23, 0), t(7, 0), t(17, 0), t(24, 0)];
    /// For each of those squares that it reaches.
    DANGER_ATTACK: 1 = [t(14, 0)];
    /// For each of those squares that is not well defended.
    DANGER_WEAK_SQUARE: 1 = [t(10, 0)];
    /// For each knight or bishop of the king there.
    DANGER_DEFENDER: 1 = [t(-12, 0)];
    /// For each of those squares that is defended twice.
    DANGER_DEFENDED: 1 = [t(-4, 0)];
    /// For each of those squares that a pawn attacks.
    DANGER_PAWN_ATTACK: 1 = [t(-6, 0)];
    /// For one or two squares from which a knight, bishop, rook, queen could give check safely.
    DANGER_SAFE_CHECK: 4 = [t(66, 0), t(36, 0), t(61, 0), t(59, 0)];
    /// For a piece that could give check, but not safely.
    DANGER_UNSAFE_CHECK: 1 = [t(6, 0)];
    /// For each file near the king without a pawn of his.
    DANGER_OPEN_FILE: 1 = [t(22, 0)];
}
