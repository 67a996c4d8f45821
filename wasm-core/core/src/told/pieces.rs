//! A run as pieces of film: which second of film shows which time of the run.

use crate::kernel::Nanos;

/// The kind of a piece of film.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Packets move; film is proportional to time.
    Moving,
    /// Nothing moves, and time passes fast.
    Fold,
    /// Time stands still.
    Dwell,
}

impl Kind {
    /// All of them, in the order of their numbers on the page.
    pub const ALL: [Self; 3] = [Self::Moving, Self::Fold, Self::Dwell];
}

/// The film of a run, piece by piece. Within a piece the run's time is linear in film.
#[derive(Debug, Clone, Default)]
pub struct Pieces {
    /// Seconds of film at which each piece begins, strictly ascending; then the end of the film.
    pub film: Vec<f64>,
    /// The run's time at which each piece begins, ascending; then the end of the run.
    pub time: Vec<Nanos>,
    /// The kind of each piece; one fewer than times.
    pub kind: Vec<Kind>,
}

impl Pieces {
    /// Seconds of film at which the run reaches a time; for a pause, its beginning.
    pub fn film_at(&self, time: Nanos) -> f64 {
        let at = self.time.partition_point(|&begins| begins < time);
        match (at, self.time.get(at)) {
            (_, Some(&begins)) if begins == time => self.film[at],
            (0, _) | (_, None) => self
                .film
                .get(at.min(self.film.len().saturating_sub(1)))
                .copied()
                .unwrap_or(0.0),
            (_, Some(&ends)) => {
                let (begins, film) = (self.time[at - 1], self.film[at - 1]);
                let share = time.since(begins) as f64 / ends.since(begins) as f64;
                film + share * (self.film[at] - film)
            }
        }
    }

    /// The run's time, in nanoseconds after its start, at some seconds of film.
    pub fn time_at(&self, film: f64) -> f64 {
        let Some(&start) = self.time.first() else {
            return 0.0;
        };
        let begins = |at: usize| self.time[at].since(start) as f64;
        let after = self.film.partition_point(|&begins| begins <= film);
        if after == 0 || after == self.film.len() {
            return begins(after.saturating_sub(1));
        }
        let share = (film - self.film[after - 1]) / (self.film[after] - self.film[after - 1]);
        begins(after - 1) + share * (begins(after) - begins(after - 1))
    }

    /// The length of the film in seconds.
    pub fn length(&self) -> f64 {
        self.film.last().copied().unwrap_or(0.0)
    }
}
