//! A segment arrives: the checks in the order of RFC 9293 §3.10.7, then its ACK, then its data.
//!
//! Facts: RFC 5961 (which RST and SYN segments are accepted) and `tcp_rcv_state_process`,
//! `tcp_validate_incoming`, `tcp_fin` of `net/ipv4/tcp_input.c` (v6.1).

use super::{AckNeed, Flags, Received, Segment, State, Tcb};
use crate::time::SimTime;

impl Tcb {
    /// Processes a segment of this connection; returns what it delivered and whether an ACK is due.
    pub fn on_segment(&mut self, segment: &Segment, now: SimTime) -> Received {
        let mut out = Received::default();
        let before = self.state;
        self.receiver.replace_ts_recent(segment, now);
        match self.state {
            State::Closed | State::Listen => return out,
            State::SynSent => self.on_segment_in_syn_sent(segment, now, &mut out),
            State::SynReceived
            | State::Established
            | State::FinWait1
            | State::FinWait2
            | State::CloseWait
            | State::Closing
            | State::LastAck
            | State::TimeWait => self.on_segment_synchronized(segment, now, &mut out),
        }
        if self.state != before {
            out.became = Some(self.state);
        }
        out.can_send = self.has_something_to_send();
        out
    }

    /// RFC 9293 §3.10.7.3.
    fn on_segment_in_syn_sent(&mut self, segment: &Segment, now: SimTime, out: &mut Received) {
        let acks_syn = segment.flags.contains(Flags::ACK) && segment.ack == self.snd_nxt;
        if segment.flags.contains(Flags::ACK) && !acks_syn {
            return;
        }
        if segment.flags.contains(Flags::RST) {
            if acks_syn {
                self.be_reset(out);
            }
            return;
        }
        if !segment.flags.contains(Flags::SYN) {
            return;
        }
        self.agree(segment);
        if acks_syn {
            self.establish();
            self.on_ack(segment, now, out);
            self.init_congestion_control();
            self.owe_ack_now(out);
        } else {
            // Both sides open at once, RFC 9293 §3.5 figure 8.
            self.state = State::SynReceived;
            self.is_syn_due = true;
        }
    }

    /// RFC 9293 §3.10.7.4: every state in which the peer's initial sequence number is known.
    fn on_segment_synchronized(&mut self, segment: &Segment, now: SimTime, out: &mut Received) {
        if !self.is_acceptable(segment) {
            out.is_duplicate = segment.len > 0;
            if !segment.flags.contains(Flags::RST) {
                self.receiver.enter_quick_acks(self.receiver.max_quick);
                self.owe_ack_now(out);
            }
            return;
        }
        if segment.flags.has_any(Flags::SYN | Flags::RST)
            && self.is_settled_by_control(segment, out)
        {
            return;
        }
        if !segment.flags.contains(Flags::ACK) {
            return;
        }
        let completes_handshake = self.state == State::SynReceived;
        if completes_handshake {
            if segment.ack == 0 || segment.ack > self.snd_nxt {
                return;
            }
            self.establish();
        }
        let is_acceptable = self.on_ack(segment, now, out);
        if completes_handshake {
            self.init_congestion_control();
        }
        if !is_acceptable {
            // It acknowledges sequence numbers that were never sent.
            self.owe_ack_now(out);
            return;
        }
        let is_unread = segment.len > 0
            && segment.seq + u64::from(segment.len) > self.receiver.rcv_nxt
            && matches!(self.state, State::FinWait1 | State::FinWait2);
        if self.is_rcv_shutdown && is_unread {
            // tcp_rcv_state_process, step 7: RFC 1122 requires a reset.
            out.refuses = true;
            self.become_closed();
            return;
        }
        if self.state != State::Closed && (segment.len > 0 || segment.flags.contains(Flags::FIN)) {
            self.on_data(segment, now, out);
        }
    }

    /// First check: the segment overlaps the receive window, or ends at the last ACK sent (`tcp_sequence`).
    fn is_acceptable(&self, segment: &Segment) -> bool {
        let receiver = &self.receiver;
        receiver.rcv_wup <= segment.end()
            && segment.seq <= receiver.right_edge().max(receiver.rcv_nxt)
    }

    /// Second to fourth check, RST and SYN; returns whether processing ends here.
    fn is_settled_by_control(&mut self, segment: &Segment, out: &mut Received) -> bool {
        if segment.flags.contains(Flags::RST) {
            if segment.seq == self.receiver.rcv_nxt || self.state == State::SynReceived {
                self.be_reset(out);
            } else {
                // RFC 5961 §3.2: a challenge ACK.
                self.owe_ack_now(out);
            }
            return true;
        }
        if self.state == State::SynReceived {
            if segment.flags.contains(Flags::ACK) {
                // The SYN-ACK of a simultaneous open acknowledges our SYN.
                self.owe_ack_now(out);
                return false;
            }
            // Our SYN-ACK was lost: the peer retransmits its SYN.
            self.is_syn_due = true;
            return true;
        }
        // RFC 5961 §4.2; this also answers a retransmitted SYN-ACK whose ACK was lost.
        self.owe_ack_now(out);
        true
    }

    /// Seventh and eighth check: the payload and the FIN.
    fn on_data(&mut self, segment: &Segment, now: SimTime, out: &mut Received) {
        self.receiver.queue(segment, now, self.rtt.rto, out);
        if segment.len > 0 && (out.is_out_of_order || !out.is_duplicate) {
            self.ecn_check_ce(segment, now, out);
        }
        if self.state == State::TimeWait {
            self.arm_time_wait(now);
        }
        if out.fin {
            self.on_fin(now, out);
        }
        // RFC 5681 §4.2: an immediate ACK for data that fill a hole. Those of data behind one may wait for each other.
        let is_about_hole = out.is_out_of_order || out.drained_segments > 0;
        let is_filled = is_about_hole && self.receiver.out_of_order.is_empty();
        if is_filled || out.is_duplicate && !out.is_out_of_order {
            self.owe_ack_now(out);
        } else if out.send_ack != AckNeed::Now {
            let rtt = self.sack.then_some(self.rtt.srtt);
            out.send_ack = self.receiver.ack_need(rtt, now);
        }
    }

    /// `tcp_fin`: everything up to and including the peer's FIN has arrived.
    fn on_fin(&mut self, now: SimTime, out: &mut Received) {
        match self.state {
            State::SynReceived | State::Established => {
                self.state = State::CloseWait;
                // The ACK may be piggybacked on our own FIN.
                self.receiver.is_pingpong = true;
            }
            State::FinWait1 => {
                self.state = State::Closing;
                self.owe_ack_now(out);
            }
            State::FinWait2 => {
                self.state = State::TimeWait;
                self.arm_time_wait(now);
                self.owe_ack_now(out);
            }
            State::Closed
            | State::Listen
            | State::SynSent
            | State::CloseWait
            | State::Closing
            | State::LastAck
            | State::TimeWait => {}
        }
    }

    fn be_reset(&mut self, out: &mut Received) {
        out.is_reset = true;
        self.become_closed();
    }

    pub(super) fn owe_ack_now(&mut self, out: &mut Received) {
        self.receiver.is_ack_scheduled = true;
        out.send_ack = AckNeed::Now;
    }
}
