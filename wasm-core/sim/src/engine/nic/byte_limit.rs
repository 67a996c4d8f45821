//! Byte queue limits: as few bytes are handed to the NIC as keep it busy, so that packets wait in the qdisc, which
//! decides about them, and not in the transmit ring, which is a fifo.
//!
//! Source: `lib/dynamic_queue_limits.c: dql_completed` (v6.1). What has been queued is counted when the driver
//! gets it, what is completed once per TX completion.

use crate::time::SimTime;

/// How long a limit must have been larger than needed before it shrinks (`slack_hold_time`: `HZ`).
const HOLD: SimTime = SimTime::from_ms(1000);

/// The limit of a transmit ring (`struct dql`). Counts are of bytes since the start of the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ByteLimit {
    /// Bytes handed to the driver.
    queued: u64,
    /// Bytes whose packets TX completion has freed.
    completed: u64,
    /// Most bytes between the two.
    limit: u64,
    /// Bytes of the packet handed over last.
    last_packet: u64,
    /// At the completion before: bytes handed over, bytes beyond the limit, the last packet.
    before: Before,
    /// Since when the limit has not changed.
    slack_since: SimTime,
    /// The least that the limit was larger than needed since then.
    lowest_slack: u64,
}

/// What was true at the last completion.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Before {
    queued: u64,
    over: u64,
    last_packet: u64,
}

impl Default for ByteLimit {
    fn default() -> Self {
        Self {
            queued: 0,
            completed: 0,
            limit: 0,
            last_packet: 0,
            before: Before::default(),
            slack_since: SimTime::ZERO,
            lowest_slack: u64::MAX,
        }
    }
}

impl ByteLimit {
    /// Whether a packet, of whatever size, may be handed over (`dql_avail`).
    pub const fn has_room(&self) -> bool {
        self.queued - self.completed <= self.limit
    }

    /// A packet is handed to the driver (`netdev_tx_sent_queue`).
    pub const fn sent(&mut self, bytes: u32) {
        self.queued += bytes as u64;
        self.last_packet = bytes as u64;
    }

    /// TX completion has freed so many bytes (`dql_completed`). The limit grows if the NIC had nothing left
    /// although more waited, and shrinks if for a second some bytes were always left over.
    pub fn completed(&mut self, bytes: u64, now: SimTime) {
        let completed = self.completed + bytes;
        let over = (self.queued - self.completed).saturating_sub(self.limit);
        let is_starved = self.queued == completed;
        let were_queued = self.before.queued - self.completed.min(self.before.queued);
        let are_all_before = completed >= self.before.queued;
        let mut limit = self.limit;
        if (over > 0 && is_starved) || (self.before.over > 0 && are_all_before) {
            limit += completed.saturating_sub(self.before.queued) + self.before.over;
            self.restart(now);
        } else if !is_starved && were_queued > 0 && !are_all_before {
            let unused = (limit + self.before.over).saturating_sub(2 * bytes);
            let of_last = match self.before.over {
                0 => 0,
                over => self.before.last_packet.saturating_sub(over),
            };
            self.lowest_slack = self.lowest_slack.min(unused.max(of_last));
            if now.since(self.slack_since) > HOLD {
                limit = limit.saturating_sub(self.lowest_slack);
                self.restart(now);
            }
        }
        self.before = Before {
            queued: self.queued,
            over: if limit == self.limit { over } else { 0 },
            last_packet: self.last_packet,
        };
        self.limit = limit;
        self.completed = completed;
    }

    const fn restart(&mut self, now: SimTime) {
        self.slack_since = now;
        self.lowest_slack = u64::MAX;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A NIC that sends 1000 bytes a millisecond and frees each packet as it is sent, with packets of 1000 bytes
    /// always waiting; the most bytes that it had at once, after a while.
    fn most_of(packet: u32, rounds: u64) -> u64 {
        let mut limit = ByteLimit::default();
        let mut most = 0;
        for round in 0..rounds {
            while limit.has_room() {
                limit.sent(packet);
            }
            if round > rounds / 2 {
                most = most.max(limit.queued - limit.completed);
            }
            limit.completed(u64::from(packet), SimTime::from_ms(round));
        }
        most
    }

    #[test]
    fn a_nic_that_is_always_busy_has_few_packets() {
        let most = most_of(1000, 8000);
        assert!((1000..=4000).contains(&most), "{most} bytes");
    }

    #[test]
    fn the_limit_grows_when_the_nic_had_nothing_left_though_more_waited() {
        let mut limit = ByteLimit::default();
        limit.sent(1000);
        assert!(!limit.has_room(), "more than the limit of 0");
        limit.completed(1000, SimTime::from_ms(1));
        assert_eq!(limit.limit, 1000);
        assert!(limit.has_room());
    }

    #[test]
    fn a_limit_that_nobody_reaches_does_not_grow() {
        let mut limit = ByteLimit::default();
        limit.sent(1000);
        limit.completed(1000, SimTime::from_ms(1));
        for round in 2..100 {
            limit.sent(500);
            limit.completed(500, SimTime::from_ms(round));
        }
        assert_eq!(limit.limit, 1000);
    }

    #[test]
    fn a_limit_that_was_too_large_for_a_second_shrinks() {
        let mut limit = ByteLimit {
            limit: 100_000,
            ..ByteLimit::default()
        };
        for round in 0..3000 {
            while limit.queued - limit.completed < 20_000 {
                limit.sent(1000);
            }
            limit.completed(1000, SimTime::from_ms(round));
        }
        assert!(limit.limit < 20_000, "{}", limit.limit);
    }
}
