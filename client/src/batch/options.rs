//! The options of a run as its journal and its description keep them.

use std::collections::BTreeMap;

use clap::ValueEnum;

use super::run_info::{RunEngine, RunInfo, RunLimits};
use super::settings::Settings;
use crate::cli::{Analysis, Effort, Engine, EngineOption, Protocol, Written};

impl Engine {
    /// Adds the options that affect the results. Naming each field makes sure that none is forgotten.
    fn add_to(&self, settings: &mut Settings) -> anyhow::Result<()> {
        let Self {
            threads,
            hash,
            command,
            protocol,
            options,
            net: _,
            syzygy,
        } = self;
        settings.set("--threads", threads);
        settings.set_some("--hash", *hash);
        settings.set_some("--engine", command.as_ref());
        if *protocol != Protocol::Uci {
            settings.set("--protocol", format!("{protocol:?}").to_lowercase());
        }
        for EngineOption(name, value) in options {
            settings.set(format!("--option {name}"), value);
        }
        settings.set_some("--syzygy", syzygy.path.as_ref());
        let network = self.network()?;
        settings.set_some(
            "the network",
            network.map(|checksum| format!("{checksum:08x}")),
        );
        Ok(())
    }
}

impl Analysis {
    /// The run information that the options determine.
    pub fn info(&self) -> RunInfo {
        let Effort { time, nodes, depth } = self.effort;
        let mut options: BTreeMap<_, _> = self
            .engine
            .options
            .iter()
            .map(|EngineOption(name, value)| (name.clone(), value.clone()))
            .collect();
        // These options of an engine stand for ours, and come after them.
        let mut take = |option: &str| {
            let name = options
                .keys()
                .find(|name| name.eq_ignore_ascii_case(option))?;
            let (name, value) = (name.clone(), options[name].parse().ok()?);
            options.remove(&name);
            Some(value)
        };
        let threads = take("Threads").unwrap_or(self.engine.threads.get() as u64);
        let hash_mib = take("Hash").unwrap_or(self.engine.hash(nodes).into());
        if let Some(net) = &self.engine.net.net {
            options.insert("net".to_owned(), net.display().to_string());
        }
        if let Some(path) = &self.engine.syzygy.path {
            options.insert("SyzygyPath".to_owned(), path.clone());
        }
        RunInfo {
            limits: RunLimits {
                time_ms: RunLimits::milliseconds(time),
                nodes,
                depth: depth.map(u64::from),
                moves: None,
            },
            engine: RunEngine {
                name: String::new(),
                command: self.engine.command.clone(),
                options,
            },
            threads,
            multipv: self.multipv.into(),
            hash_mib,
            ..RunInfo::default()
        }
    }

    /// The options that affect the result of a record.
    pub fn settings(&self) -> anyhow::Result<Settings> {
        let Self {
            effort: Effort { time, nodes, depth },
            // The default, whether it is given or not.
            hard: _,
            soft,
            timeout,
            engine,
            multipv,
            written,
        } = self;
        let mut settings = Settings::default();
        settings.set_time("--time", *time);
        settings.set_some("--nodes", *nodes);
        settings.set_some("--depth", *depth);
        settings.set_flag("--soft", *soft);
        settings.set_time("--timeout", *timeout);
        settings.set("--multipv", multipv);
        engine.add_to(&mut settings)?;
        written.add_to(&mut settings);
        Ok(settings)
    }
}

impl Written {
    /// Adds these options to those of a run.
    pub fn add_to(&self, settings: &mut Settings) {
        let Self {
            write,
            min_acs,
            keep_old,
        } = self;
        let names = write.iter().filter_map(ValueEnum::to_possible_value);
        let names: Vec<_> = names.map(|value| value.get_name().to_owned()).collect();
        settings.set("--write", names.join(","));
        settings.set("--min-acs", min_acs);
        settings.set_some("--keep-old", keep_old.as_ref());
    }
}
