//! Stitches the events of a run into journeys, in one pass.
//!
//! For each address it keeps the live packet. An event at an address belongs to that packet, unless the packet cannot
//! have come from its last position (`packet::order::can_follow`): then a new packet begins. Merges, segmentation,
//! queues and reads are tracked by small state machines per CPU, socket, datagram and task.
//!
//! A recording with tracepoints only shows fewer ends of journeys. Most of the others follow from other events
//! (`cpu::receiving`, `read::reads`) and are marked as inferred; where events contradict each other the end stays open.
//! Source of the rules: the kernel's receive and send paths as read in v6.1 and v6.12; each rule names its function.
//!
//! The folder has rooms, and each may use those before it in this order (`wasm-core/tests/rooms.rs`):
//!
//! 1. [`packet`]: packets while their journeys are put together. [`survey`]: passes over the whole run before that.
//! 2. [`table`]: which packet is live where, how packets begin, end and merge. [`cpu`]: what CPUs and tasks are doing.
//! 3. [`ip`], [`send`], [`device`]: fragments, the send path, links and GRO.
//! 4. [`socket`]: what waits in sockets' queues. [`read`]: the calls that take it. [`free`]: how packets are freed.
//!
//! The rooms' state is in components (`Table`, `Cpus`, `Tcp`, `Udp`, ...) that only their rooms write directly. A rule
//! that needs several of them is a method of [`Stitcher`], in the highest room among those of what it needs.
//!
//! Here each event is dispatched to them. Beside the rooms, and above them, stand [`identity`] (which packet an event
//! is of), [`kperf`] (records of 2005, which name packets themselves), [`finish`] (the table of journeys), [`shared`] (flows
//! that packets have from others) and [`flows`].

mod cpu;
mod device;
mod finish;
mod flows;
mod free;
mod identity;
mod ip;
mod kperf;
mod packet;
mod read;
mod send;
mod shared;
mod socket;
mod survey;
mod table;

use crate::journey::Journeys;
use crate::kernel::{Direction, Event, EventIdx, Field, PacketId, Probe, Probes, Verdict};
use crate::run::Run;

use cpu::Cpus;
use cpu::task::Tasks;
use device::cpumap::Cpumaps;
use device::wire::Wire;
use free::drops::UnobservedPaths;
use ip::fragments::Fragments;
use kperf::Kperf;
use packet::draft::Draft;
use packet::headers::TCP;
pub(crate) use packet::location::freeing_function;
use packet::order::{Order, is_copy, is_origin};
use packet::reported::copied_at;
use send::queue_cuts::QueueCuts;
use socket::other::netfilter::Netfilter;
use socket::other::raw::Raws;
use socket::tcp::Tcp;
use socket::udp::Udp;
use survey::stacked::Stacked;
use table::Table;

const KPERF: Probes = Probes::of(&Probe::KPERF);

/// Stitches the events of a run into journeys.
pub(super) fn stitch(run: &Run) -> Journeys {
    let mut stitcher = Stitcher::new(run);
    run.each(|index| {
        stitcher.take(index);
    });
    stitcher.finish()
}

struct Stitcher<'run> {
    run: &'run Run,
    table: Table<'run>,
    cpus: Cpus,
    tasks: Tasks,
    fragments: Fragments,
    kperf: Kperf,
    tcp: Tcp,
    udp: Udp,
    raws: Raws,
    netfilter: Netfilter,
    wire: Wire,
    stacked: Stacked,
    cpumaps: Cpumaps,
    unobserved: UnobservedPaths,
    queue_cuts: QueueCuts,
}

impl<'run> Stitcher<'run> {
    fn new(run: &'run Run) -> Self {
        let passed = Probes::of(&run.probe);
        Self {
            run,
            table: Table::of(run),
            cpus: Cpus::default(),
            tasks: Tasks::default(),
            fragments: Fragments::of(run, &passed),
            kperf: Kperf::default(),
            tcp: Tcp::of(run, &passed),
            udp: Udp::of(run, &passed),
            raws: Raws::of_run(&passed),
            netfilter: Netfilter::default(),
            wire: Wire::default(),
            stacked: Stacked::of(run, &passed),
            cpumaps: Cpumaps::of(run, &passed),
            unobserved: UnobservedPaths::of(run, &passed),
            queue_cuts: QueueCuts::default(),
        }
    }

    fn take(&mut self, index: EventIdx) {
        let event = self.run.event(index);
        if KPERF.has(event.probe) {
            self.take_kperf(index, &event);
            return;
        }
        match event.probe {
            Probe::LostEvents => self.lose(index, event.cpu),
            Probe::WireRx => self.arrive(index, &event),
            Probe::RxMissed => self.miss(index, &event),
            Probe::WireTx => self.leave(index, &event),
            Probe::NapiGroReceiveExit | Probe::NapiGroFragsExit => self.gro_exit(index, &event),
            Probe::IpExpire => self.cpus.at(event.cpu).is_expiring = true,
            Probe::InetFragKill => self.kill_fragments(index, &event),
            Probe::TcpProbe if !event.skb.is_some() => self.tell_segment(index, &event),
            Probe::SysRecvfrom
            | Probe::TcpRecvmsg
            | Probe::UdpRecvmsg
            | Probe::SysEnter
            | Probe::SysSendto
            | Probe::TcpSendmsg
            | Probe::UdpSendmsg => self.enter_call(index, &event),
            Probe::TcpRecvmsgRet
            | Probe::UdpRecvmsgRet
            | Probe::SysRecvfromRet
            | Probe::SysExit => self.leave_call(index, &event),
            Probe::TcpRcvSpaceAdjust => self.adjust_space(index, &event),
            Probe::TcpTransmitSkb if self.is_clone_sent(index) => {
                self.cpus.at(event.cpu).transmitting = Some(index);
            }
            // A model's event has the segment's own numbers and address, and comes before it is sent.
            Probe::TcpRetransmitSkb if self.run.field(index, Field::SeqNo).is_none() => {
                self.note_retransmission(index, &event);
            }
            Probe::NapiPoll => self.cpus.at(event.cpu).receiving.finish(),
            Probe::SoftirqEntry | Probe::SoftirqExit => {
                self.cpus.at(event.cpu).receiving.leave_softirq();
            }
            Probe::SkDataReady => {
                self.take_up_held(index, &event);
                self.data_ready(index, &event);
            }
            Probe::SchedWaking => self.woken(index, &event),
            Probe::InetSockSetState | Probe::TcpReceiveReset => self.change_state(index, &event),
            Probe::SockRecvLength => self.return_read(index, &event),
            Probe::SockSendLength => self.judge_held(index, &event),
            Probe::TcpSendReset => {
                let answered = self.table.packet_at(event.skb).unwrap_or(PacketId::NONE);
                let place = (event.pid, event.context);
                self.cpus.at(event.cpu).resetting = Some((place, answered));
                self.learn_answered(index, &event);
                self.abort(index, &event);
            }
            Probe::IcmpSend => self.learn_answered(index, &event),
            Probe::TcpDestroySock => self.destroy(index),
            Probe::ConsumeSkb => self.consume(index, &event),
            Probe::KfreeSkb => self.free(index, &event),
            Probe::BuildSkb if event.skb.is_some() => match self.frame_of(index) {
                Some(frame) => self.build(frame, index, &event),
                None => self.pass(index, &event),
            },
            Probe::XdpReturnFrame => self.return_frame(index, &event),
            _ if event.skb.is_some() => self.pass(index, &event),
            _ => {}
        }
    }

    /// A probe with the address of a packet.
    fn pass(&mut self, index: EventIdx, event: &Event) {
        let Some(order) = Order::of(event.probe) else {
            return;
        };
        if order < Order::ARRIVE {
            self.cpus.at(event.cpu).sent = Some(index);
        }
        if event.probe == Probe::NetDevQueue {
            self.send_reassembled(index, event);
        }
        let there = self
            .table
            .packet_at(event.skb)
            .or_else(|| self.waited(event));
        let packet = match there {
            Some(packet) if self.is_continuation(packet, index, event, order) => packet,
            Some(packet) if self.stays_sent(packet, event) => {
                self.report_sent(packet, index, event);
                return;
            }
            _ => match self.found_elsewhere(index, event) {
                Some(packet) => packet,
                None if self.copies_nothing(index, event) => return,
                None => self.begin(index, event, order),
            },
        };
        self.note_return(packet, index, order);
        self.note_hand_over(packet, index, event, order);
        self.note_taken_up(packet, index, event);
        self.note_cpumap(packet, index, event);
        self.table.append(packet, index, event);
        let before = std::mem::replace(&mut self.table[packet].order, order);
        // A packet passed to another device of this host, or decapsulated, is received once more.
        if before >= Order::NET_CORE && order < Order::NET_CORE {
            self.table[packet].origin = None;
        }
        if is_origin(event.probe) {
            self.table[packet].origin = Some(event.probe);
        }
        match event.probe {
            Probe::NapiGroReceiveEntry | Probe::NapiGroFragsEntry => {
                self.gro_enter(packet, event, self.tcp.is_unnamed());
            }
            Probe::NetifReceiveSkb => {
                self.receive(packet, event);
                self.come_to_socket(packet);
            }
            Probe::TcpProbe => self.probe_segment(packet, index, event),
            Probe::SkbGroReceive => self.merge_in_gro(packet, index),
            Probe::InetFragQueueInsert => self.queue_fragment(packet, index),
            Probe::InetFragReasmFinish => self.reassemble(packet, index),
            Probe::UdpRcv | Probe::TcpV4Rcv => {
                self.table[packet].headers.transport_bytes = event.known_len().unwrap_or(0);
                self.reassemble_unobserved(packet, index);
            }
            Probe::TcpRcvEstablished | Probe::TcpAck | Probe::TcpRcvStateProcess => {
                self.leave_backlog(packet, index, event);
                self.table[packet].is_acknowledging = true;
                self.cpus.at(event.cpu).in_tcp.turn_to(packet, event);
            }
            Probe::TcpAddBacklog => self.queue_backlog(packet, index, event),
            Probe::TcpV4DoRcv => self.leave_backlog(packet, index, event),
            Probe::TcpDataQueue => self.queue_out_of_order(packet, event),
            Probe::TcpQueueRcv => self.queue_segment(packet, event),
            Probe::UdpEnqueueScheduleSkb => {
                let draft = &mut self.table[packet];
                draft.payload = event.known_len().unwrap_or(draft.payload);
                draft.queues.enter();
            }
            Probe::SkbCopyDatagramIter | Probe::SkbCopyDatagramIovec => {
                self.copy(packet, index, event);
            }
            Probe::SkbConsumeUdp => self.deliver_datagram(packet, index, event),
            Probe::IpDoFragment => self.cpus.at(event.cpu).cutting = Some((packet, index)),
            Probe::DevQueueXmit | Probe::NetDevQueue | Probe::QdiscDequeue => {
                self.cpus.at(event.cpu).queued = Some(packet);
            }
            Probe::NetDevStartXmit => self.take_segment(packet, index, event),
            Probe::NetDevXmit => self.sent(packet, index, before),
            Probe::BpfProgRunXdp => self.judge(packet, index, event),
            Probe::DriverXdpXmit => self.table[packet].outcome.verdict = Verdict::Transmitted,
            _ => {}
        }
    }

    /// Whether a copy takes no byte of what is at its address: it may be of any family's message, whose reader asks for
    /// its length with an empty buffer.
    fn copies_nothing(&self, index: EventIdx, event: &Event) -> bool {
        is_copy(event.probe) && copied_at(self.run, index, event) == 0
    }

    /// Begins a packet at the event's address.
    fn begin(&mut self, index: EventIdx, event: &Event, order: Order) -> PacketId {
        let direction = if order >= Order::ARRIVE {
            Direction::Receive
        } else {
            Direction::Transmit
        };
        let packet = self.table.create(Draft::new(direction, event.skb));
        self.table.bind_address(packet, event.skb);
        let is_by_task = event.in_task();
        if direction == Direction::Transmit && is_by_task {
            self.table[packet].sender = Some(event.pid);
        }
        let resetting = self.cpus.at(event.cpu).resetting.take();
        let reset = resetting.filter(|&(by, _)| by == (event.pid, event.context));
        let answered = reset.map(|(_, answered)| answered);
        let answered = answered.or_else(|| self.answered_segment(event));
        if let Some(answered) = answered.filter(|_| direction == Direction::Transmit) {
            self.table[packet].flow.protocol = TCP;
            self.table[packet].answers = answered;
        }
        match direction {
            Direction::Receive => self.begin_from_wire(packet, event),
            Direction::Transmit => self.begin_from_call(packet, index, event, order),
        }
        packet
    }
}
