//! What the lanes of the CPUs tell of where time went.

use std::collections::BTreeMap;

use super::{Profile, Source, Spent, Stack, locks};
use crate::kernel::{Context, Nanos, Pid, softirq};
use crate::replay::{Doing, Lane, Replay};
use crate::run::Run;

pub(super) fn profile(replay: &Replay, from: Nanos, to: Nanos) -> Profile {
    let lanes = &replay.lanes;
    let (from, to) = (from.max(lanes.start), to.min(lanes.end));
    let mut stacks: BTreeMap<Stack, Spent> = BTreeMap::new();
    for lane in lanes.lanes.iter().filter(|_| from < to) {
        for index in lane.at(from)..lane.from.len() {
            let begin = lane.from[index].max(from);
            if begin >= to {
                break;
            }
            let doing = lane.doing(index);
            if doing.context == Context::Idle {
                continue;
            }
            let stack = Stack {
                cpu: lane.cpu,
                context: doing.context,
                within: within(&replay.run, doing).into_iter().collect(),
            };
            let nanos = lanes.until(lane, index).min(to).since(begin) as f64;
            stacks.entry(stack).or_default().nanos += nanos;
        }
    }
    Profile {
        source: Source::Recorded,
        elapsed: if from < to {
            to.since(from) as f64
        } else {
            0.0
        },
        cpus: lanes.lanes.len(),
        stacks,
        locks: locks::told(replay, from, to),
    }
}

/// What ran in the context, where the recording names it.
fn within(run: &Run, doing: Doing) -> Option<String> {
    let detail = (doing.detail != Lane::NO_DETAIL).then_some(doing.detail);
    match doing.context {
        Context::Softirq => detail
            .map(|vec| softirq::name(vec).map_or_else(|| format!("softirq {vec}"), str::to_owned)),
        Context::Hardirq => detail.map(|number| format!("irq {number}")),
        Context::Unknown | Context::Nmi | Context::Idle => None,
        Context::User | Context::Kernel | Context::Spinning => {
            let is_known = doing.pid != Pid::UNKNOWN;
            let name = || format!("task {}", doing.pid.0);
            is_known.then(|| run.comm(doing.pid).map_or_else(name, str::to_owned))
        }
    }
}
