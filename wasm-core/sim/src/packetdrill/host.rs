//! The host under test: sockets by descriptor, connections, and the segments that they send.

use std::collections::{BTreeMap, VecDeque};

use crate::config::kernel::Kernel;
use crate::tcp::congestion;
use crate::tcp::{AckNeed, EcnMode, Flags, Recovery, Segment, State, Tcb, TcpConfig, TimerOutcome};
use crate::time::SimTime;

use super::connection::{Connection, Offers};
use super::script::{Packet, TcpOption};
use super::shell::Settings;

/// MTU of packetdrill's device less the headers of IPv4 and TCP, in bytes.
const DEVICE_MSS: u32 = 1460;

/// Socket options that a program has set.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// `SO_SNDBUF` and `SO_RCVBUF` in bytes as the kernel stores them: doubled.
    pub send_buffer: Option<u32>,
    pub receive_buffer: Option<u32>,
    /// `TCP_NODELAY`
    pub no_delay: bool,
    /// `TCP_MAXSEG`
    pub max_segment: Option<u32>,
    /// `TCP_CONGESTION`
    pub congestion: Option<congestion::Chosen>,
    /// `O_NONBLOCK`
    pub is_nonblocking: bool,
}

/// A socket, which a descriptor refers to.
#[derive(Debug)]
pub struct Socket {
    pub options: Options,
    pub role: Role,
}

/// The state of a socket.
#[derive(Debug)]
pub enum Role {
    /// Neither listening nor connected.
    Fresh,
    /// A listening socket: the connections that wait for `accept`, by index.
    Listening(VecDeque<usize>),
    /// A connected socket: the index of its connection.
    Connected(usize),
}

/// A segment that was sent.
#[derive(Debug, Clone)]
pub struct Sent {
    pub at: SimTime,
    pub connection: usize,
    pub segment: Segment,
    pub window: u32,
    pub options: Vec<TcpOption>,
    /// Whether it has been recorded.
    pub is_recorded: bool,
}

/// The host.
#[derive(Debug)]
pub struct Host {
    pub now: SimTime,
    pub config: TcpConfig,
    gso_bytes: u32,
    /// Whether the device accepts packets of several segments (TSO).
    has_offloads: bool,
    scale: u8,
    offers: Offers,
    pub sockets: BTreeMap<i64, Socket>,
    pub connections: Vec<Connection>,
    /// Sent segments that have not been compared with the script.
    pub sent: VecDeque<Sent>,
    /// The connection to which segments of the script belong.
    pub under_test: Option<usize>,
    /// The result of a call that differs from the script's: expected and actual value.
    pub bad_output: Option<(i64, i64)>,
}

impl Host {
    pub fn new(kernel: &Kernel, settings: &Settings) -> Self {
        let mut config = TcpConfig::new(kernel.tcp, DEVICE_MSS, kernel.tick());
        let parameters = &mut config.parameters;
        let tcp = |name: &str| format!("net.ipv4.tcp_{name}");
        let number = |name: &str| settings.number(&tcp(name));
        let count = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
        if let (Some(first), Some(most)) =
            (settings.second(&tcp("rmem")), settings.last(&tcp("rmem")))
        {
            parameters.receive_buffer_bytes = count(first);
            parameters.receive_buffer_most_bytes = count(most);
        }
        if let (Some(first), Some(most)) =
            (settings.second(&tcp("wmem")), settings.last(&tcp("wmem")))
        {
            parameters.send_buffer_bytes = count(first);
            parameters.send_buffer_most_bytes = count(most);
        }
        let retries = |value: u64| u8::try_from(value).unwrap_or(u8::MAX);
        parameters.syn_retries = number("syn_retries").map_or(parameters.syn_retries, retries);
        parameters.retries = number("retries2").map_or(parameters.retries, retries);
        parameters.sack = number("sack").map_or(parameters.sack, |value| value != 0);
        config.timestamps = number("timestamps").map_or(config.timestamps, |value| value != 0);
        let segments = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
        parameters.min_tso_segments =
            number("min_tso_segs").map_or(parameters.min_tso_segments, segments);
        parameters.tso_window_divisor =
            number("tso_win_divisor").map_or(parameters.tso_window_divisor, segments);
        parameters.loss_probe =
            number("early_retrans").map_or(parameters.loss_probe, |value| value >= 3);
        match number("recovery") {
            Some(0) => parameters.recovery = Recovery::Sack,
            Some(_) => parameters.recovery = Recovery::Rack,
            None => {}
        }
        parameters.ecn = number("ecn").map(EcnMode::of_sysctl).or(parameters.ecn);
        let chosen = settings.get(&tcp("congestion_control"));
        let chosen = chosen.and_then(congestion::Chosen::named);
        let chosen = chosen.filter(|&chosen| parameters.congestion_controls.has(chosen));
        parameters.congestion = chosen.unwrap_or(parameters.congestion);
        config.restarts_after_idle =
            number("slow_start_after_idle").map_or(config.restarts_after_idle, |value| value != 0);
        // tcp_select_initial_window: the smallest scale with which the largest buffer can be advertised.
        let space = parameters
            .receive_buffer_most_bytes
            .max(kernel.tcp.receive_buffer_bytes)
            .max(1);
        let scale = u8::try_from(space.ilog2().saturating_sub(15)).unwrap_or(14);
        let offers = Offers {
            timestamps: config.timestamps,
            sack: config.parameters.sack,
            scale: number("window_scaling") != Some(0),
        };
        Self {
            now: SimTime::ZERO,
            config,
            gso_bytes: kernel.tcp.gso_bytes,
            has_offloads: settings.has_offloads != Some(false),
            scale: scale.min(14),
            offers,
            sockets: BTreeMap::new(),
            connections: Vec::new(),
            sent: VecDeque::new(),
            under_test: None,
            bad_output: None,
        }
    }

    /// The TCP configuration of a socket with these options.
    fn config_of(&self, options: &Options) -> TcpConfig {
        let mut config = self.config;
        config.mss = options
            .max_segment
            .map_or(config.mss, |most| most.min(config.mss));
        let parameters = &mut config.parameters;
        parameters.nagle &= !options.no_delay;
        if let Some(bytes) = options.send_buffer {
            parameters.send_buffer_bytes = bytes;
            parameters.send_buffer_most_bytes = 0;
        }
        if let Some(bytes) = options.receive_buffer {
            parameters.receive_buffer_bytes = bytes;
            parameters.receive_buffer_most_bytes = 0;
        }
        parameters.congestion = options.congestion.unwrap_or(parameters.congestion);
        config
    }

    /// `connect(2)`: sends the SYN.
    pub fn connect(&mut self, fd: i64) {
        let Some(socket) = self.sockets.get(&fd) else {
            return;
        };
        let config = self.config_of(&socket.options);
        let mut tcb = Tcb::new(&config);
        let syn = tcb.connect(self.now);
        let connection = Connection::new(tcb, config.mss, self.scale, self.offers);
        self.connections.push(connection);
        let number = self.connections.len() - 1;
        if let Some(socket) = self.sockets.get_mut(&fd) {
            socket.role = Role::Connected(number);
        }
        self.under_test = Some(number);
        self.emit(number, syn);
    }

    /// The connection of a descriptor, if it has one.
    pub fn connection(&mut self, fd: i64) -> Option<&mut Connection> {
        match self.sockets.get(&fd)?.role {
            Role::Connected(number) => self.connections.get_mut(number),
            Role::Fresh | Role::Listening(_) => None,
        }
    }

    /// A segment of the peer arrives.
    pub fn receive(&mut self, packet: &Packet) {
        let is_syn = packet.flags.contains(Flags::SYN) && !packet.flags.contains(Flags::ACK);
        let is_live = |host: &Self| {
            let number = host.under_test?;
            let state = host.connections[number].tcb.state();
            (state != State::Closed).then_some(number)
        };
        let listener = self
            .sockets
            .iter()
            .find(|(_, socket)| matches!(socket.role, Role::Listening(_)))
            .map(|(&fd, _)| fd);
        if let (true, Some(fd), None) = (is_syn, listener, is_live(self)) {
            self.accept_syn(fd, packet);
            return;
        }
        let Some(number) = is_live(self) else {
            self.refuse(packet);
            return;
        };
        let connection = &mut self.connections[number];
        if packet.flags.contains(Flags::SYN) && connection.tcb.state() == State::SynSent {
            connection.agree(packet);
        }
        let segment = connection.inbound(packet);
        let before = connection.tcb.state();
        let received = connection.tcb.on_segment(&segment, self.now);
        let now_state = connection.tcb.state();
        if received.is_reset {
            connection.error = Some(match before {
                State::SynSent => "ECONNREFUSED",
                State::CloseWait => "EPIPE",
                State::Closed
                | State::Listen
                | State::SynReceived
                | State::Established
                | State::FinWait1
                | State::FinWait2
                | State::Closing
                | State::LastAck
                | State::TimeWait => "ECONNRESET",
            });
        }
        if let Some(fd) = connection
            .parent
            .filter(|_| now_state.has_been_established())
        {
            connection.parent = None;
            if let Some(Socket {
                role: Role::Listening(queue),
                ..
            }) = self.sockets.get_mut(&fd)
            {
                queue.push_back(number);
            }
        }
        if received.refuses {
            self.emit(number, Segment::reset_for(&segment));
            return;
        }
        if received.can_send {
            self.push(number);
        }
        let is_owed = self.connections[number].tcb.is_ack_scheduled();
        if received.send_ack == AckNeed::Now && is_owed {
            self.acknowledge(number);
        }
    }

    /// A SYN arrives at a listening socket.
    fn accept_syn(&mut self, fd: i64, packet: &Packet) {
        let options = self.sockets[&fd].options;
        let config = self.config_of(&options);
        // The agreed options have to be known before TCP processes the SYN.
        let mut connection =
            Connection::new(Tcb::new(&config), config.mss, self.scale, self.offers);
        connection.agree(packet);
        let syn = connection.inbound(packet);
        let (tcb, syn_ack) = Tcb::listen_accept(&syn, &config, self.now);
        connection.tcb = tcb;
        connection.parent = Some(fd);
        self.connections.push(connection);
        let number = self.connections.len() - 1;
        self.under_test = Some(number);
        self.emit(number, syn_ack);
    }

    /// Answers a segment for which there is no socket (`tcp_v4_send_reset`).
    fn refuse(&mut self, packet: &Packet) {
        let Some(number) = self.under_test else {
            return;
        };
        if packet.flags.contains(Flags::RST) {
            return;
        }
        let segment = self.connections[number].inbound(packet);
        self.emit(number, Segment::reset_for(&segment));
    }

    /// Sends all segments that may be sent.
    pub fn push(&mut self, number: usize) {
        let most = self.largest_piece(number);
        while let Some(segment) = self.connections[number].tcb.next_segment(self.now, most) {
            self.emit(number, segment);
        }
    }

    /// Sends one packet, if it may be sent (`tcp_push_one`).
    pub fn push_one(&mut self, number: usize) {
        let most = self.largest_piece(number);
        if let Some(segment) = self.connections[number].tcb.push_one(self.now, most) {
            self.emit(number, segment);
        }
    }

    /// The largest packet that TCP may hand down, in bytes.
    pub fn largest_piece(&self, number: usize) -> u32 {
        match self.gso_bytes {
            0 => self.connections[number].tcb.mss(),
            bytes => bytes,
        }
    }

    /// Sends an acknowledgement.
    pub fn acknowledge(&mut self, number: usize) {
        let segment = self.connections[number].tcb.ack_segment();
        self.emit(number, segment);
    }

    /// Sends a segment; a packet of several segments is split as by GSO, and only the last segment keeps the
    /// flags that end a write (`tcp_gso_segment`).
    pub fn emit(&mut self, number: usize, mut segment: Segment) {
        let mss = self.connections[number].tcb.mss();
        while !self.has_offloads && segment.len > mss {
            let mut first = segment;
            first.len = mss;
            first.flags = first.flags.without(Flags::PSH | Flags::FIN);
            self.transmit(number, first);
            segment.flags = segment.flags.without(Flags::CWR);
            segment.seq += u64::from(mss);
            segment.len -= mss;
        }
        self.transmit(number, segment);
    }

    fn transmit(&mut self, number: usize, mut segment: Segment) {
        let connection = &self.connections[number];
        let (window, options) = (
            connection.window_field(&segment),
            connection.options(&segment),
        );
        segment.seq += connection.local_isn;
        if segment.flags.contains(Flags::ACK) {
            segment.ack += connection.remote_isn;
        }
        self.sent.push_back(Sent {
            at: self.now,
            connection: number,
            segment,
            window,
            options,
            is_recorded: false,
        });
    }

    /// When the next timer expires.
    pub fn next_timer(&self) -> SimTime {
        let timers = self.connections.iter().map(|one| one.tcb.next_timer());
        timers.min().unwrap_or(SimTime::NEVER)
    }

    /// Runs the timers that expire now.
    pub fn fire(&mut self) {
        for number in 0..self.connections.len() {
            let tcb = &mut self.connections[number].tcb;
            if tcb.next_timer() > self.now {
                continue;
            }
            match tcb.on_timer(self.now) {
                TimerOutcome::SendAck => self.acknowledge(number),
                TimerOutcome::Retransmit | TimerOutcome::Probe => self.push(number),
                TimerOutcome::GaveUp => self.connections[number].error = Some("ETIMEDOUT"),
                TimerOutcome::Nothing | TimerOutcome::TimeWaitOver => {}
            }
        }
    }
}
