//! What is said of interventions: a few words and a sentence for each kind.

sayings! {
    // in a few words
    lose = "intervention.lose"();
    double = "intervention.double"();
    delay = "intervention.delay"(time: Nanos);
    reorder = "intervention.reorder"();
    damage = "intervention.damage"();
    steal = "intervention.steal"(cpu: Cpu, time: Nanos);
    ring = "intervention.ring"(descriptors: Count);
    pin = "intervention.pin"(cpu: Cpu);
    pin_queue = "intervention.pin_queue"(queue: Count, cpu: Cpu);
    stop = "intervention.stop"(task: Task, time: Nanos);
    // in a sentence
    lose_received = "intervention.lose.received"();
    lose_sent = "intervention.lose.sent"();
    double_received = "intervention.double.received"();
    double_sent = "intervention.double.sent"();
    delay_received = "intervention.delay.received"(time: Nanos);
    delay_sent = "intervention.delay.sent"(time: Nanos);
    reorder_received = "intervention.reorder.received"();
    reorder_sent = "intervention.reorder.sent"();
    damage_received = "intervention.damage.received"();
    damage_sent = "intervention.damage.sent"();
    steal_plain = "intervention.steal.plain"(cpu: Cpu, time: Nanos);
    ring_plain = "intervention.ring.plain"(descriptors: Count);
    pin_plain = "intervention.pin.plain"(cpu: Cpu);
    pin_queue_plain = "intervention.pin_queue.plain"(queue: Count, cpu: Cpu);
    stop_plain = "intervention.stop.plain"(task: Task, time: Nanos);
    /// Up to here the run is the same as without it.
    same_before = "intervention.same_before"();
    /// In place of the kernel's words.
    kernel = "intervention.kernel"(at: Nanos);
}
