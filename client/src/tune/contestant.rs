//! An engine process with the values that it plays with.

use anyhow::{Context, anyhow, bail};
use movegen::Game;

use super::params::{Kind, Param};
use crate::cli::{Engine, NetFile, Protocol, SyzygyPath, TuneSettings};
use crate::engines::{Effort, NumberOption, Patience, Player, SearchResult, UciPlayer, open_uci};
use engine::{Progress, Signals};

/// How engines are started.
#[derive(Clone, Debug)]
pub struct Start {
    command: String,
    args: Engine,
    hash: u32,
    /// Options of the engine that options of the command line set, with their names there.
    fixed: Vec<(&'static str, &'static str)>,
}

impl Start {
    /// The engine of the settings; without one, this program.
    pub fn of(settings: &TuneSettings) -> anyhow::Result<Self> {
        let command = if let Some(command) = &settings.engine {
            command.clone()
        } else {
            let program = std::env::current_exe().context("cannot find this program")?;
            let program = program.to_str();
            let program = program.context("the path of this program is not UTF-8")?;
            format!("{} uci", shell_words::quote(program))
        };
        let option = |text: &String| {
            text.parse()
                .map_err(|why| anyhow!("--option {text}: {why}"))
        };
        let options: Result<_, _> = settings.options.iter().map(option).collect();
        let args = Engine {
            threads: settings.threads.unwrap_or(std::num::NonZeroUsize::MIN),
            hash: settings.hash,
            command: Some(command.clone()),
            protocol: Protocol::Uci,
            options: options?,
            net: NetFile::default(),
            syzygy: SyzygyPath::default(),
        };
        let fixed = [
            ("Hash", "--hash", settings.hash.is_some()),
            ("Threads", "--threads", settings.threads.is_some()),
        ];
        let fixed = fixed.into_iter().filter(|&(.., is_given)| is_given);
        let fixed = fixed.map(|(name, option, _)| (name, option)).collect();
        let hash = args.hash(settings.nodes.map(std::num::NonZeroU64::get));
        Ok(Self {
            command,
            args,
            hash,
            fixed,
        })
    }

    /// Starts an engine.
    pub fn player(&self) -> anyhow::Result<UciPlayer> {
        open_uci(&self.command, &self.args, self.hash)
    }

    /// Starts an engine, and checks that it has all parameters and takes their values.
    pub fn check(&self, params: &[Param]) -> anyhow::Result<UciPlayer> {
        let mut player = self.player()?;
        for param in params {
            let name = &param.name;
            if self
                .args
                .options
                .iter()
                .any(|option| option.0.eq_ignore_ascii_case(name))
            {
                bail!("{name} is both a parameter and an --option");
            }
            for (fixed, option) in &self.fixed {
                if fixed.eq_ignore_ascii_case(name) {
                    bail!("{name} is both a parameter and set by {option}");
                }
            }
            let option = player
                .numbers()
                .find(|option| option.name.eq_ignore_ascii_case(name));
            if let Some(option) = option {
                check_range(player.name(), param, &option)?;
            } else {
                // An option that it does not have is reported with the nearest name.
                player.set(name, &param.text(param.start))?;
                bail!("the value of {name} of {} is not a number", player.name());
            }
        }
        Ok(player)
    }
}

fn check_range(engine: &str, param: &Param, option: &NumberOption<'_>) -> anyhow::Result<()> {
    let name = &param.name;
    let Some([min, max]) = option.range else {
        return Ok(());
    };
    if param.kind == Kind::Real {
        bail!("{engine} takes whole numbers for {name}, which is a float here");
    }
    if param.min < min as f64 || param.max > max as f64 {
        bail!(
            "the range of {name} is {} to {}, but {engine} takes {min} to {max}",
            param.text(param.min),
            param.text(param.max)
        );
    }
    Ok(())
}

/// One of the two engines of a job. It is started when it is needed, and again after it failed.
pub struct Contestant<'a> {
    start: &'a Start,
    params: &'a [Param],
    values: Vec<String>,
    player: Option<UciPlayer>,
}

impl<'a> Contestant<'a> {
    pub fn new(start: &'a Start, params: &'a [Param], player: Option<UciPlayer>) -> Self {
        Self {
            start,
            params,
            values: Vec::new(),
            player,
        }
    }

    /// Sets the values for the next games, in the order of the parameters.
    pub fn take(&mut self, values: &[f64]) {
        let values = self.params.iter().zip(values);
        self.values = values.map(|(param, &value)| param.text(value)).collect();
    }

    /// Makes the engine ready for a new game with its values. An engine that has ended since its last game is
    /// started again; one that cannot be started is an error.
    pub fn prepare(&mut self) -> anyhow::Result<()> {
        if let Some(player) = &mut self.player
            && set(player, self.params, &self.values).is_ok()
        {
            return Ok(());
        }
        self.player = None;
        let mut player = self.start.player()?;
        set(&mut player, self.params, &self.values)?;
        self.player = Some(player);
        Ok(())
    }

    /// Searches a position. After an error the engine is ended; [`prepare`](Self::prepare) starts another.
    pub fn think(
        &mut self,
        game: &Game,
        effort: &Effort,
        patience: Patience,
        observer: &mut dyn FnMut(&Progress<'_>),
    ) -> anyhow::Result<SearchResult> {
        let player = self.player.as_mut().context("the engine is not ready")?;
        let result = player.think_within(game, effort, patience, &Signals::default(), observer);
        if result.is_err() {
            self.player = None;
        }
        result
    }
}

fn set(player: &mut UciPlayer, params: &[Param], values: &[String]) -> anyhow::Result<()> {
    for (param, value) in params.iter().zip(values) {
        player.set(&param.name, value)?;
    }
    player.new_game()
}
