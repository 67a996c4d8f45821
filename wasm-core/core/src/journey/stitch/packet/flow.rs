//! The two ends of a packet's flow, as events report them.

use std::net::{IpAddr, Ipv4Addr};

use crate::journey::Flow;
use crate::kernel::{EventIdx, Field, NameId};
use crate::run::Run;

/// A flow of which nothing is known.
pub const UNKNOWN_FLOW: Flow = Flow {
    protocol: 0,
    source: None,
    source_port: 0,
    destination: None,
    destination_port: 0,
};

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

    /// The same from the other end: source and destination exchanged.
    pub const fn turned(self) -> Self {
        let [source, destination] = self.0;
        Self([destination, source])
    }
}
