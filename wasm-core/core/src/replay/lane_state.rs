//! From the events of a CPU to what it does: which task is current, whether that
//! task is in the kernel, and what runs over it.
//!
//! Interrupts and softirqs are told by their own events ([`Nesting`]). Kernel
//! against user space is told by system calls, remembered for each task while
//! others run. Simplified here: a system call whose return is not recorded lasts
//! until the task is next seen elsewhere, and a task that was preempted
//! (`prev_state` R) outside a recorded system call is taken to have been in user
//! space since it last ran without a kernel event. Linux knows better, no
//! tracepoint says; a learner may see a little too much or too little "kernel"
//! around calls that were not traced.

use std::collections::BTreeMap;

use crate::kernel::{Context, CpuId, EventIdx, Field, Nanos, Pid, Probe};
use crate::run::{Level, Nesting, Run};

use super::lanes::{Doing, Lane};

/// Where a task is, as far as the recording tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Whereabouts {
    /// In a system call that was seen to begin.
    Call,
    /// In user space.
    User,
    /// Not told; shown as the kernel, where every task resumes.
    Untold,
    /// In the kernel by an event it made, though no system call was seen.
    Kernel,
}

/// What is remembered of the tasks while they do not run.
pub(super) struct Tasks {
    whereabouts: BTreeMap<Pid, Whereabouts>,
    /// Whether returns of system calls are recorded; else the length that a send reports ends it.
    has_exits: bool,
}

impl Tasks {
    /// Nothing remembered yet.
    pub(super) fn of(run: &Run) -> Self {
        Self {
            whereabouts: BTreeMap::new(),
            // ringside-capture records the return of splice(2) alone.
            has_exits: run.indices().any(|index| {
                run.probe[index.at()] == Probe::SysExit
                    && run.field_name(index, Field::Func) != Some("splice")
            }),
        }
    }
}

/// One CPU at the event read last.
pub(super) struct LaneState {
    lane: Lane,
    nesting: Nesting,
    pid: Pid,
    whereabouts: Whereabouts,
    /// Since when the task's whereabouts are untold, while no event contradicts user space.
    untold_since: Nanos,
    spinning: Option<Level>,
    is_known: bool,
    last_event: Nanos,
}

impl LaneState {
    /// A CPU before its first event.
    pub(super) fn new(lane: Lane) -> Self {
        Self {
            last_event: lane.from[0],
            untold_since: lane.from[0],
            pid: lane.pid[0],
            is_known: lane.pid[0] != Pid::UNKNOWN,
            lane,
            nesting: Nesting::default(),
            whereabouts: Whereabouts::Untold,
            spinning: None,
        }
    }

    /// Whose lane it is.
    pub(super) fn cpu(&self) -> CpuId {
        self.lane.cpu
    }

    /// The finished lane.
    pub(super) fn finish(self) -> Lane {
        self.lane
    }

    /// Takes in an event of this CPU.
    pub(super) fn pass(&mut self, run: &Run, index: EventIdx, tasks: &mut Tasks) {
        let time = run.time(index);
        let probe = run.probe[index.at()];
        if probe == Probe::LostEvents {
            self.lose(tasks);
            return;
        }
        let level = self.nesting.pass(run, index);
        self.is_known = true;
        let pid = run.pid(index);
        if pid != Pid::UNKNOWN && pid != self.pid {
            self.switch_to(pid, time, tasks);
        }
        match probe {
            Probe::SchedSwitch => self.sched_switch(run, index, time, tasks),
            Probe::SysEnter | Probe::SysRecvfrom | Probe::SysSendto => {
                self.was_in_user();
                self.whereabouts = Whereabouts::Call;
            }
            Probe::SysExit | Probe::SysRecvfromRet => self.whereabouts = Whereabouts::User,
            Probe::TcpRecvmsgRet | Probe::UdpRecvmsgRet
                if self.whereabouts != Whereabouts::Call =>
            {
                self.whereabouts = Whereabouts::User;
            }
            Probe::SockSendLength if !tasks.has_exits && level == Level::Task => {
                self.whereabouts = Whereabouts::User;
            }
            Probe::ContentionBegin => self.spinning = Some(level),
            Probe::ContentionEnd => self.spinning = None,
            _ => {
                if level == Level::Task && is_of_the_task(run, index) {
                    self.was_in_kernel();
                }
            }
        }
        self.last_event = time;
        self.lane.turn(time, self.doing());
    }

    /// Events were lost somewhere between this CPU's last event and its next.
    fn lose(&mut self, tasks: &mut Tasks) {
        tasks.whereabouts.remove(&self.pid);
        self.nesting = Nesting::default();
        self.pid = Pid::UNKNOWN;
        self.whereabouts = Whereabouts::Untold;
        self.spinning = None;
        self.is_known = false;
        self.lane.turn(self.last_event, self.doing());
    }

    fn sched_switch(&mut self, run: &Run, index: EventIdx, time: Nanos, tasks: &mut Tasks) {
        let previous = run.field(index, Field::PrevPid).map(Pid);
        if let Some(pid) = previous.filter(|&pid| pid != self.pid) {
            self.switch_to(pid, time, tasks);
        }
        let state = run.field_name(index, Field::PrevState).unwrap_or("");
        if state.starts_with('R') && self.whereabouts != Whereabouts::Call {
            if is_kernel_thread(run.comm(self.pid)) {
                self.whereabouts = Whereabouts::Kernel;
            } else {
                self.was_in_user();
                self.whereabouts = Whereabouts::User;
            }
        } else if self.whereabouts != Whereabouts::Call {
            self.whereabouts = Whereabouts::Untold;
        }
        self.spinning = None;
        if let Some(next) = run.field(index, Field::NextPid) {
            self.switch_to(Pid(next), time, tasks);
        }
    }

    fn switch_to(&mut self, pid: Pid, time: Nanos, tasks: &mut Tasks) {
        if self.pid != Pid::UNKNOWN && self.pid != Pid::IDLE {
            tasks.whereabouts.insert(self.pid, self.whereabouts);
        }
        self.pid = pid;
        self.whereabouts = tasks
            .whereabouts
            .get(&pid)
            .copied()
            .unwrap_or(Whereabouts::Untold);
        self.untold_since = time;
    }

    /// The task was in user space since its whereabouts are untold: sets the segments right.
    fn was_in_user(&mut self) {
        if self.whereabouts != Whereabouts::Untold || self.pid == Pid::IDLE {
            return;
        }
        let lane = &mut self.lane;
        for index in (0..lane.from.len()).rev() {
            if lane.from[index] < self.untold_since {
                break;
            }
            if lane.context[index] == Context::Kernel && lane.pid[index] == self.pid {
                lane.context[index] = Context::User;
            }
        }
    }

    /// The task made a kernel event outside any system call that was seen to begin.
    fn was_in_kernel(&mut self) {
        match self.whereabouts {
            Whereabouts::Call | Whereabouts::Kernel => {}
            Whereabouts::User | Whereabouts::Untold => self.whereabouts = Whereabouts::Kernel,
        }
    }

    fn doing(&self) -> Doing {
        let level = self.nesting.running();
        let context = if !self.is_known {
            Context::Unknown
        } else if self.spinning == Some(level) {
            Context::Spinning
        } else {
            match level {
                Level::Hardirq => Context::Hardirq,
                Level::Softirq => Context::Softirq,
                Level::Task => self.task_context(),
            }
        };
        let detail = match context {
            Context::Hardirq => self.nesting.hardirq,
            Context::Softirq => self.nesting.softirq,
            _ => None,
        };
        Doing {
            context,
            pid: self.pid,
            detail: detail.unwrap_or(Lane::NO_DETAIL),
        }
    }

    fn task_context(&self) -> Context {
        match (self.pid, self.whereabouts) {
            (Pid::UNKNOWN, _) => Context::Unknown,
            (Pid::IDLE, _) => Context::Idle,
            (_, Whereabouts::User) => Context::User,
            (_, Whereabouts::Call | Whereabouts::Untold | Whereabouts::Kernel) => Context::Kernel,
        }
    }
}

/// Whether an event at task level is the task's own doing. Without flags the
/// timer's raising and waking look as if they were, so only packets and sockets count.
fn is_of_the_task(run: &Run, index: EventIdx) -> bool {
    match run.context[index.at()] {
        Context::Idle | Context::User | Context::Kernel => true,
        _ => run.skb(index).is_some() || run.sk(index).is_some(),
    }
}

/// Whether a command is one of the kernel's own threads, which never see user space.
fn is_kernel_thread(comm: Option<&str>) -> bool {
    const THREADS: [&str; 16] = [
        "cpuhp/",
        "idle_inject/",
        "irq/",
        "jbd2/",
        "kauditd",
        "kcompactd",
        "khugepaged",
        "khungtaskd",
        "ksoftirqd/",
        "kswapd",
        "kthreadd",
        "kworker/",
        "migration/",
        "napi/",
        "rcu",
        "swapper/",
    ];
    comm.is_some_and(|comm| THREADS.iter().any(|thread| comm.starts_with(thread)))
}
