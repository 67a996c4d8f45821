//! Cubic: the window grows along a cubic curve over the time since the last loss, with its plateau where that loss
//! came, and never slower than Reno's would.
//!
//! Source: RFC 9438 and `net/ipv4/tcp_cubic.c` (v6.1). Integers only.

mod hystart;
mod parameters;

use super::{Ack, CaEvent, CongestionControl, Kind, Sample, Window};
use crate::simplification::Simplification;
use crate::tcp::CaState;
use crate::time::SimTime;
use hystart::Hystart;

pub use parameters::Parameters;

/// The default since 2.6.19.
pub const KIND: Kind = Kind {
    name: "cubic",
    start: |controls| {
        let parameters = controls.cubic?;
        Some(Box::new(Cubic::new(parameters)))
    },
    check: |_| Ok(()),
    left_out: Simplification {
        about: "cubic",
        linux: "Forgets the least round-trip time after a timeout (bictcp_reset).",
        here: "The curve is looked at one least round trip ahead, and that is the whole connection's.",
        seen: "Where a path has become longer, the window grows a little later after a timeout than on Linux.",
    },
};

/// One tick of Cubic's clock, 1/1024 s, in femtoseconds (`BICTCP_HZ` of `tcp_cubic.c`).
const TICK: u64 = 1_000_000_000_000_000 / 1024;

/// Cubic's multiplicative decrease, 717/1024 = 0.7 (`beta`).
const BETA: u64 = 717;

/// Cubic's C = 0.4 in units of 1/1024 segments (`bic_scale` times 10: `cube_rtt_scale`).
const CUBE_RTT_SCALE: u64 = 410;

/// Ticks for which a result of the cubic function is reused while the window is unchanged (`HZ / 32`).
const KEPT: u64 = 32;

/// What it knows of a connection (`struct bictcp`).
#[derive(Debug)]
pub struct Cubic {
    curve: Curve,
    hystart: Option<Hystart>,
}

impl Cubic {
    fn new(parameters: Parameters) -> Self {
        Self {
            curve: Curve::default(),
            hystart: parameters.hystart.then(Hystart::default),
        }
    }
}

impl CongestionControl for Cubic {
    /// `cubictcp_recalc_ssthresh`
    fn ssthresh(&mut self, window: &Window) -> u32 {
        self.curve.reduce(window)
    }

    /// `cubictcp_cong_avoid`
    fn cong_avoid(&mut self, window: &mut Window, ack: Ack) {
        let Some(acked) = window.after_slow_start(ack.bytes) else {
            return;
        };
        let segments = self.curve.segments_for_one(window, acked, ack);
        window.grow_additively(segments.saturating_mul(window.mss), acked);
    }

    /// `cubictcp_state`: it begins anew after a timeout.
    fn set_state(&mut self, _window: &mut Window, _from: CaState, to: CaState) {
        if to == CaState::Loss {
            self.curve = Curve::default();
            if let Some(hystart) = &mut self.hystart {
                hystart.reset();
            }
        }
    }

    /// `cubictcp_cwnd_event`: the epoch moves forward by a pause, so that the window continues along its curve.
    fn cwnd_event(&mut self, _window: &mut Window, event: CaEvent) {
        let CaEvent::TxStart { idle, now } = event else {
            return;
        };
        let epoch = &mut self.curve.epoch_start;
        if *epoch != 0 {
            *epoch = (*epoch + idle.0 / TICK).min(now.0 / TICK + 1);
        }
    }

    /// `cubictcp_acked`
    fn pkts_acked(&mut self, window: &mut Window, sample: &Sample) {
        let has_room = window.cwnd >= hystart::LOW_WINDOW * window.mss;
        // No samples right after a recovery.
        let epoch = self.curve.epoch_start;
        let is_fresh = epoch != 0 && sample.now.0 / TICK + 1 < epoch + 1024;
        let Some(hystart) = self.hystart.as_mut().filter(|_| !is_fresh) else {
            return;
        };
        hystart.note(sample.rtt);
        if window.is_slow_start() && has_room && hystart.ends(sample) {
            window.ssthresh = window.cwnd;
        }
    }
}

/// The state of the cubic function, in segments and ticks, as in `struct bictcp`.
#[derive(Debug, Default)]
struct Curve {
    /// When the current epoch of growth began, in ticks; 0: no epoch (`epoch_start`).
    epoch_start: u64,
    /// Window in segments at the last reduction (`last_max_cwnd`).
    last_max: u32,
    /// Window in segments at the plateau (`bic_origin_point`).
    origin: u32,
    /// Ticks from the epoch's start to the plateau (`bic_K`).
    k: u32,
    /// The window that Reno would have, in segments (`tcp_cwnd`).
    reno_segments: u32,
    /// Bytes acknowledged towards Reno's next segment (`ack_cnt`).
    reno_acked: u64,
    /// The last result, the window that it holds for, and when it was computed (`last_cwnd`, `last_time`).
    count: u32,
    last_cwnd: u32,
    last_time: u64,
}

impl Curve {
    /// How many acknowledged segments increase the window by one segment (`bictcp_update`).
    fn segments_for_one(&mut self, window: &Window, acked: u32, ack: Ack) -> u32 {
        let now = ack.now.0 / TICK + 1;
        self.reno_acked += u64::from(acked);
        if self.epoch_start != 0 && self.last_cwnd == window.cwnd && now - self.last_time <= KEPT {
            return self.count;
        }
        self.last_cwnd = window.cwnd;
        self.last_time = now;
        let segments = window.segments();
        if self.epoch_start == 0 {
            self.epoch_start = now;
            self.reno_acked = u64::from(acked);
            self.reno_segments = segments;
            if self.last_max <= segments {
                self.k = 0;
                self.origin = segments;
            } else {
                let below = u64::from(self.last_max - segments);
                self.k = cube_root((1 << 40) / CUBE_RTT_SCALE * below);
                self.origin = self.last_max;
            }
        }
        let target = self.target(now, ack.min_rtt);
        let mut count = if target > segments {
            segments / (target - segments)
        } else {
            segments.saturating_mul(100)
        };
        if self.last_max == 0 {
            count = count.min(20);
        }
        // At least as fast as Reno: `beta_scale` is 15, in eighths.
        let reno_step = (u64::from(window.cwnd) * 15 / 8).max(1);
        if self.reno_acked > reno_step {
            self.reno_segments += (self.reno_acked / reno_step) as u32;
            self.reno_acked %= reno_step;
        }
        if self.reno_segments > segments {
            count = count.min(segments / (self.reno_segments - segments));
        }
        self.count = count.max(2);
        self.count
    }

    /// Where the curve is a round trip from now, in segments.
    fn target(&self, now: u64, min_rtt: SimTime) -> u32 {
        let elapsed = now - self.epoch_start + min_rtt.0 / TICK;
        // Capped at 128 s from the plateau, so that the cube fits.
        let offset = elapsed.abs_diff(u64::from(self.k)).min(1 << 17);
        let delta = (CUBE_RTT_SCALE * offset * offset * offset) >> 40;
        let delta = u32::try_from(delta).unwrap_or(u32::MAX);
        if elapsed < u64::from(self.k) {
            self.origin.saturating_sub(delta)
        } else {
            self.origin.saturating_add(delta)
        }
    }

    /// A loss ends the epoch, with fast convergence; returns the new `ssthresh` in bytes.
    fn reduce(&mut self, window: &Window) -> u32 {
        let segments = window.cwnd / window.mss;
        self.epoch_start = 0;
        self.last_max = if segments < self.last_max {
            (u64::from(segments) * (1024 + BETA) / 2048) as u32
        } else {
            segments
        };
        (u64::from(window.cwnd) * BETA / 1024) as u32
    }
}

/// The largest integer whose cube is at most `value`, digit by digit.
fn cube_root(mut value: u64) -> u32 {
    let mut root: u64 = 0;
    for digit in (0..22).rev() {
        let shift = 3 * digit;
        root *= 2;
        let step = 3 * root * (root + 1) + 1;
        if value >> shift >= step {
            value -= step << shift;
            root += 1;
        }
    }
    root as u32
}

#[cfg(test)]
mod tests;
