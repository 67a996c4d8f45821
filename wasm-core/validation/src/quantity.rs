//! The words of expressions: what can be asked of a run, of a recorded run's layer
//! times, and of a machine or a kernel itself. Each says its unit.

use super::recorded::Recorded;
use ringside::run::measured::{FunctionTime, Measured, TaskTime};
use sim::config::kernel::Kernel;
use sim::config::machine::{Machine, Rate};

ringside::vocabulary! {
    /// What can be asked.
    pub enum Quantity {
        /// Payload that processes read, in Mbit/s.
        ThroughputMbit = "throughput_mbit",
        /// The same if all CPUs could be busy with it: throughput by utilisation.
        ScaledMbit = "scaled_mbit",
        /// Payload that processes read, in bytes.
        DeliveredBytes = "delivered_bytes",
        /// Time that CPUs were not idle, in % of all CPUs.
        Utilisation = "utilisation",
        /// Time that CPUs were not idle, in µs.
        BusyUs = "busy_us",
        /// Time that CPUs were idle, in µs.
        IdleUs = "idle_us",
        /// Rounds of the scripts' loops a second; of one role where it is named.
        RoundsPerSecond = "rounds_per_s",
        /// Connections that the server accepted and closed.
        Connections = "connections",
        /// The same a second.
        ConnectionsPerSecond = "connections_per_s",
        /// Connections that were refused or timed out.
        ConnectionsFailed = "connections_failed",
        /// Time in these functions, in % of busy time.
        Share = "share",
        /// Time in user mode, in % of busy time.
        UserShare = "user_share",
        /// Time not in user mode, in % of busy time.
        KernelShare = "kernel_share",
        /// Time spinning on locks, in % of the time not in user mode.
        SpinningShare = "spinning_share",
        /// CPU time of a role's tasks, in % of one CPU.
        RoleShare = "role_share",
        /// Cycles in these functions, waiting for cache lines included.
        Cycles = "cycles",
        /// Cycles in user mode.
        UserCycles = "user_cycles",
        /// Cycles in a function on one CPU: CPU, function; in user mode without a function.
        CpuCycles = "cpu_cycles",
        /// The same in % of that CPU's busy time.
        CpuShare = "cpu_share",
        /// Times that these functions ran.
        Calls = "calls",
        /// Cache lines that came into a cache in these functions.
        Lines = "lines",
        /// Cache lines that left the cache of the CPU that ran these functions meanwhile (or
        /// `user` code, or was `idle`). What devices take is spread evenly over time: a frame
        /// is written while it comes in, and a busy link has one after the other.
        LinesOut = "lines_out",
        /// Functions of the kernel that took at least as long as this one.
        Rank = "rank",
        /// CPU time of one system call of this name, in µs.
        CallUs = "call_us",
        /// Frames that NICs put into memory.
        FramesReceived = "frames_received",
        /// Interrupts of NICs.
        Interrupts = "interrupts",
        /// Frames lost for want of a descriptor.
        Missed = "rx_missed",
        /// The least number of free receive descriptors that there was.
        LeastFree = "rx_least_free",
        /// Switches from a task to another or to none: of one role where it is named.
        Switches = "switches",
        /// Segments without data that TCP sent: acknowledgements alone.
        PureAcks = "pure_acks",
        /// Segments with data that TCP sent, none twice.
        DataSegments = "data_segments",
        /// Segments that joined one before them in a socket's backlog.
        BacklogCoalesce = "backlog_coalesce",
        /// Segments that joined one before them in a receive queue.
        ReceiveCoalesce = "receive_coalesce",
        /// System calls of this name that returned.
        SystemCalls = "system_calls",
        /// Time that a CPU was not idle, in % of all.
        CpuBusy = "cpu_busy",
        /// Packets dropped.
        Dropped = "dropped",
        /// Tasks of the workload in the watched host.
        Tasks = "tasks",
        /// Payload that the readers of the nth connection got, in Mbit/s.
        ConnectionMbit = "connection_mbit",
        /// Mean time from one id of the 2005 toolkit to another without the 5 % at each end, in µs.
        HopUs = "hop_us",
        /// The same for whole packets: from a packet's first piece at one id to its last at the other.
        PacketUs = "packet_us",
        /// Time of all receive layers for one packet of the generator, in µs: ids 6 to 9, the
        /// socket layer by the toolkit's third approach, probes' cost taken away as it did.
        ReceiveUs = "receive_us",
        /// Time that CPUs worked on one packet of the generator in all receive layers, ids 6 to
        /// 10, in µs, probes' cost taken away.
        ServiceUs = "service_us",
        /// What one probe cost, in µs.
        ProbeUs = "probe_us",
        /// The toolkit's calibration: the mean cost of its first 100 calls without the 5 % at each end, in µs.
        CalibrationUs = "calibration_us",
        /// Of the listing of one packet that came in two segments: row, column.
        Listing = "listing",
        /// Time to copy so many bytes that are in the cache, in µs: routine, bytes.
        CopyUs = "copy_us",
        /// Cycles to copy so many bytes of which the source comes from memory: routine, bytes.
        ColdCopyCycles = "cold_copy_cycles",
        /// Receive descriptors of a NIC.
        Ring = "rx_ring",
        /// Memory that `mem_map` takes with so many GiB, in MB of 2^20 bytes.
        MemMapMb = "mem_map_mb",
    }
}

/// What a quantity has to be read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Needs {
    /// The machine and the kernel.
    Description,
    /// What was measured.
    Measured,
    /// The events.
    Recorded,
}

impl Quantity {
    /// Whether it says again what was put in: a number of a machine or a kernel, how many
    /// processes a workload starts, and of a listing which line, id, packet and thread it is.
    pub(super) fn restates(self, words: &[String]) -> bool {
        match self {
            Self::Tasks => true,
            Self::Listing => words.last().is_some_and(|column| column != "gap"),
            _ => self.needs() == Needs::Description,
        }
    }

    pub(super) const fn needs(self) -> Needs {
        match self {
            Self::CopyUs | Self::ColdCopyCycles | Self::Ring | Self::MemMapMb => Needs::Description,
            Self::Tasks
            | Self::HopUs
            | Self::PacketUs
            | Self::ReceiveUs
            | Self::ServiceUs
            | Self::ProbeUs
            | Self::CalibrationUs
            | Self::Listing => Needs::Recorded,
            _ => Needs::Measured,
        }
    }
}

/// A quantity of a machine or a kernel.
pub(super) fn of_description(
    quantity: Quantity,
    words: &[String],
    machine: &Machine,
    kernel: &Kernel,
) -> Result<f64, String> {
    let megahertz = machine.processors.clock_khz as f64 / 1000.0;
    let copy = || -> Result<(f64, f64), String> {
        let (routine, bytes) = (word(words, 0)?, number(words, 1)?);
        let rate = rate(machine, routine)?;
        let cycles = f64::from(rate.start_cycles) + bytes * f64::from(rate.cycles_per_kib) / 1024.0;
        Ok((cycles, bytes))
    };
    Ok(match quantity {
        Quantity::CopyUs => copy()?.0 / megahertz,
        Quantity::ColdCopyCycles => {
            let (cycles, bytes) = copy()?;
            let cache = machine.cache.as_ref().ok_or("the machine has no cache")?;
            let each = match (rate(machine, word(words, 0)?)?.miss_permille, cache) {
                (0, cache) if cache.stream_read_cycles > 0 => f64::from(cache.stream_read_cycles),
                (0, cache) => f64::from(cache.memory_read_cycles),
                (part, cache) => f64::from(cache.memory_read_cycles) * f64::from(part) / 1000.0,
            };
            cycles + (bytes / f64::from(cache.line_bytes)).ceil() * each
        }
        Quantity::Ring => {
            let nic = machine.nics.first().ok_or("the machine has no NIC")?;
            f64::from(nic.rx_ring)
        }
        Quantity::MemMapMb => {
            let pages = number(words, 0)? * f64::from(1 << 18);
            pages * kernel.page_struct_bytes as f64 / f64::from(1 << 20)
        }
        _ => return Err(format!("{quantity} is not of a machine")),
    })
}

fn rate(machine: &Machine, routine: &str) -> Result<Rate, String> {
    let none = || format!("there is no copy routine {routine}");
    Ok(match routine {
        "movsd_aligned" => machine.copy.movsd_aligned,
        "movsd_unaligned" => machine.copy.movsd_unaligned.ok_or_else(none)?,
        "integer_aligned" => machine.copy.integer_aligned,
        "integer_unaligned" => machine.copy.integer_unaligned.ok_or_else(none)?,
        _ => return Err(none()),
    })
}

/// A quantity of what a run measured.
pub(super) fn of_measured(
    quantity: Quantity,
    words: &[String],
    measured: &Measured,
    machine: &Machine,
) -> Result<f64, String> {
    let seconds = measured.elapsed_fs as f64 / 1e15;
    let mbit = measured.delivered_bytes as f64 * 8.0 / 1e6 / seconds;
    let all_fs = measured.elapsed_fs as f64 * f64::from(measured.cpus);
    let busy_fs = measured.busy_fs() as f64;
    let kernel_fs = busy_fs - measured.user_fs as f64;
    let cycles = |fs: f64| fs * machine.processors.clock_khz as f64 / 1e12;
    Ok(match quantity {
        Quantity::ThroughputMbit => mbit,
        Quantity::ScaledMbit => mbit * all_fs / busy_fs,
        Quantity::DeliveredBytes => measured.delivered_bytes as f64,
        Quantity::Utilisation => 100.0 * busy_fs / all_fs,
        Quantity::BusyUs => busy_fs / 1e9,
        Quantity::IdleUs => (all_fs - busy_fs) / 1e9,
        Quantity::RoundsPerSecond if words.is_empty() => measured.rounds as f64 / seconds,
        Quantity::Share => 100.0 * functions(words, measured, |time| time.fs)? / busy_fs,
        Quantity::UserShare => 100.0 * measured.user_fs as f64 / busy_fs,
        Quantity::KernelShare => 100.0 * kernel_fs / busy_fs,
        Quantity::SpinningShare => 100.0 * measured.spinning_fs as f64 / kernel_fs,
        Quantity::Cycles => cycles(functions(words, measured, |time| time.fs)?),
        Quantity::UserCycles => cycles(measured.user_fs as f64),
        Quantity::Calls => functions(words, measured, |time| time.calls)?,
        Quantity::Lines => functions(words, measured, |time| time.lines)?,
        Quantity::LinesOut => lines_out(words, measured)?,
        Quantity::Rank => {
            let own = functions(words, measured, |time| time.fs)? as u64;
            let others = measured.functions.values();
            others.filter(|time| time.fs >= own).count() as f64
        }
        Quantity::RoundsPerSecond => tasks(measured, words)?.rounds as f64 / seconds,
        Quantity::RoleShare => tasks(measured, words)?.cpu_fs as f64 / 1e13 / seconds,
        Quantity::Connections => measured.connections as f64,
        Quantity::ConnectionsPerSecond => measured.connections as f64 / seconds,
        Quantity::ConnectionsFailed => measured.connections_failed as f64,
        Quantity::CallUs => {
            let name = word(words, 0)?;
            let call = measured.calls.get(name);
            let call = call.ok_or_else(|| format!("there is no system call {name}"))?;
            call.fs as f64 / 1e9 / call.calls as f64
        }
        Quantity::CpuCycles => cycles(of_cpu(measured, words)?.0),
        Quantity::CpuShare => {
            let (fs, busy) = of_cpu(measured, words)?;
            100.0 * fs / busy
        }
        Quantity::SystemCalls => {
            let name = word(words, 0)?;
            let call = measured.calls.get(name);
            call.ok_or_else(|| format!("there is no system call {name}"))?
                .calls as f64
        }
        Quantity::CpuBusy => {
            let cpu = number(words, 0)? as usize;
            let busy = measured.cpu_busy_fs.get(cpu);
            let busy = busy.ok_or_else(|| format!("there is no CPU {cpu}"))?;
            100.0 * *busy as f64 / measured.elapsed_fs as f64
        }
        Quantity::Switches if words.is_empty() => measured.switches as f64,
        Quantity::Switches => tasks(measured, words)?.switches as f64,
        Quantity::PureAcks => measured.tcp.pure_acks() as f64,
        Quantity::DataSegments => measured.tcp.orig_data_sent as f64,
        Quantity::BacklogCoalesce => measured.tcp.backlog_coalesce as f64,
        Quantity::ReceiveCoalesce => measured.tcp.rcv_coalesce as f64,
        Quantity::Dropped => measured.dropped as f64,
        Quantity::FramesReceived => measured.frames_received as f64,
        Quantity::Interrupts => measured.interrupts as f64,
        Quantity::Missed => measured.rx_missed as f64,
        Quantity::LeastFree if measured.rx_ring_least_free == u32::MAX => {
            return Err("no NIC received anything".to_owned());
        }
        Quantity::LeastFree => f64::from(measured.rx_ring_least_free),
        Quantity::ConnectionMbit => {
            let connection = number(words, 0)? as usize;
            let mut read = measured.socket_bytes.iter().filter(|&&bytes| bytes > 0);
            let missing = || format!("nothing was read from connection {connection}");
            *read.nth(connection).ok_or_else(missing)? as f64 * 8.0 / 1e6 / seconds
        }
        _ => return Err(format!("{quantity} is not of a measured run")),
    })
}

fn tasks(measured: &Measured, words: &[String]) -> Result<TaskTime, String> {
    let role = word(words, 0)?;
    let tasks = measured.tasks.get(role).copied();
    tasks.ok_or_else(|| format!("no task is called {role}"))
}

/// Time of one CPU in a function, or in user mode where none is named, and its busy time.
fn of_cpu(measured: &Measured, words: &[String]) -> Result<(f64, f64), String> {
    let cpu = number(words, 0)? as usize;
    let missing = || format!("there is no CPU {cpu}");
    let functions = measured.cpu_functions.get(cpu).ok_or_else(missing)?;
    let user = measured.cpu_user_fs.get(cpu).ok_or_else(missing)?;
    let busy = measured.cpu_busy_fs.get(cpu).ok_or_else(missing)?;
    let fs = match words.get(1) {
        None => Some(*user),
        Some(name) => functions.get(name).map(|time| time.fs),
    };
    let fs = fs.ok_or_else(|| format!("the model has no function {}", words[1]))?;
    Ok((fs as f64, *busy as f64))
}

/// Sums something over functions. One that the kernel does not have is refused: a
/// spelling mistake must not read as zero.
fn functions(
    words: &[String],
    measured: &Measured,
    of: impl Fn(&FunctionTime) -> u64,
) -> Result<f64, String> {
    let mut sum = 0;
    for name in words {
        let time = measured.functions.get(name);
        sum += of(time.ok_or_else(|| format!("the model has no function {name}"))?);
    }
    Ok(sum as f64)
}

fn lines_out(words: &[String], measured: &Measured) -> Result<f64, String> {
    let mut sum = functions(words, measured, |time| time.lines_out)?;
    for (cpu, to_devices) in measured.lines_to_devices.iter().enumerate() {
        for name in words {
            let fs = match name.as_str() {
                "user" => measured.cpu_user_fs[cpu],
                "idle" => measured.elapsed_fs - measured.cpu_busy_fs[cpu],
                _ => measured.cpu_functions[cpu][name].fs,
            };
            sum += *to_devices as f64 * fs as f64 / measured.elapsed_fs as f64;
        }
    }
    Ok(sum)
}

/// A quantity of a run's events.
pub(super) fn of_recorded(
    quantity: Quantity,
    words: &[String],
    recorded: &Recorded,
) -> Result<f64, String> {
    match quantity {
        Quantity::HopUs => recorded.hop_us(number(words, 0)? as u8, number(words, 1)? as u8),
        Quantity::PacketUs => recorded.packet_us(number(words, 0)? as u8, number(words, 1)? as u8),
        Quantity::ReceiveUs => recorded.receive_us(),
        Quantity::ServiceUs => recorded.service_us(),
        Quantity::ProbeUs => recorded.probe_us(),
        Quantity::CalibrationUs => recorded.calibration_us(),
        Quantity::Tasks => Ok(recorded.tasks() as f64),
        Quantity::Listing => recorded.listing(number(words, 0)? as usize, word(words, 1)?),
        _ => Err(format!("{quantity} is not of a recorded run")),
    }
}

fn word(words: &[String], at: usize) -> Result<&str, String> {
    let word = words.get(at).ok_or("a word is missing")?;
    Ok(word)
}

fn number(words: &[String], at: usize) -> Result<f64, String> {
    let word = word(words, at)?;
    word.parse().map_err(|_| format!("{word} is no number"))
}
