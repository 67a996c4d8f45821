//! What the audit takes for right and for wrong.

use crate::engine::Engine;
use crate::engine::cpu::op::Op;
use crate::engine::memory::skbuff::Frame;
use crate::engine::setup::testing::received;

#[test]
fn a_backlog_whose_cpu_is_still_to_be_told_of_it_is_polled_later() {
    let (mut engine, skb) = received(Frame::default());
    let wrong = |engine: &Engine| {
        let wrong = engine.audit().into_iter();
        wrong
            .filter(|it| it.contains("poll lists"))
            .collect::<Vec<_>>()
    };
    engine.net.steer(&mut engine.core, 1, skb, 0);
    assert_eq!(wrong(&engine), [""; 0], "in the other's list");
    engine.net.softirq_next(&mut engine.core, 1);
    assert_eq!(wrong(&engine), [""; 0], "the IPI is under way");
    engine.net.softnet[0].is_called = false;
    let lost = "the backlog of CPU 0 is in 0 poll lists; scheduled: true";
    assert_eq!(wrong(&engine), [lost], "it is lost");
    let postponed = &mut engine.core.cpus[0].postponed.interrupts;
    postponed.push_back(Op::RpsTrigger);
    assert_eq!(wrong(&engine), [""; 0], "it waits for the CPU's turn");
    engine.core.cpus[0].postponed.interrupts.clear();
    engine.net.rps_trigger(&mut engine.core, 0);
    assert_eq!(wrong(&engine), [""; 0], "it is polled");
}
