//! A kernel's paths compiled for a machine: names become indices and cycles become time.

use std::collections::BTreeMap;

use crate::config::kernel::{Copying, DropFunctions, Kernel, Per, Step};
use crate::config::machine::Machine;
pub use crate::config::path::Path;
use crate::rng::Rng;
use crate::time::SimTime;
use ringside::kernel::Probe;

/// Maximum number of code lines of a step.
const MOST_CODE_LINES: u16 = 1024;
/// Stands for no lock.
pub const NO_LOCK: u8 = u8::MAX;

/// The kind of memory that an access concerns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The packet's bytes.
    Data,
    /// The task's buffer.
    User,
    /// A declared object: the `index`th of those that exist once for each `per`.
    Declared(Per, u8),
}

/// One access of a step.
#[derive(Debug, Clone, Copy)]
pub struct AccessAt {
    /// The memory accessed.
    pub place: Place,
    /// Name of the object, an index into [`Code::objects`].
    pub object: u8,
    /// Whether it is written.
    pub is_write: bool,
}

/// Executed code: the first `lines` cache lines of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stretch {
    /// Index of the function among all of a kernel's.
    pub function: u16,
    /// The function's address in lines, from [`address`]; a cache takes it modulo its number of sets.
    pub address: u32,
    /// Number of cache lines.
    pub lines: u16,
}

/// Where the linker placed a function: depends on its name and the run's seed alone, so that an added function
/// does not move the others.
pub fn address(function: &str, seed: u64) -> u32 {
    let bytes = function.bytes();
    let mixed = bytes.fold(seed, |mixed, byte| Rng::new(mixed ^ u64::from(byte)).draw());
    mixed as u32
}

/// A compiled step.
#[derive(Debug, Clone)]
pub struct Ready {
    /// Index into [`Code::sites`].
    pub site: u16,
    /// Time of its base cycles, in fs.
    pub cost: u64,
    /// Additional time for each unit of the path's count, in fs.
    pub cost_each: u64,
    /// The code that it executes.
    pub code: Stretch,
    /// Its memory accesses.
    pub accesses: Box<[AccessAt]>,
    /// The copy that it performs, if any.
    pub copy: Option<Copying>,
    /// Lock taken before the step; [`NO_LOCK`] for none.
    pub lock: u8,
    /// Lock released after the step; [`NO_LOCK`] for none.
    pub unlock: u8,
    /// Probe hit at its start.
    pub probe: Option<Probe>,
    /// The probe point of the 2005 toolkit here, 1 to 10; 0: none.
    pub kperf: u8,
    /// Time in fs that its probe costs if probes are on; 0: none.
    pub probe_cost: u64,
}

/// A kernel function on a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// The path; `None` if it is not kernel code.
    pub path: Option<Path>,
    /// The function's name.
    pub function: String,
}

/// A kernel compiled for a machine.
#[derive(Debug)]
pub struct Code {
    /// Compiled steps by path.
    paths: Vec<Box<[Ready]>>,
    /// Compiled steps of a driver by path, for each entry of the machine's NICs.
    drivers: Vec<Vec<Box<[Ready]>>>,
    /// The functions that steps belong to, each once per path.
    pub sites: Vec<Site>,
    /// Functions of all paths; one that several paths execute has the same code in each.
    functions: Vec<String>,
    /// Seed of the run, which determines where functions are placed.
    seed: u64,
    /// Instructions per cache line of code, if steps count instructions.
    instructions_per_line: Option<u32>,
    /// Names of objects; 0 is "data", 1 is "user".
    pub objects: Vec<String>,
    /// Names of locks.
    pub locks: Vec<String>,
    /// Cache lines of the objects of each kind, in the order of their index.
    pub lines: [Vec<(u8, u8)>; 7],
    /// The functions that drop packets.
    pub drop_functions: DropFunctions,
    /// Duration of a cycle, in fs.
    pub cycle: u64,
    /// Time of an instruction with the LOCK prefix, in fs; 0 in a uniprocessor kernel.
    pub locked: u64,
    /// Time to send an interrupt to a halted CPU, in fs.
    pub halted_send: u64,
}

/// Index of a kind of object in [`Code::lines`].
pub const fn key(per: Per) -> usize {
    match per {
        Per::Host => 0,
        Per::Cpu => 1,
        Per::Socket => 2,
        Per::Packet => 3,
        Per::Task => 4,
        Per::Queue => 5,
        Per::Page => 6,
    }
}

impl Code {
    /// The compiled steps of a path.
    pub fn path(&self, path: Path) -> &[Ready] {
        &self.paths[path as usize]
    }

    /// The compiled steps of a path in the driver of NIC entry `entry` of the machine's file.
    pub fn driver_path(&self, entry: u16, path: Path) -> &[Ready] {
        &self.drivers[usize::from(entry)][path as usize]
    }

    /// Whether the kernel has any steps for a path.
    pub fn has(&self, path: Path) -> bool {
        !self.path(path).is_empty()
    }

    /// Compiles a kernel for a machine, with or without `CONFIG_SMP`. The error names the path, the step and
    /// the word that is wrong. The run's seed determines where functions are placed.
    pub fn compile(
        kernel: &Kernel,
        machine: &Machine,
        is_smp: bool,
        seed: u64,
    ) -> Result<Self, String> {
        let cycle = 1_000_000_000_000 / machine.processors.clock_khz;
        let mut code = Self {
            paths: Vec::new(),
            drivers: Vec::new(),
            sites: Vec::new(),
            functions: Vec::new(),
            seed,
            instructions_per_line: kernel.instructions_per_line,
            objects: vec!["data".to_owned(), "user".to_owned()],
            locks: vec!["slock".to_owned()],
            lines: Default::default(),
            drop_functions: kernel.drop_functions.clone(),
            cycle,
            locked: cycle * u64::from(is_smp) * u64::from(machine.processors.locked_cycles),
            halted_send: SimTime::from_ns(machine.processors.halted_send_ns).0,
        };
        // Data files count lines of 64 bytes.
        let line_bytes = machine.cache.as_ref().map_or(64, |cache| cache.line_bytes);
        let mut places = BTreeMap::new();
        for (name, object) in &kernel.objects {
            let list = &mut code.lines[key(object.per)];
            let place = Place::Declared(object.per, list.len() as u8);
            let lines = u32::from(object.lines) * 64 / line_bytes.min(64);
            list.push((code.objects.len() as u8, lines.min(64) as u8));
            places.insert(name.as_str(), (place, code.objects.len() as u8));
            code.objects.push(name.clone());
        }
        let scale = cycle * u64::from(machine.processors.core_permille);
        code.paths = code
            .ready_paths(&places, scale, |path| kernel.paths.get(path.name()))
            .map_err(|error| format!("kernel {}, paths.{error}", kernel.name))?;
        for (index, nic) in machine.nics.iter().enumerate() {
            let driver = code.ready_paths(&places, scale, |path| nic.driver.steps_of(path));
            code.drivers.push(driver.map_err(|error| {
                format!("machine {}, nics.{index}.driver.{error}", machine.name)
            })?);
        }
        Ok(code)
    }

    /// The number of cache lines that a step's instructions occupy, capped at [`MOST_CODE_LINES`] so that its
    /// cost fits into a time.
    fn lines_of(&self, step: &Step) -> u16 {
        let per_line = self.instructions_per_line;
        let lines = per_line.map_or(0, |per_line| step.cycles.div_ceil(per_line));
        lines.min(u32::from(MOST_CODE_LINES)) as u16
    }

    fn ready_paths<'a>(
        &mut self,
        places: &BTreeMap<&str, (Place, u8)>,
        scale: u64,
        steps_of: impl Fn(Path) -> Option<&'a Vec<Step>>,
    ) -> Result<Vec<Box<[Ready]>>, String> {
        let ready_path = |&path: &Path| {
            let steps = steps_of(path).into_iter().flatten();
            let ready: Result<_, String> = steps
                .map(|step| self.ready(path, step, places, scale))
                .collect();
            ready.map_err(|error| format!("{}: {error}", path.name()))
        };
        Path::ALL.iter().map(ready_path).collect()
    }

    fn ready(
        &mut self,
        path: Path,
        step: &Step,
        places: &BTreeMap<&str, (Place, u8)>,
        scale: u64,
    ) -> Result<Ready, String> {
        let mut accesses = Vec::new();
        for (names, is_write) in [(&step.reads, false), (&step.writes, true)] {
            for name in names {
                let (place, object) = match name.as_str() {
                    "data" => (Place::Data, 0),
                    "user" => (Place::User, 1),
                    _ => *places
                        .get(name.as_str())
                        .ok_or_else(|| format!("{}: no object is called {name}", step.function))?,
                };
                accesses.push(AccessAt {
                    place,
                    object,
                    is_write,
                });
            }
        }
        let probe = match &step.probe {
            None => None,
            Some(name) => Some(
                Probe::from_name(name)
                    .ok_or_else(|| format!("{}: no probe is called {name}", step.function))?,
            ),
        };
        let function = intern(&mut self.functions, step.function.clone());
        let site = Site {
            path: Some(path),
            function: step.function.clone(),
        };
        Ok(Ready {
            site: intern(&mut self.sites, site) as u16,
            cost: u64::from(step.cycles) * scale / 1000
                + u64::from(step.atomics) * self.locked
                + u64::from(step.halted_sends) * self.halted_send
                + u64::from(step.ns) * 1_000_000,
            cost_each: u64::from(step.cycles_each) * scale / 1000,
            code: Stretch {
                function: function as u16,
                address: address(&step.function, self.seed),
                lines: self.lines_of(step),
            },
            accesses: accesses.into(),
            copy: step.copy,
            lock: lock_of(&mut self.locks, step.lock.as_deref()),
            unlock: lock_of(&mut self.locks, step.unlock.as_deref()),
            probe,
            kperf: step.kperf.unwrap_or(0),
            probe_cost: u64::from(step.probe_cycles) * scale / 1000,
        })
    }
}

fn lock_of(locks: &mut Vec<String>, name: Option<&str>) -> u8 {
    name.map_or(NO_LOCK, |name| intern(locks, name.to_owned()) as u8)
}

fn intern<T: PartialEq>(all: &mut Vec<T>, one: T) -> usize {
    all.iter()
        .position(|known| *known == one)
        .unwrap_or_else(|| {
            all.push(one);
            all.len() - 1
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_a_function_lies_hangs_on_its_name_and_the_seed() {
        let seeds = |function| (1..=64).map(|seed| address(function, seed) % 64).collect();
        let (one, other): (Vec<u32>, Vec<u32>) = (seeds("tcp_v4_rcv"), seeds("tcp_ack"));
        assert_eq!(one, seeds("tcp_v4_rcv"));
        let together = one.iter().zip(&other).filter(|(one, other)| one == other);
        assert!(together.count() < 8, "{one:?} {other:?}");
        let sets: std::collections::BTreeSet<_> = one.into_iter().collect();
        assert!(
            sets.len() > 32,
            "each set is as likely as any other: {sets:?}"
        );
    }
}
