//! The two ends of a packet's flow, as events report them.

use std::net::{IpAddr, Ipv4Addr};

use crate::journey::Flow;
use crate::journey::stitch::packet::headers::TCP;
use crate::kernel::{Context, Event, EventIdx, Field, NameId, Probe};
use crate::run::Run;

/// A flow of which nothing is known.
pub const UNKNOWN_FLOW: Flow = Flow {
    protocol: 0,
    source: None,
    source_port: 0,
    destination: None,
    destination_port: 0,
};

/// States that a connection enters just before it sends the segment which asks for them: a SYN or a FIN
/// (`net/ipv4/tcp_ipv4.c: tcp_v4_connect`, `net/ipv4/tcp.c: tcp_close_state`, v6.18).
const BEFORE_SENDING: [&str; 3] = ["TCP_SYN_SENT", "TCP_FIN_WAIT1", "TCP_LAST_ACK"];
/// How many events back that is searched for; those of other CPUs and of interrupts may come between.
const SEARCH_WINDOW: usize = 32;

/// A flow's two ends as an event reports them: address and port of source and destination.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ends(pub [(Option<IpAddr>, Option<u16>); 2]);

impl Ends {
    pub fn of(run: &Run, index: EventIdx) -> Self {
        let mut ends = [(None, None); 2];
        let v6 = |name| run.names.text(NameId(name)).parse().map(IpAddr::V6).ok();
        let v4 = |value| (value != 0).then(|| IpAddr::V4(Ipv4Addr::from_bits(value)));
        for (field, value) in run.fields(index) {
            match field {
                Field::Saddr => ends[0].0 = v4(value).or(ends[0].0),
                Field::Daddr => ends[1].0 = v4(value).or(ends[1].0),
                Field::Saddrv6 => ends[0].0 = v6(value).or(ends[0].0),
                Field::Daddrv6 => ends[1].0 = v6(value).or(ends[1].0),
                Field::Sport => ends[0].1 = Some(value as u16),
                Field::Dport => ends[1].1 = Some(value as u16),
                _ => {}
            }
        }
        Self(ends)
    }

    /// The ends of the connection that sends a SYN or FIN with this event: its state is the last that was told of the task on
    /// that CPU. The port of one that is about to connect is not chosen yet.
    pub fn just_changed(run: &Run, index: EventIdx, event: &Event) -> Option<Self> {
        let before = index.at().saturating_sub(SEARCH_WINDOW)..index.at();
        let mut before = before.rev().map(|at| EventIdx(at as u32));
        let is_here = |at: &EventIdx| {
            run.cpu[at.at()] == event.cpu && run.context[at.at()] != Context::Hardirq
        };
        let last = before.find(is_here)?;
        let is_own = run.pid(last) == event.pid && run.context[last.at()] == event.context;
        let is_of_tcp = run.field(last, Field::Proto) == Some(u32::from(TCP));
        let state = run.field_name(last, Field::Newstate);
        let is_it = run.probe[last.at()] == Probe::InetSockSetState
            && is_own
            && is_of_tcp
            && state.is_some_and(|state| BEFORE_SENDING.contains(&state));
        is_it.then(|| Self::of(run, last))
    }

    /// The same from the other end: source and destination exchanged.
    pub const fn turned(self) -> Self {
        let [source, destination] = self.0;
        Self([destination, source])
    }
}
