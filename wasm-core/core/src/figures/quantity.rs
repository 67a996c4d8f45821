//! What can be said of a run in a number, and in which unit.

vocabulary! {
    /// What a figure says. "Each packet" is each that came in or, where none did and on a host that mostly sends
    /// ([`Journeys::mostly_sends`](crate::journey::Journeys::mostly_sends)), each that set out. What was read is there what the
    /// NIC took.
    pub enum Quantity {
        /// Payload that processes read, in bits a second.
        Throughput = "throughput",
        /// Packets that processes read, a second.
        PacketRate = "packet_rate",
        /// Payload of each frame of what was read, in bytes.
        PayloadEach = "payload_each",
        /// Time from a packet's first event to its read: the one that half of them do not exceed.
        LatencyMedian = "latency_median",
        /// The one that 99 % of them do not exceed.
        LatencyTail = "latency_p99",
        /// Their mean.
        LatencyMean = "latency_mean",
        /// Time from a request to the read of its answer ([`Transaction`](crate::measure::Transaction)): the one that half of
        /// them do not exceed.
        ResponseMedian = "response_median",
        /// The one that 99 % of them do not exceed.
        ResponseTail = "response_p99",
        /// How long the request and its answer waited at a station of this host, on average.
        ResponseWait = "response_wait",
        /// Requests that were answered, a second.
        TransactionRate = "transaction_rate",
        /// The least time from a segment that TCP sent to the acknowledgement that covers it.
        RoundTrip = "round_trip",
        /// Packets dropped, of all; by reason.
        Dropped = "dropped",
        /// Time that CPUs were not idle, of all time; of all CPUs and of each.
        Busy = "busy",
        /// CPU time for each packet; of the run and by context.
        CpuEach = "cpu_each",
        /// CPU time for each packet in one function of the kernel.
        FunctionEach = "function_each",
        /// Calls of that function for each packet.
        CallsEach = "calls_each",
        /// CPU time for each packet that went into fetching lines from other caches; of the run
        /// and by kind of object.
        FetchEach = "fetch_each",
        /// Lines that came from other caches, for each packet; of the run and by kind of object.
        LinesEach = "lines_each",
        /// CPU time for each packet that went into fetching lines from memory.
        MemoryEach = "memory_each",
        /// Time for each packet that CPUs waited for a lock.
        LockEach = "lock_each",
        /// CPU time for each packet that measuring took: what probes cost.
        ProbesEach = "probes_each",
        /// CPU time for each packet that processes took which no packet passed and no socket was used by; of all of
        /// them and by their names.
        BystandersEach = "bystanders_each",
        /// Hops from one CPU to another, for each packet.
        HopsEach = "hops_each",
        /// Interrupts of network devices, a second.
        InterruptRate = "interrupt_rate",
        /// Frames taken from the NIC for each of its interrupts.
        FramesEachInterrupt = "frames_each_interrupt",
        /// Frames taken from the NIC for each poll.
        FramesEachPoll = "frames_each_poll",
        /// Packets that went on inside another (GRO, reassembly, coalescing), of those that came in.
        Merged = "merged",
        /// Frames that the link lost, of those that NICs sent in either direction.
        LostOnLink = "lost_on_link",
        /// Segments sent again, of all packets.
        Retransmitted = "retransmitted",
        /// Switches from task to task, for each packet.
        SwitchesEach = "switches_each",
        /// How long a packet that was read waited at a station, on average.
        WaitEach = "wait_each",
        /// How long a CPU worked on it at a station, on average.
        ServiceEach = "service_each",
    }
}

/// In which unit a figure is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Bits a second.
    BitsPerSecond,
    /// Things a second.
    PerSecond,
    /// Bytes.
    Bytes,
    /// Nanoseconds.
    Nanos,
    /// A part of a whole, from 0 to 1.
    Share,
    /// So many for each of something.
    Each,
}

impl Unit {
    /// As it stands in the head of a table's column.
    pub const fn name(self) -> &'static str {
        match self {
            Self::BitsPerSecond => "bit/s",
            Self::PerSecond => "1/s",
            Self::Bytes => "B",
            Self::Nanos => "ns",
            Self::Share | Self::Each => "1",
        }
    }
}

impl Quantity {
    /// Whether it is of time, so that a stretch of a run tells as much of it as it is long. Of all
    /// others it tells as much as packets came in it.
    pub const fn is_of_time(self) -> bool {
        matches!(
            self,
            Self::Throughput
                | Self::PacketRate
                | Self::TransactionRate
                | Self::InterruptRate
                | Self::Busy
        )
    }

    /// The unit of its figures.
    pub const fn unit(self) -> Unit {
        match self {
            Self::Throughput => Unit::BitsPerSecond,
            Self::PacketRate | Self::TransactionRate | Self::InterruptRate => Unit::PerSecond,
            Self::PayloadEach => Unit::Bytes,
            Self::LatencyMedian
            | Self::LatencyTail
            | Self::LatencyMean
            | Self::ResponseMedian
            | Self::ResponseTail
            | Self::ResponseWait
            | Self::RoundTrip
            | Self::CpuEach
            | Self::FunctionEach
            | Self::FetchEach
            | Self::MemoryEach
            | Self::LockEach
            | Self::ProbesEach
            | Self::BystandersEach
            | Self::WaitEach
            | Self::ServiceEach => Unit::Nanos,
            Self::Dropped | Self::Busy | Self::Merged | Self::LostOnLink | Self::Retransmitted => {
                Unit::Share
            }
            Self::CallsEach
            | Self::LinesEach
            | Self::HopsEach
            | Self::FramesEachInterrupt
            | Self::FramesEachPoll
            | Self::SwitchesEach => Unit::Each,
        }
    }
}
