//! What code costs that a core has, and what code costs that it has to fetch before it can run it.
//!
//! A call that is made over and over finds its code in the core's first cache of instructions. Of calls that have
//! little code in common, made one after the other, each drives out that of the others. What they
//! take longer so is the price of as many lines as an emulator counted to be fetched (`counted/`).
//! User space can make code of its own, but not with the kernel's ways to call and to return, which mitigations make
//! unlike any of a program: where each return is mispredicted, what comes behind it is fetched without being
//! foreseen.

use std::fs::File;
use std::hint::black_box;
use std::io::{self, Read, Write};
use std::os::unix::fs::FileExt;
use std::os::unix::net::UnixDatagram;
use std::thread;

use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec, eventfd, poll};
use rustix::fs::{
    Access, AtFlags, CWD, MemfdFlags, SeekFrom, accessat, fcntl_getfl, fstat, ftruncate,
    memfd_create, seek, statat,
};
use rustix::net::sockopt::socket_recv_buffer_size;

use crate::calls::ends;
use crate::cpus::allowed;
use crate::statistics::Estimate;
use crate::turns::{TURNS, timed, try_estimate};

/// Times that a call is made in a turn, alone and in the row.
const ROUNDS: u32 = 40;

/// What the calls are made with.
struct Things {
    pipe: (File, File),
    near: UnixDatagram,
    far: UnixDatagram,
    event: File,
    file: File,
}

impl Things {
    fn new() -> io::Result<Self> {
        let (near, far) = UnixDatagram::pair()?;
        let file = File::from(memfd_create("code", MemfdFlags::empty())?);
        file.write_all_at(&[1; 3], 0)?;
        Ok(Self {
            pipe: ends()?,
            near,
            far,
            event: File::from(eventfd(0, EventfdFlags::empty())?),
            file,
        })
    }
}

/// A call, or one and that which undoes it.
type Call = fn(&Things) -> io::Result<()>;

/// The calls, each of them short and the same each time; `counted/guest.c` makes them too.
const CALLS: [Call; 17] = [
    |_| {
        black_box(std::os::unix::process::parent_id());
        Ok(())
    },
    |things| {
        (&things.pipe.1).write_all(&[1])?;
        (&things.pipe.0).read_exact(&mut [0])
    },
    |things| {
        things.near.send(&[1])?;
        things.far.recv(&mut [0]).map(drop)
    },
    |things| {
        (&things.event).write_all(&1_u64.to_ne_bytes())?;
        (&things.event).read_exact(&mut [0; 8])
    },
    |_| Ok(statat(CWD, c"/dev/null", AtFlags::empty()).map(drop)?),
    |things| things.file.read_at(&mut [0], 1).map(drop),
    |things| {
        let mut both = [
            PollFd::new(&things.pipe.0, PollFlags::IN),
            PollFd::new(&things.far, PollFlags::IN),
        ];
        Ok(poll(&mut both, Some(&Timespec::default())).map(drop)?)
    },
    |_| {
        thread::yield_now();
        Ok(())
    },
    |things| Ok(fcntl_getfl(&things.file).map(drop)?),
    |things| Ok(socket_recv_buffer_size(&things.near).map(drop)?),
    |things| things.near.local_addr().map(drop),
    |_| {
        Ok(accessat(
            CWD,
            c"/dev/null",
            Access::READ_OK,
            AtFlags::empty(),
        )?)
    },
    |things| things.file.write_at(&[1], 1).map(drop),
    |things| Ok(fstat(&things.file).map(drop)?),
    |things| Ok(seek(&things.file, SeekFrom::End(0)).map(drop)?),
    |_| allowed().map(drop),
    |things| Ok(ftruncate(&things.file, 3)?),
];

/// The calls, made by themselves and one after the other; ns for one time each.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// All calls together, each of them made over and over.
    pub alone: Estimate,
    /// By how much they take longer in a row.
    pub fetched: Estimate,
}

/// Measures the calls; none where turns took no time.
pub fn row() -> io::Result<Option<Row>> {
    let things = Things::new()?;
    let apart = || {
        let each = CALLS.iter().map(|call| rounds(&[*call], &things));
        each.sum::<io::Result<f64>>()
    };
    let alone = try_estimate(TURNS, apart)?;
    let fetched = try_estimate(TURNS, || {
        Ok::<_, io::Error>(rounds(&CALLS, &things)? - apart()?)
    })?;
    let both = alone.zip(fetched);
    Ok(both.map(|(alone, fetched)| Row { alone, fetched }))
}

/// ns of a round of calls; the first, which finds what others left, does not count.
fn rounds(calls: &[Call], things: &Things) -> io::Result<f64> {
    let round = || calls.iter().try_for_each(|call| call(things));
    round()?;
    let mut made = Ok(());
    let ns = timed(|| made = (0..ROUNDS).try_for_each(|_| round()));
    made?;
    Ok(ns / f64::from(ROUNDS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_calls_can_be_made() {
        assert!(row().unwrap().unwrap().alone.median > 0.0);
    }
}
