//! TCP as a pure state machine: sequence numbers and lengths in, segments and verdicts out.
//!
//! It knows no bytes, no cost, no engine; time is an argument. Facts: RFC 9293, 5681, 6298,
//! 6582, 6675 and `net/ipv4/tcp_*.c` (v6.1 unless said otherwise). Where it is simpler than
//! Linux, `simplified.rs` says what a learner would see differently.

mod config;

mod segment;

mod ranges;

mod autotune;

mod receive;

mod rtt;

mod congestion;

mod scoreboard;

mod open_close;

mod incoming;

mod ack;

mod send;

mod timers;

mod simplified;

#[cfg(test)]
mod tests;

use std::fmt;

use crate::sim::time::SimTime;
use congestion::Window;
use receive::Receiver;
use rtt::Rtt;
use scoreboard::Scoreboard;
use timers::Timer;

pub use config::{Congestion, TcpConfig};
pub use segment::{Flags, SackBlocks, Segment};
pub use simplified::SIMPLIFICATIONS;
pub use timers::TimerOutcome;

/// The state of a connection, RFC 9293 §3.3.2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
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

/// What the sender thinks of the network (`enum tcp_ca_state`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaState {
    /// Nothing suspicious.
    Open,
    /// Duplicate ACKs, too few to call it a loss.
    Disorder,
    /// Fast recovery.
    Recovery,
    /// The retransmission timer went off.
    Loss,
}

impl fmt::Display for CaState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CaState::Open => "TCP_CA_Open",
            CaState::Disorder => "TCP_CA_Disorder",
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

/// What a segment did.
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
    /// Whether it was a duplicate ACK: one that hints at a loss (RFC 5681 §2).
    pub is_duplicate_ack: bool,
    /// Whether something may wait to be sent: call `next_segment` until it gives `None`.
    pub can_send: bool,
    /// Whether the other side's FIN was reached: the reader will see the end.
    pub fin: bool,
    /// Whether the connection was reset.
    pub is_reset: bool,
    /// Whether data came that nobody will read: the answer is a reset.
    pub refuses: bool,
    /// Whether a writer waiting for send buffer may go on (`sk_stream_write_space`).
    pub room_opened: bool,
}

/// One end of a connection: `struct tcp_sock`, as far as the protocol goes.
///
/// After `on_segment`, the caller does what `tcp_rcv_established` does: `next_segment` until
/// `None` if `can_send`, then `ack_segment` if `send_ack` was `Now` and an ACK is still owed.
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts, each a question of its own"
)]
#[derive(Debug, Clone)]
pub struct Tcb {
    config: TcpConfig,
    state: State,
    /// The agreed MSS in bytes, and what half the peer's window leaves of it.
    mss: u32,
    send_mss: u32,
    /// SND.UNA, SND.NXT, and the sequence number after the last byte written.
    snd_una: u64,
    snd_nxt: u64,
    write_end: u64,
    /// SND.WND, the widest ever offered, and SND.WL1 (RFC 9293 §3.3.1).
    snd_wnd: u32,
    max_window: u32,
    snd_wl1: u64,
    /// End of the last small segment sent: Minshall's Nagle (`snd_sml`).
    snd_sml: u64,
    /// A small segment waits until more is written (`TCP_CORK`, `MSG_MORE`).
    is_corked: bool,
    has_more: bool,
    /// Bytes that the write queue may hold now (`sk_sndbuf`).
    send_buffer: u32,
    has_closed: bool,
    /// Nobody will read any more (`RCV_SHUTDOWN`).
    is_deaf: bool,
    /// A SYN or SYN-ACK is to be sent again.
    is_syn_due: bool,
    /// A window probe is to be sent.
    is_probe_due: bool,
    sack: bool,
    ca_state: CaState,
    dup_acks: u32,
    scoreboard: Scoreboard,
    window: Window,
    /// Most bytes in flight since `usage_end` was SND.NXT (`max_packets_out`), and whether
    /// the congestion window was then the limit.
    max_flight: u32,
    usage_end: u64,
    is_cwnd_limited: bool,
    last_sent: SimTime,
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
        Tcb {
            config: *config,
            state: State::Closed,
            mss,
            send_mss: mss,
            snd_una: 0,
            snd_nxt: 0,
            write_end: 1,
            snd_wnd: 0,
            max_window: 0,
            snd_wl1: 0,
            snd_sml: 0,
            send_buffer: config.send_buffer,
            has_closed: false,
            is_deaf: false,
            is_corked: false,
            has_more: false,
            is_syn_due: false,
            is_probe_due: false,
            sack: config.sack,
            ca_state: CaState::Open,
            dup_acks: 0,
            scoreboard: Scoreboard::default(),
            window: Window::new(config, mss),
            max_flight: 0,
            usage_end: 0,
            is_cwnd_limited: false,
            last_sent: SimTime(0),
            rtt: Rtt::new(config.initial_rto),
            timed_end: 0,
            timed_at: SimTime(0),
            timer: Timer::default(),
            receiver: Receiver::new(config, mss),
        }
    }

    /// The state.
    pub fn state(&self) -> State {
        self.state
    }

    /// What the sender thinks of the network.
    pub fn ca_state(&self) -> CaState {
        self.ca_state
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
        self.write_end.saturating_sub(self.snd_nxt.max(1)) as u32
    }

    /// Bytes in the network, as far as the sender knows (`tcp_packets_in_flight`, in bytes).
    pub fn in_flight(&self) -> u32 {
        self.pipe()
    }

    /// Smoothed round-trip time; 0 before the first sample.
    pub fn srtt(&self) -> SimTime {
        self.rtt.srtt
    }

    /// The retransmission timeout without back-off.
    pub fn rto(&self) -> SimTime {
        self.rtt.rto
    }

    /// Whether the sending side is closed: nothing more can be written.
    pub fn is_closing(&self) -> bool {
        self.has_closed || self.state == State::Closed
    }

    /// Whether the connection is over.
    pub fn is_dead(&self) -> bool {
        self.state == State::Closed
    }

    /// Whether an ACK is owed.
    pub fn is_ack_scheduled(&self) -> bool {
        self.receiver.is_ack_scheduled
    }

    /// Whether the other side's FIN has been reached.
    pub fn has_received_fin(&self) -> bool {
        self.receiver.has_received_fin()
    }
}
