//! TCP as a pure state machine: sequence numbers and lengths in, segments and verdicts out.
//!
//! It knows neither the bytes nor costs nor the engine; time is an argument. Facts: RFC
//! 9293, 5681, 6298, 6582, 6675 and `net/ipv4/tcp_*.c` (v6.1 unless said otherwise). Where
//! it is simpler than Linux, `simplified.rs` says what a learner would see differently.
//!
//! A segment comes in by `incoming` and its acknowledgement goes through `ack`, or `ack_rack` where it is known when each
//! segment was sent; data go to `receiving`. What is lost is `recovery`'s, how much may be on the way `congestion`'s, and
//! what goes out next `sending`'s.

mod config;
mod parameters;
mod segment;

mod ranges;
mod rtt;

pub mod congestion;
mod receiving;
mod recovery;
mod sending;

mod open_close;

mod incoming;

mod ack;
mod ack_rack;

mod ecn;
mod timers;

mod probe;
mod state;

mod simplified;

#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::fmt;

use crate::time::SimTime;
use congestion::{CongestionControl, Usage, Window};
use ecn::EcnFlags;
use receiving::receive::Receiver;
use recovery::loss_probe::LossProbe;
use recovery::prr::Prr;
use recovery::rack::Rack;
use recovery::rtx_queue::RtxQueue;
use recovery::scoreboard::Scoreboard;
use recovery::undo::Undo;
use rtt::Rtt;
use sending::pacing::Pacing;
use sending::small_queue::SmallQueue;
use sending::write_queue::WriteQueue;
use timers::Timer;

pub use config::TcpConfig;
pub use ecn::EcnMode;
pub use parameters::{Coalescing, OwnedRetry, Parameters, Recovery, SegmentMemory};
pub use probe::Probed;
pub use segment::{Flags, SackBlocks, Segment};
pub use sending::write_queue::{Appended, Push};
pub use simplified::SIMPLIFICATIONS;
pub use timers::TimerOutcome;

/// The state of a connection, RFC 9293 §3.3.2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// No connection.
    Closed,
    /// Waiting for a SYN. A control block made by `listen_accept` begins behind it.
    Listen,
    /// SYN sent.
    SynSent,
    /// SYN received, SYN-ACK sent.
    SynReceived,
    /// Data flows.
    Established,
    /// Closed here; the FIN is not acknowledged.
    FinWait1,
    /// Closed here; the FIN is acknowledged.
    FinWait2,
    /// The other side closed.
    CloseWait,
    /// Both closed at once; our FIN is not acknowledged.
    Closing,
    /// Both closed, the other side first; our FIN is not acknowledged.
    LastAck,
    /// Both closed; waiting for stray segments to die.
    TimeWait,
}

impl State {
    /// Whether the handshake is over.
    pub fn has_been_established(self) -> bool {
        match self {
            State::Closed | State::Listen | State::SynSent | State::SynReceived => false,
            State::Established
            | State::FinWait1
            | State::FinWait2
            | State::CloseWait
            | State::Closing
            | State::LastAck
            | State::TimeWait => true,
        }
    }
}

impl fmt::Display for State {
    /// The kernel's spelling (`include/net/tcp_states.h`).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            State::Closed => "TCP_CLOSE",
            State::Listen => "TCP_LISTEN",
            State::SynSent => "TCP_SYN_SENT",
            State::SynReceived => "TCP_SYN_RECV",
            State::Established => "TCP_ESTABLISHED",
            State::FinWait1 => "TCP_FIN_WAIT1",
            State::FinWait2 => "TCP_FIN_WAIT2",
            State::CloseWait => "TCP_CLOSE_WAIT",
            State::Closing => "TCP_CLOSING",
            State::LastAck => "TCP_LAST_ACK",
            State::TimeWait => "TCP_TIME_WAIT",
        })
    }
}

/// The sender's congestion state (`enum tcp_ca_state`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CaState {
    /// No sign of loss.
    Open,
    /// Duplicate ACKs, too few to call it a loss.
    Disorder,
    /// The window is being reduced after an echo of ECN.
    Cwr,
    /// Fast recovery.
    Recovery,
    /// The retransmission timer expired.
    Loss,
}

impl fmt::Display for CaState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CaState::Open => "TCP_CA_Open",
            CaState::Disorder => "TCP_CA_Disorder",
            CaState::Cwr => "TCP_CA_CWR",
            CaState::Recovery => "TCP_CA_Recovery",
            CaState::Loss => "TCP_CA_Loss",
        })
    }
}

/// Whether an ACK is owed after a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AckNeed {
    /// No ACK.
    #[default]
    None,
    /// An ACK may wait for data to ride on, or for the delayed ACK timer.
    Delayed,
    /// Send one now, unless `next_segment` has just sent data, which carries it.
    Now,
}

/// The outcome of a received segment.
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts, each a question of its own"
)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Received {
    /// Bytes that became readable: the segment's own and what its hole had held back.
    pub in_order: u32,
    /// Segments released from the out-of-order queue.
    pub drained_segments: u32,
    /// Payload bytes newly acknowledged.
    pub acked: u32,
    /// Whether an ACK is owed.
    pub send_ack: AckNeed,
    /// The state it led to, if another.
    pub became: Option<State>,
    /// Whether its data went to the out-of-order queue.
    pub is_out_of_order: bool,
    /// Whether its data had all been received before, or lay outside the window.
    pub is_duplicate: bool,
    /// Whether something may wait to be sent: call `next_segment` until it gives `None`.
    pub can_send: bool,
    /// Whether the other side's FIN was reached: the reader will see the end.
    pub fin: bool,
    /// Whether the connection was reset.
    pub is_reset: bool,
    /// Whether data came that nobody will read: the answer is a reset.
    pub refuses: bool,
}

/// One end of a connection: `struct tcp_sock`, as far as the protocol goes.
///
/// After `on_segment`, the caller does what `tcp_rcv_established` does: `next_segment` until
/// `None` if `can_send`, then `ack_segment` if `send_ack` was `Now` and an ACK is still owed.
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts, each a question of its own"
)]
#[derive(Debug)]
pub struct Tcb {
    config: TcpConfig,
    state: State,
    /// The agreed MSS in bytes, and what half the peer's window leaves of it.
    mss: u32,
    send_mss: u32,
    /// SND.UNA and SND.NXT.
    snd_una: u64,
    snd_nxt: u64,
    /// What was written, where its packets end, and how much of it the send buffer takes.
    write_queue: WriteQueue,
    /// SND.WND, the widest ever offered, and SND.WL1 (RFC 9293 §3.3.1).
    snd_wnd: u32,
    max_window: u32,
    snd_wl1: u64,
    /// End of the last small segment sent: Minshall's Nagle (`snd_sml`).
    snd_sml: u64,
    has_closed: bool,
    /// The receive side is shut down: data that come are refused (`RCV_SHUTDOWN`).
    is_rcv_shutdown: bool,
    /// A SYN or SYN-ACK is to be sent again.
    is_syn_due: bool,
    /// A window probe is to be sent.
    is_probe_due: bool,
    sack: bool,
    ca_state: CaState,
    dup_acks: u32,
    scoreboard: Scoreboard,
    /// What was sent, where RACK tells losses, and what it goes by.
    rtx: RtxQueue,
    rack: Rack,
    prr: Prr,
    loss_probe: LossProbe,
    undo: Undo,
    ecn: EcnFlags,
    /// ACKs of what came before marks began or ended, which go before the next.
    earlier_acks: VecDeque<Segment>,
    reordering_seen: u32,
    window: Window,
    /// What decides how it grows and shrinks.
    congestion: Box<dyn CongestionControl>,
    /// How much of the window is used.
    usage: Usage,
    last_sent: SimTime,
    /// What lies between TCP and the wire.
    small_queue: SmallQueue,
    /// When packets leave, where the queueing discipline paces.
    pacing: Pacing,
    /// One piece goes, however small a part of what is written (`push_one`).
    is_push_one: bool,
    rtt: Rtt,
    /// The segment being timed ends here; 0: none.
    timed_end: u64,
    timed_at: SimTime,
    timer: Timer,
    receiver: Receiver,
}

impl Tcb {
    /// A control block in CLOSED.
    pub fn new(config: &TcpConfig) -> Tcb {
        let mss = config.mss.clamp(1, 65_535);
        let parameters = &config.parameters;
        Tcb {
            config: *config,
            state: State::Closed,
            mss,
            send_mss: mss,
            snd_una: 0,
            snd_nxt: 0,
            write_queue: WriteQueue::new(parameters.send_buffer_bytes),
            snd_wnd: 0,
            max_window: 0,
            snd_wl1: 0,
            snd_sml: 0,
            has_closed: false,
            is_rcv_shutdown: false,
            is_syn_due: false,
            is_probe_due: false,
            sack: parameters.sack,
            ca_state: CaState::Open,
            dup_acks: 0,
            scoreboard: Scoreboard::default(),
            rtx: RtxQueue::default(),
            rack: Rack::default(),
            prr: Prr::default(),
            loss_probe: LossProbe::default(),
            undo: Undo::default(),
            ecn: EcnFlags::default(),
            earlier_acks: VecDeque::new(),
            reordering_seen: 0,
            window: Window::new(parameters, mss),
            congestion: parameters.congestion_controls.start(parameters.congestion),
            usage: Usage::default(),
            last_sent: SimTime(0),
            small_queue: SmallQueue::default(),
            pacing: Pacing::default(),
            is_push_one: false,
            rtt: Rtt::new(SimTime::from_ms(parameters.initial_rto_ms)),
            timed_end: 0,
            timed_at: SimTime(0),
            timer: Timer::default(),
            receiver: Receiver::new(config, mss),
        }
    }
}
