//! When a NIC interrupts, and which CPU.
//!
//! A chip records an interrupt cause (ICR: a frame received, a frame sent) and may delay it by a time
//! or a number of frames. It interrupts when a cause is asserted and its interrupt is neither masked,
//! on its way to a CPU nor in service: a level-triggered line stays masked until the handler ends.
//!
//! Simplified ("adaptive moderation"): the delay stays as it was set.
//!
//! Source: Intel 8254x Software Developer's Manual, section 3.2.7 (RDTR, TIDV, RDMTS);
//! `arch/i386/kernel/io_apic.c` (v2.4).

use crate::config::machine::Routing;
use crate::engine::core::Core;
use crate::engine::cpu::op::About;
use crate::engine::events::Event;
use crate::engine::ids::{Device, NicId, QueueId, SkbId};
use crate::engine::net::Net;
use crate::time::SimTime;
use ringside::kernel::{Field, Probe};

/// When a chip interrupts.
#[derive(Debug, Clone, Copy)]
pub struct Moderation {
    /// Longest wait for an interrupt.
    pub delay: SimTime,
    /// Frames that end it; 0: no limit.
    pub frames: u32,
    /// Whether each frame starts that wait anew.
    pub restarts: bool,
    /// Sent packets that make a cause; 0: none do.
    pub tx_frames: u32,
    /// How long that cause waits.
    pub tx_delay: SimTime,
    /// Whether only the last packet queued makes one.
    pub tx_last: bool,
    /// Packets sent since the driver looked last.
    pub unreported: u32,
}

/// The interrupt of a queue.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "bits of the chip")]
pub struct Interrupt {
    /// A cause is asserted in the chip's register (ICR).
    pub has_cause: bool,
    /// The driver has masked it.
    pub is_masked: bool,
    /// It is under way to a CPU.
    pub is_raised: bool,
    /// Its handler runs.
    pub is_in_service: bool,
    /// When the delay timer of received frames expires (RDTR); `NEVER` if it is not armed.
    pub rx_due: SimTime,
    /// When the delay timer of sent frames expires (TIDV); `NEVER` if it is not armed.
    pub tx_due: SimTime,
    /// The time of the scheduled timer event; `NEVER` without one.
    pub wakes_at: SimTime,
    /// Frames since the last interrupt.
    pub waiting: u32,
}

/// What the moderation decides about a frame that was received.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cause {
    /// No interrupt of its own: one that is pending, or a poll, finds the frame.
    Coalesced,
    /// The cause is asserted at once.
    Asserted,
    /// The cause is asserted at this time, when the delay timer expires.
    Delayed(SimTime),
}

impl Interrupt {
    /// No cause and no timer.
    pub const fn new() -> Self {
        Self {
            has_cause: false,
            is_masked: false,
            is_raised: false,
            is_in_service: false,
            rx_due: SimTime::NEVER,
            tx_due: SimTime::NEVER,
            wakes_at: SimTime::NEVER,
            waiting: 0,
        }
    }

    /// A frame was received; `is_short` where the ring is half empty (RDMTS).
    fn received(&mut self, moderation: &Moderation, is_short: bool, now: SimTime) -> Cause {
        let Moderation {
            delay,
            frames,
            restarts,
            ..
        } = *moderation;
        self.waiting += 1;
        if !restarts && (self.is_masked || self.is_raised) {
            // Already pending: the poll or the handler will see this frame.
            return Cause::Coalesced;
        }
        let is_enough = frames > 0 && self.waiting >= frames;
        if delay == SimTime::ZERO || is_enough || restarts && is_short {
            Cause::Asserted
        } else if restarts || self.rx_due == SimTime::NEVER {
            self.rx_due = now + delay;
            Cause::Delayed(self.rx_due)
        } else {
            Cause::Coalesced
        }
    }

    /// Asserts a cause; whether the chip may raise its interrupt now.
    fn stands(&mut self) -> bool {
        self.has_cause = true;
        !self.is_masked && !self.is_raised && !self.is_in_service
    }

    /// The next time at which a timer expires, if no event is scheduled that early.
    fn next_due(&mut self) -> Option<SimTime> {
        let due = self.rx_due.min(self.tx_due);
        let is_earlier = due < self.wakes_at;
        if is_earlier {
            self.wakes_at = due;
        }
        is_earlier.then_some(due)
    }

    /// A timer event comes: whether a delay is over. `None` when the timer was restarted meanwhile.
    fn fires(&mut self, now: SimTime) -> Option<bool> {
        if self.wakes_at != now {
            return None;
        }
        self.wakes_at = SimTime::NEVER;
        let mut is_over = false;
        for due in [&mut self.rx_due, &mut self.tx_due] {
            if *due <= now {
                *due = SimTime::NEVER;
                is_over = true;
            }
        }
        Some(is_over)
    }

    /// Raises the interrupt; the number of frames received since the last one.
    fn raise(&mut self, restarts: bool) -> u32 {
        self.is_raised = true;
        if !restarts {
            self.rx_due = SimTime::NEVER;
        }
        std::mem::take(&mut self.waiting)
    }
}

impl Net {
    /// A frame was received, or a frame was sent by a NIC that moderates both in the same way.
    pub fn rx_cause(&mut self, core: &mut Core, host: usize, queue: QueueId) {
        let stack = &mut self.stacks[host];
        let state = &mut stack.queues[queue];
        let (nic, cpu) = (state.nic, usize::from(state.cpu));
        let moderation = &stack.nics[nic].moderation;
        let is_short = state.ring.free() * 2 <= state.ring.limit;
        match state.interrupt.received(moderation, is_short, core.now()) {
            Cause::Coalesced => {}
            Cause::Asserted => self.assert_cause(core, host, queue),
            Cause::Delayed(_) => {
                let (delay, waiting) = (moderation.delay, state.interrupt.waiting);
                self.arm_moderation(core, host, queue);
                let cpu = core.hosts[host].first_cpu + cpu;
                if core.emit_device(cpu, Probe::RxItr, About::NOTHING, Device::Nic(nic)) {
                    core.field(Field::Waited, delay.nanos().0 as u32);
                    core.field(Field::Depth, waiting);
                }
            }
        }
    }

    /// A packet was sent: asserts a cause for its TX completion now, after a delay, or with a later one.
    ///
    /// Simplified ("interrupts for what was sent"): without a number of frames a completion interrupts if somebody waits.
    pub fn tx_cause(&mut self, core: &mut Core, host: usize, nic: NicId, skb: SkbId) {
        let device = &mut self.stacks[host].nics[nic];
        device.moderation.unreported += 1;
        let queue = device.first_queue;
        let (tx, moderation) = (&device.tx, &device.moderation);
        let is_idle = tx.in_flight == 0;
        if device.driver.tx_in_handler {
            // A poll masks receive causes only.
            let interrupt = &mut self.stacks[host].queues[queue].interrupt;
            interrupt.has_cause = true;
            if !interrupt.is_raised {
                self.raise(core, host, queue);
            }
        } else if moderation.tx_last {
            // Only the packet queued last requests an interrupt:
            // queueing it withdrew the request of the one before.
            if is_idle {
                self.rx_cause(core, host, queue);
            }
        } else if moderation.tx_frames == 0 {
            // A completion is urgent only if something waits for its memory or its descriptor.
            let is_urgent = core.skbs[skb].frame.is_udp
                || is_sender_full(core, skb)
                || tx.sent.len() as u32 * 4 >= tx.limit
                || tx.qdisc.is_ready(core.now());
            if is_urgent {
                self.rx_cause(core, host, queue);
            }
        } else if moderation.unreported >= moderation.tx_frames {
            let (delay, restarts) = (moderation.tx_delay, moderation.restarts);
            if delay == SimTime::ZERO && !restarts {
                self.rx_cause(core, host, queue);
            } else if delay == SimTime::ZERO {
                self.assert_cause(core, host, queue);
            } else {
                let interrupt = &mut self.stacks[host].queues[queue].interrupt;
                if restarts || interrupt.tx_due == SimTime::NEVER {
                    interrupt.tx_due = core.now() + delay;
                    self.arm_moderation(core, host, queue);
                }
            }
        } else if is_idle && (tx.qdisc.is_ready(core.now()) || is_sender_full(core, skb)) {
            // The chip has sent all it was given and something waits (TXQE).
            self.assert_cause(core, host, queue);
        }
    }

    /// A throttled TCP waits for TX completions: a chip that holds them back reports them now ("interrupts for what was
    /// sent").
    pub fn report_completions(&mut self, core: &mut Core, host: usize, nic: NicId) {
        let device = &self.stacks[host].nics[nic];
        if !device.tx.sent.is_empty() && !device.driver.tx_in_handler {
            self.rx_cause(core, host, device.first_queue);
        }
    }

    /// Asserts a cause, and raises the interrupt if the chip may.
    pub fn assert_cause(&mut self, core: &mut Core, host: usize, queue: QueueId) {
        if self.stacks[host].queues[queue].interrupt.stands() {
            self.raise(core, host, queue);
        }
    }

    /// Schedules an event for the next timer to expire.
    fn arm_moderation(&mut self, core: &mut Core, host: usize, queue: QueueId) {
        if let Some(due) = self.stacks[host].queues[queue].interrupt.next_due() {
            let host = host as u8;
            core.at(due, Event::Moderation { host, queue });
        }
    }

    /// A timer event comes; ignored if the timer was restarted meanwhile.
    pub fn moderation_fires(&mut self, core: &mut Core, host: usize, queue: QueueId) {
        let interrupt = &mut self.stacks[host].queues[queue].interrupt;
        let Some(is_over) = interrupt.fires(core.now()) else {
            return;
        };
        if is_over {
            self.assert_cause(core, host, queue);
        }
        self.arm_moderation(core, host, queue);
    }

    /// Raises the interrupt of a queue and routes it to a CPU.
    pub fn raise(&mut self, core: &mut Core, host: usize, queue: QueueId) {
        let cpu = self.route(core, host, queue);
        let stack = &mut self.stacks[host];
        let state = &mut stack.queues[queue];
        let nic = state.nic;
        let moderation = &stack.nics[nic].moderation;
        let waiting = state.interrupt.raise(moderation.restarts);
        if moderation.delay != SimTime::ZERO
            && core.emit_device(cpu, Probe::RxItr, About::NOTHING, Device::Nic(nic))
        {
            core.field(Field::Waited, 0);
            core.field(Field::Depth, waiting);
        }
        let delay = SimTime::from_ns(core.hosts[host].machine.processors.interrupt_ns);
        let cpu = cpu as u16;
        core.at(core.now() + delay, Event::NicInterrupt { cpu, queue });
    }

    /// The CPU that gets a queue's interrupt, among those of all hosts.
    fn route(&mut self, core: &mut Core, host: usize, queue: QueueId) -> usize {
        let stack = &mut self.stacks[host];
        let (first, count) = (core.hosts[host].first_cpu, core.hosts[host].cpu_count);
        if let Some(cpu) = stack.queues[queue].pinned {
            let chosen = first + usize::from(cpu);
            core.cpus[chosen].apic.requested += 1;
            return chosen;
        }
        match stack.routing {
            Routing::Fixed => first,
            Routing::Spread => first + usize::from(stack.queues[queue].cpu),
            Routing::LowestPriority => {
                let rank = |cpu: &usize| {
                    let apic = &core.cpus[*cpu].apic;
                    (apic.requested, apic.last_sent)
                };
                let chosen = core.hosts[host].cpus().min_by_key(rank).unwrap_or(first);
                core.cpus[chosen].apic.requested += 1;
                chosen
            }
            Routing::Dynamic => {
                let next = stack.next_irq_cpu;
                let idle = (0..count)
                    .map(|step| (next + step) % count)
                    .find(|&cpu| core.cpus[first + cpu].is_idle());
                let chosen = idle.unwrap_or(next);
                stack.next_irq_cpu = (chosen + 1) % count;
                first + chosen
            }
        }
    }
}

/// Whether the sender of a packet waits until it is freed: for its buffer, or for a small queue.
fn is_sender_full(core: &Core, skb: SkbId) -> bool {
    let frame = &core.skbs[skb].frame;
    frame.from.is_some_and(|sock| {
        let sock = &core.socks[sock];
        let is_full = sock.wmem_alloc >= core.hosts[sock.host].datagram_send_buffer;
        sock.is_throttled || frame.is_udp && is_full
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const DELAY: SimTime = SimTime(100);

    fn moderation(frames: u32, restarts: bool) -> Moderation {
        Moderation {
            delay: DELAY,
            frames,
            restarts,
            tx_frames: 0,
            tx_delay: SimTime::ZERO,
            tx_last: false,
            unreported: 0,
        }
    }

    #[test]
    fn frames_wait_for_the_first_ones_timer_or_until_they_are_enough() {
        let (rule, mut line) = (moderation(3, false), Interrupt::new());
        let mut received = |now| line.received(&rule, false, SimTime(now));
        assert_eq!(received(5), Cause::Delayed(SimTime(105)));
        assert_eq!(received(9), Cause::Coalesced, "the timer runs already");
        assert_eq!(received(12), Cause::Asserted, "three are enough");
    }

    #[test]
    fn a_timer_that_restarts_fires_only_at_its_last_time() {
        let (rule, mut line) = (moderation(0, true), Interrupt::new());
        line.received(&rule, false, SimTime(0));
        assert_eq!(line.next_due(), Some(SimTime(100)));
        line.received(&rule, false, SimTime(40));
        assert_eq!(line.next_due(), None, "an earlier event is scheduled");
        assert_eq!(line.fires(SimTime(100)), Some(false), "it was put off");
        assert_eq!(line.next_due(), Some(SimTime(140)));
        assert_eq!(line.fires(SimTime(140)), Some(true));
        assert_eq!(line.fires(SimTime(140)), None);
    }

    #[test]
    fn a_half_empty_ring_does_not_wait_where_the_chip_says_so() {
        let mut line = Interrupt::new();
        assert_eq!(
            line.received(&moderation(0, true), true, DELAY),
            Cause::Asserted
        );
        let mut line = Interrupt::new();
        let cause = line.received(&moderation(0, false), true, DELAY);
        assert_eq!(cause, Cause::Delayed(SimTime(200)));
    }

    #[test]
    fn a_masked_or_served_line_keeps_its_cause_for_later() {
        let mut line = Interrupt::new();
        line.is_in_service = true;
        assert!(!line.stands());
        assert!(line.has_cause);
        line.is_in_service = false;
        assert!(line.stands());
        line.waiting = 4;
        assert_eq!(line.raise(false), 4);
        assert!(!line.stands(), "one is under way");
    }
}
