//! When an ACK is due: at once, after a delay, or with what is read.
//!
//! Facts: RFC 5681 §4.2, and `net/ipv4/tcp_input.c`, `tcp.c` (v6.1): `__tcp_ack_snd_check`, `tcp_incr_quickack`,
//! `tcp_cleanup_rbuf`.

use super::Receiver;
use crate::tcp::AckNeed;
use crate::time::SimTime;

impl Receiver {
    /// `tcp_incr_quickack`.
    pub(super) fn increase_quick_acks(&mut self, most: u32) {
        let wanted = (self.rcv_wnd / (2 * self.lengths.rcv_mss)).max(2).min(most);
        self.quick = self.quick.max(wanted);
    }

    /// The next ACKs, at most so many, are not delayed (`tcp_enter_quickack_mode`): duplicate data arrived, data outside
    /// the window, a mark, or in old kernels data behind a hole.
    pub fn enter_quick_acks(&mut self, most: u32) {
        self.increase_quick_acks(most);
        self.is_pingpong = false;
    }

    /// Whether the ACK for received data must be sent now: `__tcp_ack_snd_check`.
    ///
    /// More than one full-sized segment asks for an immediate ACK only if the window does not shrink. `rtt` is the
    /// sending half's round trip where selective ACKs were agreed on.
    pub fn ack_need(&mut self, rtt: Option<SimTime>, now: SimTime) -> AckNeed {
        self.is_ack_scheduled = true;
        let is_second = self.rcv_nxt - self.rcv_wup > u64::from(self.lengths.rcv_mss);
        if (is_second && self.select_window() >= self.rcv_wnd)
            || (self.quick > 0 && !self.is_pingpong)
            || self.is_ack_now
        {
            return AckNeed::Now;
        }
        if !self.out_of_order.is_empty() {
            let waits = rtt.is_some_and(|rtt| {
                let rtt = self.autotune.round_trip(rtt);
                self.compression.waits(self.rcv_nxt, rtt, now)
            });
            return if waits {
                AckNeed::Delayed
            } else {
                AckNeed::Now
            };
        }
        if self.ack_deadline == SimTime::NEVER {
            // A FIN before any data: there is no delay estimate yet (ato is 0), so `tcp_send_delayed_ack` sets
            // the timer for a tick that has passed.
            let is_first = self.last_received == SimTime::NEVER;
            self.ack_deadline = if is_first {
                SimTime((now.0 / self.tick.0 + 1) * self.tick.0)
            } else {
                now + self.delayed_ack
            };
        }
        AckNeed::Delayed
    }

    /// Data are copied straight to a reader: whether the ACK can wait for the end of the read, which neither
    /// quick-ACK mode (`tcp_in_quickack_mode`) nor a hole in the data allows.
    pub fn leaves_ack_to_reader(&mut self, now: SimTime) -> bool {
        if self.quick > 0 && !self.is_pingpong || !self.out_of_order.is_empty() {
            return false;
        }
        if self.ack_deadline == SimTime::NEVER {
            self.ack_deadline = now + self.delayed_ack;
        }
        true
    }

    /// Data are sent: soon after received data, that means interactive mode (`tcp_event_data_sent`).
    pub fn note_data_sent(&mut self, now: SimTime) {
        if now.0.saturating_sub(self.last_received.0) < self.delayed_ack.0
            && self.last_received != SimTime::NEVER
        {
            self.is_pingpong = true;
        }
    }

    /// The reader took `bytes` bytes; `read_in_part` bytes were read of a packet that is still queued. Returns
    /// whether an ACK is to be sent now (`tcp_cleanup_rbuf`).
    pub fn on_read(&mut self, bytes: u32, read_in_part: u32, now: SimTime) -> bool {
        self.clock = now;
        self.autotune.takes(bytes);
        self.unread = self.unread.saturating_sub(bytes);
        let is_last = self.unread == 0 && self.out_of_order.is_empty();
        self.buffer.read(bytes, read_in_part, is_last);
        if let Some(window) = self.autotune.adjust(self.unread, now) {
            self.buffer.grow(window);
        }
        if self.is_ack_scheduled {
            let is_second = self.rcv_nxt - self.rcv_wup > u64::from(self.lengths.rcv_mss);
            let is_pushed = self.lengths.asks_for_ack(self.is_pingpong);
            if self.is_ack_blocked || is_second || (bytes > 0 && is_pushed && self.unread == 0) {
                return true;
            }
        }
        let offered = (self.right_edge().max(self.rcv_nxt) - self.rcv_nxt) as u32;
        if bytes == 0 || self.has_received_fin() || offered > self.buffer.clamp() / 2 {
            return false;
        }
        let window = self.select_window();
        window > 0 && window >= offered.saturating_mul(2)
    }
}
