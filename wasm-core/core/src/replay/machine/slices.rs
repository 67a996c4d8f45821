//! Time slices, and who preempted whom.
//!
//! `time_slice` says what is left of a task's slice when it gets a CPU and when the
//! slice is used up. Simplified here: in between it shrinks as the clock runs. Linux
//! takes it off in ticks (before 2.6.23) and counts time in interrupts to whoever was
//! interrupted, so it really falls in steps; a learner sees it fall evenly.
//!
//! A task that leaves the CPU though it still could run (`prev_state` R) was preempted
//! by the one that comes. All this is shown for a model only, which tells slices or run
//! queues; who waits for a CPU is in `waits`.

use std::collections::BTreeMap;

use crate::kernel::{CpuId, EventIdx, Field, Pid, Probe};
use crate::run::Run;

use super::track::Track;
use super::{MachineColumns, Moment};

/// The tasks of a model's CPUs.
#[derive(Debug, Clone, Default)]
pub struct Slices {
    /// The CPUs of the run; empty without a model.
    cpus: Vec<CpuId>,
    /// The longest slice of the run, in nanoseconds.
    pub longest: u64,
    left: BTreeMap<CpuId, Track<Slice>>,
    /// The task that was preempted at the CPU's last switch, if any.
    preempted: BTreeMap<CpuId, Track<Option<Pid>>>,
}

#[derive(Debug, Clone, Copy)]
struct Slice {
    pid: Pid,
    nanos: u64,
}

/// One entry for each CPU of the run, in its order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TaskColumns {
    /// Whose slice it is; [`Pid::UNKNOWN`] where none is known.
    pub pid: Vec<u32>,
    /// What is left of it, in nanoseconds; 0 when it is used up.
    pub left: Vec<f64>,
    /// Whom the current task preempted; [`Pid::UNKNOWN`] if nobody.
    pub preempted: Vec<u32>,
    /// When.
    pub preempted_at: Vec<f64>,
}

impl Slices {
    pub(super) fn of(run: &Run) -> Self {
        let tells = |probe: &Probe| matches!(probe, Probe::TimeSlice | Probe::RunQueue);
        if !run.probe.iter().any(tells) {
            return Self::default();
        }
        let mut found = Self {
            cpus: run.cpus(),
            ..Self::default()
        };
        for index in run.indices() {
            found.pass(run, index);
        }
        found
    }

    fn pass(&mut self, run: &Run, index: EventIdx) {
        let (time, cpu) = (run.time(index), run.cpu[index.at()]);
        let pid = |field| run.field(index, field).map(Pid);
        match run.probe[index.at()] {
            Probe::TimeSlice => {
                let pid = pid(Field::TargetPid).unwrap_or(run.pid(index));
                let nanos = u64::from(run.field(index, Field::Slice).unwrap_or(0)) * 1000;
                self.longest = self.longest.max(nanos);
                let left = self.left.entry(cpu).or_default();
                left.set(time, Slice { pid, nanos });
            }
            Probe::SchedSwitch => {
                let state = run.field_name(index, Field::PrevState).unwrap_or("");
                let previous = pid(Field::PrevPid).filter(|&pid| pid != Pid::IDLE);
                let next = pid(Field::NextPid);
                let preempted = previous.filter(|_| state.starts_with('R') && previous != next);
                self.preempted.entry(cpu).or_default().set(time, preempted);
            }
            _ => {}
        }
    }

    /// Whether there is anything to tell.
    pub const fn is_empty(&self) -> bool {
        self.cpus.is_empty()
    }

    pub(super) fn add_to(&self, columns: &mut MachineColumns, moment: Moment) {
        for &cpu in &self.cpus {
            let slice = self.left.get(&cpu).and_then(|track| track.at(moment.time));
            let (pid, left) = slice.map_or((Pid::UNKNOWN, 0), |(at, slice)| {
                (slice.pid, slice.nanos.saturating_sub(moment.time.since(at)))
            });
            columns.tasks.pid.push(pid.0);
            columns.tasks.left.push(left as f64);
            let switch = self.preempted.get(&cpu);
            let switch = switch.and_then(|track| track.at(moment.time));
            let (at, preempted) = switch.unwrap_or((moment.start, &None));
            let preempted = preempted.unwrap_or(Pid::UNKNOWN);
            columns.tasks.preempted.push(preempted.0);
            columns.tasks.preempted_at.push(moment.since_start(at));
        }
    }
}
