//! Pacing: a connection whose queueing discipline paces gives each packet a departure time, so that its packets leave
//! at the pacing rate, not in bursts.
//!
//! Source: `tcp_update_skb_after_send`, `__tcp_transmit_skb` of `net/ipv4/tcp_output.c` (v6.1, v6.18). The rate is
//! that of `tcp_update_pacing_rate`.

use crate::tcp::Tcb;
use crate::time::SimTime;

/// Segments that every connection may send before it is paced.
const UNPACED_SEGMENTS: u32 = 10;

/// When packets of a connection leave.
#[derive(Debug, Clone, Default)]
pub(in crate::tcp) struct Pacing {
    /// Whether the queueing discipline below keeps to departure times (`SK_PACING_FQ` in `sk_pacing_status`).
    is_on: bool,
    /// When the last packet left, and after a packet with data when the next one may leave (`tcp_wstamp_ns`).
    stamp: SimTime,
    /// Segments with data sent so far, up to [`UNPACED_SEGMENTS`] (`data_segs_out`).
    segments: u32,
}

impl Tcb {
    /// Sets whether the queueing discipline below keeps to departure times.
    pub fn set_paced(&mut self, is_paced: bool) {
        self.pacing.is_on = is_paced;
    }

    /// Whether packets have departure times.
    pub(in crate::tcp) fn is_paced(&self) -> bool {
        self.pacing.is_on
    }

    /// When a packet that is handed down at `now` leaves, as far as TCP decides.
    pub(in crate::tcp) fn departure(&self, now: SimTime) -> SimTime {
        if self.pacing.is_on {
            self.pacing.stamp.max(now)
        } else {
            now
        }
    }

    /// The departure time that a packet without data carries; zero without pacing.
    pub(in crate::tcp) fn stamp(&self) -> SimTime {
        if self.pacing.is_on {
            self.pacing.stamp
        } else {
            SimTime::ZERO
        }
    }

    /// A packet with `bytes` of payload is handed down at `now`: returns the departure time that it carries, zero
    /// without pacing. The next one leaves as much later as these bytes take at the pacing rate; of a delay that
    /// came before, up to half of that is made up for.
    pub(in crate::tcp) fn pace(&mut self, bytes: u32, now: SimTime) -> SimTime {
        let segments = bytes.div_ceil(self.send_mss.max(1));
        self.pacing.segments = (self.pacing.segments + segments).min(UNPACED_SEGMENTS);
        if !self.pacing.is_on {
            return SimTime::ZERO;
        }
        let departure = self.departure(now);
        let late = departure.since(self.pacing.stamp);
        self.pacing.stamp = departure;
        if self.pacing.segments == UNPACED_SEGMENTS
            && let Some(rate) = self.pacing_rate().filter(|&rate| rate > 0)
        {
            let takes = SimTime::from_ns(u64::from(bytes) * 1_000_000_000 / rate);
            let credit = late.min(SimTime(takes.0 / 2));
            self.pacing.stamp = departure + takes.since(credit);
        }
        departure
    }
}
