//! Interventions in a simulated run: a frame lost, a CPU taken away, interrupts pinned.
//!
//! It stands in the scenario that the run names (`faults`), with its moment by the run's own clock, and is
//! told at that moment. What came of it is in the events, and told as in any other run.

pub mod words;

use serde_json::Value;

use crate::kernel::{CpuId, Nanos, Pid};
use crate::order;
use crate::run::Run;
use crate::saying::Saying;

use words as say;

/// Something that is done to a run at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Intervention {
    /// When: what is about a frame is done to the next one.
    pub time: Nanos,
    /// What.
    pub kind: Kind,
}

/// What is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The next frame is lost on the link.
    Lose(Way),
    /// It arrives twice.
    Double(Way),
    /// It arrives later, by so many nanoseconds.
    Delay(Way, u64),
    /// It arrives behind others that follow it.
    Reorder(Way),
    /// Its payload is not what was sent.
    Damage(Way),
    /// A hard interrupt keeps a CPU for so many nanoseconds.
    Steal(CpuId, u64),
    /// Each receive ring has so many descriptors from now on.
    Ring(u64),
    /// The interrupts of all NICs go to one CPU from now on.
    Pin(CpuId),
    /// The interrupt of one receive queue, by its number, goes to one CPU from now on.
    PinQueue(u64, CpuId),
    /// A process is stopped for so many nanoseconds.
    Stop(Pid, u64),
}

/// Which frames are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Those that the host receives.
    Received,
    /// Those that it sends.
    Sent,
}

/// What is done within a run, in order of time; nothing in a recording.
pub fn interventions(run: &Run) -> Vec<Intervention> {
    let scenario = run.scenario();
    let faults = scenario
        .as_ref()
        .and_then(|one| one.get("faults")?.as_array());
    let read = faults.into_iter().flatten().filter_map(Intervention::read);
    let mut all: Vec<Intervention> = read
        .filter(|one| run.start() <= one.time && one.time <= run.end())
        .collect();
    order::sort_by_key(&mut all, |one| one.time);
    all
}

impl Intervention {
    /// One of a scenario's `faults`; nothing of a kind that is not known here.
    fn read(fault: &Value) -> Option<Self> {
        let number = |name: &str| fault.get(name)?.as_u64();
        let nanos = || number("us")?.checked_mul(1000);
        let cpu = || Some(CpuId(number("cpu")?.try_into().ok()?));
        let is_sent = fault.get("sent").and_then(Value::as_bool);
        let way = match is_sent {
            Some(true) => Way::Sent,
            _ => Way::Received,
        };
        let kind = match fault.get("do")?.as_str()? {
            "drop_frame" => Kind::Lose(way),
            "duplicate_frame" => Kind::Double(way),
            "delay_frame" => Kind::Delay(way, nanos()?),
            "reorder_frame" => Kind::Reorder(way),
            "damage_frame" => Kind::Damage(way),
            "steal_cpu" => Kind::Steal(cpu()?, nanos()?),
            "set_ring" | "shrink_ring" => Kind::Ring(number("descriptors")?),
            "pin_interrupts" => Kind::Pin(cpu()?),
            "pin_queue" => Kind::PinQueue(number("queue")?, cpu()?),
            "stop_task" => Kind::Stop(Pid(number("pid")?.try_into().ok()?), nanos()?),
            _ => return None,
        };
        let within = number("at_ns").unwrap_or(0);
        let time = number("at_us")?.checked_mul(1000)?.checked_add(within)?;
        Some(Self {
            time: Nanos(time),
            kind,
        })
    }

    /// It in a few words.
    pub fn short(self) -> Saying {
        match self.kind {
            Kind::Lose(_) => say::lose(),
            Kind::Double(_) => say::double(),
            Kind::Delay(_, nanos) => say::delay(nanos),
            Kind::Reorder(_) => say::reorder(),
            Kind::Damage(_) => say::damage(),
            Kind::Steal(cpu, nanos) => say::steal(cpu, nanos),
            Kind::Ring(descriptors) => say::ring(descriptors),
            Kind::Pin(cpu) => say::pin(cpu),
            Kind::PinQueue(queue, cpu) => say::pin_queue(queue, cpu),
            Kind::Stop(task, nanos) => say::stop(task, nanos),
        }
    }

    /// It in a sentence.
    pub fn plain(self) -> Saying {
        match self.kind {
            Kind::Lose(Way::Received) => say::lose_received(),
            Kind::Lose(Way::Sent) => say::lose_sent(),
            Kind::Double(Way::Received) => say::double_received(),
            Kind::Double(Way::Sent) => say::double_sent(),
            Kind::Delay(Way::Received, nanos) => say::delay_received(nanos),
            Kind::Delay(Way::Sent, nanos) => say::delay_sent(nanos),
            Kind::Reorder(Way::Received) => say::reorder_received(),
            Kind::Reorder(Way::Sent) => say::reorder_sent(),
            Kind::Damage(Way::Received) => say::damage_received(),
            Kind::Damage(Way::Sent) => say::damage_sent(),
            Kind::Steal(cpu, nanos) => say::steal_plain(cpu, nanos),
            Kind::Ring(descriptors) => say::ring_plain(descriptors),
            Kind::Pin(cpu) => say::pin_plain(cpu),
            Kind::PinQueue(queue, cpu) => say::pin_queue_plain(queue, cpu),
            Kind::Stop(task, nanos) => say::stop_plain(task, nanos),
        }
    }
}
