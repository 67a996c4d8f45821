//! DCTCP: the window shrinks by as much as there are marks. The receiver tells of each change between marked and
//! unmarked data, the sender estimates the share of marked bytes, and takes half of that share from its window.
//!
//! Source: RFC 8257; `net/ipv4/tcp_dctcp.c`, `tcp_dctcp.h` (v6.1). Where the other end knows no ECN it is Reno.

mod parameters;

use super::{Ack, AckEvent, CaEvent, CongestionControl, Kind, Start, Window};
use crate::simplification::Simplification;
use crate::tcp::CaState;

pub use parameters::Parameters;

/// For networks whose queues mark early and whose hosts are all one's own.
pub const KIND: Kind = Kind {
    name: "dctcp",
    start: |controls| {
        let parameters = controls.dctcp?;
        Some(Box::new(Dctcp::new(parameters)))
    },
    check: |controls| controls.dctcp.map_or(Ok(()), Parameters::check),
    left_out: Simplification {
        about: "dctcp",
        linux: "Counts packets, and a route can ask for it. An ACK that tells of an earlier mark is sent in the moment in \
                which the next segment is processed.",
        here: "Counts bytes, as RFC 8257 does. That ACK goes down behind the segment, before the segment's own.",
        seen: "Between two ACKs of a change there is a microsecond more or less.",
    },
};

/// All of the data were marked (`DCTCP_MAX_ALPHA`).
const LARGEST_ALPHA: u32 = 1024;

/// What it knows of a connection (`struct dctcp`).
#[derive(Debug)]
pub struct Dctcp {
    parameters: Parameters,
    /// Whether the other end knows no ECN (`dctcp_reno`).
    is_reno: bool,
    /// The estimated share of bytes that were marked, in 1024ths (`dctcp_alpha`).
    alpha: u32,
    /// The window of data that is observed ends here (`next_seq`).
    window_end: u64,
    /// Bytes that were delivered in it, and those of ACKs that told of a mark (`old_delivered`, `old_delivered_ce`).
    delivered: u64,
    marked: u64,
    /// Window in bytes before the last reduction (`loss_cwnd`).
    loss_cwnd: u32,
    /// Whether the last data were marked, and RCV.NXT behind them (`ce_state`, `prior_rcv_nxt`).
    ce_state: bool,
    prior_rcv_nxt: u64,
}

impl Dctcp {
    fn new(parameters: Parameters) -> Self {
        Self {
            parameters,
            is_reno: false,
            alpha: parameters.alpha_on_init_1024ths,
            window_end: 0,
            delivered: 0,
            marked: 0,
            loss_cwnd: 0,
            ce_state: false,
            prior_rcv_nxt: 0,
        }
    }

    /// A window of data is acknowledged: alpha = (1 - g) alpha + g M, where M is its marked share
    /// (`dctcp_update_alpha`).
    fn update_alpha(&mut self) {
        let gain = self.parameters.shift_g;
        let less = match self.alpha >> gain {
            0 => self.alpha,
            less => less,
        };
        let more = (self.marked << (10 - gain)) / self.delivered.max(1);
        self.alpha = (self.alpha - less + more as u32).min(LARGEST_ALPHA);
    }

    /// A loss halves the window, as Reno's (`dctcp_react_to_loss`).
    fn react_to_loss(&mut self, window: &mut Window) {
        self.loss_cwnd = window.cwnd;
        window.reduce_threshold(window.cwnd / 2);
    }
}

impl CongestionControl for Dctcp {
    /// `dctcp_init`
    fn init(&mut self, start: Start) {
        *self = Self {
            is_reno: !start.knows_ecn,
            window_end: start.snd_nxt,
            prior_rcv_nxt: start.rcv_nxt,
            ..Self::new(self.parameters)
        };
    }

    fn needs_ecn(&self) -> bool {
        !self.is_reno
    }

    /// `dctcp_ssthresh`: alpha / 2 less. What a loss takes, which is more, is set as that state is entered.
    fn ssthresh(&mut self, window: &Window) -> u32 {
        self.loss_cwnd = window.cwnd;
        if self.is_reno {
            return window.cwnd / 2;
        }
        let less = (u64::from(window.cwnd) * u64::from(self.alpha)) >> 11;
        window.cwnd - less as u32
    }

    /// `tcp_reno_cong_avoid`
    fn cong_avoid(&mut self, window: &mut Window, ack: Ack) {
        window.grow_as_reno(ack.bytes);
    }

    /// `dctcp_update_alpha`: what the ACK itself delivers counts for the next window, as in Linux.
    fn in_ack_event(&mut self, ack: AckEvent) {
        if ack.una >= self.window_end {
            self.update_alpha();
            self.window_end = ack.nxt;
            (self.delivered, self.marked) = (0, 0);
        }
        self.delivered += ack.delivered;
        if ack.is_echo {
            self.marked += ack.delivered;
        }
    }

    /// `dctcp_state`
    fn set_state(&mut self, window: &mut Window, from: CaState, to: CaState) {
        if to == CaState::Recovery && from != to && !self.is_reno {
            self.react_to_loss(window);
        }
    }

    /// `dctcp_cwnd_event`: a timeout's reduction.
    fn cwnd_event(&mut self, window: &mut Window, event: CaEvent) {
        if event == CaEvent::Loss && !self.is_reno {
            self.react_to_loss(window);
        }
    }

    /// `dctcp_ece_ack_update` (RFC 8257 §3.2, figure 1)
    fn marks_change(&mut self, is_ce: bool, rcv_nxt: u64) -> Option<u64> {
        let before = std::mem::replace(&mut self.prior_rcv_nxt, rcv_nxt);
        let was_ce = std::mem::replace(&mut self.ce_state, is_ce);
        (was_ce != is_ce).then_some(before)
    }

    /// `dctcp_cwnd_undo`
    fn undo_cwnd(&self, window: &Window, _before: u32) -> u32 {
        window.cwnd.max(self.loss_cwnd)
    }
}

#[cfg(test)]
mod tests;
