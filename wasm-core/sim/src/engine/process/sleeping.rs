//! Tasks that sleep for a time: until the next period of a pace, or until a listed time.

use super::call;
use crate::engine::core::Core;
use crate::engine::cpu::op::Op;
use crate::engine::cpu::profile::Call;
use crate::engine::ids::TaskId;
use crate::time::SimTime;

/// The task sleeps until a time in microseconds of the run; forever if there is none.
pub(super) fn until(core: &mut Core, cpu: usize, at_us: Option<&u32>) {
    match at_us {
        Some(&at) => {
            let ahead = SimTime::from_us(u64::from(at)).since(core.now());
            sleep(core, cpu, ahead.nanos().0 / 1000);
        }
        None => core.sleep(cpu),
    }
}

/// The task sleeps until the next period of its pace of `per_s` a second, but not if that has passed.
pub(super) fn pace(core: &mut Core, cpu: usize, task: TaskId, per_s: u32) {
    let now = core.now();
    let due = core.tasks[task].due.unwrap_or(now);
    let apart = SimTime::from_ms(1000).0 / u64::from(per_s.max(1));
    core.tasks[task].due = Some(SimTime(due.0 + apart));
    if let Some(left) = due.0.checked_sub(now.0).filter(|&left| left > 0) {
        sleep(core, cpu, left.div_ceil(SimTime::from_us(1).0));
    }
}

/// The task sleeps for `us` microseconds in a system call.
pub(super) fn sleep(core: &mut Core, cpu: usize, us: u64) {
    let us = u32::try_from(us).unwrap_or(u32::MAX);
    call(core, cpu, Call::None, None, [Op::SleepFor { us }]);
}
