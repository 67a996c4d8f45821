//! What a receiver infers from the lengths of segments: the sender's MSS, and whether a segment ends a write,
//! so that its ACK is due as soon as the data are read.
//!
//! Facts: `net/ipv4/tcp_input.c: tcp_measure_rcv_mss`, `net/ipv4/tcp.c: tcp_cleanup_rbuf` (v6.1).

use crate::tcp::config::TIMESTAMP_OPTION;
use crate::tcp::{Flags, TcpConfig};

/// `TCP_MSS_DEFAULT` and `TCP_MIN_MSS`, in bytes: bounds of the initial `rcv_mss`.
const MSS_DEFAULT: u32 = 536;
const MIN_MSS: u32 = 88;

/// `icsk_ack` of `struct inet_connection_sock`: the members that concern lengths.
#[expect(
    clippy::struct_excessive_bools,
    reason = "two bits of icsk_ack.pending by name, and three choices of a kernel"
)]
#[derive(Debug, Clone)]
pub(in crate::tcp) struct Lengths {
    /// Estimate of the sender's MSS in bytes (`rcv_mss`).
    pub rcv_mss: u32,
    /// Length in bytes of the previous segment if it was short but may be full-sized (`last_seg_size`); else 0.
    last: u32,
    /// Bytes of TCP options in each segment.
    option_bytes: u32,
    /// Whether a short or pushed segment arrived since the last ACK (`ICSK_ACK_PUSHED`), and whether a second
    /// one did (`ICSK_ACK_PUSHED2`).
    is_pushed: bool,
    is_pushed_twice: bool,
    /// [`Parameters::learns_short_mss`](crate::tcp::Parameters::learns_short_mss).
    learns_short: bool,
    /// [`Parameters::acks_pushed_segments`](crate::tcp::Parameters::acks_pushed_segments).
    acks_pushed: bool,
    /// [`Parameters::acks_second_short`](crate::tcp::Parameters::acks_second_short).
    acks_second: bool,
}

impl Lengths {
    /// `guess`: the assumed MSS in bytes before any segment arrives.
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
            learns_short: config.parameters.learns_short_mss,
            acks_pushed: config.parameters.acks_pushed_segments,
            acks_second: config.parameters.acks_second_short,
        }
    }

    /// Takes a segment of `len` bytes into account. Two successive segments that are shorter than the MSS and
    /// equally long are taken for full-sized ones, so that the second asks for no ACK when it is read: a sender
    /// of small writes then waits for the delayed ACK and coalesces what it writes meanwhile.
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

    /// Whether an ACK is due at once when the queue has been read empty.
    pub fn asks_for_ack(&self, is_pingpong: bool) -> bool {
        self.is_pushed_twice || (self.is_pushed && !is_pingpong)
    }

    /// An ACK was sent: no pushed segment is outstanding.
    pub fn forget_pushes(&mut self) {
        self.is_pushed = false;
        self.is_pushed_twice = false;
    }
}
