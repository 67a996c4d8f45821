//! The congestion window: slow start, avoidance (Reno and Cubic), reduction after a loss.
//!
//! Facts: RFC 5681, RFC 3465 (appropriate byte counting), RFC 9438, and `net/ipv4/tcp_cong.c`,
//! `net/ipv4/tcp_cubic.c` (v6.1). Integers only. The scoreboard decides which segments are lost.

use super::hystart::{self, Hystart};
use super::{Congestion, TcpConfig};
use crate::time::SimTime;

/// Upper limit of the window, 1 GiB: the largest that window scaling can offer (RFC 7323 §2.3).
pub(super) const LARGEST_BYTES: u32 = 1 << 30;

/// One tick of Cubic's clock, 1/1024 s, in femtoseconds (`BICTCP_HZ` of `tcp_cubic.c`).
const TICK: u64 = 1_000_000_000_000_000 / 1024;

/// Cubic's multiplicative decrease, 717/1024 = 0.7 (`beta`).
const BETA: u64 = 717;

/// Cubic's C = 0.4 in units of 1/1024 segments (`bic_scale` times 10: `cube_rtt_scale`).
const CUBE_RTT_SCALE: u64 = 410;

/// Ticks for which a result of the cubic function is reused while the window is unchanged (`HZ / 32`).
const KEPT: u64 = 32;

/// The congestion window of one connection and its growth.
#[derive(Debug, Clone)]
pub(super) struct Window {
    /// Congestion window in bytes; never below one MSS.
    pub cwnd: u32,
    /// Slow start threshold in bytes.
    pub ssthresh: u32,
    /// Bytes acknowledged since congestion avoidance last added a segment (`snd_cwnd_cnt`).
    acked: u32,
    /// L of RFC 3465 in bytes: how much of one ACK counts at most.
    limit: u32,
    rule: Congestion,
    cubic: Cubic,
    hystart: Option<Hystart>,
}

impl Window {
    /// The window of a connection that has not sent yet.
    pub fn new(config: &TcpConfig, mss: u32) -> Window {
        Window {
            cwnd: mss
                .saturating_mul(config.initial_window_segments.max(1))
                .min(LARGEST_BYTES),
            ssthresh: LARGEST_BYTES,
            acked: 0,
            limit: config.slow_start_limit_segments.max(1).saturating_mul(mss),
            rule: config.congestion,
            cubic: Cubic::default(),
            hystart: (config.hystart && config.congestion == Congestion::Cubic)
                .then(Hystart::default),
        }
    }

    /// `acked` new bytes were acknowledged while the window limited the sender.
    pub fn grow(&mut self, acked: u32, mss: u32, now: SimTime, min_rtt: SimTime) {
        let mut acked = acked.min(self.limit);
        if self.cwnd < self.ssthresh {
            // RFC 5681 (2); tcp_slow_start: what goes beyond ssthresh counts as avoidance.
            let target = (self.cwnd + acked).min(self.ssthresh);
            acked = acked.saturating_sub(target - self.cwnd);
            self.cwnd = target.min(LARGEST_BYTES);
            if self.cwnd < self.ssthresh || acked == 0 {
                return;
            }
        }
        // RFC 5681 (3), counted as tcp_cong_avoid_ai does: a segment after `needed` bytes.
        let needed = match self.rule {
            Congestion::Reno | Congestion::NewReno => self.cwnd,
            Congestion::Cubic => {
                let segments = self
                    .cubic
                    .segments_for_one(self.cwnd, acked, mss, now, min_rtt);
                segments.saturating_mul(mss)
            }
        };
        if self.acked >= needed {
            // Credit gathered while `needed` was larger counts for one segment only.
            self.acked = 0;
            self.cwnd = (self.cwnd + mss).min(LARGEST_BYTES);
        }
        self.acked = self.acked.saturating_add(acked);
        if self.acked >= needed {
            let steps = self.acked / needed.max(1);
            self.acked -= steps * needed;
            self.cwnd = self
                .cwnd
                .saturating_add(steps.saturating_mul(mss))
                .min(LARGEST_BYTES);
        }
    }

    /// Sets the threshold after a loss (`tcp_reno_ssthresh`, `cubictcp_recalc_ssthresh`).
    pub fn reduce_threshold(&mut self, mss: u32) {
        let reduced = match self.rule {
            Congestion::Reno | Congestion::NewReno => self.cwnd / 2,
            Congestion::Cubic => self.cubic.reduce(self.cwnd, mss),
        };
        self.ssthresh = reduced.max(2 * mss);
        self.acked = 0;
    }

    /// Fast recovery: the window is the threshold at once (RFC 6675 §5 (4.2)).
    pub fn enter_recovery(&mut self, mss: u32) {
        self.reduce_threshold(mss);
        self.cwnd = self.ssthresh;
    }

    /// Retransmission timeout: the loss window of RFC 5681 §3.1 is one segment, plus what was sent too recently
    /// to be marked lost. Cubic restarts (`bictcp_state`).
    pub fn enter_loss(&mut self, window: u32) {
        self.cwnd = window;
        self.acked = 0;
        self.cubic = Cubic::default();
        if let Some(hystart) = &mut self.hystart {
            hystart.reset();
        }
    }

    /// An ACK gives an RTT sample: `cubictcp_acked`. `una` and `nxt` are SND.UNA and SND.NXT after it;
    /// `ack_delay` is how much later an ACK may arrive because segments were merged, `is_paced` whether they leave
    /// at the pacing rate.
    pub fn take_delay(
        &mut self,
        delay: SimTime,
        (una, nxt): (u64, u64),
        mss: u32,
        (ack_delay, is_paced): (SimTime, bool),
        now: SimTime,
    ) {
        let is_slow_start = self.cwnd < self.ssthresh;
        let has_room = self.cwnd >= hystart::LOW_WINDOW * mss;
        // No samples right after a recovery.
        let epoch = self.cubic.epoch_start;
        let is_fresh = epoch != 0 && now.0 / TICK + 1 < epoch + 1024;
        let Some(hystart) = self.hystart.as_mut().filter(|_| !is_fresh) else {
            return;
        };
        hystart.note(delay);
        let ends =
            |hystart: &mut Hystart| hystart.ends(delay, (una, nxt), (ack_delay, is_paced), now);
        if is_slow_start && has_room && ends(hystart) {
            self.ssthresh = self.cwnd;
        }
    }

    /// Data are sent after `idle` with nothing in flight: Cubic's epoch moves forward by that time, so that the
    /// window continues along its curve (`CA_EVENT_TX_START` in `cubictcp_cwnd_event`, v4.3).
    pub fn begin_sending(&mut self, idle: SimTime, now: SimTime) {
        let epoch = &mut self.cubic.epoch_start;
        if *epoch != 0 {
            *epoch = (*epoch + idle.0 / TICK).min(now.0 / TICK + 1);
        }
    }

    /// Nothing was sent for `idle`: the window is halved for every RTO, down to the restart window (RFC 5681
    /// §4.1, `tcp_cwnd_restart`).
    pub fn restart_after_idle(&mut self, idle: SimTime, rto: SimTime, restart_window: u32) {
        self.ssthresh = self.ssthresh.max(self.cwnd / 4 * 3);
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

/// The state of the cubic function, in segments and ticks, as in `struct bictcp`.
#[derive(Debug, Clone, Default)]
struct Cubic {
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

impl Cubic {
    /// How many acknowledged segments increase the window by one segment (`bictcp_update`).
    fn segments_for_one(
        &mut self,
        cwnd: u32,
        acked: u32,
        mss: u32,
        now: SimTime,
        min_rtt: SimTime,
    ) -> u32 {
        let now = now.0 / TICK + 1;
        self.reno_acked += u64::from(acked);
        if self.epoch_start != 0 && self.last_cwnd == cwnd && now - self.last_time <= KEPT {
            return self.count;
        }
        self.last_cwnd = cwnd;
        self.last_time = now;
        let segments = (cwnd / mss).max(1);
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
        let elapsed = now - self.epoch_start + min_rtt.0 / TICK;
        // Capped at 128 s from the plateau, so that the cube fits.
        let offset = elapsed.abs_diff(u64::from(self.k)).min(1 << 17);
        let delta = (CUBE_RTT_SCALE * offset * offset * offset) >> 40;
        let delta = u32::try_from(delta).unwrap_or(u32::MAX);
        let target = if elapsed < u64::from(self.k) {
            self.origin.saturating_sub(delta)
        } else {
            self.origin.saturating_add(delta)
        };
        let mut count = if target > segments {
            segments / (target - segments)
        } else {
            segments.saturating_mul(100)
        };
        if self.last_max == 0 {
            count = count.min(20);
        }
        // At least as fast as Reno: `beta_scale` is 15, in eighths.
        let reno_step = (u64::from(cwnd) * 15 / 8).max(1);
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

    /// A loss ends the epoch, with fast convergence; returns the new `ssthresh` in bytes.
    fn reduce(&mut self, cwnd: u32, mss: u32) -> u32 {
        let segments = cwnd / mss;
        self.epoch_start = 0;
        self.last_max = if segments < self.last_max {
            (u64::from(segments) * (1024 + BETA) / 2048) as u32
        } else {
            segments
        };
        (u64::from(cwnd) * BETA / 1024) as u32
    }
}

/// The largest integer whose cube is at most `value`, digit by digit.
pub(super) fn cube_root(mut value: u64) -> u32 {
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
