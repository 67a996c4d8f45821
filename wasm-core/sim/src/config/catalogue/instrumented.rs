//! Kernels with what a scenario puts into them: merged as a file is onto the one that it is based on, and
//! checked as a kernel is.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::based_on::put;
use super::{Catalogue, CatalogueError, Named, one, wrong};
use crate::config::field_path::typed;
use crate::config::instrumentation::Instrumentation;
use crate::config::kernel::Kernel;
use crate::config::machine::Machine;

/// A file of instrumentation put onto the first kernel that it fits, with the sources that are its own: what
/// its parameters are.
pub(super) fn on_a_kernel(named: &Named, kernels: &[Named]) -> Result<Named, CatalogueError> {
    let instrumentation: Instrumentation = one(named)?;
    let mut fitting = instrumentation.kernels.iter();
    let first = fitting
        .next()
        .ok_or_else(|| wrong(&named.file, &"kernels: it fits none"))?;
    let kernel = kernels.iter().find(|kernel| kernel.name == *first);
    let kernel =
        kernel.ok_or_else(|| wrong(&named.file, &format!("kernels.0: there is no {first}")))?;
    let fields = put(kernel.fields.clone(), &instrumentation.changes);
    let mut fields = fields.map_err(|why| wrong(&named.file, &why))?;
    let own = instrumentation.changes.get("sources").cloned();
    fields.insert("sources".to_owned(), own.unwrap_or_default());
    Ok(Named {
        file: named.file.clone(),
        name: named.name.clone(),
        fields,
    })
}

/// Objects that the steps of drivers touch.
pub(super) fn of_drivers(machines: &BTreeMap<String, Machine>) -> BTreeSet<&str> {
    let machines = machines.values();
    machines.flat_map(Machine::driver_objects).collect()
}

impl Catalogue {
    /// A kernel with what is put into it, in this order. The error begins with the scenario's field.
    pub fn instrumented(&self, kernel: &str, with: &[String]) -> Result<Cow<'_, Kernel>, String> {
        let plain = self.kernels.get(kernel);
        let plain = plain.ok_or_else(|| format!("kernel: nothing is called \"{kernel}\""))?;
        if with.is_empty() {
            return Ok(Cow::Borrowed(plain));
        }
        let mut fields = self.kernel_fields[kernel].clone();
        let mut title = plain.title.clone();
        for (index, name) in with.iter().enumerate() {
            let found = self.instrumentation_of(kernel).find(|it| it.name == *name);
            let found = found.ok_or_else(|| {
                format!("instrumentation.{index}: \"{name}\" does not fit the kernel \"{kernel}\"")
            })?;
            let put = put(fields, &found.changes);
            fields = put.map_err(|why| format!("instrumentation.{index}: {name}: {why}"))?;
            title = format!("{title} + {}", found.title);
        }
        let kernel = typed::<Kernel>(fields);
        let mut kernel = kernel.map_err(|error| format!("instrumentation: {error}"))?;
        kernel
            .check(&of_drivers(&self.machines))
            .map_err(|why| format!("instrumentation: {why}"))?;
        kernel.title = title;
        Ok(Cow::Owned(kernel))
    }

    /// Puts a kernel, complete as its file would say it, in the place of the one of its name: to ask what
    /// another would do, with instrumentation put into it as well as without. The error says what is wrong
    /// with it.
    pub fn put_kernel(&mut self, fields: Map<String, Value>) -> Result<(), String> {
        let kernel: Kernel = typed(fields.clone())?;
        kernel.check(&of_drivers(&self.machines))?;
        self.kernel_fields.insert(kernel.name.clone(), fields);
        self.kernels.insert(kernel.name.clone(), kernel);
        Ok(())
    }

    /// What can be put into kernels, in the order of the names.
    pub fn instrumentation(&self) -> impl Iterator<Item = &Instrumentation> {
        self.instrumentation.values()
    }

    /// What can be put into a kernel.
    pub fn instrumentation_of(&self, kernel: &str) -> impl Iterator<Item = &Instrumentation> {
        let all = self.instrumentation.values();
        all.filter(move |one| one.fits(kernel))
    }

    /// That each instrumentation fits the kernels that it names.
    pub(super) fn check_instrumentation(&self) -> Result<(), CatalogueError> {
        for (name, one) in &self.instrumentation {
            for kernel in &one.kernels {
                let built = self.instrumented(kernel, std::slice::from_ref(name));
                let fail = |why| {
                    let file = format!("data/instrumentation/{name}.json");
                    wrong(&file, &format!("on {kernel}: {why}"))
                };
                built.map_err(fail)?;
            }
        }
        Ok(())
    }
}
