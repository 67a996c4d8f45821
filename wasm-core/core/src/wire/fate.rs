//! The fate of a frame, and the events that express it.

use std::net::IpAddr;

use super::frame::{Frame, Ip};
use super::sighting::Sighting;
use crate::kernel::{AddrId, Direction, Event, Field, NameId, Nanos, Probe};
use crate::run::RunBuilder;

/// The fate of a frame as events.
pub(super) struct Fate {
    pub(super) direction: Direction,
    pub(super) time: Nanos,
    pub(super) skb: AddrId,
    pub(super) is_missed: bool,
}

impl Fate {
    /// A received frame is on the link before the kernel sees it, whatever the clocks say.
    pub(super) fn arrived(sighting: &Sighting, is_first: bool, time: Nanos) -> Self {
        let latest = Nanos(sighting.time.0.saturating_sub(1));
        Self {
            skb: if is_first { sighting.skb } else { AddrId::NONE },
            ..Self::alone(Direction::Receive, time.min(latest))
        }
    }

    /// A sent frame is on the link after the driver was called.
    pub(super) fn left(sighting: &Sighting, time: Nanos) -> Self {
        Self {
            skb: sighting.skb,
            ..Self::alone(Direction::Transmit, time.max(sighting.time))
        }
    }

    pub(super) fn alone(direction: Direction, time: Nanos) -> Self {
        Self {
            direction,
            time,
            skb: AddrId::NONE,
            is_missed: false,
        }
    }

    /// Pushes the frame's event with its fields, followed by a drop.
    pub(super) fn push(&self, frame: &Frame, device: Option<NameId>, builder: &mut RunBuilder) {
        let probe = match self.direction {
            Direction::Receive => Probe::WireRx,
            Direction::Transmit => Probe::WireTx,
        };
        let event = Event {
            skb: self.skb,
            len: frame.length,
            line: frame.number,
            ..Event::new(self.time, probe)
        };
        builder.push(event);
        if let Some(Ip {
            source: IpAddr::V6(source),
            destination: IpAddr::V6(destination),
            ..
        }) = frame.ip
        {
            for (field, address) in [(Field::Saddrv6, source), (Field::Daddrv6, destination)] {
                let name = builder.name(&address.to_string());
                builder.field(field, name.0);
            }
        }
        let mut field = |field, value: u32| builder.field(field, value);
        if let Some(dev) = device {
            field(Field::Dev, dev.0);
        }
        field(Field::Protocol, u32::from(frame.protocol));
        if let Some(ip) = &frame.ip {
            ip_fields(ip, &mut field);
            field(Field::Payload, frame.payload);
        }
        if let Some(transport) = frame.transport {
            field(Field::Sport, u32::from(transport.sport));
            field(Field::Dport, u32::from(transport.dport));
            if let Some(tcp) = transport.tcp {
                field(Field::SeqNo, tcp.seq);
                field(Field::AckNo, tcp.ack);
                field(Field::TcpFlags, u32::from(tcp.flags));
                field(Field::Window, u32::from(tcp.window));
                if let Some(scale) = tcp.scale {
                    field(Field::WindowScale, u32::from(scale));
                }
            }
            for &(from, to) in &frame.sack {
                field(Field::SackFrom, from);
                field(Field::SackTo, to);
            }
        }
        if let Some(marker) = frame.marker {
            field(Field::Thread, marker.thread);
            field(Field::Packet, marker.packet);
        }
        if self.is_missed {
            builder.push(Event {
                probe: Probe::RxMissed,
                ..event
            });
            if let Some(dev) = device {
                builder.field(Field::Dev, dev.0);
            }
        }
    }
}

fn ip_fields(ip: &Ip, field: &mut impl FnMut(Field, u32)) {
    if let Some(id) = ip.id {
        field(Field::IpId, u32::from(id));
        field(Field::FragOff, u32::from(ip.frag_off));
    }
    field(Field::Proto, u32::from(ip.proto));
    if let (IpAddr::V4(source), IpAddr::V4(destination)) = (ip.source, ip.destination) {
        field(Field::Saddr, source.to_bits());
        field(Field::Daddr, destination.to_bits());
    }
}
