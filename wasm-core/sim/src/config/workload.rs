//! A workload: which tasks there are and what each does, once and then for ever, as
//! a data file says it. A task's work stands for the program that the study ran;
//! nothing of its data matters but the number of bytes.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::source::Source;

mod act;

pub use act::{Act, Amount};

/// What the processes of a run do.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Workload {
    /// What scenarios call it.
    pub name: String,
    /// One line.
    pub title: String,
    /// Which program, with which options, or which traffic it stands for, in sentences.
    pub about: String,
    /// The protocol of its connections.
    pub transport: Transport,
    /// Whether both sides are in one host.
    pub route: Route,
    /// Whether the connections exist when the run starts, without a handshake.
    #[serde(default)]
    pub established: bool,
    /// `TCP_NODELAY` on every socket.
    #[serde(default)]
    pub no_delay: bool,
    /// Who has a listening socket: each connection's server its own (port), or all servers one.
    #[serde(default = "each_connection")]
    pub listener: PerTask,
    /// `listen(2)`'s second argument: established connections that wait for `accept(2)`; a
    /// SYN or ACK beyond is dropped.
    #[serde(default = "somaxconn")]
    pub listen_backlog: u32,
    /// The port at which servers listen: theirs, where a role names none.
    pub server_port: u16,
    /// Over a link, programs start at chance times within so many µs; 0: at once.
    #[serde(default)]
    pub start_within_us: u64,
    /// How long a client waits, in µs, that finds nobody listening yet; a workload whose servers
    /// listen by themselves has one.
    #[serde(default)]
    pub connect_retry_us: u32,
    /// Bytes of the file that processes read; a workload that reads one has it.
    #[serde(default)]
    pub file_bytes: u32,
    /// A client gives up a connection that is not established after so long, in ms; 0: never.
    #[serde(default)]
    pub connect_timeout_ms: u64,
    /// Its tasks by kind.
    pub roles: Vec<Role>,
    /// Where each parameter comes from.
    pub sources: BTreeMap<String, Source>,
}

impl Workload {
    /// The sizes of messages of which a recording has the packets; none where it needs no recording.
    pub fn recorded_bytes(&self) -> Vec<u32> {
        let sizes = self.roles.iter().flat_map(|role| role.frames_us.keys());
        sizes.copied().collect()
    }

    /// What reading it could not see: that a time or a size that an act needs is there.
    pub fn check(&self) -> Result<(), String> {
        let acts = |is: fn(&Act) -> bool| self.roles.iter().flat_map(Role::acts).any(is);
        let may_be_early =
            acts(|act| matches!(act, Act::Connect {})) && acts(|act| matches!(act, Act::Listen {}));
        if self.connect_retry_us == 0 && may_be_early {
            return Err(
                "connect_retry_us is missing, and a role connects to one that listens".to_owned(),
            );
        }
        let is_tcp = self.transport == Transport::Tcp;
        if is_tcp && !self.established && !acts(|act| matches!(act, Act::Connect {})) {
            return Err("established is false, and no role connects".to_owned());
        }
        let waits = |role: &Role| role.acts().any(|act| *act == Act::Await {});
        let mut roles = self.roles.iter();
        if roles.any(|role| role.frames_us.is_empty() && waits(role)) {
            return Err("frames_us is missing, and the role awaits times".to_owned());
        }
        let arrivals = self.roles.iter().flat_map(|role| role.frames_us.values());
        if let Some(packet) = arrivals
            .flatten()
            .flatten()
            .find(|packet| packet.is_empty() || packet.len() % 2 != 0)
        {
            return Err(format!(
                "frames_us: {packet:?} is not times with numbers of frames"
            ));
        }
        if self.file_bytes == 0 && acts(|act| matches!(act, Act::ReadFile { .. })) {
            return Err("file_bytes is missing, and a role reads a file".to_owned());
        }
        Ok(())
    }
}

/// A protocol for a workload's packets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Transport {
    /// RFC 9293.
    Tcp,
    /// RFC 768.
    Udp,
}

/// How packets get from one side to the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Route {
    /// Through `lo`: client and server share a host.
    Loopback,
    /// Over NICs and a link: client and server are two hosts.
    Link,
}

/// For each connection its packets; for each packet, in turn, a time in µs from the run's start and how many
/// of its frames come then.
pub type Arrivals = Vec<Vec<Vec<u32>>>;

/// A kind of task.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Role {
    /// What its tasks are called.
    pub name: String,
    /// Where they run.
    pub side: Side,
    /// How many tasks there are.
    pub per: PerTask,
    /// The port of the socket that a client's tasks send to; 0: the servers' usual one.
    #[serde(default)]
    pub port: u16,
    /// So many for each of `per`.
    #[serde(default = "one")]
    pub count: u32,
    /// Nice level.
    #[serde(default)]
    pub nice: i8,
    /// Its tasks begin one after the other, evenly over so long; 0: all at once.
    #[serde(default)]
    pub spread_us: u64,
    /// How many forks it is away from a program that mostly waits: 1 for the thread that a
    /// listening server starts, 2 for that of a program which a shell has just started.
    #[serde(default = "one")]
    pub forks: u32,
    /// The CPU that its tasks are bound to (`sched_setaffinity(2)`), of those that processes may run on; absent:
    /// what the scenario's `process_affinity` says.
    #[serde(default)]
    pub cpu: Option<u16>,
    /// When the frames of its packets come off the link, by the bytes of its messages: what a recording
    /// has, and no model. The receiver has them no sooner, and later only if they are sent later.
    #[serde(default)]
    pub frames_us: BTreeMap<u32, Arrivals>,
    /// How long before the first frame of a packet is due its `await` act ends, in µs: long enough that
    /// the packet is sent by then.
    #[serde(default)]
    pub ahead_us: u32,
    /// What it does first.
    #[serde(default)]
    pub once: Vec<Act>,
    /// What it then repeats; nothing: it exits.
    #[serde(default)]
    pub forever: Vec<Act>,
}

impl Role {
    /// When its `await` acts end with messages of a size: for each connection, in µs from the run's start.
    pub fn times_us(&self, message_bytes: u32) -> Vec<Vec<u32>> {
        let ahead = |packet: &Vec<u32>| Some(packet.first()?.saturating_sub(self.ahead_us));
        let connections = self.frames_us.get(&message_bytes).into_iter().flatten();
        let times = connections.map(|packets| packets.iter().filter_map(ahead).collect());
        times.collect()
    }

    /// What it does, in the order in which it stands in the file.
    pub fn acts(&self) -> impl Iterator<Item = &Act> {
        self.once.iter().chain(&self.forever)
    }

    /// A task of the host itself.
    pub fn computing(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            side: Side::Client,
            per: PerTask::Host,
            port: 0,
            count: 1,
            nice: 0,
            spread_us: 0,
            forks: 1,
            cpu: None,
            frames_us: BTreeMap::new(),
            ahead_us: 0,
            once: Vec::new(),
            forever: Vec::new(),
        }
    }

    /// Whether it sends messages of the scenario's size from the client's side, again and again.
    pub fn offers(&self) -> bool {
        let is_message = |act: &Act| {
            matches!(
                act,
                Act::Send {
                    bytes: Amount::Message
                }
            )
        };
        self.side == Side::Client && self.forever.iter().any(is_message)
    }

    /// What it repeats with an offered load of so many rounds a second: its own pauses are left out.
    pub fn paced(&self, per_s: Option<u32>) -> Vec<Act> {
        let Some(per_s) = per_s.filter(|_| self.offers()) else {
            return self.forever.clone();
        };
        let acts = self.forever.iter().copied();
        let acts = acts.filter(|act| !matches!(act, Act::Sleep { .. }));
        std::iter::once(Act::Pace { per_s }).chain(acts).collect()
    }
}

fn one() -> u32 {
    1
}

fn each_connection() -> PerTask {
    PerTask::Connection
}

/// `SOMAXCONN` (`include/linux/socket.h` until 5.4).
fn somaxconn() -> u32 {
    128
}

/// An end of the connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The one that connects.
    Client,
    /// The one that listens.
    Server,
}

/// What there is a task for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PerTask {
    /// Each connection.
    Connection,
    /// Each connection but the first.
    FurtherConnection,
    /// Each of the scenario's `threads`, for each connection: they share its socket.
    Thread,
    /// The host.
    Host,
    /// Each of the scenario's `threads` (1 if it does not say), in all.
    HostThread,
    /// Each of the scenario's `threads` beyond the connections: a server with a socket
    /// of its own to which nobody connects.
    IdlePort,
}
