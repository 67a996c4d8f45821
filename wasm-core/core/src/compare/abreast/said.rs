//! Where two runs part, in words.

use super::{Abreast, Ending, Parting, PartingKind, Place, Route, Stop, common, other_time};
use crate::compare::words;
use crate::kernel::{DropReason, PacketId};
use crate::saying::Saying;

impl Abreast {
    /// A parting in words; the first run is A, the second B. A packet is named as in A.
    pub fn say(&self, parting: &Parting) -> Saying {
        let name = |packet: PacketId| packet.0.to_string();
        let (here, there) = match parting.packets {
            [Some(here), Some(there)] => (here, there),
            [Some(only), _] => return words::only_in_first(name(only)),
            [None, only] => return words::only_in_second(only.map_or_else(String::new, name)),
        };
        let [a, b] = [self.runs[0].of_packet(here), self.runs[1].of_packet(there)];
        let at = common(a, b);
        let places = [a, b].map(|route| route.stops.get(at).and_then(Stop::place));
        match (parting.kind, places) {
            (PartingKind::Time, _) => say_time(a, b, name(here)),
            (PartingKind::Cpu, [Some((station, first)), Some((_, second))]) => {
                words::other_cpu(name(here), station, first, second)
            }
            (PartingKind::Station, [Some((first, _)), Some((second, _))]) => {
                words::other_station(name(here), first, second)
            }
            _ => say_end(a.ending, b.ending, name(here), places),
        }
    }
}

fn say_time(a: &Route, b: &Route, packet: String) -> Saying {
    match other_time(a, b) {
        Some((Some((station, _)), here, there)) if here > there => {
            words::earlier_at(packet, station, here.abs_diff(there))
        }
        Some((Some((station, _)), here, there)) => {
            words::later_at(packet, station, there.abs_diff(here))
        }
        Some((None, here, there)) => words::otherwise_timed(packet, here.abs_diff(there)),
        None => words::otherwise_timed(packet, 0),
    }
}

fn say_end(a: Ending, b: Ending, packet: String, places: [Option<Place>; 2]) -> Saying {
    let reason = |ending: Ending| ending.reason.and_then(DropReason::from_index);
    match (reason(a), reason(b), places) {
        (Some(first), Some(second), _) if first != second => {
            words::dropped_otherwise(packet, first, second)
        }
        (Some(reason), None, _) => words::dropped_in_first(packet, reason),
        (None, Some(reason), _) => words::dropped_in_second(packet, reason),
        (_, _, [Some((station, _)), None]) => words::goes_on_in_first(packet, station),
        (_, _, [None, Some((station, _))]) => words::goes_on_in_second(packet, station),
        _ => words::ends_otherwise(packet),
    }
}
