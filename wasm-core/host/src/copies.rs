//! The kernel's copies to and from user memory, by size, alignment and cache level of the source: reads and
//! writes of a file in memory, whose page cache is kernel memory. The cost of the call itself cancels, since
//! the cost of a KiB is the difference of a long call and a short one.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use rustix::fs::{MemfdFlags, memfd_create};

use crate::context::Context;
use crate::pages::Pages;
use crate::statistics::Estimate;
use crate::turns::{Baton, TURNS, estimate, on_two, timed};

/// The kernel copies page by page; within one page there is only the copy.
const PAGE: usize = 4096;
/// Bytes of the short copy that is subtracted.
const SHORT: usize = 256;
/// Number of calls in a turn.
const CALLS: u32 = 300;
/// Bytes of a cache line.
const LINE: usize = 64;

/// The direction of a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// `copy_to_user`.
    ToUser,
    /// `copy_from_user`.
    FromUser,
}

impl Way {
    const fn back(self) -> Self {
        match self {
            Self::ToUser => Self::FromUser,
            Self::FromUser => Self::ToUser,
        }
    }
}

/// Copies all of a part from or to a place of a file in memory.
fn copy(file: &File, way: Way, part: &mut [u8], at: usize) {
    let moved = match way {
        Way::ToUser => file.read_at(part, at as u64),
        Way::FromUser => file.write_at(part, at as u64),
    };
    assert!(
        moved.is_ok_and(|moved| moved == part.len()),
        "a file in memory is read and written"
    );
}

/// Cost of a copy within the caches, in ns.
#[derive(Debug, Clone, Copy)]
pub struct Hot {
    /// For each KiB.
    pub kib: Option<Estimate>,
    /// Constant part, beyond the cost of a call for one byte.
    pub start: Option<Estimate>,
}

/// A file in memory of `bytes` bytes.
fn file(bytes: usize) -> io::Result<File> {
    let created = memfd_create("ringside", MemfdFlags::CLOEXEC);
    let file = File::from(created.context(|| "memfd_create".to_owned())?);
    let page = vec![0x5a; 1 << 20];
    for at in (0..bytes).step_by(page.len()) {
        file.write_all_at(&page[..page.len().min(bytes - at)], at as u64)?;
    }
    Ok(file)
}

/// Measures a copy of cached data, `shift` bytes off a boundary of 8.
pub fn hot(way: Way, shift: usize) -> io::Result<Hot> {
    let file = file(2 * PAGE)?;
    let mut buffer = Pages::of(1, 2 * PAGE);
    let mut call = |bytes: usize| copy(&file, way, &mut buffer[shift..shift + bytes], 0);
    let mut many = |bytes: usize| {
        timed(|| {
            for _ in 0..CALLS {
                call(bytes);
            }
        }) / f64::from(CALLS)
    };
    let long = PAGE - 8;
    let each = |long_one: f64, short: f64| (long_one - short) / (long - SHORT) as f64;
    Ok(Hot {
        kib: estimate(TURNS, || {
            let (short, long_one) = (many(SHORT), many(long));
            each(long_one, short) * 1024.0
        }),
        start: estimate(TURNS, || {
            let (one, short, long_one) = (many(1), many(SHORT), many(long));
            short - each(long_one, short) * SHORT as f64 - one
        }),
    })
}

/// ns by which 1024 bytes of a copy within a page take longer where neither its source nor its destination is in the
/// first cache: both go round `kib` KiB each.
pub fn beyond_first(way: Way, kib: u32) -> io::Result<Option<Estimate>> {
    let pages = (kib as usize * 1024 / PAGE).max(1);
    let file = file(pages * PAGE)?;
    let mut buffer = Pages::of(1, pages * PAGE);
    let mut page = 0;
    let mut many = |bytes: usize, pages: usize| {
        timed(|| {
            for _ in 0..CALLS {
                page = (page + 1) % pages;
                let part = &mut buffer[page * PAGE..][..bytes];
                copy(&file, way, part, page * PAGE);
            }
        }) / f64::from(CALLS)
    };
    let long = PAGE - 8;
    let mut copied = |pages| many(long, pages) - many(SHORT, pages);
    Ok(estimate(TURNS, || {
        let more = copied(pages) - copied(1);
        more / (long - SHORT) as f64 * 1024.0
    }))
}

/// ns for each line of a sequential copy from or to a file of `kib` KiB that is read or written from end to
/// end, repeatedly.
pub fn stream_line(kib: u32, way: Way) -> io::Result<Option<Estimate>> {
    const PIECE: usize = 64 << 10;
    let bytes = (kib as usize * 1024).max(PIECE);
    let file = file(bytes)?;
    let mut buffer = vec![1_u8; PIECE];
    let pieces = bytes / PIECE;
    // A turn covers only a part of a large file, so that it stays short.
    let in_turn = pieces.min(64);
    let mut at = 0;
    let mut turn = || {
        let ns = timed(|| {
            for _ in 0..in_turn {
                copy(&file, way, &mut buffer, at * PIECE);
                at = (at + 1) % pieces;
            }
        });
        ns / (in_turn * PIECE / LINE) as f64
    };
    // One pass through the whole file.
    for _ in 0..pieces.div_ceil(in_turn) {
        turn();
    }
    Ok(estimate(TURNS, turn))
}

/// Additional ns for each line of a sequential copy if another CPU accessed the same file of `kib` KiB before:
/// it wrote what is read here, or read what is written here. The mean of both.
pub fn handed_line(pair: (usize, usize), kib: u32) -> io::Result<Option<Estimate>> {
    const PIECE: usize = 64 << 10;
    let bytes = (kib as usize * 1024).max(PIECE);
    let file = file(bytes)?;
    let through = |way: Way, buffer: &mut [u8]| {
        for at in (0..bytes).step_by(PIECE) {
            copy(&file, way, &mut buffer[..PIECE.min(bytes - at)], at);
        }
    };
    let baton = Baton::default();
    let turns = TURNS as u32 + 1;
    let ahead = || {
        let mut buffer = vec![1_u8; PIECE];
        let mut values = Vec::new();
        for turn in 0..turns {
            let mut more = 0.0;
            for (half, way) in (0..).zip([Way::ToUser, Way::FromUser]) {
                baton.wait(4 * turn + 2 * half + 1);
                more += timed(|| through(way, &mut buffer));
                through(way.back(), &mut buffer);
                more -= timed(|| through(way, &mut buffer));
                baton.pass(4 * turn + 2 * half + 2);
            }
            values.push(more / (2 * bytes / LINE) as f64);
        }
        // The first turn is a warm-up.
        Estimate::of(&values[1..])
    };
    let other = || {
        let mut buffer = vec![1_u8; PIECE];
        for turn in 0..turns {
            for (half, way) in (0..).zip([Way::ToUser, Way::FromUser]) {
                through(way.back(), &mut buffer);
                baton.pass(4 * turn + 2 * half + 1);
                baton.wait(4 * turn + 2 * half + 2);
            }
        }
    };
    let (more, is_alone) = on_two(pair, ahead, other)?;
    Ok(more.map(|more| more.if_alone(is_alone)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpus::allowed;

    #[test]
    fn copies_of_either_way_take_time_by_size() {
        for way in [Way::ToUser, Way::FromUser] {
            let hot = hot(way, 0).unwrap();
            assert!(hot.kib.unwrap().median > 0.0, "{hot:?}");
        }
        for way in [Way::ToUser, Way::FromUser] {
            assert!(beyond_first(way, 256).unwrap().is_some());
            assert!(stream_line(256, way).unwrap().unwrap().low > 0.0);
        }
    }

    #[test]
    fn lines_of_another_cpu_are_copied() {
        let [first, .., last] = allowed().unwrap()[..] else {
            return;
        };
        let more = handed_line((first, last), 100).unwrap().unwrap();
        let all = stream_line(100, Way::ToUser).unwrap().unwrap();
        assert!(more.median > -all.median, "{more:?} beside {all:?}");
    }
}
