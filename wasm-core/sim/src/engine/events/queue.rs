//! The event queue: a binary heap. Whatever is due at one moment comes out in the order in which it
//! was scheduled.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::time::SimTime;

use super::Event;

/// Low bits of a key: the event's index in `events`. The 40 bits above count the events scheduled so
/// far, and the upper 64 are the time, so comparing two keys compares time, then order of scheduling.
const PLACE_BITS: u32 = 24;

/// The events to come.
#[derive(Debug, Default)]
pub struct EventQueue {
    heap: BinaryHeap<Reverse<u128>>,
    events: Vec<Event>,
    free: Vec<u32>,
    scheduled: u64,
}

impl EventQueue {
    /// Schedules an event.
    pub fn schedule(&mut self, time: SimTime, event: Event) {
        let place = if let Some(free) = self.free.pop() {
            self.events[free as usize] = event;
            free
        } else {
            self.events.push(event);
            self.events.len() as u32 - 1
        };
        debug_assert!(place < 1 << PLACE_BITS, "sixteen million things to come");
        self.scheduled += 1;
        let turn = self.scheduled << PLACE_BITS | u64::from(place);
        self.heap
            .push(Reverse(u128::from(time.0) << 64 | u128::from(turn)));
    }

    /// When the next event is due; `NEVER` if there is none.
    pub fn next(&self) -> SimTime {
        self.heap
            .peek()
            .map_or(SimTime::NEVER, |Reverse(key)| SimTime((key >> 64) as u64))
    }

    /// All that is to come, in no order.
    pub fn all(&self) -> impl Iterator<Item = Event> {
        self.heap
            .iter()
            .map(|Reverse(key)| self.events[place(*key)])
    }

    /// Takes the next out.
    pub fn take(&mut self) -> Option<Event> {
        let Reverse(key) = self.heap.pop()?;
        let place = place(key);
        self.free.push(place as u32);
        Some(self.events[place])
    }
}

/// The index into `events` that a key holds.
const fn place(key: u128) -> usize {
    key as usize & ((1 << PLACE_BITS) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_by_time_and_then_in_the_order_in_which_they_were_scheduled() {
        let mut queue = EventQueue::default();
        let at = |us: u64| SimTime::from_us(us);
        for (time, index) in [(2, 0), (1, 1), (2, 2), (1, 3)] {
            queue.schedule(at(time), Event::Fault { index });
        }
        let mut order = Vec::new();
        while queue.next() != SimTime::NEVER {
            let time = queue.next().us();
            let Some(Event::Fault { index }) = queue.take() else {
                panic!("only faults were scheduled");
            };
            order.push((time, index));
        }
        assert_eq!(order, [(1, 1), (1, 3), (2, 0), (2, 2)]);
    }
}
