//! The schedulers' parameters as kernel data files give them. Defaults are the constants
//! of the releases that each field names; times carry their unit in the name.

use serde::{Deserialize, Deserializer};

/// Which scheduler, with its parameters: `{"kind": "o1", "max_sleep_avg_ms": 1000}`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind")]
pub enum Config {
    /// 2.2 and 2.4.
    #[serde(rename = "goodness")]
    Goodness(GoodnessConfig),
    /// 2.6.0 to 2.6.22.
    #[serde(rename = "o1")]
    O1(O1Config),
    /// 2.6.23 to 6.5.
    #[serde(rename = "cfs")]
    Cfs(CfsConfig),
    /// 6.6 and later.
    #[serde(rename = "eevdf")]
    Eevdf(EevdfConfig),
}

/// Parameters of `kernel/sched.c` in 2.2 and 2.4.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct GoodnessConfig {
    /// `PROC_CHANGE_PENALTY`: what the CPU a task last ran on is worth to it (`asm-i386/smp.h`; 20 on some others).
    pub same_cpu_bonus: i32,
    /// What staying in the memory map of the CPU is worth.
    pub same_memory_map_bonus: i32,
    /// A new slice is `((20 - nice) >> shift) + extra` ticks (`NICE_TO_TICKS` at HZ=100); 2.2: shift 0 ...
    pub slice_shift: u32,
    /// ... and extra 0, 20 ticks at nice 0.
    pub slice_extra_ticks: u32,
    /// On one CPU a woken task preempts when its goodness exceeds the other's by more than this.
    pub preempt_above_on_one_cpu: i32,
    /// The same on several CPUs.
    pub preempt_above_on_many_cpus: i32,
    /// Which idle CPU `reschedule_idle()` takes.
    pub idle_choice: IdleChoice,
    /// `cacheflush_time` (2.2): a task with a shorter average slice may preempt on CPUs other than its own.
    pub short_slice_us: u64,
}

/// Which CPU `reschedule_idle()` takes when the one the task last ran on is busy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum IdleChoice {
    /// 2.2: the idle CPU with the highest number.
    HighestNumber,
    /// 2.4: the one that has been idle longest, or whose hyper-threads are all idle.
    LongestIdle,
}

impl Default for GoodnessConfig {
    fn default() -> Self {
        Self {
            same_cpu_bonus: 15,
            same_memory_map_bonus: 1,
            slice_shift: 2,
            slice_extra_ticks: 1,
            preempt_above_on_one_cpu: 0,
            preempt_above_on_many_cpus: 0,
            idle_choice: IdleChoice::LongestIdle,
            short_slice_us: 1430,
        }
    }
}

/// Parameters of `kernel/sched.c` in 2.6 before 2.6.23.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct O1Config {
    /// Time slices by nice level.
    pub time_slices: TimeSlices,
    /// `MAX_SLEEP_AVG`: the most sleep a task is credited with.
    pub max_sleep_avg_ms: u64,
    /// The bonus, 0 to 10, of a program that mostly waits, as shells and listening servers do: one
    /// long sleep gives `MAX_SLEEP_AVG - AVG_TIMESLICE`, which is 8 steps. From it others are forked.
    pub waiting_bonus: u64,
    /// `CHILD_PENALTY`: per cent of its parent's bonus, in whole steps, that a forked task begins with.
    pub child_penalty_percent: u64,
    /// `STARVATION_LIMIT`: times the runnable tasks, how long expired ones may wait before
    /// interactive ones expire as well.
    pub starvation_limit_ms: u64,
    /// `INTERACTIVE_DELTA`: levels above its static priority from which a nice-0 task is interactive.
    pub interactive_delta: i32,
    /// `CREDIT_LIMIT` (until 2.6.9); none as in 2.6.10 and later, where running costs every task
    /// its `sleep_avg` divided by its bonus, not only those with a high credit. Files say 0
    /// for none: a null would only take away what the kernel is based on.
    #[serde(deserialize_with = "limit_or_none")]
    pub credit_limit: Option<i32>,
    /// `ON_RUNQUEUE_WEIGHT`: per cent of the wait for a CPU that counts as sleep, unless an interrupt woke the task.
    pub run_queue_wait_percent: u64,
    /// `MIN_TIMESLICE`, the unit in which interactive tasks of one priority take turns (`TIMESLICE_GRANULARITY`).
    pub granularity_ms: u64,
    /// Where tasks wake and what balancing may move.
    pub placement: Placement,
    /// `cache_decay_ticks`, `cache_hot_time`: for so long after it ran a task is not moved.
    pub cache_hot_us: u64,
    /// `BUSY_REBALANCE_TICK`: between two balancings of a busy CPU. An idle one balances every tick.
    pub busy_balance_ms: u64,
}

fn limit_or_none<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i32>, D::Error> {
    let limit = Option::deserialize(deserializer)?;
    Ok(limit.filter(|&limit| limit != 0))
}

/// `task_timeslice()`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum TimeSlices {
    /// Until 2.6.7: from `max_ms` at nice -20 straight down to `min_ms` at nice 19.
    Linear {
        /// `MIN_TIMESLICE`.
        min_ms: u64,
        /// `MAX_TIMESLICE`.
        max_ms: u64,
    },
    /// Later: in proportion to `20 - nice`, four times as long below nice 0.
    Scaled {
        /// `MIN_TIMESLICE`.
        min_ms: u64,
        /// `DEF_TIMESLICE`, that of nice 0.
        default_ms: u64,
    },
}

impl TimeSlices {
    /// Milliseconds of a slice at this nice level.
    pub(super) fn ms(self, nice: i8) -> u64 {
        let above_lowest = (19 - i64::from(nice)).clamp(0, 39) as u64;
        match self {
            Self::Linear { min_ms, max_ms } => {
                min_ms + max_ms.saturating_sub(min_ms) * above_lowest / 39
            }
            Self::Scaled { min_ms, default_ms } => {
                let unit = if nice < 0 { 4 * default_ms } else { default_ms };
                (unit * (above_lowest + 1) / 20).max(min_ms)
            }
        }
    }
}

/// How 2.6 releases choose CPUs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Placement {
    /// Until 2.6.6: a task wakes where it last ran; a synchronous wakeup fetches it to the waker.
    LastCpu,
    /// From 2.6.7, scheduling domains: the waker's CPU unless the task is cache-hot or the load
    /// forbids, and an idle hyper-thread of that core.
    Domains,
}

impl Default for O1Config {
    fn default() -> Self {
        Self {
            time_slices: TimeSlices::Linear {
                min_ms: 10,
                max_ms: 200,
            },
            max_sleep_avg_ms: 1000,
            waiting_bonus: 8,
            child_penalty_percent: 95,
            starvation_limit_ms: 1000,
            interactive_delta: 2,
            credit_limit: Some(100),
            run_queue_wait_percent: 30,
            granularity_ms: 10,
            placement: Placement::LastCpu,
            cache_hot_us: 2500,
            busy_balance_ms: 200,
        }
    }
}

/// Parameters of `kernel/sched/fair.c` from 2.6.23 to 6.5: CFS. On several CPUs the three times are multiplied by
/// `1 + log2(cpus)`, from 8 CPUs on by 4 (`get_update_sysctl_factor()`).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct CfsConfig {
    /// `sysctl_sched_latency`: within so much each task of a CPU runs once, if they are not too many.
    pub latency_us: u64,
    /// `sysctl_sched_min_granularity`: for so long a task runs before the tick takes its CPU, and of so much the
    /// turns are if the tasks are too many for the latency.
    pub min_granularity_us: u64,
    /// `sysctl_sched_wakeup_granularity`: the running task must be ahead of a woken one by more than this to lose
    /// its CPU to it.
    pub wakeup_granularity_us: u64,
    /// How tasks are spread over the CPUs.
    pub balance: FairBalance,
}

impl Default for CfsConfig {
    fn default() -> Self {
        Self {
            latency_us: 6000,
            min_granularity_us: 750,
            wakeup_granularity_us: 1000,
            balance: FairBalance::default(),
        }
    }
}

/// Parameters of `kernel/sched/fair.c` in 6.6 and later: EEVDF.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct EevdfConfig {
    /// `sysctl_sched_base_slice` of one CPU (6.12: 700); on more it is multiplied by
    /// `1 + log2(cpus)`, from 8 CPUs on by 4: 3 ms.
    pub base_slice_us: u64,
    /// `RUN_TO_PARITY`: an eligible task keeps its CPU until its slice is used.
    pub run_to_parity: bool,
    /// `DELAY_DEQUEUE` (6.12): what a task owes when it falls asleep is forgiven as the others catch up.
    pub delay_dequeue: bool,
    /// How tasks are spread over the CPUs.
    pub balance: FairBalance,
}

impl Default for EevdfConfig {
    fn default() -> Self {
        Self {
            base_slice_us: 750,
            run_to_parity: true,
            delay_dequeue: true,
            balance: FairBalance::default(),
        }
    }
}

/// How `kernel/sched/fair.c` spreads tasks over the CPUs, under CFS and under EEVDF.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct FairBalance {
    /// `sysctl_sched_migration_cost`: for so long after it ran a task is not pulled by a CPU that just ran out of work.
    pub migration_cost_us: u64,
    /// Between two balancings of a busy CPU, for each CPU of the machine (`busy_factor`, ms).
    pub busy_ms_per_cpu: u64,
    /// `imbalance_pct`: the busiest queue must be so many per cent of one's own to be relieved.
    pub imbalance_percent: u64,
}

impl Default for FairBalance {
    fn default() -> Self {
        Self {
            migration_cost_us: 500,
            busy_ms_per_cpu: 16,
            imbalance_percent: 117,
        }
    }
}
