//! Instrumentation: what somebody put into a kernel to watch it, which costs time there. It is a file of its
//! own that says, as a file that is based on a kernel does, what it changes of one; a scenario chooses it.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::field_path::leaves;

/// What can be put into some kernels.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Instrumentation {
    /// What scenarios call it.
    pub name: String,
    /// One line.
    pub title: String,
    /// What it stands for.
    pub about: String,
    /// The kernels that it fits, by name.
    pub kernels: Vec<String>,
    /// What it changes of such a kernel, in the words of a kernel's file, with its sources.
    #[serde(flatten)]
    pub changes: Map<String, Value>,
}

impl Instrumentation {
    /// Whether it can be put into the kernel of this name.
    pub fn fits(&self, kernel: &str) -> bool {
        self.kernels.iter().any(|it| it == kernel)
    }

    /// Whether it has any of the points of the 2005 toolkit, whose probes `probes` of a scenario are about.
    pub fn has_points(&self) -> bool {
        let mut found = Vec::new();
        leaves(&Value::Object(self.changes.clone()), "", &mut found);
        found
            .iter()
            .any(|path| path.rsplit('.').next() == Some("kperf"))
    }
}
