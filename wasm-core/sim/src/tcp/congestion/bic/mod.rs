//! BIC: the window is searched for, in halves of the way to the window of the last loss, and beyond it ever faster.
//!
//! Source: Xu, Harfoush and Rhee, "Binary increase congestion control for fast, long distance networks", 2004;
//! `bictcp_cwnd` of `net/ipv4/tcp_input.c` and `tcp_recalc_ssthresh` of `include/net/tcp.h` (2.6.8 to 2.6.12). The
//! search takes a quarter of the way at a time, and what the paper calls Smin and Smax are the parameters.

mod parameters;

use super::{Ack, CongestionControl, Kind, Window};
use crate::simplification::Simplification;
use crate::time::SimTime;

pub use parameters::Parameters;

/// The default from 2.6.8 to 2.6.18.
pub const KIND: Kind = Kind {
    name: "bic",
    start: |controls| {
        let parameters = controls.bic?;
        Some(Box::new(Bic::new(parameters)))
    },
    check: |controls| controls.bic.as_ref().map_or(Ok(()), Parameters::check),
    left_out: Simplification {
        about: "bic",
        linux: "From 2.6.12 on, gives a window that was reduced in vain what it had before the loss. From 2.6.13 on is a \
                module, which begins anew after a timeout and counts how many segments an ACK acknowledges.",
        here: "Is that of 2.6.8 to 2.6.11, in kernels that take no reduction back.",
        seen: "On a link that reorders packets the window grows back step by step, where 2.6.12 has it at once.",
    },
};

/// The part of the way to the last loss that a round trip takes (`BICTCP_B`).
const PART: u32 = 4;

/// For how long a result is used again while the window is unchanged: `HZ >> 5` ticks of a millisecond.
const KEPT: SimTime = SimTime::from_ms(31);

/// What it knows of a connection (`tcp_sock: bictcp`).
#[derive(Debug)]
pub struct Bic {
    parameters: Parameters,
    /// Window in segments at the last loss (`last_max_cwnd`); 0: there was none.
    last_max: u32,
    /// The last result, the window in bytes that it holds for, and when it was computed (`cnt`, `last_cwnd`,
    /// `last_stamp`).
    count: u32,
    last_cwnd: u32,
    last_time: SimTime,
}

impl Bic {
    fn new(parameters: Parameters) -> Self {
        Self {
            parameters,
            last_max: 0,
            count: 0,
            last_cwnd: 0,
            last_time: SimTime::ZERO,
        }
    }

    /// How many acknowledged segments increase the window by one (`bictcp_cwnd`).
    fn segments_for_one(&mut self, window: &Window, now: SimTime) -> u32 {
        if self.last_cwnd == window.cwnd && now.since(self.last_time) <= KEPT {
            return self.count;
        }
        self.last_cwnd = window.cwnd;
        self.last_time = now;
        let segments = window.segments();
        let own = &self.parameters;
        let (last_max, fastest) = (self.last_max, segments / own.max_increment_segments);
        let slowest = segments.saturating_mul(own.smooth_part) / PART;
        let count = if segments <= own.low_window_segments {
            segments
        } else if segments < last_max {
            match (last_max - segments) / PART {
                0..=1 => slowest,
                way if way > own.max_increment_segments => fastest,
                way => segments / way,
            }
        } else {
            let beyond = segments - last_max;
            if beyond < PART {
                slowest
            } else if beyond < own.max_increment_segments * (PART - 1) {
                segments * (PART - 1) / beyond
            } else {
                fastest
            }
        };
        // Where the kernel's is 0, each ACK adds a segment.
        self.count = count.max(1);
        self.count
    }
}

impl CongestionControl for Bic {
    /// `tcp_recalc_ssthresh`
    fn ssthresh(&mut self, window: &Window) -> u32 {
        let own = &self.parameters;
        let segments = window.segments();
        let part =
            |of: u32, share: u32, whole: u64| (u64::from(of) * u64::from(share) / whole) as u32;
        self.last_max = if segments < self.last_max {
            part(segments, own.convergence_2048ths, 2048)
        } else {
            segments
        };
        if segments <= own.low_window_segments {
            window.cwnd / 2
        } else {
            part(window.cwnd, own.beta_1024ths, 1024)
        }
    }

    fn cong_avoid(&mut self, window: &mut Window, ack: Ack) {
        let Some(acked) = window.after_slow_start(ack.bytes) else {
            return;
        };
        let segments = self.segments_for_one(window, ack.now);
        window.grow_additively(segments.saturating_mul(window.mss), acked);
    }
}

#[cfg(test)]
mod tests;
