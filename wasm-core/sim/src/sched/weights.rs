//! The weights of nice levels in the fair scheduler: each is 1.25 times that of the next higher level.

/// `kernel/sched/core.c: sched_prio_to_weight`, from nice -20 to 19.
const WEIGHTS: [u32; 40] = [
    88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916, 9548, 7620, 6100, 4904,
    3906, 3121, 2501, 1991, 1586, 1277, 1024, 820, 655, 526, 423, 335, 272, 215, 172, 137, 110, 87,
    70, 56, 45, 36, 29, 23, 18, 15,
];

/// The weight of nice 0, at which virtual runtime equals CPU time (`NICE_0_LOAD`).
pub(super) const NICE_0: i64 = 1024;

/// The weight of a nice level.
pub(super) fn of_nice(nice: i8) -> i64 {
    i64::from(WEIGHTS[(i32::from(nice) + 20).clamp(0, 39) as usize])
}
