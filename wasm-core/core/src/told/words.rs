//! What is said of the told film: for each beat a sentence, a short one, what explains it, and
//! the kernel's own words. The texts are in `web/words/messages/en.json`.

sayings! {
    /// We follow packet {packet}: {bytes}, {flow}.
    follows = "told.follows"(packet: Packet, bytes: Bytes, flow: Flow);
    /// We follow packet {packet}: {bytes}.
    follows_bare = "told.follows_bare"(packet: Packet, bytes: Bytes);
    /// We follow packet {packet}.
    follows_of_no_length = "told.follows_of_no_length"(packet: Packet);
    /// We follow packet {packet} as soon as it comes: {bytes}, {flow}.
    follows_next = "told.follows_next"(packet: Packet, bytes: Bytes, flow: Flow);
    /// We follow packet {packet} as soon as it comes: {bytes}.
    follows_next_bare = "told.follows_next_bare"(packet: Packet, bytes: Bytes);
    /// We follow packet {packet} as soon as it comes.
    follows_next_of_no_length = "told.follows_next_of_no_length"(packet: Packet);
    /// It is first seen here: {station}.
    why_first_seen = "told.why.first_seen"(station: Station);
    /// The eye goes on with packet {packet}, which carries its bytes now.
    goes_on = "told.goes_on"(packet: Packet);
    /// Packet {from} is cut into {count} packets; we go on with packet {packet}: {bytes}.
    follows_piece = "told.follows_piece"(from: Packet, count: Count, packet: Packet, bytes: Bytes);
    /// Packet {packet} waits {waited}: {station}.
    waits = "told.waits"(packet: Packet, station: Station, waited: Nanos);
    /// Packet {packet} waits on to the end of this run: {station}.
    waits_on = "told.waits_on"(packet: Packet, station: Station);
    /// Packet {packet} waits {waited} in the rx ring, until a CPU polls the NIC.
    waits_in_ring = "told.waits_in_ring"(packet: Packet, waited: Nanos);
    /// Packet {packet} waits {waited} in GRO for more of its flow, until the poll is over.
    waits_in_gro = "told.waits_in_gro"(packet: Packet, waited: Nanos);
    /// Packet {packet} waits {waited} in the CPU’s backlog, until a softirq there takes it.
    waits_in_backlog = "told.waits_in_backlog"(packet: Packet, waited: Nanos);
    /// Packet {packet} waits {waited} in reassembly, until all fragments of its datagram are here.
    waits_in_reassembly = "told.waits_in_reassembly"(packet: Packet, waited: Nanos);
    /// Packet {packet} waits {waited} in the socket’s backlog, until the process lets go of the socket.
    waits_in_socket_backlog = "told.waits_in_socket_backlog"(packet: Packet, waited: Nanos);
    /// Packet {packet} waits {waited} in the prequeue, until its reader runs.
    waits_in_prequeue = "told.waits_in_prequeue"(packet: Packet, waited: Nanos);
    /// Packet {packet} waits {waited} out of order, until the bytes before it have come.
    waits_out_of_order = "told.waits_out_of_order"(packet: Packet, waited: Nanos);
    /// Packet {packet} waits {waited} in the receive queue, until the process reads.
    waits_in_receive_queue = "told.waits_in_receive_queue"(packet: Packet, waited: Nanos);
    /// Packet {packet} waits {waited} in the write queue, until TCP may send it.
    waits_in_write_queue = "told.waits_in_write_queue"(packet: Packet, waited: Nanos);
    /// Packet {packet} waits {waited} in the queueing discipline, until its turn comes and the device has room.
    waits_in_qdisc = "told.waits_in_qdisc"(packet: Packet, waited: Nanos);
    /// Packet {packet} waits {waited} in the tx ring, until the NIC reports that it was sent.
    waits_in_tx_ring = "told.waits_in_tx_ring"(packet: Packet, waited: Nanos);
    /// {depth} lie there and wait for it: {queue}.
    why_bytes_wait = "told.why.bytes_wait"(depth: Bytes, queue: Queue);
    /// {depth} packets wait for it there: {queue}.
    why_packets_wait = "told.why.packets_wait"(depth: Count, queue: Queue);
    /// The NIC writes the frame into the ring: {depth} frames are in it now.
    arrives = "told.arrives"(depth: Count);
    /// The NIC writes the frame into its ring in memory.
    arrives_bare = "told.arrives_bare"();
    /// CPU {cpu} takes the interrupt {waited} after the frame was written into the ring.
    interrupt = "told.interrupt"(cpu: Cpu, waited: Nanos);
    /// CPU {cpu} starts the softirq that empties the ring.
    softirq = "told.softirq"(cpu: Cpu);
    /// CPU {cpu} starts the softirq that empties its backlog.
    softirq_backlog = "told.softirq_backlog"(cpu: Cpu);
    /// CPU {cpu} takes the frame out of the ring, where it waited {waited}.
    polled = "told.polled"(cpu: Cpu, waited: Nanos);
    /// In its softirq CPU {cpu} takes the frame out of the ring, where it waited {waited}.
    polled_in_softirq = "told.polled_in_softirq"(cpu: Cpu, waited: Nanos);
    /// The driver has the frame, on CPU {cpu}.
    driver = "told.driver"(cpu: Cpu);
    /// On CPU {cpu} the NIC's XDP program looks at the frame, before there is a packet.
    xdp = "told.xdp"(cpu: Cpu);
    /// GRO looks whether the frame can be merged with those before it.
    gro = "told.gro"();
    /// The driver hands the frame up, through GRO if that is switched on.
    gro_if_on = "told.gro_if_on"();
    /// It came in within another packet, whose headers are off: it comes in again by the tunnel's device.
    unwrapped = "told.unwrapped"(device: Name, headers: Bytes);
    /// The network core hands it to the protocol that its header names.
    net_core = "told.net_core"();
    /// It is put on the backlog of CPU {cpu}.
    backlog = "told.backlog"(cpu: Cpu);
    /// In its softirq CPU {cpu} takes it from its backlog, where it waited {waited}.
    leaves_backlog = "told.leaves_backlog"(cpu: Cpu, waited: Nanos);
    /// CPU {from} hands it to CPU {to}: it is put on that CPU’s backlog.
    backlog_across = "told.backlog_across"(from: Cpu, to: Cpu);
    /// IP checks the header: the packet is for this host.
    ip = "told.ip"();
    /// IP keeps fragment {number} of {of} until the whole datagram is here.
    fragment = "told.fragment"(number: Count, of: Count);
    /// Fragment {number} of {of} is the last that was missing: IP puts the datagram together.
    fragment_completes = "told.fragment_completes"(number: Count, of: Count);
    /// IP keeps this fragment until the whole datagram is here.
    fragment_bare = "told.fragment_bare"();
    /// All {pieces} fragments are here: packet {packet} is whole again, {took} after its first fragment.
    whole = "told.whole"(packet: Packet, pieces: Count, took: Nanos);
    /// TCP finds the connection and checks the sequence number.
    tcp = "told.tcp"();
    /// UDP looks up the socket by its port.
    udp = "told.udp"();
    /// The transport layer looks up the socket.
    transport = "told.transport"();
    /// A process is busy with the socket, so the packet waits in the socket’s backlog.
    socket_backlog = "told.socket_backlog"();
    /// It waits in the prequeue: the reader itself will do TCP’s work on it.
    prequeue = "told.prequeue"();
    /// A segment before it is missing, so it waits out of order.
    out_of_order = "told.out_of_order"();
    /// It is in the socket’s receive queue.
    queued = "told.queued"();
    /// It is in the socket’s receive queue, {depth} packets deep now.
    queued_packets = "told.queued_packets"(depth: Count);
    /// It is in the socket’s receive queue, which holds {depth} now.
    queued_bytes = "told.queued_bytes"(depth: Bytes);
    /// It is in the socket’s receive queue, which holds {depth} of {limit} now.
    queued_of = "told.queued_of"(depth: Bytes, limit: Bytes);
    /// The reader, {task}, is woken.
    wakes = "told.wakes"(task: Task);
    /// {task} gets CPU {cpu} and goes on reading.
    runs = "told.runs"(task: Task, cpu: Cpu);
    /// {by} pushes {task} off CPU {cpu}: the packet waits for its reader.
    preempted = "told.preempted"(task: Task, by: Task, cpu: Cpu);
    /// {bytes} are copied to {task}.
    copies = "told.copies"(task: Task, bytes: Bytes);
    /// {task} gets CPU {cpu}, and {bytes} are copied to it.
    copies_on = "told.copies_on"(task: Task, cpu: Cpu, bytes: Bytes);
    /// {task} is woken, gets CPU {cpu} {waited} later, and {bytes} are copied to it.
    copies_woken = "told.copies_woken"(task: Task, cpu: Cpu, waited: Nanos, bytes: Bytes);
    /// {bytes} are copied to the process.
    copies_bare = "told.copies_bare"(bytes: Bytes);
    /// {task} hands {bytes} to the kernel to be sent.
    sends = "told.sends"(task: Task, bytes: Bytes);
    /// A process hands {bytes} to the kernel to be sent.
    sends_bare = "told.sends_bare"(bytes: Bytes);
    /// The bytes join the socket’s write queue.
    write_queue = "told.write_queue"();
    /// TCP makes a segment of {bytes} and sends it down.
    tcp_sends = "told.tcp_sends"(bytes: Bytes);
    /// TCP sends this segment again: no acknowledgement came for it.
    retransmits = "told.retransmits"();
    /// TCP acknowledges what has arrived.
    acknowledges = "told.acknowledges"();
    /// UDP adds its header.
    udp_sends = "told.udp_sends"();
    /// The transport layer adds its header.
    transport_sends = "told.transport_sends"();
    /// IP adds its header and chooses the way out.
    ip_sends = "told.ip_sends"();
    /// It is cut into {count} packets that fit the link.
    cut = "told.cut"(count: Count);
    cut_for_reader = "told.cut_for_reader"(count: Count);
    /// It takes its turn in the queueing discipline.
    qdisc = "told.qdisc"();
    /// It takes its turn in the queueing discipline, {depth} deep now.
    qdisc_depth = "told.qdisc_depth"(depth: Count);
    /// The driver gives it to the NIC.
    driver_sends = "told.driver_sends"();
    /// The device has no ring that is polled.
    driver_sends_to_device = "told.driver_sends_to_device"(device: Name);
    /// The device is a tunnel: it puts so many bytes of headers before the packet and gives it to the next one.
    driver_wraps = "told.driver_wraps"(device: Name, lower: Name, headers: Bytes);
    /// The device has no hardware of its own: it gives the packet to the next one.
    driver_passes_on = "told.driver_passes_on"(device: Name, lower: Name);
    /// No NIC is behind this driver: it puts the packet back among those that a host receives.
    driver_returns = "told.driver_returns"();
    /// It is in the tx ring until the NIC reports that it was sent.
    tx_ring = "told.tx_ring"();
    /// The NIC sends it over the link.
    leaves = "told.leaves"();
    /// It comes over the link.
    on_wire = "told.on_wire"();
    /// {task} has it, {took} after its first event.
    delivered = "told.delivered"(task: Task, took: Nanos);
    /// {task} has it, about {took} after its first event: which of its calls read it is not recorded.
    delivered_about = "told.delivered_about"(task: Task, took: Nanos);
    /// The process has it, {took} after its first event.
    delivered_bare = "told.delivered_bare"(took: Nanos);
    /// GRO merges it into packet {into}: from here on the two are handled as one.
    merged = "told.merged"(into: Packet);
    /// It goes on as a part of packet {into}.
    joined = "told.joined"(into: Packet);
    /// GRO merges it into a packet that is not known.
    merged_bare = "told.merged_bare"();
    /// It goes on as a part of a packet that is not known.
    joined_bare = "told.joined_bare"();
    /// It is sent and its memory is free again, after {took}.
    transmitted = "told.transmitted"(took: Nanos);
    /// The NIC has it, {took} after its first event.
    handed_over = "told.handed_over"(took: Nanos);
    /// Of such a device.
    taken_by_device = "told.taken_by_device"(device: Name);
    handed_to_device = "told.handed_to_device"(device: Name, took: Nanos);
    /// TCP has taken note of it; there is nothing in it for a process.
    consumed = "told.consumed"();
    /// {name} has taken note of it; there is nothing in it for a process.
    consumed_by = "told.consumed.by"(name: Name);
    consumed_by_none = "told.consumed.by_none"();
    consumed_in = "told.consumed.in"(function: Name);
    /// Packet {packet} is dropped at the station {station}: {reason}.
    dropped = "told.dropped"(packet: Packet, station: Station, reason: DropReason);
    /// No socket on this host has its port. (A sentence for each reason that needs no more; nothing for the others.)
    why_dropped = "told.why.dropped"(reason: DropReason);
    /// Its datagram comes in {count} fragments, each a packet of its own.
    why_pieces = "told.why.pieces"(count: Count);
    /// No CPU knows of it yet: the NIC will interrupt one.
    why_ring = "told.why.ring"();
    /// The NIC held it back to collect more: {depth} were in the ring by then.
    why_held = "told.why.held"(depth: Count);
    /// The interrupt only asks for a softirq, which will fetch the frame.
    why_interrupt = "told.why.interrupt"();
    /// This poll takes {frames} frames in one go.
    why_poll = "told.why.poll"(frames: Count);
    /// Here so far: {here}. Still missing: {missing}.
    why_missing = "told.why.missing"(here: Count, missing: Count);
    /// Next: IP.
    why_next_ip = "told.why.next_ip"();
    /// It stays there until the process reads.
    why_reader = "told.why.reader"();
    /// When the process lets go of the socket, it does TCP’s work on what waits there.
    why_released = "told.why.released"();
    /// CPU {from} handled it, CPU {to} reads it: its cache lines have to come over.
    why_crossed = "told.why.crossed"(from: Cpu, to: Cpu);
    /// {lines} cache lines come over from CPU {from}, at a price of {cycles} cycles.
    why_lines = "told.why.lines"(lines: Count, from: Cpu, cycles: Count);
    /// The packet has waited {waited} for it.
    why_asleep = "told.why.asleep"(waited: Nanos);
    /// The queue is full: it holds {depth} of {limit}.
    why_full = "told.why.full"(depth: Bytes, limit: Bytes);
    /// The queue is full: it holds {depth}, more than its limit of {limit}, as the kernel asks for room before it adds a packet.
    why_past = "told.why.past"(depth: Bytes, limit: Bytes);
    /// There is too little room for it: the queue holds {depth} of {limit}.
    why_no_room = "told.why.no_room"(depth: Bytes, limit: Bytes);
    /// The queue is full: {depth} of {limit}.
    why_full_packets = "told.why.full_packets"(depth: Count, limit: Count);
    /// Of that it waited {waited}.
    why_took = "told.why.took"(waited: Nanos);
    /// Since its first event {took} have passed; of that it waited {waited}.
    why_so_far = "told.why.so_far"(took: Nanos, waited: Nanos);
    /// CPU {cpu} finds the lock {lock} taken by CPU {holder} and spins until it is free.
    spins_for = "told.spins_for"(cpu: Cpu, lock: Name, holder: Cpu);
    /// CPU {cpu} finds the lock {lock} taken and spins until it is free.
    spins_for_lock = "told.spins_for_lock"(cpu: Cpu, lock: Name);
    /// CPU {cpu} finds a lock taken and spins until it is free.
    spins = "told.spins"(cpu: Cpu);
    /// That takes {waited}, in which it does nothing else.
    why_spins = "told.why.spins"(waited: Nanos);
    /// GRO holds it: more of its flow may come in this poll.
    why_held_by_gro = "told.why.held_by_gro"();
    /// GRO has nothing to merge it with and no reason to wait: it goes on alone.
    why_not_merged = "told.why.not_merged"();
    /// It goes on alone: GRO is switched off or has nothing to merge it with.
    why_goes_alone = "told.why.goes_alone"();
    /// It is of the same flow and its bytes follow on those there: {frames} frames are one packet of {bytes} now.
    why_merged = "told.why.merged"(frames: Count, bytes: Bytes);
    /// GRO lets it go on because its last segment has the flag PSH: the sender had no more to send.
    why_flush_push = "told.why.flush_push"();
    /// GRO lets it go on because it holds {bytes}, and the next segment would make it too long.
    why_flush_long = "told.why.flush_long"(bytes: Bytes);
    /// GRO lets it go on because the poll is over: it waits for no later one.
    why_flush_poll = "told.why.flush_poll"();
    /// Only fragment {number} is missing.
    why_missing_one = "told.why.missing_one"(number: Count);
    /// These fragments are still missing: {numbers}.
    why_missing_few = "told.why.missing_few"(numbers: Name);
    /// Fragment {number} never came, so the datagram cannot become whole.
    why_never_came = "told.why.never_came"(number: Count);
    /// These fragments never came, so the datagram cannot become whole: {numbers}.
    why_never_came_several = "told.why.never_came_several"(numbers: Name);
    /// The last fragment never came, so the datagram cannot become whole.
    why_last_never_came = "told.why.last_never_came"();
    /// CPU {cpu} sees {waited} after it left that the NIC has sent it, and frees it: TX completion.
    why_completion = "told.why.completion"(cpu: Cpu, waited: Nanos);
    /// CPU {cpu} takes it out of the tx ring, {waited} after it was put there: the NIC has sent it by now.
    why_completion_ring = "told.why.completion_ring"(cpu: Cpu, waited: Nanos);
    /// CPU {cpu} spins
    short_spins = "told.short.spins"(cpu: Cpu);
    /// Packet {packet}
    short_follows = "told.short.follows"(packet: Packet);
    /// On as packet {packet}
    short_goes_on = "told.short.goes_on"(packet: Packet);
    /// Waits {waited}: {station}
    short_waits = "told.short.waits"(station: Station, waited: Nanos);
    /// Waits on: {station}
    short_waits_on = "told.short.waits_on"(station: Station);
    /// Packet {packet} comes
    short_comes = "told.short.comes"(packet: Packet);
    /// Into the ring
    short_arrives = "told.short.arrives"();
    /// Interrupt on CPU {cpu}
    short_interrupt = "told.short.interrupt"(cpu: Cpu);
    /// Softirq on CPU {cpu}
    short_softirq = "told.short.softirq"(cpu: Cpu);
    /// Out of the ring
    short_polled = "told.short.polled"();
    /// Driver
    short_driver = "told.short.driver"();
    /// XDP
    short_xdp = "told.short.xdp"();
    /// GRO
    short_gro = "told.short.gro"();
    /// Handed up
    short_handed_up = "told.short.handed_up"();
    /// Network core
    short_net_core = "told.short.net_core"();
    /// Into the backlog
    short_backlog = "told.short.backlog"();
    /// IP
    short_ip = "told.short.ip"();
    /// A fragment waits
    short_fragment = "told.short.fragment"();
    /// The last fragment
    short_fragment_completes = "told.short.fragment_completes"();
    /// Whole again
    short_whole = "told.short.whole"();
    /// TCP
    short_tcp = "told.short.tcp"();
    /// UDP
    short_udp = "told.short.udp"();
    /// Transport
    short_transport = "told.short.transport"();
    /// Into the socket’s backlog
    short_socket_backlog = "told.short.socket_backlog"();
    /// Into the prequeue
    short_prequeue = "told.short.prequeue"();
    /// Out of order
    short_out_of_order = "told.short.out_of_order"();
    /// Into the receive queue
    short_queued = "told.short.queued"();
    /// The reader is woken
    short_wakes = "told.short.wakes"();
    /// The reader runs
    short_runs = "told.short.runs"();
    /// The reader is pushed off
    short_preempted = "told.short.preempted"();
    /// Copied to the process
    short_copies = "told.short.copies"();
    /// Send call
    short_sends = "told.short.sends"();
    /// Into the write queue
    short_write_queue = "told.short.write_queue"();
    /// TCP sends
    short_tcp_sends = "told.short.tcp_sends"();
    /// Sent again
    short_retransmits = "told.short.retransmits"();
    /// An acknowledgement
    short_acknowledges = "told.short.acknowledges"();
    /// UDP sends
    short_udp_sends = "told.short.udp_sends"();
    /// Transport
    short_transport_sends = "told.short.transport_sends"();
    /// IP
    short_ip_sends = "told.short.ip_sends"();
    /// Cut to fit the link
    short_cut = "told.short.cut"();
    short_cut_for_reader = "told.short.cut_for_reader"();
    /// Queueing discipline
    short_qdisc = "told.short.qdisc"();
    /// Driver
    short_driver_sends = "told.short.driver_sends"();
    /// In the tx ring
    short_tx_ring = "told.short.tx_ring"();
    /// On the link
    short_leaves = "told.short.leaves"();
    /// Delivered
    short_delivered = "told.short.delivered"();
    /// Merged
    short_merged = "told.short.merged"();
    /// Sent
    short_transmitted = "told.short.transmitted"();
    /// Used up
    short_consumed = "told.short.consumed"();
    /// Dropped: {reason}
    short_dropped = "told.short.dropped"(reason: DropReason);
    /// {function} on CPU {cpu}, {context}
    kernel = "told.kernel"(function: Probe, cpu: Cpu, context: Name);
    /// {function} on CPU {cpu}: sk_rmem_alloc is {depth}, sk_rcvbuf {limit}; the two are compared before the packet’s truesize is added
    kernel_past = "told.kernel_past"(function: Probe, cpu: Cpu, depth: Bytes, limit: Bytes);
    /// {function}
    kernel_bare = "told.kernel_bare"(function: Probe);
}
