//! What a finding is.

use crate::kernel::{Nanos, PacketId};
use crate::saying::Saying;

vocabulary! {
    /// What kind of thing happened. Of findings of one severity, earlier kinds come first.
    pub enum Kind {
        /// How long a packet is under way, and one that took the median of it.
        TypicalJourney = "typical-journey",
        /// Something was done to the run by hand.
        Intervention = "intervention",
        /// The recording has holes.
        LostEvents = "lost-events",
        /// How long requests of this host wait for their answers.
        ResponseTime = "response-time",
        /// Packets were dropped for one reason.
        Drops = "drops",
        /// Packets that a queue marked in the place of a drop.
        Marks = "marks",
        /// Datagrams of which a fragment never came.
        IncompleteDatagrams = "incomplete-datagrams",
        /// A process with packets waiting had to leave its CPU.
        PreemptedReader = "preempted-reader",
        /// A process was woken and had to wait for its CPU.
        LateWaking = "late-waking",
        /// The longest that a packet waited at one place.
        LongestWait = "longest-wait",
        /// Segments sent once more.
        Retransmissions = "retransmissions",
        /// Segments that came after a gap.
        OutOfOrder = "out-of-order",
        /// Numbered packets that overtook others.
        Reordering = "reordering",
        /// Cache lines that went from one CPU's cache to another's.
        CacheLines = "cache-lines",
        /// CPUs that spun for a lock.
        LockWait = "lock-wait",
        /// A queue that came near its limit, though nothing was dropped.
        FullQueue = "full-queue",
        /// Softirq work that was left to a thread.
        Ksoftirqd = "ksoftirqd",
        /// Polls that took all they may.
        BudgetUsed = "budget-used",
        /// A softirq that ran for long.
        LongSoftirq = "long-softirq",
        /// Fragments put together to datagrams.
        Reassembly = "reassembly",
        /// Frames merged on the way up.
        Gro = "gro",
        /// Datagrams cut by IP.
        Fragmentation = "fragmentation",
        /// Segments cut by the kernel in place of the NIC.
        SoftwareSegmentation = "software-segmentation",
        /// Segments that the NIC cuts.
        SegmentationOffload = "segmentation-offload",
        /// Packets with pieces that the record tells apart.
        Pieces = "pieces",
        /// Packets that waited in the socket's backlog.
        SocketBacklog = "socket-backlog",
        /// Packets that waited in the prequeue.
        Prequeue = "prequeue",
        /// Packets that were put on another CPU's backlog.
        Steering = "steering",
        /// Packets that are on more than one CPU.
        HandOver = "hand-over",
        /// Everything on one CPU though there are more.
        OneCpu = "one-cpu",
        /// Interrupts held back by the NIC.
        HeldInterrupts = "held-interrupts",
        /// Frames for each poll and interrupt.
        Batches = "batches",
        /// Segments joined to others in the receive queue.
        Coalescing = "coalescing",
        /// Packets that never leave the host.
        Loopback = "loopback",
        /// Answers that refuse: ICMP errors, TCP resets.
        Refusals = "refusals",
        /// The queue in which packets spend most of their way.
        MostOfTheWay = "most-of-the-way",
        /// A receive queue that stays nearly empty.
        ReaderKeepsUp = "reader-keeps-up",
        /// One CPU has most of the interrupt work.
        Imbalance = "imbalance",
        /// What measuring costs.
        ProbeCost = "probe-cost",
        /// Time in which nothing moves.
        Stillness = "stillness",
        /// Journeys whose end was not recorded.
        OpenJourneys = "open-journeys",
        /// No CPU was recorded.
        NoCpu = "no-cpu",
        /// The link was not recorded.
        NoWire = "no-wire",
        /// The scheduler was not recorded.
        NoScheduler = "no-scheduler",
    }
}

/// How much a finding asks for attention; the most first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Something was lost or is in doubt.
    Problem,
    /// Worth a look by someone who wants it faster.
    Notice,
    /// How things are.
    Info,
}

impl Severity {
    /// As the page and `--json` name it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Problem => "problem",
            Self::Notice => "notice",
            Self::Info => "info",
        }
    }
}

/// The view of the stage that shows a finding best.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// The packets' way through the stack.
    Way,
    /// The queues large.
    Queues,
    /// The caches large.
    Caches,
    /// Who runs and who waits for a CPU.
    Scheduler,
    /// Who holds a lock and who spins.
    Locks,
}

impl View {
    /// As the page names it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Way => "way",
            Self::Queues => "queues",
            Self::Caches => "caches",
            Self::Scheduler => "scheduler",
            Self::Locks => "locks",
        }
    }
}

/// Something that happened, with where to see it.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// Its kind.
    pub kind: Kind,
    /// How much it asks for attention.
    pub severity: Severity,
    /// What happened, in a few words and a figure.
    pub title: Saying,
    /// How, where, how often.
    pub detail: Saying,
    /// The first [`Finding::EVIDENCE`] of the packets concerned.
    pub packets: Vec<PacketId>,
    /// The start of the interval in which it happened.
    pub from: Nanos,
    /// Until when.
    pub to: Nanos,
    /// A moment at which it can be seen.
    pub moment: Nanos,
    /// The packet to follow at that moment; `NONE` if there is none.
    pub packet: PacketId,
    /// Where it is seen best.
    pub view: View,
}

impl Finding {
    /// The limit of packets kept as evidence; counts in the messages include all.
    pub const EVIDENCE: usize = 64;

    /// A finding without an interval or a packet.
    pub fn new(kind: Kind, severity: Severity, title: Saying, detail: Saying) -> Self {
        Self {
            kind,
            severity,
            title,
            detail,
            packets: Vec::new(),
            from: Nanos(0),
            to: Nanos(0),
            moment: Nanos(0),
            packet: PacketId::NONE,
            view: View::Way,
        }
    }

    /// Sets the interval, and its start as the moment.
    #[must_use]
    pub fn between(mut self, from: Nanos, to: Nanos) -> Self {
        (self.from, self.to, self.moment) = (from, to.max(from), from);
        self
    }

    /// Sets the moment and the packet to follow.
    #[must_use]
    pub fn seen(mut self, moment: Nanos, packet: PacketId) -> Self {
        (self.moment, self.packet) = (moment, packet);
        self
    }

    /// Sets the packets concerned; `NONE` is skipped.
    #[must_use]
    pub fn to_packets(mut self, packets: impl IntoIterator<Item = PacketId>) -> Self {
        let packets = packets.into_iter().filter(|packet| packet.is_some());
        self.packets = packets.take(Self::EVIDENCE).collect();
        self
    }

    /// Sets the view.
    #[must_use]
    pub fn on(mut self, view: View) -> Self {
        self.view = view;
        self
    }
}
