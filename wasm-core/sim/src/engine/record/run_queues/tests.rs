//! A reader who follows what is told has the scheduler's queue.

use super::*;
use crate::time::SimTime;

fn entry(task: u32, us: u64) -> Entry {
    Entry {
        task: TaskId(task),
        claim: Claim::Slice(SimTime::from_us(us)),
    }
}

/// All queues of some of three tasks, in any order.
fn queues() -> Vec<Vec<Entry>> {
    let mut all = vec![Vec::new()];
    let mut grown = 0;
    while grown < all.len() {
        let queue: Vec<Entry> = all[grown].clone();
        for task in 0..3 {
            if queue.iter().all(|entry| entry.task != TaskId(task)) {
                let mut longer = queue.clone();
                longer.push(entry(task, 5));
                all.push(longer);
            }
        }
        grown += 1;
    }
    all
}

fn ids(queue: &[Entry]) -> Vec<u32> {
    queue.iter().map(|entry| entry.task.0).collect()
}

#[test]
fn whoever_puts_the_told_tasks_in_their_places_has_the_queue() {
    let all = queues();
    assert_eq!(all.len(), 16);
    for before in &all {
        for after in &all {
            let mut queued = Queued::default();
            queued.news(0, before);
            let mut read = before.clone();
            // Who gets a CPU leaves the queue by `sched_switch`.
            read.retain(|old| after.iter().any(|new| new.task == old.task));
            for (place, entry) in queued.news(0, after) {
                read.retain(|old| old.task != entry.task);
                read.insert(place, entry);
            }
            assert_eq!(ids(&read), ids(after), "from {:?}", ids(before));
            assert_eq!(queued.news(0, after).len(), 0, "it is told once");
        }
    }
}

#[test]
fn a_task_whose_claim_is_another_is_told_again() {
    let mut queued = Queued::default();
    queued.news(0, &[entry(0, 5), entry(1, 5)]);
    let news = queued.news(0, &[entry(0, 5), entry(1, 4)]);
    assert_eq!(news.len(), 1);
    assert_eq!((news[0].0, news[0].1.task), (1, TaskId(1)));
}

#[test]
fn of_what_is_owed_only_whether_it_is_counts() {
    let owed = |lag| Entry {
        task: TaskId(0),
        claim: Claim::Virtual { deadline: 7, lag },
    };
    assert!(owed(5).says_the_same(owed(900)));
    assert!(!owed(5).says_the_same(owed(-5)));
    assert!(!owed(5).says_the_same(entry(0, 5)));
}

#[test]
fn each_cpu_has_its_own_queue() {
    let mut queued = Queued::default();
    queued.news(1, &[entry(0, 5)]);
    assert_eq!(queued.news(0, &[entry(0, 5)]).len(), 1);
    assert_eq!(queued.news(1, &[entry(0, 5)]).len(), 0);
}
