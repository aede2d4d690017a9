//! Property tests: what holds for any sequence of events.

use epd::protocol::frame::{MAX_WRITTEN, line_of};
use movegen::Position;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::RngSeed;

use super::*;

/// The same cases every time, unless the environment asks for others.
fn config() -> ProptestConfig {
    let mut config = ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    if config.rng_seed == RngSeed::Random {
        config.rng_seed = RngSeed::Fixed(0x0E90_DE07);
    }
    config
}

/// An event for a player.
#[derive(Clone, Debug)]
enum Happening {
    Told {
        fields: Option<String>,
        word: &'static str,
        /// A legal move, if any.
        supplied: Option<Index>,
        operations: Vec<String>,
    },
    Garbage(String),
    Oversize,
    /// The search finds a move, with this score.
    SearchResult(Index, i32),
}

fn any_operation() -> impl Strategy<Value = String> {
    let fixed = select(vec![
        "draw_offer;",
        "draw_reject;",
        "draw_accept;",
        "draw_claim;",
        "draw_decline;",
        "resign;",
        "rc 3;",
        "refreq reply;",
        "sm Zz9;",
        "sm;",
        "sv e4 e5;",
        "sv;",
        "sv x y;",
        "hmvc -1;",
        "hmvc 65535;",
        "hmvc 99999999999999999999;",
        "fmvn 0;",
        "fmvn 65535;",
        "cc 000:00:00:01 999:23:59:59;",
        "cc 9 9;",
        "ctcc 000.00:00:00.500 000.00:00:09.999;",
        "ctcc x;",
        "tcsi \"a\" \"b\";",
    ]);
    let values = select(vec![
        "60",
        "40/7200:3600",
        "1+0.01",
        "*60",
        "-",
        "?",
        "x",
        "1/1",
        "9999999999",
        "4294967295/1",
    ]);
    prop_oneof![
        4 => fixed.prop_map(str::to_owned),
        1 => values.prop_map(|value| format!("ptp TimeControl \"{value}\";")),
        1 => ("[A-Z][a-z]{1,9}", "[ -~]{0,300}").prop_map(|(tag, value)| format!("ptp {tag} \"{value}\";")),
        1 => ".{0,400}".prop_map(|text| format!("c0 \"{text}\";")),
        1 => (0_u16..120).prop_map(|count| format!("hmvc {count};")),
    ]
}

fn any_happening() -> impl Strategy<Value = Happening> {
    let fields = select(vec![
        START,
        MATED,
        STALEMATED,
        EN_PASSANT,
        "4k3/8/8/8/8/8/8/N3K3 w - -",
        "8/8/8/8/8/8/8/8 w - -",
        "4k3/8/8/8/8/8/8/4K2R w KQkq e3",
        "x y z -",
    ]);
    let words = select(vec![
        "respond",
        "respond",
        "respond",
        "execute",
        "execute",
        "reset",
        "inform",
        "conclude",
        "fault",
        "disconnect",
        "bogus",
        "",
    ]);
    let told = (
        option::weighted(0.3, fields),
        words,
        option::of(any::<Index>()),
        vec(any_operation(), 0..4),
    );
    prop_oneof![
        6 => told.prop_map(|(fields, word, supplied, operations)| Happening::Told {
            fields: fields.map(str::to_owned),
            word,
            supplied,
            operations,
        }),
        1 => any::<String>().prop_map(Happening::Garbage),
        1 => Just(Happening::Oversize),
        6 => (any::<Index>(), -32_767_i32..32_767).prop_map(|(choice, score)| Happening::SearchResult(choice, score)),
        4 => (any::<Index>(), -9..9).prop_map(|(choice, score)| Happening::SearchResult(choice, score)),
    ]
}

fn any_manners() -> impl Strategy<Value = DrawResignPolicy> {
    let streak =
        |score| option::of((score, 0_u32..4).prop_map(|(score, moves)| Streak { score, moves }));
    (streak(-900..0), streak(0..50), 0_usize..9, -50..50).prop_map(
        |(resign, offer, offer_after, contempt)| {
            DrawResignPolicy::new(resign, offer, offer_after, contempt)
        },
    )
}

/// A session with the state that the properties need.
struct Law {
    seat: Seat,
    /// A search was requested, and no reply has been sent since.
    is_asked: bool,
}

impl Law {
    fn happen(&mut self, happening: &Happening) {
        let position = *self.seat.session.game.position();
        let moves = position.legal_moves();
        let some = |choice: &Index| (!moves.is_empty()).then(|| moves[choice.index(moves.len())]);
        self.seat.now += Duration::from_millis(700);
        let now = self.seat.now;
        let session = &mut self.seat.session;
        let actions = match happening {
            Happening::Told {
                fields,
                word,
                supplied,
                operations,
            } => {
                let supplied = supplied.as_ref().and_then(some);
                let supplied = supplied.map(|mv| format!("sm {mv};")).unwrap_or_default();
                let fields = fields
                    .clone()
                    .unwrap_or_else(|| position.setup().fields().to_string());
                let line = format!(
                    "{fields} refcom {word}; {supplied} {}",
                    operations.join(" ")
                );
                session.receive(&Frame::Line(line), now)
            }
            Happening::Garbage(text) => session.receive(&Frame::Line(text.clone()), now),
            Happening::Oversize => session.receive(&Frame::Oversize, now),
            Happening::SearchResult(choice, score) => {
                let best = some(choice);
                let result = SearchResult {
                    best,
                    pv: best.into_iter().collect(),
                    score: engine::Score::from_ce(*score as i16),
                    depth: 3,
                    ..SearchResult::default()
                };
                session.answer(&result, now)
            }
        };
        for action in &actions {
            self.check(action, &position);
        }
        let session = &self.seat.session;
        assert_eq!(session.plies.len(), session.game.moves().len());
        assert!(session.lag().margin(Duration::ZERO).lag <= Duration::from_secs(1));
        let _ = session.clock_state();
        Self::check_record(&session.sign_off());
    }

    fn check(&mut self, action: &Action, before: &Position) {
        match action {
            Action::Send(request) => {
                Self::check_record(request);
                if let Request::Reply(content) = request {
                    assert!(std::mem::take(&mut self.is_asked), "a reply to nobody");
                    assert_eq!(content.position.as_ref(), Some(before));
                }
            }
            Action::Think => self.is_asked = true,
            Action::Abort => self.is_asked = false,
            _ => {}
        }
    }

    /// Requests are valid and short.
    fn check_record(request: &Request) {
        let line = line_of(&request.record());
        let line = line.strip_suffix('\n').expect("a line");
        assert!(line.len() <= MAX_WRITTEN && !line.contains('\n'), "{line}");
        let record: epd::Record = line.parse().expect(line);
        let read = Request::read(&record).expect(line);
        assert_eq!(read.name(), request.name());
        assert_eq!(read.message().supplied, request.message().supplied);
    }
}

proptest! {
    #![proptest_config(config())]

    /// Whatever happens: no panic, no unrequested reply, no invalid record.
    #[test]
    fn a_player_stays_sane(
        policy in any_manners(),
        sends_analysis in any::<bool>(),
        happenings in vec(any_happening(), 0..60),
    ) {
        let session = Session::new("Epode", policy, sends_analysis);
        let mut law = Law { seat: Seat { session, now: Instant::now() }, is_asked: false };
        for happening in &happenings {
            law.happen(happening);
        }
    }

    /// A name may be any text.
    #[test]
    fn any_name_signs_on(name in any::<String>()) {
        let session = Session::new(&name, DrawResignPolicy::default(), false);
        let line = line_of(&session.sign_on().record());
        prop_assert!(line.trim_end().parse::<epd::Record>().is_ok(), "{}", line);
    }
}
