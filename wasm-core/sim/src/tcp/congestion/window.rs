//! The congestion window, and what all congestion controls do with it: slow start, and a segment more after so many
//! acknowledged ones.
//!
//! Facts: RFC 5681, RFC 3465 (appropriate byte counting), `tcp_slow_start`, `tcp_cong_avoid_ai` of
//! `net/ipv4/tcp_cong.c` and `tcp_cwnd_restart` of `net/ipv4/tcp_output.c` (v6.1), in bytes. Integers only.

use crate::tcp::{CaState, Parameters};
use crate::time::SimTime;

/// Upper limit of the window, 1 GiB: the largest that window scaling can offer (RFC 7323 §2.3).
pub const LARGEST_BYTES: u32 = 1 << 30;

/// The congestion window of one connection.
#[derive(Debug)]
pub struct Window {
    /// Congestion window in bytes; never below one MSS.
    pub cwnd: u32,
    /// Slow start threshold in bytes.
    pub ssthresh: u32,
    /// Bytes of a segment.
    pub mss: u32,
    /// Bytes acknowledged since congestion avoidance last added a segment (`snd_cwnd_cnt`).
    acked: u32,
    /// L of RFC 3465 in bytes: how much of one ACK counts at most.
    limit: u32,
}

impl Window {
    /// The window of a connection that has not sent yet.
    pub fn new(parameters: &Parameters, mss: u32) -> Window {
        Window {
            cwnd: mss
                .saturating_mul(parameters.initial_window_segments.max(1))
                .min(LARGEST_BYTES),
            ssthresh: LARGEST_BYTES,
            mss,
            acked: 0,
            limit: parameters
                .slow_start_limit_segments
                .max(1)
                .saturating_mul(mss),
        }
    }

    /// Whole segments of the window.
    pub fn segments(&self) -> u32 {
        (self.cwnd / self.mss).max(1)
    }

    /// Whether the window is below the threshold.
    pub fn is_slow_start(&self) -> bool {
        self.cwnd < self.ssthresh
    }

    /// Slow start: the window grows up to the threshold by as many of `bytes` new ones as count (RFC 3465's L); returns
    /// what is left of these for avoidance, `None` where slow start takes all (RFC 5681 (2), `tcp_slow_start`).
    pub fn after_slow_start(&mut self, bytes: u32) -> Option<u32> {
        let acked = bytes.min(self.limit);
        if !self.is_slow_start() {
            return Some(acked);
        }
        let target = (self.cwnd + acked).min(self.ssthresh);
        let left = acked.saturating_sub(target - self.cwnd);
        self.cwnd = target.min(LARGEST_BYTES);
        (left > 0 && !self.is_slow_start()).then_some(left)
    }

    /// Congestion avoidance: a segment more after each `needed` acknowledged bytes (RFC 5681 (3),
    /// `tcp_cong_avoid_ai`).
    pub fn grow_additively(&mut self, needed: u32, acked: u32) {
        if self.acked >= needed {
            // Credit gathered while `needed` was larger counts for one segment only.
            self.acked = 0;
            self.cwnd = (self.cwnd + self.mss).min(LARGEST_BYTES);
        }
        self.acked = self.acked.saturating_add(acked);
        if self.acked >= needed {
            let steps = self.acked / needed.max(1);
            self.acked -= steps * needed;
            self.cwnd = self
                .cwnd
                .saturating_add(steps.saturating_mul(self.mss))
                .min(LARGEST_BYTES);
        }
    }

    /// A segment more in each round trip, or slow start (`tcp_reno_cong_avoid`).
    pub fn grow_as_reno(&mut self, bytes: u32) {
        if let Some(acked) = self.after_slow_start(bytes) {
            self.grow_additively(self.cwnd, acked);
        }
    }

    /// The threshold in bytes to return to if the window were given up now (`tcp_current_ssthresh`): at least three
    /// quarters of the window, counted in whole segments, unless it is being reduced.
    pub fn current_ssthresh(&self, state: CaState) -> u32 {
        match state {
            CaState::Cwr | CaState::Recovery => self.ssthresh,
            CaState::Open | CaState::Disorder | CaState::Loss => {
                let cwnd = self.cwnd / self.mss;
                self.ssthresh.max((cwnd / 2 + cwnd / 4) * self.mss)
            }
        }
    }

    /// A loss or a mark was met: `ssthresh` bytes are the threshold from now on, two segments at least.
    pub fn reduce_threshold(&mut self, ssthresh: u32) {
        self.ssthresh = ssthresh.max(2 * self.mss);
        self.acked = 0;
    }

    /// Retransmission timeout: the loss window of RFC 5681 §3.1 is one segment, plus what was sent too recently to be
    /// marked lost.
    pub fn enter_loss(&mut self, window: u32) {
        self.cwnd = window;
        self.acked = 0;
    }

    /// Nothing was sent for `idle`: the window is halved for every RTO, down to the restart window (RFC 5681 §4.1,
    /// `tcp_cwnd_restart`).
    pub fn restart_after_idle(&mut self, idle: SimTime, rto: SimTime, restart_window: u32) {
        let restart_window = restart_window.min(self.cwnd);
        let mut left = idle.0;
        while left > rto.0 && self.cwnd > restart_window {
            left -= rto.0.max(1);
            self.cwnd /= 2;
        }
        self.cwnd = self.cwnd.max(restart_window);
        self.acked = 0;
    }
}
