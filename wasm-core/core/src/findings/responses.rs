//! How long requests of this host wait for their answers, and how long of that in a queue here.

use super::facts::{Facts, distribution};
use super::{Finding, Kind, Severity, View, thresholds, words};
use crate::measure::{median, transactions};

pub fn find(facts: &Facts) -> Vec<Finding> {
    response_time(facts).into_iter().collect()
}

/// The answer that took the median time.
fn response_time(facts: &Facts) -> Option<Finding> {
    let all = transactions(&facts.run, &facts.journeys);
    let one = median(&all)?;
    let times = distribution(all.iter().map(|one| one.nanos()));
    let (count, slowest) = (times.count, times.max);
    let longest = one.longest_in_queue(&facts.journeys);
    let held = longest.and_then(|(packet, stay)| {
        let (queue, _) = facts.queue_of_stay(stay)?;
        Some((packet, facts.journeys.stays[stay as usize].wait(), queue))
    });
    let detail = match held {
        Some((packet, wait, queue)) if packet == one.request => {
            words::request_held(packet, wait, queue, count, slowest)
        }
        Some((packet, wait, queue)) => words::answer_held(packet, wait, queue, count, slowest),
        None => words::nothing_held(count, slowest),
    };
    let is_long = |(_, wait, _)| thresholds::HELD_NANOS.is_reached(wait as f64);
    let severity = if held.is_some_and(is_long) {
        Severity::Notice
    } else {
        Severity::Info
    };
    let title = words::response(one.nanos());
    let finding = Finding::new(Kind::ResponseTime, severity, title, detail)
        .between(one.asked, one.answered)
        .to_packets([one.request, one.answer])
        .on(View::Queues);
    Some(finding.seen(one.asked, one.request))
}
