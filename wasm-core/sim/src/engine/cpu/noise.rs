//! Noise: stretches of time that a CPU loses without its kernel seeing why,
//! to the interrupts and guests of a virtual machine's host, or to firmware.
//!
//! A step under way takes that much longer. A CPU that idles or spins has no step to delay.
//!
//! Simplified ("noise"): moments of a kind are all of one length and come at random, from none to twice the mean time
//! apart.

use crate::engine::core::Core;
use crate::engine::events::Event;
use crate::time::SimTime;

/// Femtoseconds of a second.
const SECOND: u64 = 1_000_000_000_000_000;

impl Core {
    /// A CPU begins to have its machine's noise.
    pub fn begin_noise(&mut self, cpu: usize) {
        let kinds = self.host_of(cpu).machine.processors.noise.len();
        for kind in 0..kinds as u16 {
            self.plan_noise(cpu, kind);
        }
    }

    /// A CPU loses time to one of its kinds of noise.
    pub fn noise(&mut self, cpu: usize, kind: u16) {
        let ns = self.host_of(cpu).machine.processors.noise[usize::from(kind)].ns;
        self.take_longer(cpu, SimTime::from_ns(ns.into()));
        self.plan_noise(cpu, kind);
    }

    fn plan_noise(&mut self, cpu: usize, kind: u16) {
        let noise = self.host_of(cpu).machine.processors.noise[usize::from(kind)];
        let between = SECOND / u64::from(noise.per_second);
        let after = SimTime(self.rng.below(2 * between));
        let cpu = cpu as u16;
        self.at(self.now() + after, Event::Noise { cpu, kind });
    }

    /// The step under way on a CPU is done so much later, and whoever has it pays for it.
    fn take_longer(&mut self, cpu: usize, by: SimTime) {
        let state = &mut self.cpus[cpu];
        if state.until == SimTime::NEVER {
            return;
        }
        state.until = state.until + by;
        let charge = state.charged[state.level];
        self.charge_more(cpu, charge, by.0);
    }
}

#[cfg(test)]
mod tests {
    use crate::config::machine::Noise;
    use crate::engine::Engine;
    use crate::engine::cpu::charge::slot;
    use crate::engine::cpu::op::Op;
    use crate::engine::setup::testing::World;
    use crate::time::SimTime;
    use ringside::kernel::Context;

    const MOMENT: SimTime = SimTime::from_us(3);

    /// A world in which nothing happens by itself.
    fn engine() -> Engine {
        let noise = Noise {
            per_second: 1,
            ns: 3000,
        };
        let mut engine = World::default().at_rest();
        engine.core.hosts[0].machine.processors.noise = vec![noise];
        engine
    }

    #[test]
    fn a_step_under_way_ends_later_and_is_charged_for_it() {
        let mut engine = engine();
        // A handler that takes ten microseconds has begun.
        engine.core.events.lookahead = engine.core.now();
        engine.interrupt(0, Op::Steal { ns: 10_000 });
        let until = engine.core.cpus[0].until;
        let hardirq = slot(Context::Hardirq);
        let before = engine.core.cpus[0].time[hardirq];
        engine.core.noise(0, 0);
        assert_eq!(engine.core.cpus[0].until, until + MOMENT);
        assert_eq!(engine.core.cpus[0].time[hardirq], before + MOMENT.0);
    }

    #[test]
    fn an_idle_cpu_has_nothing_to_be_kept_from() {
        let mut engine = engine();
        let (until, time) = (engine.core.cpus[0].until, engine.core.cpus[0].time);
        engine.core.noise(0, 0);
        assert_eq!(engine.core.cpus[0].until, until);
        assert_eq!(engine.core.cpus[0].time, time);
    }
}
