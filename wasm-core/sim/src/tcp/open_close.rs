//! Opening and closing: the three-way handshake and the FINs from the user's side.
//!
//! Facts: RFC 9293 §3.5, §3.6, §3.10.1, §3.10.4 and `tcp_v4_connect`, `tcp_v4_conn_request`,
//! `tcp_close` (v6.1).

use super::congestion::{Start, Window};
use super::{Flags, Segment, State, Tcb, TcpConfig};
use crate::time::SimTime;

impl Tcb {
    /// Active open: returns the SYN to send.
    pub fn connect(&mut self, now: SimTime) -> Segment {
        self.state = State::SynSent;
        self.begin_handshake(now)
    }

    /// Passive open: a SYN arrived at a listening socket. Returns the control block of the new connection and
    /// the SYN-ACK to send.
    pub fn listen_accept(syn: &Segment, config: &TcpConfig, now: SimTime) -> (Tcb, Segment) {
        let mut tcb = Tcb::new(config);
        tcb.state = State::SynReceived;
        tcb.agree(syn);
        let syn_ack = tcb.begin_handshake(now);
        (tcb, syn_ack)
    }

    /// Closes the sending side: `next_segment` sends the FIN after the queued data.
    pub fn close(&mut self) {
        match self.state {
            State::Closed | State::Listen | State::SynSent => {
                self.become_closed();
                return;
            }
            State::SynReceived | State::Established => self.state = State::FinWait1,
            State::CloseWait => self.state = State::LastAck,
            State::FinWait1
            | State::FinWait2
            | State::Closing
            | State::LastAck
            | State::TimeWait => return,
        }
        self.has_closed = true;
    }

    /// Shuts down reading: data that arrive once the sending side is closed too are answered by a reset (RFC
    /// 1122 §4.2.2.13).
    pub fn shut_receive(&mut self) {
        self.is_rcv_shutdown = true;
    }

    /// Aborts the connection; returns the RST to send if the peer knows of the connection (RFC 9293 §3.10.5).
    pub fn abort(&mut self) -> Option<Segment> {
        let knows = !matches!(
            self.state,
            State::Closed | State::Listen | State::SynSent | State::TimeWait
        );
        self.become_closed();
        let mut reset = Segment {
            seq: self.snd_nxt,
            ack: self.receiver.rcv_nxt,
            flags: Flags::RST | Flags::ACK,
            ..Segment::default()
        };
        self.ecn_send(&mut reset);
        knows.then_some(reset)
    }

    pub(super) fn become_closed(&mut self) {
        self.state = State::Closed;
        self.timer.stop();
        self.receiver.ack_deadline = SimTime::NEVER;
        self.receiver.is_ack_scheduled = false;
    }

    fn begin_handshake(&mut self, now: SimTime) -> Segment {
        self.snd_nxt = 1;
        self.last_sent = now;
        self.timed_end = 1;
        self.timed_at = now;
        self.arm_retransmit(now);
        self.syn_segment()
    }

    /// The SYN, or the SYN-ACK once the peer's SYN has arrived.
    pub(super) fn syn_segment(&mut self) -> Segment {
        let mut segment = Segment {
            window: self.receiver.rcv_wnd,
            flags: Flags::SYN,
            mss: self.config.mss.min(65_535) as u16,
            sack_permitted: self.config.parameters.sack,
            is_retransmission: self.timer.retransmits > 0,
            ..Segment::default()
        };
        if self.receiver.rcv_nxt > 0 {
            self.receiver.stamp(&mut segment, false);
        }
        self.ecn_send_syn(&mut segment);
        segment
    }

    /// Takes the options that both ends must agree on from the peer's SYN.
    pub(super) fn agree(&mut self, syn: &Segment) {
        if syn.mss > 0 {
            self.mss = self.mss.min(u32::from(syn.mss));
        }
        self.sack = self.sack && syn.sack_permitted;
        self.window = Window::new(&self.config.parameters, self.mss);
        self.ecn_agree(syn, self.state == State::SynSent);
        self.receiver.synchronize(syn);
        self.snd_wl1 = syn.seq;
        self.set_window(syn.window);
    }

    /// The handshake is complete (`tcp_init_transfer`). If the SYN was lost more than once, the window is one
    /// segment, RFC 5681 §3.1.
    pub(super) fn establish(&mut self) {
        self.state = State::Established;
        self.widen_send_buffer(self.config.parameters.send_buffer_segments);
        if self.timer.retransmits > 1 {
            self.window.cwnd = self.mss;
        }
        self.timer.backoff = 0;
    }

    /// The congestion control begins, once the ACK that completed the handshake has been processed
    /// (`tcp_init_congestion_control`).
    pub(super) fn init_congestion_control(&mut self) {
        self.congestion.init(Start {
            knows_ecn: self.ecn.is_ok(),
            snd_nxt: self.snd_nxt,
            rcv_nxt: self.receiver.rcv_nxt,
        });
    }

    /// Takes the window that the peer offers. No segment is larger than half of the largest window seen
    /// (`tcp_bound_to_half_wnd`), so that two always fit.
    pub(super) fn set_window(&mut self, window: u32) {
        self.snd_wnd = window;
        if window > self.max_window {
            self.max_window = window;
            let bound = if window > 536 { window / 2 } else { window };
            self.send_mss = self.mss.min(bound);
        } else if self.max_window == 0 {
            self.send_mss = self.mss;
        }
    }
}
