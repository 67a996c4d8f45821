//! Costs of entering, leaving and switching tasks in the kernel, as far as user space can measure them: a
//! system call, a context switch, a wake-up on another CPU, an inter-processor interrupt, the clock, a timer, a
//! page fault, and the allocation and release of a packet's buffer.

use std::fs::File;
use std::hint::black_box;
use std::io::{self, Read, Write};
use std::os::unix::net::UnixDatagram;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::pipe::pipe;
use rustix::process::getppid;
use rustix::thread::{MembarrierCommand, membarrier};

use crate::statistics::Estimate;
use crate::turns::{TURNS, each, each_within, estimate, on_two, timed, try_estimate};

/// Pairs of sockets through which a byte is sent.
const PAIRS: usize = 15;

/// ns for a system call that does nothing: `getppid`. Waits so long for turns with an idle sibling.
pub fn system_call(patience: Duration) -> Option<Estimate> {
    each_within(patience, 2_000, || {
        black_box(getppid());
    })
}

/// ns to read the clock.
pub fn clock() -> Option<Estimate> {
    each(5_000, || {
        black_box(Instant::now());
    })
}

/// ns by which a sleep of 50 us exceeds that time: the timer's slack, its interrupt, the wake-up.
pub fn timer() -> Option<Estimate> {
    const ASKED: Duration = Duration::from_micros(50);
    estimate(TURNS, || {
        timed(|| thread::sleep(ASKED)) - ASKED.as_nanos() as f64
    })
}

/// Round trips through pipes in a turn.
const PIPE_ROUNDS: u32 = 20;

/// The two ends of a pipe.
pub fn ends() -> io::Result<(File, File)> {
    pipe()
        .map(|(read, write)| (File::from(read), File::from(write)))
        .map_err(io::Error::from)
}

/// Answers each byte until the other end is closed.
fn echo(mut request: File, mut answering: File) {
    let mut byte = [0];
    while request.read_exact(&mut byte).is_ok() && answering.write_all(&[1]).is_ok() {}
}

/// ns from a task's write to a pipe until another task that slept in its read has read it: half of the round
/// trip. With both tasks on one CPU that is a context switch with two system calls; on two CPUs it is a wake-up
/// on another CPU.
pub fn pipe_way(pair: (usize, usize)) -> io::Result<Option<Estimate>> {
    let ((mut answer, answering), (request, mut requesting)) = (ends()?, ends()?);
    let ahead = move || {
        let mut byte = [0];
        try_estimate(TURNS, || {
            let start = Instant::now();
            for _ in 0..PIPE_ROUNDS {
                requesting.write_all(&[1])?;
                answer.read_exact(&mut byte)?;
            }
            Ok::<_, io::Error>(start.elapsed().as_nanos() as f64 / f64::from(2 * PIPE_ROUNDS))
        })
    };
    let (way, is_alone) = on_two(pair, ahead, move || echo(request, answering))?;
    Ok(way?.map(|way| way.if_alone(is_alone)))
}

/// ns by which a write to a pipe takes longer if it wakes a task on another CPU than if no task waits: the
/// waker's cost, with the kernel's wake-up and the interrupt that it sends.
pub fn waking(pair: (usize, usize)) -> io::Result<Option<Estimate>> {
    let ((mut answer, answering), (request, mut requesting)) = (ends()?, ends()?);
    let (mut own, mut to_own) = ends()?;
    let ahead = move || {
        let mut byte = [0];
        try_estimate(TURNS, || {
            let mut more = 0.0;
            for _ in 0..PIPE_ROUNDS {
                more += timed(|| requesting.write_all(&[1]));
                answer.read_exact(&mut byte)?;
                more -= timed(|| to_own.write_all(&[1]));
                own.read_exact(&mut byte)?;
            }
            Ok::<_, io::Error>(more / f64::from(PIPE_ROUNDS))
        })
    };
    let (way, is_alone) = on_two(pair, ahead, move || echo(request, answering))?;
    Ok(way?.map(|way| way.if_alone(is_alone)))
}

/// ns from sending an interrupt to another CPU until it has answered: `membarrier` interrupts every CPU that
/// runs a thread of this process. The time of the same call without another thread is subtracted. A turn in
/// which the other CPU ran another task, and was not interrupted, does not count; `None` if nearly all turns
/// are such.
pub fn interrupt(pair: (usize, usize)) -> io::Result<Option<Estimate>> {
    const ROUNDS: u32 = 5;
    const MOST_TRIED: usize = 20 * TURNS;
    if membarrier(MembarrierCommand::RegisterPrivateExpedited).is_err() {
        return Ok(None);
    }
    let many = || {
        timed(|| {
            for _ in 0..ROUNDS {
                let called = membarrier(MembarrierCommand::PrivateExpedited);
                assert!(called.is_ok(), "membarrier is registered");
            }
        }) / f64::from(ROUNDS)
    };
    let Some(alone) = estimate(TURNS, many) else {
        return Ok(None);
    };
    let (beats, done) = (AtomicU64::new(0), AtomicBool::new(false));
    let ahead = || {
        let mut turns = Vec::new();
        for _ in 0..MOST_TRIED {
            // The other thread is running if its counter advances before and after.
            let ran_before = counts_on(&beats);
            let ns = many() - alone.median;
            if ran_before && counts_on(&beats) {
                turns.push(ns);
            }
            if turns.len() == TURNS {
                break;
            }
        }
        done.store(true, Ordering::Release);
        Estimate::of(&turns)
    };
    let other = || {
        while !done.load(Ordering::Acquire) {
            beats.fetch_add(1, Ordering::Relaxed);
        }
    };
    let (interrupt, is_alone) = on_two(pair, ahead, other)?;
    Ok(interrupt.map(|it| it.if_alone(is_alone)))
}

/// Whether a counter advances within 2 us.
fn counts_on(counter: &AtomicU64) -> bool {
    let (before, start) = (counter.load(Ordering::Relaxed), Instant::now());
    while start.elapsed() < Duration::from_micros(2) {
        if counter.load(Ordering::Relaxed) != before {
            return true;
        }
    }
    false
}

/// ns to write to a page of memory for the first time: the page fault, the allocation, the zeroing.
pub fn page() -> Option<Estimate> {
    const PAGES: usize = 256;
    // So large that the allocator requests it from the kernel each time.
    const BYTES: usize = 48 << 20;
    estimate(TURNS, || {
        let mut memory = vec![0_u8; BYTES];
        timed(|| {
            for page in memory.chunks_mut(4096).take(PAGES) {
                page[64] = black_box(1);
            }
        }) / PAGES as f64
    })
}

/// ns to send and receive one byte between two sockets of one process, without the two system calls: an
/// `sk_buff` and its data are allocated, queued, dequeued and freed.
///
/// Where the kernel happens to have put two sockets and their buffers makes a difference of up to a quarter, which
/// stays for as long as they are there. So it is the median of several pairs, as a load's is of several
/// connections. `call` is what a system call takes. Waits so long for turns with an idle sibling.
pub fn packet_buffer(call: Estimate, patience: Duration) -> io::Result<Option<Estimate>> {
    let mut held = Vec::with_capacity(PAIRS);
    let mut medians = Vec::with_capacity(PAIRS);
    let mut beside = 0;
    for _ in 0..PAIRS {
        let (near, far) = UnixDatagram::pair()?;
        let mut byte = [0];
        let both = each_within(patience / PAIRS as u32, 500, || {
            let moved = near.send(&[1]).and_then(|_| far.recv(&mut byte));
            assert!(moved.is_ok(), "a datagram fits into an empty queue");
        });
        if let Some(both) = both {
            beside += usize::from(!both.is_alone);
            medians.push(both.median);
        }
        // A pair that is freed leaves its place to the next.
        held.push((near, far));
    }
    let both = Estimate::of(&medians);
    Ok(both.map(|both| Estimate {
        median: both.median - 2.0 * call.median,
        low: both.low - 2.0 * call.high,
        high: both.high - 2.0 * call.low,
        // The median of the pairs is that of one without a neighbour if most have none.
        is_alone: beside < PAIRS.div_ceil(3) && call.is_alone,
        ..both
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpus::allowed;
    use crate::turns::PATIENCE;

    #[test]
    fn calls_pages_and_buffers_take_time() {
        for estimate in [system_call(PATIENCE), clock(), timer(), page()] {
            assert!(estimate.unwrap().median > 0.0);
        }
        let call = system_call(PATIENCE).unwrap();
        let buffer = packet_buffer(call, PATIENCE).unwrap();
        assert!(buffer.unwrap().median > 0.0);
    }

    #[test]
    fn tasks_are_switched_to_and_woken() {
        let cpus = allowed().unwrap();
        let (first, last) = (cpus[0], cpus[cpus.len() - 1]);
        for pair in [(first, first), (first, last)] {
            assert!(pipe_way(pair).unwrap().unwrap().low > 0.0);
        }
        if first != last {
            assert!(waking((first, last)).unwrap().unwrap().median > 0.0);
        }
    }
}
