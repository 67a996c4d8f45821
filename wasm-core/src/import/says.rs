//! What an import has to tell whoever opens the file, beside the sums of its ledger.

sayings! {
    unknown_key = "import.unknown_key"(key: Name, line: Count);
    unknown_probe = "import.unknown_probe"(name: Name, id: Count);
    other_version = "import.other_version"(version: Name, read_as: Name);
    clock_is_counter = "import.clock_is_counter"();
    overwritten = "import.overwritten"(events: Count);
    hashed_pointers = "import.hashed_pointers"(unmatched: Count, of: Count);
    nothing_known = "import.nothing_known"();
    /// `what` is where the file breaks off and why, in the words of its packing.
    damaged = "import.damaged"(what: Name);
}
