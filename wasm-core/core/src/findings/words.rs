//! The messages of findings: a title and a detail for each kind.

sayings! {
    // way
    typical_read = "finding.journey.read"(median: Nanos);
    journeys_read = "finding.journey.read_detail"(count: Count, fastest: Nanos, slowest: Nanos, first: Nanos, shown: Nanos);
    typical_sent = "finding.journey.sent"(median: Nanos);
    journeys_sent = "finding.journey.sent_detail"(count: Count, fastest: Nanos, slowest: Nanos, first: Nanos, shown: Nanos);
    longest_wait = "finding.longest_wait"(wait: Nanos, station: Station);
    waits_on_wire = "finding.waits.wire"(packet: Packet, share: Share, usual: Nanos);
    waits_for_poll = "finding.waits.rx_ring"(packet: Packet, share: Share, usual: Nanos);
    waits_in_gro = "finding.waits.gro"(packet: Packet, share: Share, usual: Nanos);
    waits_in_backlog = "finding.waits.backlog"(packet: Packet, share: Share, usual: Nanos);
    waits_for_fragments = "finding.waits.reassembly"(packet: Packet, share: Share, usual: Nanos);
    waits_for_socket = "finding.waits.socket_backlog"(packet: Packet, share: Share, usual: Nanos);
    waits_in_prequeue = "finding.waits.prequeue"(packet: Packet, share: Share, usual: Nanos);
    waits_for_gap = "finding.waits.out_of_order"(packet: Packet, share: Share, usual: Nanos);
    waits_for_reader = "finding.waits.receive_queue"(packet: Packet, share: Share, usual: Nanos);
    waits_for_window = "finding.waits.write_queue"(packet: Packet, share: Share, usual: Nanos);
    waits_in_qdisc = "finding.waits.qdisc"(packet: Packet, share: Share, usual: Nanos);
    waits_for_nic = "finding.waits.nic"(packet: Packet, share: Share, usual: Nanos);
    waits_for_cpu = "finding.waits.cpu"(packet: Packet, share: Share, usual: Nanos);
    most_of_the_way = "finding.most_of_the_way"(share: Share, station: Station);
    where_the_time_goes = "finding.most_of_the_way.detail"(wait: Nanos, worked: Share);
    loopback = "finding.loopback"(count: Count);
    loopback_turn = "finding.loopback.detail"(typical: Nanos, slowest: Nanos);
    // responses
    response = "finding.response"(response: Nanos);
    request_held = "finding.response.request"(packet: Packet, wait: Nanos, queue: Queue, count: Count, slowest: Nanos);
    nothing_held = "finding.response.neither"(count: Count, slowest: Nanos);
    answer_held = "finding.response.answer"(packet: Packet, wait: Nanos, queue: Queue, count: Count, slowest: Nanos);
    // drops
    dropped = "finding.drops"(count: Count, reason: DropReason);
    full_queue = "finding.drops.full"(queue: Queue, depth: Count, limit: Count, span: Nanos);
    full_queue_held = "finding.drops.held"(queue: Queue, depth: Count, span: Nanos);
    full_queue_bytes = "finding.drops.full_bytes"(queue: Queue, depth: Bytes, limit: Bytes, span: Nanos);
    full_queue_past = "finding.drops.past_bytes"(queue: Queue, depth: Bytes, limit: Bytes, span: Nanos);
    full_queue_held_bytes = "finding.drops.held_bytes"(queue: Queue, depth: Bytes, span: Nanos);
    nobody_listens = "finding.drops.no_socket"(count: Count, share: Share, span: Nanos);
    firewall = "finding.drops.netfilter"(count: Count, share: Share, span: Nanos);
    xdp = "finding.drops.xdp"(count: Count, share: Share, span: Nanos);
    codel = "finding.drops.codel"(count: Count, share: Share, span: Nanos);
    no_neighbour = "finding.drops.neighbour"(count: Count, share: Share, span: Nanos);
    no_route = "finding.drops.route"(count: Count, share: Share, span: Nanos);
    damaged = "finding.drops.checksum"(count: Count, share: Share, span: Nanos);
    ring_had_no_room = "finding.drops.ring"(count: Count, share: Share, span: Nanos);
    no_reason_given = "finding.drops.no_reason"(count: Count, share: Share, span: Nanos);
    no_reason_in = "finding.drops.no_reason_in"(count: Count, share: Share, span: Nanos, function: Name, freed: Count);
    unknown_reasons = "finding.drops.unrecognised"(count: Count, share: Share, span: Nanos, reasons: Name);
    closed_before_read = "finding.drops.purged"(count: Count, share: Share, span: Nanos);
    already_there = "finding.drops.duplicate"(count: Count, share: Share, span: Nanos);
    other_reason = "finding.drops.other"(count: Count, share: Share, span: Nanos);
    // marks
    marked = "finding.marks"(count: Count);
    marked_and_none_dropped = "finding.marks.none_dropped"(count: Count, share: Share, span: Nanos);
    marked_beside_drops = "finding.marks.beside_drops"(count: Count, share: Share, span: Nanos);
    // merging
    reassembled = "finding.reassembly"(count: Count, pieces: Count);
    whole_after = "finding.reassembly.detail"(typical: Nanos, slowest: Nanos);
    never_whole = "finding.incomplete"(count: Count);
    gave_up_after = "finding.incomplete.detail"(pieces: Count, wait: Nanos);
    gro = "finding.gro"(frames: Count, packets: Count);
    gro_largest = "finding.gro.detail"(packet: Packet, frames: Count, bytes: Bytes);
    coalescing = "finding.coalescing"(count: Count);
    coalescing_of = "finding.coalescing.detail"(queued: Count);
    pieces = "finding.pieces"(count: Count);
    pieces_apart = "finding.pieces.detail"(gap: Nanos);
    // cutting
    fragmentation = "finding.fragmentation"(count: Count, pieces: Count);
    fragments_of = "finding.fragmentation.detail"(packet: Packet, bytes: Bytes, pieces: Count);
    segmentation = "finding.segmentation"(count: Count, pieces: Count);
    segments_of = "finding.segmentation.detail"(packet: Packet, bytes: Bytes, pieces: Count);
    cut_for_reader = "finding.cut_for_reader"(count: Count, pieces: Count);
    datagrams_of = "finding.cut_for_reader.detail"(packet: Packet, bytes: Bytes, pieces: Count);
    offload = "finding.offload"(count: Count, frames: Count);
    offload_largest = "finding.offload.detail"(packet: Packet, bytes: Bytes, frames: Count);
    // sequence
    out_of_order = "finding.out_of_order"(count: Count);
    gap_filled_after = "finding.out_of_order.detail"(typical: Nanos, slowest: Nanos);
    reordering = "finding.reordering"(count: Count);
    reordering_of = "finding.reordering.detail"(total: Count);
    retransmissions = "finding.retransmissions"(count: Count);
    retransmissions_of = "finding.retransmissions.detail"(sent: Count);
    retransmissions_of_unseen = "finding.retransmissions.unseen"();
    seen_again = "finding.seen_again"(count: Count);
    seen_again_after = "finding.seen_again.detail"(typical: Nanos, dropped: Count);
    refusals = "finding.refusals"(count: Count);
    refusals_are = "finding.refusals.detail"(errors: Count, resets: Count);
    // cpus
    every_packet_changes = "finding.hand_over.every"(count: Count);
    packets_change = "finding.hand_over"(share: Share);
    from_cpu_to_cpu = "finding.hand_over.pair"(from: Cpu, to: Cpu, station: Station, wait: Nanos);
    between_cpus = "finding.hand_over.pairs"(pairs: Count, station: Station, wait: Nanos);
    steering = "finding.steering"(count: Count, cpus: Count);
    steering_waits = "finding.steering.detail"(typical: Nanos, slowest: Nanos, interrupts: Count);
    one_cpu = "finding.one_cpu"(cpu: Cpu);
    one_cpu_of = "finding.one_cpu.detail"(count: Count, others: Count);
    imbalance = "finding.imbalance"(cpu: Cpu, share: Share);
    imbalance_busy = "finding.imbalance.detail"(busy: Share, others: Count);
    // scheduling
    put_aside = "finding.put_aside"(reader: Task, time: Nanos);
    put_aside_for = "finding.put_aside.detail"(other: Task, count: Count, total: Nanos);
    woken_late = "finding.woken_late"(reader: Task, time: Nanos);
    wakings = "finding.woken_late.detail"(count: Count, typical: Nanos);
    // polls
    batch = "finding.batches"(frames: Count);
    one_frame_a_poll = "finding.batches.one"(frames: Count);
    batches = "finding.batches.detail"(interrupts: Count, polls: Count, frames: Count, mean: Number);
    budget_used = "finding.budget"(count: Count);
    budget_used_of = "finding.budget.detail"(polls: Count, budget: Count);
    ksoftirqd = "finding.ksoftirqd"(task: Task);
    ksoftirqd_polls = "finding.ksoftirqd.detail"(polls: Count, frames: Count, share: Share);
    long_softirq = "finding.long_softirq"(cpu: Cpu, time: Nanos);
    long_softirqs = "finding.long_softirq.detail"(count: Count, limit: Nanos);
    held_interrupts = "finding.held_interrupts"(time: Nanos);
    held_interrupts_are = "finding.held_interrupts.detail"(count: Count, frames: Number);
    // queues
    nearly_full = "finding.full_queue"(queue: Queue, share: Share);
    nearly_full_bytes = "finding.full_queue.bytes"(depth: Bytes, limit: Bytes);
    nearly_full_count = "finding.full_queue.count"(depth: Count, limit: Count);
    socket_backlog = "finding.socket_backlog"(count: Count);
    socket_backlog_waits = "finding.socket_backlog.detail"(typical: Nanos, slowest: Nanos);
    prequeue = "finding.prequeue"(count: Count);
    prequeue_waits = "finding.prequeue.detail"(typical: Nanos, slowest: Nanos);
    keeps_up = "finding.keeps_up"(share: Share);
    keeps_up_bytes = "finding.keeps_up.bytes"(queue: Queue, depth: Bytes, limit: Bytes);
    keeps_up_count = "finding.keeps_up.count"(queue: Queue, depth: Count, limit: Count);
    // caches and locks
    cache_lines = "finding.cache_lines"(lines: Count);
    cache_lines_are = "finding.cache_lines.detail"(object: Name, share: Share, each: Number, cycles: Number);
    cache_lines_sent = "finding.cache_lines.sent"(object: Name, share: Share, each: Number, cycles: Number);
    probe_cost = "finding.probe_cost"(share: Share);
    probe_cost_of = "finding.probe_cost.detail"(probes: Count, each: Nanos);
    lock_wait = "finding.lock_wait"(share: Share);
    lock_waits = "finding.lock_wait.detail"(lock: Name, count: Count, share: Share, longest: Nanos);
    // stillness, and what could not be seen
    still = "finding.still"(share: Share);
    still_for = "finding.still.detail"(count: Count, longest: Nanos);
    lost_events = "finding.lost"(count: Count);
    lost_uncounted = "finding.lost.uncounted"();
    lost_at = "finding.lost.detail"(places: Count);
    open = "finding.open"(count: Count);
    open_of = "finding.open.detail"(total: Count);
    no_cpu = "finding.no_cpu"();
    no_cpu_so = "finding.no_cpu.detail"();
    no_wire = "finding.no_wire"();
    no_wire_so = "finding.no_wire.detail"();
    no_scheduler = "finding.no_scheduler"();
    no_scheduler_so = "finding.no_scheduler.detail"();
}
