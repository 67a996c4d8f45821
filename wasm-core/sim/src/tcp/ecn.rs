//! Explicit congestion notification: who asks for it, what segments say of it, and what a marked one changes.
//!
//! A sender of data says in their IP headers that it knows ECN. A queue marks such a packet where it would drop
//! another; the receiver echoes that in each segment (ECE) until the sender says that it has reduced its window (CWR),
//! which it does once in a round trip. Source: RFC 3168 §6.1; `tcp_ecn_*` of `net/ipv4/tcp_output.c` and
//! `net/ipv4/tcp_input.c` (v6.1). What is simpler is in `simplified.rs`.

use serde::{Deserialize, Serialize};

use super::{CaState, Flags, Received, Segment, Tcb};
use crate::ecn::Ecn;
use crate::time::SimTime;

/// ACKs that are sent without delay when the first mark of a window arrives (`tcp_enter_quickack_mode(sk, 2)`).
const QUICK_ACKS: u32 = 2;

/// Explicit congestion notification (`net.ipv4.tcp_ecn`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Ecn"))]
#[serde(rename_all = "snake_case")]
pub enum EcnMode {
    /// 0: it is neither asked for nor agreed to.
    #[default]
    Never,
    /// 1: it is asked for, and agreed to where the other end asks.
    Asks,
    /// 2: it is agreed to where the other end asks.
    Passive,
}

impl EcnMode {
    /// That of a value of the sysctl.
    pub fn of_sysctl(value: u64) -> Self {
        match value {
            0 => Self::Never,
            1 => Self::Asks,
            _ => Self::Passive,
        }
    }
}

/// What a connection knows of ECN (`ecn_flags`).
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent flags, as in the kernel"
)]
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct EcnFlags {
    /// Both ends agreed, or our SYN has asked (`TCP_ECN_OK`).
    is_ok: bool,
    /// The next new data say that the window was reduced (`TCP_ECN_QUEUE_CWR`).
    queues_cwr: bool,
    /// A mark came, and nothing yet says that the window was reduced (`TCP_ECN_DEMAND_CWR`).
    demands_cwr: bool,
    /// A segment came whose header knew ECN (`TCP_ECN_SEEN`).
    has_seen: bool,
}

impl EcnFlags {
    /// The sender will say that it has reduced its window (`tcp_ecn_queue_cwr`).
    pub fn queue_cwr(&mut self) {
        self.queues_cwr |= self.is_ok;
    }

    /// The reduction was undone (`tcp_ecn_withdraw_cwr`).
    pub fn withdraw_cwr(&mut self) {
        self.queues_cwr = false;
    }

    /// Whether both ends agreed, or our SYN has asked.
    pub fn is_ok(self) -> bool {
        self.is_ok
    }

    /// Whether a segment tells the sender of a mark (`tcp_ecn_rcv_ecn_echo`).
    pub fn is_echoed_by(self, segment: &Segment) -> bool {
        self.is_ok && segment.flags.contains(Flags::ECE) && !segment.flags.contains(Flags::SYN)
    }
}

impl Tcb {
    /// What our SYN asks, or our SYN-ACK answers. A SYN that is sent again does not ask, as what dropped it may have
    /// been the question (RFC 3168 §6.1.1.1, `net.ipv4.tcp_ecn_fallback`).
    pub(super) fn ecn_send_syn(&mut self, segment: &mut Segment) {
        let needs_ecn = self.congestion.needs_ecn();
        if needs_ecn {
            segment.ecn = Ecn::Ect0;
        }
        if segment.flags.contains(Flags::ACK) {
            // tcp_ecn_make_synack, tcp_ecn_send_synack
            if self.ecn.is_ok {
                segment.flags = segment.flags | Flags::ECE;
            }
        } else if !segment.is_retransmission {
            // tcp_ecn_send_syn
            self.ecn.is_ok = self.config.parameters.ecn == Some(EcnMode::Asks) || needs_ecn;
            if self.ecn.is_ok {
                segment.flags = segment.flags | Flags::ECE | Flags::CWR;
            }
        }
    }

    /// What the peer's SYN or SYN-ACK says, to which our own SYN has gone before or not.
    pub(super) fn ecn_agree(&mut self, syn: &Segment, has_sent_syn: bool) {
        let (ece, cwr) = (Flags::ECE, Flags::CWR);
        let asks = syn.flags.contains(ece | cwr);
        self.ecn.is_ok = if !has_sent_syn {
            // tcp_ecn_create_request: a SYN whose own header says that it knows ECN is not one of RFC 3168.
            let mode = self.config.parameters.ecn.unwrap_or_default();
            let agrees = syn.ecn == Ecn::NotEct && mode != EcnMode::Never;
            asks && (agrees || self.congestion.needs_ecn())
        } else if syn.flags.contains(Flags::ACK) {
            // tcp_ecn_rcv_synack: who only sends back what it got has not understood.
            self.ecn.is_ok && syn.flags.contains(ece) && !syn.flags.contains(cwr)
        } else {
            // tcp_ecn_rcv_syn, where both ends open at once.
            self.ecn.is_ok && asks
        };
    }

    /// The flags of a segment after the handshake, and what its IP header says: new data alone are sent as such that
    /// know ECN, unless the congestion control needs it of all (`tcp_ecn_send`; RFC 3168 §6.1.4 and §6.1.5).
    pub(super) fn ecn_send(&mut self, segment: &mut Segment) {
        if !self.ecn.is_ok {
            return;
        }
        if segment.len > 0 && !segment.is_retransmission {
            segment.ecn = Ecn::Ect0;
            if std::mem::take(&mut self.ecn.queues_cwr) {
                segment.flags = segment.flags | Flags::CWR;
            }
        } else if self.congestion.needs_ecn() {
            segment.ecn = Ecn::Ect0;
        }
        if self.ecn.demands_cwr {
            segment.flags = segment.flags | Flags::ECE;
        }
    }

    /// The sender has reduced its window. It may have almost none left, so that it is answered at once
    /// (`tcp_ecn_accept_cwr`). Linux takes the flag from segments without data too.
    pub(super) fn ecn_accept_cwr(&mut self, segment: &Segment, out: &mut Received) {
        if segment.flags.contains(Flags::CWR) {
            self.ecn.demands_cwr = false;
            if segment.seq != segment.end() {
                self.owe_ack_now(out);
            }
        }
    }

    /// Data arrived: a mark is echoed from now on, and data without any sign of ECN are taken for a retransmission
    /// (`tcp_ecn_check_ce`).
    pub(super) fn ecn_check_ce(&mut self, segment: &Segment, now: SimTime, out: &mut Received) {
        if !self.ecn.is_ok {
            return;
        }
        let is_marked = segment.ecn == Ecn::Ce;
        if segment.ecn != Ecn::NotEct && self.congestion.needs_ecn() {
            self.ecn_tell_exactly(is_marked, now, out);
        }
        let is_first_mark = is_marked && !self.ecn.demands_cwr;
        let is_sent_again = segment.ecn == Ecn::NotEct && self.ecn.has_seen;
        if is_first_mark || is_sent_again {
            self.receiver.enter_quick_acks(QUICK_ACKS);
        }
        self.ecn.demands_cwr |= is_marked;
        self.ecn.has_seen |= segment.ecn != Ecn::NotEct;
    }

    /// ACKs tell of the last data alone, marked or not: where these are not as those before, an ACK that waits for
    /// more goes first, up to those, and the one of these data goes at once (`dctcp_ece_ack_update`).
    fn ecn_tell_exactly(&mut self, is_marked: bool, now: SimTime, out: &mut Received) {
        let rcv_nxt = self.receiver.rcv_nxt;
        if let Some(before) = self.congestion.marks_change(is_marked, rcv_nxt) {
            if self.receiver.ack_deadline != SimTime::NEVER {
                let mut earlier = Segment {
                    seq: self.snd_nxt,
                    ..Segment::default()
                };
                self.receiver.clock = now;
                self.receiver.stamp_earlier(&mut earlier, before);
                self.ecn_send(&mut earlier);
                self.earlier_acks.push_back(earlier);
            }
            self.owe_ack_now(out);
        }
        self.ecn.demands_cwr = is_marked;
    }

    /// Whether an ACK of what came before marks began or ended is to go before that of the last data.
    pub fn owes_earlier_ack(&self) -> bool {
        !self.earlier_acks.is_empty()
    }

    /// An ACK tells of a mark: the window is reduced unless that is under way, and the reduction stands
    /// (`tcp_enter_cwr`; RFC 3168 §6.1.2: once in a round trip).
    pub(super) fn enter_cwr(&mut self) {
        self.forget_windows();
        if self.ca_state < CaState::Cwr {
            self.begin_reduction(CaState::Cwr);
        }
    }

    /// An ACK arrived: the reduction is over once more is acknowledged than had been sent when it began, so that the
    /// segment with CWR has arrived.
    pub(super) fn leave_cwr(&mut self) {
        if self.ca_state == CaState::Cwr && self.snd_una > self.scoreboard.high_seq {
            self.window.cwnd = self.window.ssthresh;
            self.set_ca_state(CaState::Open);
        }
    }
}
