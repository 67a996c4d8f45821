//! Loads that nobody has chosen: drawn at random from what a load can be.

use std::sync::LazyLock;

use sim::rng::Rng;

use super::list::one;
use super::{Does, Ends, Load, Rate};

/// A draw of loads.
struct Draw {
    /// With which the names of its loads begin.
    name: &'static str,
    /// How many are drawn.
    count: usize,
    /// The seed: the first digits of the revision before the draw was written.
    seed: u64,
    /// Both ends of every load are on one CPU, half of the loads are of small packets, and none only opens
    /// connections, as that has no size that could be new.
    is_of_packets: bool,
}

const DRAWS: [Draw; 3] = [
    Draw {
        name: "drawn",
        count: 96,
        seed: 0x11c1_e1c3,
        is_of_packets: false,
    },
    Draw {
        name: "redrawn",
        count: 64,
        seed: 0x70f3_e2c9,
        is_of_packets: false,
    },
    Draw {
        name: "packets",
        count: 72,
        seed: 0xda5c_c045,
        is_of_packets: true,
    },
];

/// The least and the most bytes of a message. Eight messages of a burst or pipeline have to fit in the buffers.
const LEAST_BYTES: f64 = 64.0;
const MOST_BYTES: f64 = 65_536.0;
const MOST_BYTES_DATAGRAM: f64 = 32_768.0;
const MOST_BYTES_OF_EIGHT: f64 = 8192.0;
/// The most connections.
const MOST_CONNECTIONS: u64 = 8;
/// Buffer sizes that a stream may ask for.
const BUFFERS: [u32; 4] = [32_768, 65_536, 131_072, 262_144];

const PATTERNS: [Does; 13] = [
    Does::Stream,
    Does::Gathered,
    Does::Scattered,
    Does::Undelayed,
    Does::RequestResponse,
    Does::Fetched,
    Does::Stored,
    Does::Pipelined,
    Does::Datagrams,
    Does::DatagramRequest,
    Does::DatagramBurst,
    Does::Opened,
    Does::Visited,
];

/// The drawn loads, the same each time, one draw after the other. Each pattern is equally likely; one in three has
/// its ends on two CPUs, but for the draw of packets; half have one connection, the others two to eight; the logarithm of the bytes of a message
/// is uniform; one stream in six has a receive buffer of its own, one in six a send buffer, and one in six on one
/// CPU runs beside a task that computes. The loads of a draw were defined before any of them had been run, on a
/// host or in the simulator.
pub static DRAWN_LOADS: LazyLock<Vec<Load>> = LazyLock::new(|| {
    let loads = DRAWS.iter().flat_map(|draw| {
        let mut rng = Rng::new(draw.seed);
        (1..=draw.count).map(move |number| load(draw, number, &mut rng))
    });
    loads.collect()
});

/// The next load of a draw.
fn load(draw: &Draw, number: usize, rng: &mut Rng) -> Load {
    let is_new = |does: &&Does| !draw.is_of_packets || **does != Does::Opened;
    let patterns: Vec<&Does> = PATTERNS.iter().filter(is_new).collect();
    let does = *patterns[rng.below(patterns.len() as u64) as usize];
    let ends = if !draw.is_of_packets && one_in(3, rng) {
        Ends::Apart
    } else {
        Ends::Together
    };
    let connections = if one_in(2, rng) {
        1
    } else {
        2 + rng.below(MOST_CONNECTIONS - 1) as u32
    };
    let is_stream = does.rate() == Rate::Bytes;
    let receive_buffer = (one_in(6, rng) && is_stream).then(|| buffer(rng));
    let send_buffer = (one_in(6, rng) && is_stream).then(|| buffer(rng));
    let is_beside = one_in(6, rng) && is_stream && ends == Ends::Together;
    let load = Load {
        connections,
        cpus: if ends == Ends::Apart { 2 } else { 1 },
        ends,
        receive_buffer,
        send_buffer,
        hogs: u32::from(is_beside),
        ..one(
            format!("{}-{number:02}", draw.name).leak(),
            does,
            bytes(does, rng),
        )
    };
    if draw.is_of_packets && one_in(2, rng) {
        load.in_small_packets()
    } else {
        load
    }
}

fn one_in(count: u64, rng: &mut Rng) -> bool {
    rng.below(count) == 0
}

fn buffer(rng: &mut Rng) -> u32 {
    BUFFERS[rng.below(BUFFERS.len() as u64) as usize]
}

/// A message of at least 64 bytes. A load that opens connections has none.
fn bytes(does: Does, rng: &mut Rng) -> u32 {
    let most = match does {
        Does::Opened => return 1,
        Does::Pipelined | Does::DatagramBurst => MOST_BYTES_OF_EIGHT,
        Does::Datagrams | Does::DatagramRequest => MOST_BYTES_DATAGRAM,
        _ => MOST_BYTES,
    };
    let part = rng.below(1 << 20) as f64 / f64::from(1 << 20);
    (LEAST_BYTES * (most / LEAST_BYTES).powf(part)).round() as u32
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn all_patterns_and_placements_are_drawn() {
        let patterns = DRAWN_LOADS.iter().map(|load| format!("{:?}", load.does));
        assert_eq!(patterns.collect::<BTreeSet<_>>().len(), PATTERNS.len());
        for draw in DRAWS {
            let is_of_it = |load: &&Load| load.name.rsplit_once('-').unwrap().0 == draw.name;
            let loads: Vec<&Load> = DRAWN_LOADS.iter().filter(is_of_it).collect();
            assert_eq!(loads.len(), draw.count);
            let apart = loads.iter().filter(|load| load.ends == Ends::Apart).count();
            let likely = if draw.is_of_packets {
                0..1
            } else {
                draw.count / 5..draw.count / 2
            };
            assert!(likely.contains(&apart), "{apart}");
            let small = loads.iter().filter(|load| load.mtu.is_some()).count();
            assert_eq!(small > draw.count / 3, draw.is_of_packets, "{small}");
            assert!(loads.iter().any(|load| load.hogs > 0));
        }
    }

    /// What has no size of its own is likely to have been there before, and counts for no new load.
    #[test]
    fn which_loads_were_there_before() {
        let nameless = |load: &Load| Load { name: "", ..*load };
        let before = |load: &Load| {
            let all = super::super::all().take_while(move |earlier| *earlier != load);
            let mut all = all.filter(|it| nameless(it) == nameless(load));
            all.next().map(|it| (load.name, it.name))
        };
        let both: Vec<(&str, &str)> = DRAWN_LOADS.iter().filter_map(before).collect();
        let expected = [
            ("drawn-32", "opened-one-cpu"),
            ("drawn-58", "opened-two-cpus"),
            ("redrawn-02", "opened-one-cpu"),
            ("redrawn-06", "opened-two-cpus"),
            ("redrawn-08", "opened-two-cpus"),
            ("redrawn-49", "opened-one-cpu"),
            ("redrawn-57", "datagram-request-one-cpu-64"),
            ("redrawn-63", "redrawn-03"),
        ];
        assert_eq!(both, expected);
    }
}
