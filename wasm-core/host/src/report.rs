//! A report of the measurements for people: a line for each value with its confidence interval and the spread
//! of the turns.

use std::fmt::Write as _;

use crate::copies::Way;
use crate::host::{Call, Host};
use crate::noise::{Kind, Noise};
use crate::statistics::Estimate;

impl Call {
    /// The title of a measurement.
    pub const fn title(self) -> &'static str {
        match self {
            Self::SystemCall => "system call (getppid)",
            Self::Clock => "reading the clock",
            Self::Timer => "a sleep of 50 us: how much longer",
            Self::Page => "a new page: fault and zeros",
            Self::PacketBuffer => "a packet's buffer: sent, received, freed",
            Self::Switch => "to another task of the same CPU (pipe)",
            Self::WakeUp => "to a sleeping task of another CPU (pipe)",
            Self::Waking => "waking it: what the waker pays",
            Self::Interrupt => "interrupt to another CPU and answer",
        }
    }
}

/// The report of a host.
pub fn report(host: &Host) -> String {
    let topology = &host.topology;
    let mut text = format!(
        "{}, {} CPUs, Linux {}\n\n{:<44} {:>12} {:>25} {:>10}\n",
        topology.model,
        topology.cpus.len(),
        topology.kernel,
        "",
        "median",
        "95 % of the median",
        "quartiles"
    );
    let mhz = 1e3 / host.cycle.median;
    row(
        &mut text,
        &format!("clock cycle ({mhz:.0} MHz)"),
        host.cycle,
    );
    for (what, sizes) in [
        ("read", &host.reads),
        ("read and write", &host.writes),
        ("line of a kernel's copy to the user", &host.streams),
        ("line of a kernel's copy from the user", &host.stored),
    ] {
        for (kib, time) in sizes {
            row(&mut text, &format!("{what}, {kib} KiB"), *time);
        }
    }
    if let Some((kib, read, written)) = host.beyond_first {
        for (way, more) in [("to", read), ("from", written)] {
            let what =
                format!("a KiB of a copy {way} the user, more beyond the first cache, {kib} KiB");
            row(&mut text, &what, more);
        }
    }
    for (way, is_aligned, hot) in &host.copies {
        let way = match way {
            Way::ToUser => "to user",
            Way::FromUser => "from user",
        };
        let aligned = if *is_aligned {
            "aligned"
        } else {
            "not aligned"
        };
        for (what, time) in [("a KiB", hot.kib), ("before the first byte", hot.start)] {
            if let Some(time) = time {
                row(&mut text, &format!("copy {way}, {aligned}: {what}"), time);
            }
        }
    }
    row(&mut text, "checksum of a KiB", host.checksum);
    row(&mut text, "locked instruction", host.locked);
    for ((one, other), time) in &host.ways {
        row(
            &mut text,
            &format!("a line from CPU {one} to CPU {other}"),
            *time,
        );
    }
    if let Some(shared) = host.shared {
        for (what, time) in [
            ("read a line that another CPU changed", shared.read_changed),
            ("take a line that another CPU changed", shared.take_changed),
            ("write to a line that two CPUs share", shared.upgrade),
        ] {
            if let Some(time) = time {
                row(&mut text, what, time);
            }
        }
    }
    if let Some((kib, more)) = host.handed {
        let what = format!("line of a copy that another CPU had, {kib} KiB");
        row(&mut text, &what, more);
    }
    if let Some(calls) = host.row {
        row(
            &mut text,
            "calls of many kinds, each by itself",
            calls.alone,
        );
        let what = "the same in a row: how much longer";
        row(&mut text, what, calls.fetched);
    }
    for (call, time) in &host.calls {
        row(&mut text, call.title(), *time);
    }
    match &host.noise {
        Some(noise) => moments(&mut text, noise),
        None => text.push_str("what takes CPUs away for moments: not told, other tasks ran\n"),
    }
    text
}

fn moments(text: &mut String, noise: &Noise) {
    if let Some(tick) = noise.tick {
        row(text, "taken away at a timer interrupt", tick);
    }
    for Kind { per_second, ns } in &noise.kinds {
        let what = format!("taken away {per_second:.0} times a second");
        let _ = writeln!(text, "{what:<44} {ns:>9.0} ns on average");
    }
}

fn row(text: &mut String, what: &str, time: Estimate) {
    let Estimate {
        median,
        low,
        high,
        spread,
        ..
    } = time;
    let doubt = if time.is_implausible() {
        "  too uncertain"
    } else if time.is_alone {
        ""
    } else {
        "  beside a neighbour"
    };
    let _ = writeln!(
        text,
        "{what:<44} {median:>9.2} ns {low:>11.2} to {high:>10.2} {spread:>10.2}{doubt}"
    );
}
