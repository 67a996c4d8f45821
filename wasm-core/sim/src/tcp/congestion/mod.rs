//! Congestion controls: how the congestion window grows, and what a loss or a mark takes from it.
//!
//! A congestion control is a folder with its parameters, what is wrong with them, its state and its tests, and a line
//! in [`ALL`]; in Linux it is a module that registers a `struct tcp_congestion_ops` (`include/net/tcp.h`, v6.1). The
//! choice in a scenario, its words and its schema, the check of a kernel's file and the refusal of what a kernel does
//! not have follow from that list. Which segments are lost, what is sent again and how the window comes down to the
//! threshold is the same with all of them.

mod bic;
mod cubic;
mod dctcp;
mod reno;
mod usage;
mod window;

use std::fmt;

use serde::Deserialize;

use super::CaState;
use crate::chosen::chosen;
use crate::simplification::Simplification;
use crate::time::SimTime;

pub use usage::Usage;
pub use window::{LARGEST_BYTES, Window};

/// Every congestion control. The first needs no parameters, and each kernel has it.
pub const ALL: &[Kind] = &[reno::KIND, bic::KIND, cubic::KIND, dctcp::KIND];

/// What is to be known of a congestion control beside its state.
#[derive(Debug)]
pub struct Kind {
    /// Its name (`struct tcp_congestion_ops: name`).
    pub name: &'static str,
    /// That of a new connection; `None` where the kernel does not have it.
    pub start: fn(&CongestionControls) -> Option<Box<dyn CongestionControl>>,
    /// What is wrong with its parameters in a kernel's file: the field and why.
    pub check: fn(&CongestionControls) -> Result<(), String>,
    /// What it leaves out or does in another way than Linux.
    pub left_out: Simplification,
}

chosen!(
    "congestion control",
    "Congestion",
    "A congestion control (`net.ipv4.tcp_congestion_control`)."
);

/// The congestion controls of a kernel that have parameters. Each kernel has `reno`, which has none.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct CongestionControls {
    /// `bic`, from 2.6.8 on.
    pub bic: Option<bic::Parameters>,
    /// `cubic`, from 2.6.13 on.
    pub cubic: Option<cubic::Parameters>,
    /// `dctcp`, from 3.18 on.
    pub dctcp: Option<dctcp::Parameters>,
}

impl CongestionControls {
    /// The names of all that this kernel has (`net.ipv4.tcp_available_congestion_control`).
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        let kinds = ALL.iter().filter(|kind| (kind.start)(self).is_some());
        kinds.map(|kind| kind.name)
    }

    /// Whether this kernel has it.
    pub fn has(&self, chosen: Chosen) -> bool {
        (chosen.kind().start)(self).is_some()
    }

    /// What is wrong with the parameters, with the place.
    pub fn check(&self) -> Result<(), String> {
        ALL.iter().try_for_each(|kind| {
            (kind.check)(self).map_err(|error| format!("{}.{error}", kind.name))
        })
    }

    /// The one that was chosen, for a new connection; Reno in place of one that the kernel does not have
    /// (`tcp_assign_congestion_control`).
    pub fn start(&self, chosen: Chosen) -> Box<dyn CongestionControl> {
        (chosen.kind().start)(self).unwrap_or_else(|| Box::new(reno::Reno))
    }
}

/// What a congestion control decides (`struct tcp_congestion_ops`).
pub trait CongestionControl: fmt::Debug {
    /// The connection is established.
    fn init(&mut self, _start: Start) {}

    /// Whether it asks for ECN whatever `tcp_ecn` says, and has every segment know it (`TCP_CONG_NEEDS_ECN`).
    fn needs_ecn(&self) -> bool {
        false
    }

    /// The threshold after a loss or a mark in bytes; it is two segments at least.
    fn ssthresh(&mut self, window: &Window) -> u32;

    /// An ACK of new data came while the window limited the sender: the window grows.
    fn cong_avoid(&mut self, window: &mut Window, ack: Ack);

    /// The state of congestion control changes, or is set anew.
    fn set_state(&mut self, _window: &mut Window, _from: CaState, _to: CaState) {}

    /// Something happened to the connection that is no ACK.
    fn cwnd_event(&mut self, _window: &mut Window, _event: CaEvent) {}

    /// An ACK came, and its losses and marks have not been dealt with.
    fn in_ack_event(&mut self, _ack: AckEvent) {}

    /// Data came that know ECN, marked or not, up to RCV.NXT (`CA_EVENT_ECN_IS_CE`, `CA_EVENT_ECN_NO_CE`). Where the
    /// data before were not as these are, it may be RCV.NXT behind those: it is told up to there and then anew. Asked
    /// only of one that needs ECN; without it, a mark is echoed until the sender says that it has reduced its window.
    fn marks_change(&mut self, _is_ce: bool, _rcv_nxt: u64) -> Option<u64> {
        None
    }

    /// An ACK gave a round-trip time.
    fn pkts_acked(&mut self, _window: &mut Window, _sample: &Sample) {}

    /// The window once a reduction turns out not to have been needed; before it, it was `before` bytes.
    fn undo_cwnd(&self, window: &Window, before: u32) -> u32 {
        window.cwnd.max(before)
    }
}

/// A connection as it is established.
#[derive(Debug, Clone, Copy)]
pub struct Start {
    /// Whether both ends agreed on ECN.
    pub knows_ecn: bool,
    /// SND.NXT.
    pub snd_nxt: u64,
    /// RCV.NXT.
    pub rcv_nxt: u64,
}

/// An ACK, whatever it acknowledges.
#[derive(Debug, Clone, Copy)]
pub struct AckEvent {
    /// SND.UNA after it.
    pub una: u64,
    /// SND.NXT.
    pub nxt: u64,
    /// Bytes that it told to be delivered, and no earlier one had.
    pub delivered: u64,
    /// Whether it tells of a mark (`CA_ACK_ECE`).
    pub is_echo: bool,
}

/// An ACK of new data.
#[derive(Debug, Clone, Copy)]
pub struct Ack {
    /// Bytes that it told to be delivered, and no earlier one had.
    pub bytes: u32,
    /// When it came.
    pub now: SimTime,
    /// The least round-trip time so far.
    pub min_rtt: SimTime,
}

/// A round-trip time (`struct ack_sample`), and what it is judged by.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    /// Of the last segment that the ACK acknowledges.
    pub rtt: SimTime,
    /// SND.UNA and SND.NXT after the ACK.
    pub una: u64,
    /// See `una`.
    pub nxt: u64,
    /// How much later the ACK may have come because segments were merged.
    pub ack_delay: SimTime,
    /// Whether segments leave at the pacing rate.
    pub is_paced: bool,
    /// When the ACK came.
    pub now: SimTime,
}

/// What happens to a connection (`enum tcp_ca_event`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaEvent {
    /// `CA_EVENT_TX_START`: data are sent with nothing on the way.
    TxStart {
        /// How long nothing was.
        idle: SimTime,
        /// When.
        now: SimTime,
    },
    /// `CA_EVENT_LOSS`: the threshold is reduced as a retransmission timeout begins.
    Loss,
}

#[cfg(test)]
mod tests;
