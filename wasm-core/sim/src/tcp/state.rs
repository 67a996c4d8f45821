//! Read-only view of a connection: its state, windows and flight size (`tcp_get_info`).

use super::{CaState, State, Tcb};
use crate::time::SimTime;

impl Tcb {
    /// The connection's state, RFC 9293 §3.3.2.
    pub fn state(&self) -> State {
        self.state
    }

    /// The state of congestion control (`icsk_ca_state`).
    pub fn ca_state(&self) -> CaState {
        self.ca_state
    }

    /// The name of its congestion control (`TCP_CONGESTION`).
    pub fn congestion_control(&self) -> &'static str {
        self.config.parameters.congestion.kind().name
    }

    /// Congestion window in bytes.
    pub fn cwnd(&self) -> u32 {
        self.window.cwnd
    }

    /// Slow start threshold in bytes; a GiB before the first loss.
    pub fn ssthresh(&self) -> u32 {
        self.window.ssthresh
    }

    /// The agreed MSS in bytes.
    pub fn mss(&self) -> u32 {
        self.mss
    }

    /// SND.UNA: the oldest sequence number not acknowledged.
    pub fn snd_una(&self) -> u64 {
        self.snd_una
    }

    /// SND.NXT: the next sequence number to be sent for the first time.
    pub fn snd_nxt(&self) -> u64 {
        self.snd_nxt
    }

    /// RCV.NXT: the next sequence number expected.
    pub fn rcv_nxt(&self) -> u64 {
        self.receiver.rcv_nxt
    }

    /// Bytes received in order and not yet read.
    pub fn unread(&self) -> u32 {
        self.receiver.unread
    }

    /// Bytes in the out-of-order queue.
    pub fn out_of_order_bytes(&self) -> u32 {
        self.receiver.out_of_order.bytes() as u32
    }

    /// Bytes written and not yet sent.
    pub fn unsent(&self) -> u32 {
        self.write_queue.unsent(self.snd_nxt) as u32
    }

    /// Bytes in the network, as far as the sender knows (`tcp_packets_in_flight`, in bytes).
    pub fn in_flight(&self) -> u32 {
        self.pipe()
    }

    /// Smoothed round-trip time; 0 before the first sample.
    pub fn srtt(&self) -> SimTime {
        self.rtt.srtt
    }

    /// Segments that are SACKed, that are considered lost, and that were retransmitted.
    pub fn marked(&self) -> [u32; 3] {
        if self.uses_rack() {
            let rtx = &self.rtx;
            return [rtx.sacked, rtx.lost, rtx.resent].map(|bytes| self.segments(bytes));
        }
        let sacked = self.scoreboard.sacked.bytes() + u64::from(self.scoreboard.reno_sacked);
        let lost = self.scoreboard.left_out() - sacked;
        [sacked, lost, 0].map(|bytes| self.segments(bytes))
    }

    /// The retransmission timeout without back-off.
    pub fn rto(&self) -> SimTime {
        self.rtt.rto
    }

    /// Whether the sending side is closed: nothing more can be written.
    pub fn is_closing(&self) -> bool {
        self.has_closed || self.state == State::Closed
    }

    /// Whether reading is shut down (`RCV_SHUTDOWN`).
    pub fn is_rcv_shutdown(&self) -> bool {
        self.is_rcv_shutdown
    }

    /// Whether the connection has ended.
    pub fn is_dead(&self) -> bool {
        self.state == State::Closed
    }

    /// Whether an ACK is due.
    pub fn is_ack_scheduled(&self) -> bool {
        self.receiver.is_ack_scheduled
    }

    /// Whether everything up to and including the peer's FIN was received.
    pub fn has_received_fin(&self) -> bool {
        self.receiver.has_received_fin()
    }
}
