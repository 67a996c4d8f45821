//! The fields that the tracepoint `tcp:tcp_probe` reports (`include/trace/events/tcp.h`, v6.1).

use super::Tcb;
use super::congestion::LARGEST_BYTES;
use ringside::kernel::Field;

/// `TCP_INFINITE_SSTHRESH`: the threshold before the first loss (`include/net/tcp.h`, v6.1).
const INFINITE_SSTHRESH: u32 = 0x7fff_ffff;

/// The state of a connection when a segment arrives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Probed {
    /// Lower 32 bits of SND.NXT.
    pub snd_nxt: u32,
    /// Lower 32 bits of SND.UNA.
    pub snd_una: u32,
    /// Congestion window in segments.
    pub snd_cwnd: u32,
    /// Slow start threshold in segments (`tcp_current_ssthresh`).
    pub ssthresh: u32,
    /// SND.WND: the peer's last advertised window in bytes.
    pub snd_wnd: u32,
    /// Smoothed round-trip time in microseconds.
    pub srtt_us: u32,
    /// The window advertised last to the peer, in bytes.
    pub rcv_wnd: u32,
}

impl Probed {
    /// The values as fields, in the order of the tracepoint.
    pub const fn fields(self) -> [(Field, u32); 7] {
        [
            (Field::SndNxt, self.snd_nxt),
            (Field::SndUna, self.snd_una),
            (Field::SndCwnd, self.snd_cwnd),
            (Field::Ssthresh, self.ssthresh),
            (Field::SndWnd, self.snd_wnd),
            (Field::Srtt, self.srtt_us),
            (Field::RcvWnd, self.rcv_wnd),
        ]
    }
}

impl Tcb {
    /// What `tcp_probe` would report now; `tcp_rcv_established` calls it before any processing.
    pub fn probed(&self) -> Probed {
        Probed {
            snd_nxt: self.snd_nxt as u32,
            snd_una: self.snd_una as u32,
            snd_cwnd: self.window.cwnd / self.mss,
            ssthresh: self.ssthresh_segments(),
            snd_wnd: self.snd_wnd,
            srtt_us: u32::try_from(self.rtt.srtt.us()).unwrap_or(u32::MAX),
            rcv_wnd: self.receiver.rcv_wnd,
        }
    }

    fn ssthresh_segments(&self) -> u32 {
        if self.window.ssthresh >= LARGEST_BYTES {
            return INFINITE_SSTHRESH;
        }
        self.window.current_ssthresh(self.ca_state) / self.mss
    }
}
