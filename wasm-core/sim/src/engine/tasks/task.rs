//! Processes as data.

use crate::cache::ObjectId;
use crate::engine::cpu::charge::Charge;
use crate::engine::cpu::op::Op;
use crate::engine::cpu::profile::Call;
use crate::engine::ids::{SockId, TaskId};
use crate::sched::{self, Scheduler};
use crate::time::SimTime;

/// A process.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
pub struct Task {
    /// Its host.
    pub host: usize,
    /// What its host's scheduler calls it.
    pub id: sched::TaskId,
    /// Its stack in the kernel.
    pub stack: Vec<Op>,
    /// What is left of the step in which it was preempted.
    pub rest: SimTime,
    /// Whether that step is user code.
    pub rest_in_user: bool,
    /// Whom it is charged to.
    pub rest_charge: Charge,
    /// Whether it sleeps.
    pub is_asleep: bool,
    /// Until when a signal has it stopped; in the past where none has.
    pub stopped_until: SimTime,
    /// Whether it stopped where it returned to user space, or was woken while it was stopped: it
    /// runs as soon as it may go on.
    pub goes_on: bool,
    /// Where it runs or ran last, among the CPUs of all hosts.
    pub cpu: usize,
    /// The system call under way.
    pub call: Call,
    /// How often it has taken the kernel lock (`lock_depth`).
    pub lock_depth: u32,
    /// Its buffer's pages, and how many.
    pub user: (ObjectId, u32),
    /// Its own objects.
    pub objects: ObjectId,
    /// CPU time in fs.
    pub cpu_fs: u64,
    /// How often it left a CPU.
    pub switches: u64,

    /// What it does before it loops, and in the loop: a script of the workload, which also names
    /// its kind for the measures.
    pub script: usize,
    /// The next act.
    pub at: usize,
    /// When it begins; `None` if it sleeps until another task or an interrupt wakes it.
    pub begins: Option<SimTime>,
    /// The next moment of its pace, once it has one.
    pub due: Option<SimTime>,
    /// Rounds of its loop.
    pub rounds: u64,
    /// What its messages are, in bytes.
    pub message: u32,
    /// Its number among the connections: chooses NIC and CPU.
    pub connection: u32,
    /// Whether it is on the server's side.
    pub is_server: bool,
    /// Its room's first connection and how many there are, for broadcasts.
    pub room: (u32, u32),
    /// Where it reads in the file, in bytes.
    pub file_at: u32,

    /// Its socket.
    pub sock: Option<SockId>,
    /// The listening socket that it accepts from.
    pub listener: Option<SockId>,
    /// Bytes that the call under way has moved.
    pub moved: u32,
    /// Bytes that the receive call under way wants at least.
    pub least: u32,
    /// Whether what it read opened the window enough to say so.
    pub wants_update: bool,
    /// Bytes that it has read.
    pub delivered: u64,
}

/// The tasks of a host as its scheduler knows them.
#[derive(Debug)]
pub struct HostTasks {
    /// Its scheduler.
    pub scheduler: Scheduler,
    /// Whether a task in the kernel can be preempted.
    pub is_preemptible: bool,
    /// The task of each of the scheduler's.
    tasks: Vec<Option<TaskId>>,
}

impl HostTasks {
    /// No tasks yet.
    pub fn new(scheduler: Scheduler, is_preemptible: bool) -> Self {
        Self {
            scheduler,
            is_preemptible,
            tasks: Vec::new(),
        }
    }

    /// Names a task of the scheduler's.
    pub fn add(&mut self, id: sched::TaskId, task: TaskId) {
        let index = id.0 as usize;
        self.tasks.resize(self.tasks.len().max(index + 1), None);
        self.tasks[index] = Some(task);
    }

    /// The task of one of the scheduler's.
    pub fn of(&self, id: sched::TaskId) -> Option<TaskId> {
        self.tasks.get(id.0 as usize).copied().flatten()
    }
}
