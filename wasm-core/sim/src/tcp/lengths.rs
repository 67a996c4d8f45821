//! What the lengths of arriving segments tell a receiver: the sender's MSS, and whether a segment ends a write, so
//! that its ACK is due as soon as it was read.
//!
//! Facts: `net/ipv4/tcp_input.c: tcp_measure_rcv_mss`, `net/ipv4/tcp.c: tcp_cleanup_rbuf` (v6.1).

use super::{Flags, TcpConfig};

/// `TCP_MSS_DEFAULT` and `TCP_MIN_MSS`, in bytes: bounds of the first guess of `rcv_mss`.
const MSS_DEFAULT: u32 = 536;
const MIN_MSS: u32 = 88;
/// Bytes of the timestamp option with its padding (`TCPOLEN_TSTAMP_ALIGNED`).
const TIMESTAMP_OPTION: u32 = 12;

/// `struct inet_connection_sock`'s `icsk_ack`, as far as it is about lengths.
#[expect(
    clippy::struct_excessive_bools,
    reason = "two bits of icsk_ack.pending by name, and three choices of a kernel"
)]
#[derive(Debug, Clone)]
pub(super) struct Lengths {
    /// An estimate of the sender's MSS, in bytes (`rcv_mss`).
    pub rcv_mss: u32,
    /// Bytes of the segment before, where it was shorter than that and no remnant (`last_seg_size`); else 0.
    last: u32,
    /// Bytes of options in each segment.
    option_bytes: u32,
    /// A short or pushed segment came, or two (`ICSK_ACK_PUSHED`, `ICSK_ACK_PUSHED2`).
    is_pushed: bool,
    is_pushed_twice: bool,
    /// Whether two short segments of a size in a row are taken for whole ones.
    learns_short: bool,
    /// Whether a whole segment counts as pushed too, if it ends a write.
    acks_pushed: bool,
    /// Whether two that are pushed are reason enough where the ends talk in turns.
    acks_second: bool,
}

impl Lengths {
    /// `guess`: what the MSS may be, in bytes, before any segment came.
    pub fn new(config: &TcpConfig, guess: u32) -> Self {
        Self {
            rcv_mss: guess.clamp(MIN_MSS, MSS_DEFAULT),
            last: 0,
            option_bytes: if config.timestamps {
                TIMESTAMP_OPTION
            } else {
                0
            },
            is_pushed: false,
            is_pushed_twice: false,
            learns_short: config.learns_short_mss,
            acks_pushed: config.acks_pushed_segments,
            acks_second: config.acks_second_short,
        }
    }

    /// A segment of `len` bytes came. Two in a row that are shorter than the MSS and as long as each other are taken
    /// for whole ones, so the second is no reason for an ACK when it is read: a sender that writes little at a time
    /// then waits for the delayed ACK, and gathers what it writes meanwhile.
    pub fn measure(&mut self, len: u32, flags: Flags) {
        let before = std::mem::take(&mut self.last);
        if len >= self.rcv_mss {
            self.rcv_mss = len;
            self.is_pushed |= self.acks_pushed && flags.contains(Flags::PSH);
            return;
        }
        let with_options = len + self.option_bytes;
        let is_remnant = flags.contains(Flags::PSH) || flags.contains(Flags::FIN);
        if with_options >= MSS_DEFAULT || (with_options >= MIN_MSS && !is_remnant) {
            self.last = len;
            if self.learns_short && len == before {
                self.rcv_mss = len;
                return;
            }
        }
        self.is_pushed_twice |= self.is_pushed && self.acks_second;
        self.is_pushed = true;
    }

    /// Whether what was read to its end is to be acknowledged at once.
    pub fn asks_for_ack(&self, is_pingpong: bool) -> bool {
        self.is_pushed_twice || (self.is_pushed && !is_pingpong)
    }

    /// An ACK went.
    pub fn forget_pushes(&mut self) {
        self.is_pushed = false;
        self.is_pushed_twice = false;
    }
}
