//! What a simulation is made of, as data files say it: machines, kernels, workloads
//! and the scenarios that put one of each together with settings. Nothing here runs.

pub mod machine;

mod drops;

mod slab;

pub mod kernel;

mod kernel_check;

pub mod path;

pub mod step;

pub mod workload;

pub mod refusal;

pub mod scenario;

mod choices;

pub mod controls;

pub mod settings;

pub mod faults;

pub mod unfit;

pub mod range;

pub mod source;

pub mod field_path;

pub mod instrumentation;

mod strict;

mod limits;

pub mod parameters;

mod buffers;
pub mod catalogue;

pub mod named;

pub mod own;
