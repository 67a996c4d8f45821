//! Loads that nobody has chosen: drawn at random from what a load can be.

use std::sync::LazyLock;

use sim::rng::Rng;

use super::{Does, Ends, Load, Rate};

/// How many are drawn.
const COUNT: usize = 96;
/// The seed: the first digits of the revision before the draw was written.
const SEED: u64 = 0x11c1_e1c3;
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

/// The drawn loads, the same each time. Each pattern is equally likely; one in three has its ends on two CPUs;
/// half have one connection, the others two to eight; the logarithm of the bytes of a message is uniform; one
/// stream in six has a receive buffer of its own, one in six a send buffer, and one in six on one CPU runs beside
/// a task that computes. They were defined before any of them had been run, on a host or in the simulator.
pub static DRAWN_LOADS: LazyLock<Vec<Load>> = LazyLock::new(|| {
    let mut rng = Rng::new(SEED);
    (1..=COUNT).map(|number| draw(number, &mut rng)).collect()
});

fn draw(number: usize, rng: &mut Rng) -> Load {
    let does = PATTERNS[rng.below(PATTERNS.len() as u64) as usize];
    let ends = if one_in(3, rng) {
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
    let mut load = Load {
        name: format!("drawn-{number:02}").leak(),
        title: "",
        does,
        connections,
        cpus: if ends == Ends::Apart { 2 } else { 1 },
        ends,
        message_bytes: bytes(does, rng),
        receive_buffer,
        send_buffer,
        hogs: u32::from(is_beside),
        mtu: None,
    };
    load.title = title(&load).leak();
    load
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

/// The load in words, in which its pattern stands as in the other lists.
fn title(load: &Load) -> String {
    let bytes = load.message_bytes;
    let pattern = match load.does {
        Does::Stream => format!("{bytes} bytes a call"),
        Does::Gathered => format!("{bytes} bytes a write and 64 KiB a read"),
        Does::Scattered => format!("64 KiB a write and {bytes} bytes a read"),
        Does::Undelayed => format!("{bytes} bytes a call without Nagle's algorithm"),
        Does::RequestResponse => format!("a request and a response of {bytes} bytes"),
        Does::Fetched => format!("100 bytes for a response of {bytes} bytes"),
        Does::Stored => format!("{bytes} bytes for a response of a byte"),
        Does::Pipelined => format!("eight requests of {bytes} bytes, then eight responses"),
        Does::Datagrams => format!("datagrams of {bytes} bytes, received"),
        Does::DatagramRequest => format!("a datagram of {bytes} bytes and one back"),
        Does::DatagramBurst => format!("eight datagrams of {bytes} bytes, then eight back"),
        Does::Opened => "connections opened and closed".to_owned(),
        Does::Visited => format!("a connection for each response of {bytes} bytes"),
    };
    let connections = match load.connections {
        1 => "one".to_owned(),
        several => several.to_string(),
    };
    let mut title = format!("{pattern}: {connections} on {} CPU", load.cpus);
    if load.cpus > 1 {
        title.push('s');
    }
    for (name, buffer) in [
        ("SO_RCVBUF", load.receive_buffer),
        ("SO_SNDBUF", load.send_buffer),
    ] {
        if let Some(bytes) = buffer {
            title.push_str(&format!(", {name} of {} KiB", bytes / 1024));
        }
    }
    if load.hogs > 0 {
        title.push_str(", beside a task that computes");
    }
    title
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn all_patterns_and_placements_are_drawn_and_no_load_twice() {
        let loads = &*DRAWN_LOADS;
        let patterns: BTreeSet<String> = loads.iter().map(|it| format!("{:?}", it.does)).collect();
        assert_eq!(patterns.len(), PATTERNS.len());
        let titles: BTreeSet<&str> = loads.iter().map(|load| load.title).collect();
        assert_eq!(titles.len(), loads.len());
        let apart = loads.iter().filter(|load| load.ends == Ends::Apart).count();
        assert!((COUNT / 5..COUNT / 2).contains(&apart), "{apart}");
        assert!(loads.iter().any(|load| load.hogs > 0));
    }

    #[test]
    fn no_other_list_has_a_drawn_load() {
        for load in &*DRAWN_LOADS {
            let nameless = |load: &Load| Load {
                name: "",
                title: "",
                ..*load
            };
            let others = super::super::all().filter(|other| !other.name.starts_with("drawn"));
            let same: Vec<&str> = others
                .filter(|other| nameless(other) == nameless(load))
                .map(|other| other.name)
                .collect();
            assert_eq!(same, Vec::<&str>::new(), "{}", load.title);
        }
    }
}
