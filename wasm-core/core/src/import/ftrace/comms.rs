//! What the tasks are called. A name comes on every line and changes almost never,
//! so the last one of each task is kept here and only a new one goes to the run.

use crate::kernel::Pid;
use crate::run::RunBuilder;

/// `TASK_COMM_LEN` of `include/linux/sched.h` (v6.12), without the zero at the end;
/// newer kernels may print more.
const KEPT: usize = 23;
const SLOTS: usize = 256;

/// The names of tasks.
#[derive(Debug)]
pub(crate) struct Comms {
    /// By the low bits of the pid.
    slots: Vec<Slot>,
}

#[derive(Debug, Clone, Copy)]
struct Slot {
    pid: u32,
    length: u8,
    comm: [u8; KEPT],
}

impl Default for Comms {
    fn default() -> Self {
        let empty = Slot {
            pid: Pid::UNKNOWN.0,
            length: 0,
            comm: [0; KEPT],
        };
        Self {
            slots: vec![empty; SLOTS],
        }
    }
}

impl Comms {
    /// Learns what a task is called. The idle tasks and `<...>` have no name.
    pub fn learn(&mut self, pid: Pid, comm: &[u8], run: &mut RunBuilder) {
        if pid == Pid::IDLE || comm.is_empty() || comm == b"<...>" {
            return;
        }
        let slot = &mut self.slots[pid.0 as usize % SLOTS];
        if slot.pid == pid.0 && slot.comm[..usize::from(slot.length)] == *comm {
            return;
        }
        run.comm(pid, &String::from_utf8_lossy(comm));
        if comm.len() <= KEPT {
            slot.pid = pid.0;
            slot.length = comm.len() as u8;
            slot.comm[..comm.len()].copy_from_slice(comm);
        }
    }
}
