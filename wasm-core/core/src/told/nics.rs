//! Which devices are NICs, as far as a run tells: their rings are polled (`napi:napi_poll`). A tunnel, a VRF or a dummy
//! device has none, and what it does with a packet that it is given, no event tells.

use std::collections::BTreeSet;

use crate::journey::{Packet, Stay};
use crate::kernel::{Direction, EventIdx, Field, NameId, PacketId, Probe, Station};
use crate::replay::Replay;
use crate::run::Run;

/// The devices whose polls a run shows.
#[derive(Debug, Clone, Default)]
pub struct Nics {
    polled: BTreeSet<u32>,
}

/// What the event names as the device of a CPU's backlog.
const BACKLOG: &str = "(no_device)";

impl Nics {
    /// Collects them from a run.
    pub fn of(run: &Run) -> Self {
        let polls = run
            .indices()
            .filter(|index| run.probe[index.at()] == Probe::NapiPoll);
        let polled = polls.filter_map(|index| run.field(index, Field::Dev));
        let is_device = |&dev: &u32| run.names.text(NameId(dev)) != BACKLOG;
        Self {
            polled: polled.filter(is_device).collect(),
        }
    }

    /// The name of the device to which a packet was given, if that is none of the NICs of a run that shows polls.
    pub fn other(&self, replay: &Replay, packet: PacketId) -> Option<String> {
        let run = &replay.run;
        let mut events = replay.journeys.events(packet).iter().rev();
        let is_given = |event: &&EventIdx| {
            matches!(
                run.probe[event.at()],
                Probe::NetDevStartXmit | Probe::NetDevXmit
            )
        };
        let dev = run.field(*events.find(is_given)?, Field::Dev)?;
        let is_other = !self.polled.is_empty() && !self.polled.contains(&dev);
        is_other.then(|| run.names.text(NameId(dev)).to_owned())
    }
}

/// A packet between two devices of one stack, of which the upper one has no hardware: a tunnel above the device that its
/// packets leave by, a VLAN, a bridge.
pub struct Stacked {
    /// The upper device.
    pub device: String,
    /// The lower one.
    pub lower: String,
    /// Bytes that the packet has more of at the lower one.
    pub headers: u32,
}

/// The least that a tunnel puts before a packet, in bytes: a header of IPv4 (RFC 2003). A VLAN's tag is shorter.
const TUNNEL_LEAST: u32 = 20;

impl Stacked {
    /// What the driver of a stay does with its packet that gives it to a device below.
    pub fn on_the_way_down(replay: &Replay, row: &Packet, at: u32) -> Option<Self> {
        let stays = &replay.journeys.stays;
        let stay = &stays[at as usize];
        let later = stays[at as usize + 1..row.stays.end as usize].iter();
        let mut sent = later.take_while(|stay| stay.station.direction() == Direction::Transmit);
        let lower =
            sent.find(|stay| matches!(stay.station, Station::Qdisc | Station::DriverSend))?;
        Self::between(replay, stay, lower)
    }

    /// The packet that a stay was taken out of: it was received before, with more headers, by the device below.
    pub fn on_the_way_up(replay: &Replay, row: &Packet, at: u32) -> Option<Self> {
        let stays = &replay.journeys.stays;
        let earlier = stays[row.stays.start as usize..at as usize].iter().rev();
        let mut came = earlier.take_while(|stay| stay.station.direction() == Direction::Receive);
        let lower = came.find(|stay| stay.station == Station::NetCore)?;
        Self::between(replay, &stays[at as usize], lower).filter(Self::is_tunnel)
    }

    fn between(replay: &Replay, upper: &Stay, lower: &Stay) -> Option<Self> {
        let run = &replay.run;
        let dev = |stay: &Stay| run.field(stay.event, Field::Dev);
        let bytes = |stay: &Stay| run.event(stay.event).known_len();
        let (device, beneath) = (dev(upper)?, dev(lower)?);
        let name = |dev: u32| run.names.text(NameId(dev)).to_owned();
        (device != beneath).then(|| Self {
            device: name(device),
            lower: name(beneath),
            headers: bytes(lower)
                .zip(bytes(upper))
                .map_or(0, |(lower, upper)| lower.saturating_sub(upper)),
        })
    }

    /// Whether the upper device puts packets into others.
    pub const fn is_tunnel(&self) -> bool {
        self.headers >= TUNNEL_LEAST
    }
}
