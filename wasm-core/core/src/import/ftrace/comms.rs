//! The names of tasks. A name is on every line and rarely changes, so the last one of each task is cached here and
//! only a change reaches the run.

use crate::kernel::Pid;
use crate::run::RunBuilder;

/// Bytes kept of a name: `TASK_COMM_LEN` of `include/linux/sched.h` (v6.12) without the terminating zero is 15; newer
/// kernels may print more.
const KEPT: usize = 23;
const SLOTS: usize = 256;

/// The names of tasks.
#[derive(Debug)]
pub(crate) struct Comms {
    /// Indexed by the low bits of the pid.
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
    /// Learns a task's name. Idle tasks and `<...>` have none.
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
