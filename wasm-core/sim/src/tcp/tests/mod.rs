//! Two control blocks and a pipe between them that loses, delays and doubles what it is told to.
//!
//! The pipe checks after every step what must always hold, so that every test does.

mod ecn;
mod golden;
mod handing_down;
mod holes;
mod open_close;
mod pacing;
mod random;
mod receiving;
mod recovery;
mod sending;
mod writing;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::*;

const MS: u64 = 1_000_000_000_000;
const MSS: u32 = 1_000;

fn ms(count: u64) -> SimTime {
    SimTime(count * MS)
}

/// What these tests begin with: a kernel's file that says no more than it must and what a current kernel says
/// otherwise, with round sizes of buffers. A rule that is not named here is off, as in a file that does not name it.
pub(super) fn parameters() -> Parameters {
    let file = serde_json::json!({
        "congestion": "reno",
        "initial_window_segments": 10,
        "slow_start_limit_segments": u32::MAX,
        "ecn": "passive",
        "sack": true,
        "nagle": true,
        "option_bytes": 12,
        "min_rto_ms": 200,
        "initial_rto_ms": 1_000,
        "max_rto_ms": 120_000,
        "retries": 15,
        "syn_retries": 6,
        "time_wait_ms": 60_000,
        "send_buffer_bytes": 1 << 20,
        "receive_buffer_bytes": 128_000,
        "window_permille": 500,
        "initial_receive_window_segments": 0,
        "grows_into_space": true,
        "delayed_ack_ms": 40,
        "quick_acks": 16,
        "learns_short_mss": true,
        "acks_second_short": true,
        "prequeue": false,
    });
    serde_json::from_value(file).unwrap()
}

/// A connection with them and a round MSS.
pub(super) fn config() -> TcpConfig {
    TcpConfig::new(parameters(), MSS, ms(4))
}

/// The same with Cubic.
pub(super) fn cubic(hystart: bool) -> TcpConfig {
    let cubic = serde_json::json!({ "cubic": { "hystart": hystart } });
    config().with(|kernel| {
        kernel.congestion = congestion::Chosen::named("cubic").unwrap();
        kernel.congestion_controls = serde_json::from_value(cubic).unwrap();
    })
}

impl TcpConfig {
    /// The same with some of the kernel's parameters changed.
    pub(super) fn with(mut self, change: impl FnOnce(&mut Parameters)) -> TcpConfig {
        change(&mut self.parameters);
        self
    }
}

/// What the pipe does with one segment: after how long it arrives, how many times, marked or not.
#[derive(Debug, Clone, Copy)]
enum Fate {
    Lost,
    After(u64),
    Twice(u64, u64),
    Marked(u64),
}

/// One end, with its user: a writer of `to_write` bytes and a reader.
struct End {
    tcb: Tcb,
    to_write: u32,
    written: u64,
    read: u64,
    readable: u64,
    /// Bytes the reader takes at once; 0: as they come.
    read_size: u32,
    closes: bool,
    has_closed: bool,
    /// What has really arrived, and the widest right edge really heard of.
    arrived: ranges::Ranges,
    heard_edge: u64,
}

impl End {
    fn new(tcb: Tcb) -> End {
        End {
            tcb,
            to_write: 0,
            written: 0,
            read: 0,
            readable: 0,
            read_size: 0,
            closes: true,
            has_closed: false,
            arrived: ranges::Ranges::default(),
            heard_edge: 0,
        }
    }

    fn hear(&mut self, segment: &Segment) {
        if segment.flags.contains(Flags::RST) {
            return;
        }
        self.arrived.insert(segment.seq, segment.end());
        if segment.flags.contains(Flags::ACK) {
            self.heard_edge = self.heard_edge.max(segment.ack + u64::from(segment.window));
        }
    }

    fn check(&self) {
        let tcb = &self.tcb;
        assert!(tcb.cwnd() >= tcb.mss(), "cwnd {} below an MSS", tcb.cwnd());
        assert!(tcb.snd_una() <= tcb.snd_nxt());
        assert!(
            self.written >= tcb.snd_nxt().saturating_sub(2),
            "sent what was not written"
        );
        assert_eq!(self.readable - self.read, u64::from(tcb.unread()));
        if tcb.rcv_nxt() > 0 {
            let known = self.arrived.containing(0).map_or(0, |range| range.end);
            assert!(
                tcb.rcv_nxt() <= known,
                "RCV.NXT {} went over a hole at {known}",
                tcb.rcv_nxt()
            );
        }
    }
}

/// Both ends and what is on its way.
struct Pipe {
    now: SimTime,
    ends: [End; 2],
    /// By time and order of sending: to which end, what.
    flying: BTreeMap<(SimTime, u64), (usize, Segment)>,
    sent: u64,
    /// Payload of one `next_segment`.
    max_payload: u32,
    log: String,
}

impl Pipe {
    /// A client that connects to a server; one way takes `delay_ms`.
    fn connected(client: &TcpConfig, server: &TcpConfig, delay_ms: u64) -> Pipe {
        let mut tcb = Tcb::new(client);
        let syn = tcb.connect(SimTime(0));
        let there = ms(delay_ms);
        let (accepted, syn_ack) = Tcb::listen_accept(&syn, server, there);
        let mut pipe = Pipe {
            now: there,
            ends: [End::new(tcb), End::new(accepted)],
            flying: BTreeMap::new(),
            sent: 1,
            max_payload: MSS,
            log: String::new(),
        };
        pipe.ends[1].hear(&syn);
        pipe.flying.insert((there + there, 0), (0, syn_ack));
        let mut fates = |_: usize, _: &Segment, _: u64| Fate::After(delay_ms * MS);
        while pipe.ends[1].tcb.state() != State::Established {
            assert!(pipe.step(&mut fates));
        }
        pipe.log.clear();
        pipe
    }

    fn send(
        &mut self,
        from: usize,
        mut segment: Segment,
        fates: &mut dyn FnMut(usize, &Segment, u64) -> Fate,
    ) {
        if !segment.is_retransmission && segment.len > 0 {
            let edge = self.ends[from].heard_edge;
            assert!(
                segment.end() <= edge,
                "{segment} beyond the window's edge {edge}"
            );
        }
        let fate = fates(from, &segment, self.sent);
        let who = if from == 0 { ">" } else { "<" };
        let tcb = &self.ends[from].tcb;
        let lost = match fate {
            Fate::Lost => "  LOST",
            Fate::Marked(_) => "  MARKED",
            Fate::After(_) | Fate::Twice(..) => "",
        };
        let state = match tcb.ca_state() {
            CaState::Open => String::new(),
            other => format!("  {other}"),
        };
        let (at, cwnd) = (self.now.0 / (MS / 10), tcb.cwnd());
        writeln!(
            self.log,
            "{}.{} {who} {segment}  cwnd {cwnd}{state}{lost}",
            at / 10,
            at % 10
        )
        .expect("a String takes all");
        let (first, second) = match fate {
            Fate::Lost => (None, None),
            Fate::After(delay) => (Some(delay), None),
            Fate::Marked(delay) => {
                segment.ecn.set_ce();
                (Some(delay), None)
            }
            Fate::Twice(delay, again) => (Some(delay), Some(again)),
        };
        for delay in [first, second].into_iter().flatten() {
            self.sent += 1;
            self.flying
                .insert((self.now + SimTime(delay), self.sent), (1 - from, segment));
        }
        self.sent += 1;
    }

    /// Lets the user of one end write, read and close, then sends what may go.
    fn run_user(
        &mut self,
        at: usize,
        mut owes_ack: bool,
        fates: &mut dyn FnMut(usize, &Segment, u64) -> Fate,
    ) {
        let end = &mut self.ends[at];
        let size = end.to_write.min(end.tcb.send_room());
        end.tcb.write(size);
        end.to_write -= size;
        end.written += u64::from(size);
        let unread = end.tcb.unread();
        if unread > 0 && (unread >= end.read_size || end.tcb.has_received_fin()) {
            end.read += u64::from(unread);
            owes_ack |= end.tcb.on_read(unread, 0, self.now);
        }
        if end.closes && !end.has_closed && end.to_write == 0 && end.written > 0 {
            end.has_closed = true;
            end.tcb.close();
        }
        if end.tcb.has_received_fin() && !end.has_closed && end.to_write == 0 && end.closes {
            end.has_closed = true;
            end.tcb.close();
        }
        while let Some(segment) = self.ends[at].tcb.next_segment(self.now, self.max_payload) {
            self.ends[at].check();
            owes_ack &= self.ends[at].tcb.is_ack_scheduled();
            self.send(at, segment, fates);
        }
        if owes_ack {
            let ack = self.ends[at].tcb.ack_segment();
            self.send(at, ack, fates);
        }
        self.ends[at].check();
    }

    /// Does what comes next; `false` when nothing does.
    fn step(&mut self, fates: &mut dyn FnMut(usize, &Segment, u64) -> Fate) -> bool {
        let arrival = self
            .flying
            .first_key_value()
            .map_or(SimTime::NEVER, |(key, _)| key.0);
        let timers = [0, 1].map(|at: usize| self.ends[at].tcb.next_timer());
        let next = arrival.min(timers[0]).min(timers[1]);
        if next == SimTime::NEVER {
            return false;
        }
        assert!(self.now <= next, "time went back");
        self.now = next;
        if arrival == next {
            let ((_, _), (at, segment)) = self.flying.pop_first().expect("it was seen");
            let end = &mut self.ends[at];
            if end.tcb.state() == State::Closed {
                if !segment.flags.contains(Flags::RST) {
                    self.send(at, Segment::reset_for(&segment), fates);
                }
                return true;
            }
            end.hear(&segment);
            let received = end.tcb.on_segment(&segment, self.now);
            end.readable += u64::from(received.in_order);
            self.run_user(at, received.send_ack == AckNeed::Now, fates);
        } else {
            let at = usize::from(timers[0] != next);
            let outcome = self.ends[at].tcb.on_timer(self.now);
            assert_ne!(outcome, TimerOutcome::Nothing, "a timer that was due");
            self.run_user(at, outcome == TimerOutcome::SendAck, fates);
        }
        true
    }

    /// Starts the users, and runs until all is quiet.
    fn run(&mut self, fates: &mut dyn FnMut(usize, &Segment, u64) -> Fate) {
        self.run_user(0, false, fates);
        self.run_user(1, false, fates);
        let mut steps = 0;
        while self.step(fates) {
            steps += 1;
            assert!(
                steps < 100_000,
                "it does not end:\n{}",
                &self.log[self.log.len() - 2_000..]
            );
        }
    }

    fn assert_all_arrived(&self) {
        for (from, to) in [(0, 1), (1, 0)] {
            assert_eq!(self.ends[from].to_write, 0);
            assert_eq!(self.ends[to].read, self.ends[from].written);
        }
    }
}

/// A connection whose first end is looked at alone: the test is the other end.
fn established(config: &TcpConfig) -> Tcb {
    established_by(config, Flags::SYN | Flags::ACK)
}

/// The same after a SYN-ACK with these flags.
fn established_by(config: &TcpConfig, flags: Flags) -> Tcb {
    let mut tcb = Tcb::new(config);
    tcb.connect(SimTime(0));
    let syn_ack = Segment {
        ack: 1,
        window: 1 << 20,
        mss: 1_000,
        sack_permitted: true,
        flags,
        ..Segment::default()
    };
    let received = tcb.on_segment(&syn_ack, ms(10));
    assert_eq!(received.became, Some(State::Established));
    tcb.ack_segment();
    tcb
}

/// An ACK from the other end.
fn ack(number: u64) -> Segment {
    Segment {
        seq: 1,
        ack: number,
        window: 1 << 20,
        flags: Flags::ACK,
        ..Segment::default()
    }
}

/// Data from the other end.
fn data(seq: u64, len: u32) -> Segment {
    Segment { seq, len, ..ack(1) }
}

/// All that may be sent now.
fn send_all(tcb: &mut Tcb, now: SimTime) -> Vec<Segment> {
    std::iter::from_fn(|| tcb.next_segment(now, MSS)).collect()
}
