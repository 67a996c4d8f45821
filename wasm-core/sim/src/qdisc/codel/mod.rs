//! CoDel's control law (controlled delay): a queue whose packets have waited too long for too long drops one, and
//! the next ones sooner and sooner until they wait no longer. A packet whose transport knows ECN is marked in the place
//! of a drop, and leaves.
//!
//! Source: RFC 8289; `include/net/codel_impl.h: codel_dequeue` (v6.1). Simplified ("fq_codel"): time is not rounded
//! to 1.024 µs, and a count that jumps does not make Newton's method diverge.

use crate::time::SimTime;

use super::{Queued, Verdicts};

/// The parameters of the law.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Law {
    /// The time that a packet may wait (TARGET).
    pub target: SimTime,
    /// For how long packets may wait longer than that before one is dropped (INTERVAL).
    pub interval: SimTime,
    /// With at most so many bytes left behind it no packet is dropped: one frame of the device.
    pub mtu: u32,
    /// Whether packets are marked that can be (`ecn`).
    pub ecn: bool,
    /// The wait above which each packet is marked that can be (`ce_threshold`); `None`: no packet for its own wait alone.
    pub ce_threshold: Option<SimTime>,
}

impl Law {
    /// Marks a packet in the place of a drop; returns whether it is marked.
    fn marks(&self, packet: &mut Queued) -> bool {
        self.ecn && packet.ecn.set_ce()
    }
}

/// The state of the law for one queue (`codel_vars`).
#[derive(Debug, Clone, Copy, Default)]
pub struct Codel {
    /// Packets dropped or marked since the dropping state was entered, or a start value from the state before.
    count: u32,
    /// `count` when the dropping state was entered.
    last_count: u32,
    /// Whether it is in the dropping state.
    is_dropping: bool,
    /// 1 / sqrt(`count`) in units of 2^-16.
    inverse_root: u16,
    /// When packets will have waited for longer than the target during a whole interval; `None`: the last one did
    /// not.
    first_above: Option<SimTime>,
    /// When the next packet is dropped.
    drop_next: SimTime,
}

/// The queue that packets are taken from: the next packet, and the bytes left behind it.
pub type Pull<'a> = &'a mut dyn FnMut() -> Option<(Queued, u64)>;

impl Codel {
    /// Packets were dropped for lack of room: the next drops come sooner.
    pub fn note_dropped(&mut self, packets: u32) {
        self.count = self.count.wrapping_add(packets);
    }

    /// `codel_dequeue`: the next packet to send, marked where another would have been dropped, or where it waited longer
    /// than the threshold.
    pub fn dequeue(
        &mut self,
        law: &Law,
        now: SimTime,
        pull: Pull<'_>,
        verdicts: &mut Verdicts,
    ) -> Option<Queued> {
        let mut packet = self.control(law, now, pull, verdicts)?;
        let wait = now.since(packet.at);
        if law.ce_threshold.is_some_and(|threshold| wait > threshold) {
            verdicts.is_marked |= packet.ecn.set_ce();
        }
        Some(packet)
    }

    /// The control law: the next packet, marked where another would have been dropped.
    fn control(
        &mut self,
        law: &Law,
        now: SimTime,
        pull: Pull<'_>,
        verdicts: &mut Verdicts,
    ) -> Option<Queued> {
        let Some((mut packet, left)) = pull() else {
            self.is_dropping = false;
            return None;
        };
        let is_above = self.is_above(law, now, packet, left);
        if !is_above {
            self.is_dropping = false;
        } else if !self.is_dropping {
            verdicts.is_marked = law.marks(&mut packet);
            if verdicts.is_marked {
                self.start_dropping(law, now);
                return Some(packet);
            }
            verdicts.dropped.push(packet.skb);
            let next = pull();
            self.start_dropping(law, now);
            // What comes next is not dropped at once, but tells how long the queue is.
            let (after, left) = self.or_below(next)?;
            self.is_above(law, now, after, left);
            packet = after;
        } else {
            while self.is_dropping && now >= self.drop_next {
                self.count = self.count.wrapping_add(1);
                self.newton_step();
                verdicts.is_marked = law.marks(&mut packet);
                if verdicts.is_marked {
                    self.drop_next = self.next_after(law, self.drop_next);
                    break;
                }
                verdicts.dropped.push(packet.skb);
                let (after, left) = self.or_below(pull())?;
                packet = after;
                if self.is_above(law, now, packet, left) {
                    self.drop_next = self.next_after(law, self.drop_next);
                } else {
                    self.is_dropping = false;
                }
            }
        }
        Some(packet)
    }

    /// An empty queue is one whose packets wait no longer than the target. In the dropping state it is left.
    fn or_below(&mut self, next: Option<(Queued, u64)>) -> Option<(Queued, u64)> {
        if next.is_none() {
            self.first_above = None;
            self.is_dropping = false;
        }
        next
    }

    /// `codel_should_drop`: whether all packets have waited for longer than the target during an interval.
    fn is_above(&mut self, law: &Law, now: SimTime, packet: Queued, left: u64) -> bool {
        if now.since(packet.at) < law.target || left <= u64::from(law.mtu) {
            self.first_above = None;
            return false;
        }
        match self.first_above {
            None => {
                self.first_above = Some(now + law.interval);
                false
            }
            Some(at) => now > at,
        }
    }

    /// Enters the dropping state. If it was left a short time ago, the rate of drops continues where it was:
    /// that rate controlled the queue.
    fn start_dropping(&mut self, law: &Law, now: SimTime) {
        self.is_dropping = true;
        let delta = self.count.wrapping_sub(self.last_count);
        let is_recent = now.since(self.drop_next).0 < law.interval.0.saturating_mul(16);
        if delta > 1 && is_recent {
            self.count = delta;
            self.newton_step();
        } else {
            self.count = 1;
            self.inverse_root = u16::MAX;
        }
        self.last_count = self.count;
        self.drop_next = self.next_after(law, now);
    }

    /// The control law: `at` + interval / sqrt(count).
    fn next_after(&self, law: &Law, at: SimTime) -> SimTime {
        let product = u128::from(law.interval.0) * u128::from(self.inverse_root);
        at + SimTime((product >> 16) as u64)
    }

    /// `codel_Newton_step`: one step of Newton's method from the last 1 / sqrt(count) to that of the present
    /// count, x (3 - count x²) / 2. It is exact to a few percent from the third drop on; the drop before comes
    /// sooner than the RFC has it.
    fn newton_step(&mut self) {
        const THREE: u64 = 3 << 32;
        let count = u64::from(self.count);
        let mut root = u64::from(self.inverse_root.max(1)) << 16;
        while count * ((root * root) >> 32) >= THREE {
            root >>= 1;
        }
        let rest = (THREE - count * ((root * root) >> 32)) >> 2;
        self.inverse_root = ((rest * root) >> (32 - 2 + 1 + 16)) as u16;
    }
}

#[cfg(test)]
mod tests;
