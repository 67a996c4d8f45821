//! Ringside: recorded kernel network traces in, journeys and frames out.
