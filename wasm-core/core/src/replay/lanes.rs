//! What each CPU did: contiguous segments of one context each, from the start of
//! the run to its end. How they are told from the events is in `lane_state`.
//!
//! A run without CPUs (the 2005 toolkit's) has no lanes.

use std::collections::BTreeSet;

use crate::kernel::{Context, CpuId, EventIdx, Nanos, Origin, Pid};
use crate::run::Run;

use super::lane_state::LaneState;

/// The lanes of a run, in ascending order of their CPUs.
#[derive(Debug, Clone, Default)]
pub struct Lanes {
    /// One for each CPU that recorded something.
    pub lanes: Vec<Lane>,
    /// Where every lane begins.
    pub start: Nanos,
    /// Where every lane ends.
    pub end: Nanos,
    /// Processes in which something happened to a packet or a socket, not in an interrupt or softirq above them. Not every
    /// recording says what an event's context was.
    pub users: BTreeSet<Pid>,
}

/// One CPU's segments as columns: segment `i` lasts from `from[i]` to `from[i + 1]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lane {
    /// Whose.
    pub cpu: CpuId,
    /// When each segment begins, strictly ascending.
    pub from: Vec<Nanos>,
    /// What the CPU did in it.
    pub context: Vec<Context>,
    /// The current task; in an interrupt the one that was interrupted.
    pub pid: Vec<Pid>,
    /// The softirq's vector or the interrupt's number; [`Lane::NO_DETAIL`] else.
    pub detail: Vec<u32>,
}

/// What a CPU does in one segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Doing {
    /// In which context.
    pub context: Context,
    /// The current task.
    pub pid: Pid,
    /// The softirq's vector or the interrupt's number.
    pub detail: u32,
}

/// Nanoseconds in each context, by the context's index.
pub type ContextTimes = [u64; Context::ALL.len()];

impl Lanes {
    /// Reads every lane off the events.
    pub fn of(run: &Run) -> Self {
        let mut states: Vec<LaneState> = run
            .cpus()
            .into_iter()
            .map(|cpu| LaneState::new(Lane::new(cpu, run)))
            .collect();
        let place = places(&states);
        let mut tasks = super::lane_state::Tasks::of(run);
        let mut users = BTreeSet::new();
        run.each(|index| {
            if let Some(user) = user(run, index) {
                users.insert(user);
            }
            let cpu = run.cpu[index.at()];
            if cpu.is_known() {
                states[place[usize::from(cpu.0)]].pass(run, index, &mut tasks);
            }
        });
        Self {
            lanes: states.into_iter().map(LaneState::finish).collect(),
            start: run.start(),
            end: run.end(),
            users,
        }
    }

    /// The nanoseconds that a lane spent in each context between two times.
    pub fn times(&self, lane: &Lane, from: Nanos, to: Nanos) -> ContextTimes {
        let mut times = ContextTimes::default();
        for (doing, nanos) in self.spans(lane, from, to) {
            times[doing.context as usize] += nanos;
        }
        times
    }

    /// What a lane did between two times, one thing after the other, and for how many nanoseconds each.
    pub fn spans<'a>(
        &'a self,
        lane: &'a Lane,
        from: Nanos,
        to: Nanos,
    ) -> impl Iterator<Item = (Doing, u64)> + 'a {
        let (from, to) = (from.max(self.start), to.min(self.end));
        let indices = lane.at(from)..lane.from.len();
        let within = indices.take_while(move |&index| lane.from[index].max(from) < to);
        within.map(move |index| {
            let begin = lane.from[index].max(from);
            let nanos = self.until(lane, index).min(to).since(begin);
            (lane.doing(index), nanos)
        })
    }

    /// When a segment of a lane ends.
    pub fn until(&self, lane: &Lane, index: usize) -> Nanos {
        lane.from.get(index + 1).copied().unwrap_or(self.end)
    }
}

impl Lane {
    /// No softirq and no interrupt.
    pub const NO_DETAIL: u32 = u32::MAX;

    /// A lane before its first event: nothing is known of it, but that a simulation begins with idle CPUs and tells of
    /// each switch.
    fn new(cpu: CpuId, run: &Run) -> Self {
        let (context, pid) = match run.origin {
            Origin::Simulated => (Context::Idle, Pid::IDLE),
            Origin::Recorded => (Context::Unknown, Pid::UNKNOWN),
        };
        Self {
            cpu,
            from: vec![run.start()],
            context: vec![context],
            pid: vec![pid],
            detail: vec![Self::NO_DETAIL],
        }
    }

    /// The segment at a time; the first for times before it.
    pub fn at(&self, time: Nanos) -> usize {
        self.from.partition_point(|&from| from <= time).max(1) - 1
    }

    /// What the CPU does in a segment.
    pub fn doing(&self, index: usize) -> Doing {
        Doing {
            context: self.context[index],
            pid: self.pid[index],
            detail: self.detail[index],
        }
    }

    /// Begins a segment: from `time` on the CPU does this. Segments of no length are dropped.
    pub(super) fn turn(&mut self, time: Nanos, doing: Doing) {
        while self.from.last().is_some_and(|&from| from >= time) {
            self.from.pop();
            self.context.pop();
            self.pid.pop();
            self.detail.pop();
        }
        let is_same = !self.from.is_empty() && self.doing(self.from.len() - 1) == doing;
        if !is_same {
            self.from.push(time);
            self.context.push(doing.context);
            self.pid.push(doing.pid);
            self.detail.push(doing.detail);
        }
    }
}

/// The process in which an event happened to a packet or a socket.
fn user(run: &Run, index: EventIdx) -> Option<Pid> {
    let context = run.context[index.at()];
    let is_above = matches!(context, Context::Softirq | Context::Hardirq | Context::Nmi);
    let has_object = run.skb(index).is_some() || run.sk(index).is_some();
    let pid = (has_object && !is_above).then(|| run.pid(index));
    pid.filter(|&pid| !matches!(pid, Pid::IDLE | Pid::UNKNOWN))
}

/// The place in `states` of each CPU by its number.
fn places(states: &[LaneState]) -> Vec<usize> {
    let highest = states.last().map_or(0, |state| state.cpu().0);
    let mut place = vec![0; usize::from(highest) + 1];
    for (index, state) in states.iter().enumerate() {
        place[usize::from(state.cpu().0)] = index;
    }
    place
}
