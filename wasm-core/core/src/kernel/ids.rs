//! Typed numbers: a packet is not a CPU and a time is not a length.

/// Time in nanoseconds on the trace's own clock; differences only mean something
/// within one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Nanos(pub u64);

impl Nanos {
    /// A time of a kernel's clock, which counts in 63 bits (`ktime_t` is signed,
    /// `include/linux/ktime.h`); none beyond that.
    pub fn of_clock(nanos: u64) -> Option<Self> {
        i64::try_from(nanos).is_ok().then_some(Self(nanos))
    }

    /// The time from `earlier` to this one; zero when the clock stepped back.
    pub const fn since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

/// The sum of some lengths of time in nanoseconds. Where 64 bits do not hold it (584 years: a
/// time in the file is wrong, which the import says) it is the largest number.
pub fn sum_of_nanos(lengths: impl IntoIterator<Item = u64>) -> u64 {
    lengths.into_iter().fold(0, u64::saturating_add)
}

/// A logical CPU by the kernel's number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CpuId(pub u16);

impl CpuId {
    /// The record does not say on which CPU it was made (a 2005 kperf line).
    pub const UNKNOWN: Self = Self(u16::MAX);

    /// Whether the record named a CPU.
    pub const fn is_known(self) -> bool {
        self.0 != Self::UNKNOWN.0
    }
}

/// A thread's id as the tracer prints it; 0 is the idle task of a CPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pid(pub u32);

impl Pid {
    /// The idle task (`swapper/N`).
    pub const IDLE: Self = Self(0);
    /// The record does not say which task ran.
    pub const UNKNOWN: Self = Self(u32::MAX);
}

/// A kernel address as a number that is small and stable within a run: an skb, a
/// socket, a NAPI context or a fragment queue, whichever the field holds. An
/// address is not an identity: the allocator gives it out again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AddrId(pub u32);

impl AddrId {
    /// No address: the event has none, or the kernel printed a null or hidden pointer.
    pub const NONE: Self = Self(u32::MAX);

    /// Whether there is an address.
    pub const fn is_some(self) -> bool {
        self.0 != Self::NONE.0
    }
}

impl Default for AddrId {
    fn default() -> Self {
        Self::NONE
    }
}

/// An interned piece of text of the run: a device, a command, a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NameId(pub u32);

/// An event by its place in the run's columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventIdx(pub u32);

impl EventIdx {
    /// As a column index.
    pub const fn at(self) -> usize {
        self.0 as usize
    }
}

/// A packet by the place of its journey in the run's table of journeys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PacketId(pub u32);

impl PacketId {
    /// No packet.
    pub const NONE: Self = Self(u32::MAX);

    /// As an index into the table of journeys.
    pub const fn at(self) -> usize {
        self.0 as usize
    }

    /// Whether there is a packet.
    pub const fn is_some(self) -> bool {
        self.0 != Self::NONE.0
    }
}
