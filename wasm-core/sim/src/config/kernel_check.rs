//! Whether a kernel's file means what it says: each name in it is one that is read.

use std::collections::BTreeSet;

use ringside::kernel::Probe;

use super::kernel::{Kernel, Step};
use super::path::Path;
use super::settings::SETTINGS;

/// Names of memory that a copy touches, which no file declares.
const UNDECLARED: [&str; 2] = ["data", "user"];

impl Kernel {
    /// What is wrong with the names in the file, with the place: a path that there is not, an
    /// object or a probe that nobody knows, an object or a lock that no step uses. `of_drivers` are
    /// the objects that the steps of NICs' drivers name.
    pub fn check(&self, of_drivers: &BTreeSet<&str>) -> Result<(), String> {
        for (name, value, least, most) in [
            ("tick_hz", self.tick_hz, 1, 10_000),
            (
                "loopback_mtu_bytes",
                self.loopback_mtu_bytes.into(),
                128,
                65_536,
            ),
            ("tcp.option_bytes", self.tcp.option_bytes.into(), 0, 40),
            (
                "instructions_per_line",
                self.instructions_per_line.unwrap_or(1).into(),
                1,
                64,
            ),
        ] {
            if !(least..=most).contains(&value) {
                return Err(format!(
                    "{name}: {value}, but {least} to {most} can be modelled"
                ));
            }
        }
        for (name, steps) in &self.paths {
            let path = Path::from_name(name)
                .ok_or_else(|| format!("paths.{name}: there is no path of this name"))?;
            if path.is_of_driver() {
                return Err(format!(
                    "paths.{name}: a NIC's driver has this path, not the kernel"
                ));
            }
            for (index, step) in steps.iter().enumerate() {
                self.check_step(step)
                    .map_err(|error| format!("paths.{name}.{index}: {error}"))?;
            }
        }
        let steps = || self.paths.values().flatten();
        let used: BTreeSet<&str> = steps()
            .flat_map(|step| step.reads.iter().chain(&step.writes))
            .map(String::as_str)
            .collect();
        let is_unused =
            |name: &&String| !used.contains(name.as_str()) && !of_drivers.contains(name.as_str());
        if let Some(name) = self.objects.keys().find(is_unused) {
            return Err(format!("objects.{name}: no step reads or writes it"));
        }
        if self.receive.napi && self.receive.weight == 0 {
            return Err("receive.weight is missing, and drivers poll".to_owned());
        }
        if self.slab.is_some() && self.slab_batch > 0 {
            return Err("slab_batch: slab has the stocks by size, and nothing reads it".to_owned());
        }
        let of_locks = [
            ("kernel", &self.locks.kernel),
            ("bottom_halves", &self.locks.bottom_halves),
        ];
        for (field, lock) in of_locks {
            let is_taken = lock.is_none() || steps().any(|step| step.lock == *lock);
            if !is_taken {
                let lock = lock.as_deref().unwrap_or_default();
                return Err(format!("locks.{field}: no step takes {lock}"));
            }
        }
        self.check_settings()?;
        self.check_netfilter()?;
        self.tcp.check()?;
        self.qdiscs.check()?;
        if self.ip.evicts_datagrams != self.drop_functions.reassembly_memory.is_empty() {
            return Err(
                "ip.evicts_datagrams and drop_functions.reassembly_memory: a piece is dropped where no datagram \
                 is evicted for it, and only there"
                    .to_owned(),
            );
        }
        self.check_busy_polling()
    }

    /// That a kernel which has some of the paths that a setting alone needs has all that it needs.
    fn check_settings(&self) -> Result<(), String> {
        for setting in SETTINGS {
            let others = SETTINGS.iter().filter(|other| other.name != setting.name);
            let needed_elsewhere: Vec<Path> = others.flat_map(|it| it.needs).copied().collect();
            let is_own = |path: &&Path| self.has(**path) && !needed_elsewhere.contains(path);
            let missing = setting.needs.iter().find(|path| !self.has(**path));
            if let Some(missing) = missing
                && let Some(there) = setting.needs.iter().find(is_own)
            {
                return Err(format!(
                    "paths.{}: it is missing, and paths.{} is there; settings.{} needs both",
                    missing.name(),
                    there.name(),
                    setting.name
                ));
            }
        }
        Ok(())
    }

    /// That a kernel whose netfilter is modelled can drop by it.
    fn check_netfilter(&self) -> Result<(), String> {
        if self.has(Path::NetfilterLocalIn) == self.drop_functions.netfilter.is_empty() {
            return Err(
                "drop_functions.netfilter and paths.netfilter_local_in: where packets pass rules one may \
                 drop them, and else none does; both must be there, or neither"
                    .to_owned(),
            );
        }
        Ok(())
    }

    /// That a kernel whose readers poll has the code for it, and that a turn of their loop takes time: one
    /// that took none would never end.
    fn check_busy_polling(&self) -> Result<(), String> {
        let path = self.paths.get(Path::BusyPoll.name());
        let has_turn = path.is_some_and(|steps| steps.iter().any(|step| step.cycles > 0));
        match (self.receive.busy_poll_budget > 0, has_turn, path) {
            (true, true, _) | (false, _, None) => Ok(()),
            (true, false, _) => Err("paths.busy_poll: a turn must take cycles".to_owned()),
            (false, _, Some(_)) => {
                Err("paths.busy_poll: receive.busy_poll_budget is 0, so nobody polls".to_owned())
            }
        }
    }

    fn check_step(&self, step: &Step) -> Result<(), String> {
        let mut names = step.reads.iter().chain(&step.writes);
        let is_unknown = |name: &&String| {
            !self.objects.contains_key(name.as_str()) && !UNDECLARED.contains(&name.as_str())
        };
        if let Some(name) = names.find(is_unknown) {
            return Err(format!("{}: no object is called {name}", step.function));
        }
        match &step.probe {
            Some(probe) if Probe::from_name(probe).is_none() => {
                Err(format!("{}: no probe is called {probe}", step.function))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::catalogue::Catalogue;

    #[test]
    fn a_kernel_has_all_paths_that_a_setting_needs_or_none_of_its_own() {
        let catalogue = Catalogue::shipped().unwrap();
        let whole = catalogue.kernels().find(|kernel| kernel.name == "6.1");
        let without = |paths: &[Path]| {
            let mut kernel = whole.unwrap().clone();
            for path in paths {
                kernel.paths.remove(path.name());
            }
            kernel.check_settings()
        };
        let several = SETTINGS.iter().filter(|setting| setting.needs.len() > 1);
        for setting in several {
            for &path in setting.needs {
                let wrong = without(&[path]).unwrap_err();
                let begins = format!("paths.{}: it is missing", path.name());
                assert!(wrong.starts_with(&begins), "{wrong}");
            }
            assert_eq!(without(setting.needs), Ok(()), "{}", setting.name);
        }
        let rules_alone = &[
            Path::ConntrackIn,
            Path::ConntrackUdp,
            Path::ConntrackTcp,
            Path::ConntrackNew,
            Path::ConntrackEarlyDrop,
            Path::ConntrackConfirm,
        ];
        assert_eq!(without(rules_alone), Ok(()));
    }
}
