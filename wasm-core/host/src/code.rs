//! The cost of code that is in a core's instruction cache, and of code that has to be fetched first.
//!
//! A call that is repeated finds its code in the first-level instruction cache. In a sequence of calls with
//! little code in common, each evicts the code of the others. The additional time is the cost of fetching as
//! many lines as an emulator counted (`counted/`). User space could use code of its own, but not the kernel's
//! calls and returns, which mitigations make unlike those of any program: where each return is mispredicted,
//! the code after it is fetched without having been predicted.

use std::fs::File;
use std::hint::black_box;
use std::io::{self, Read, Write};
use std::os::unix::fs::FileExt;
use std::os::unix::net::UnixDatagram;
use std::thread;
use std::time::Duration;

use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec, eventfd, poll};
use rustix::fs::{
    Access, AtFlags, CWD, MemfdFlags, SeekFrom, accessat, fcntl_getfl, fstat, ftruncate,
    memfd_create, seek, statat,
};
use rustix::net::sockopt::socket_recv_buffer_size;

use crate::calls::ends;
use crate::cpus::allowed;
use crate::statistics::Estimate;
use crate::turns::{TURNS, timed, try_estimate_within};

/// How often a turn makes each call, alone and in the sequence.
const ROUNDS: u32 = 40;

/// The objects that the calls use.
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

/// A call, or a call and the one that undoes it.
type Call = fn(&Things) -> io::Result<()>;

/// The calls, each short and always the same; `counted/guest.c` makes them too.
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

/// The calls made repeatedly and in sequence; ns for one time each.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// The sum over all calls, each made repeatedly.
    pub alone: Estimate,
    /// By how much they take longer in sequence.
    pub fetched: Estimate,
}

/// Measures the calls, waiting so long for turns with an idle sibling; `None` if there are too few turns for an estimate.
pub fn row(patience: Duration) -> io::Result<Option<Row>> {
    let things = Things::new()?;
    let apart = || {
        let each = CALLS.iter().map(|call| rounds(&[*call], &things));
        each.sum::<io::Result<f64>>()
    };
    let alone = try_estimate_within(patience, TURNS, apart)?;
    let fetched = try_estimate_within(patience, TURNS, || {
        Ok::<_, io::Error>(rounds(&CALLS, &things)? - apart()?)
    })?;
    let both = alone.zip(fetched);
    Ok(both.map(|(alone, fetched)| Row { alone, fetched }))
}

/// ns for one pass through the calls; the first pass, with other code in the cache, does not count.
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
    use crate::turns::PATIENCE;

    #[test]
    fn all_calls_can_be_made() {
        assert!(row(PATIENCE).unwrap().unwrap().alone.median > 0.0);
    }
}
