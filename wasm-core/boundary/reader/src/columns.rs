//! Columns for the page in one array: each column is its length and then its
//! values. One copy crosses the border, and the page cuts it into typed arrays.

/// Columns packed one after the other.
#[derive(Debug, Default)]
pub struct Columns(Vec<f64>);

impl Columns {
    /// Appends a column. Every value of 32 bits and every time of 104 days is exact.
    pub fn push<T: Into<f64> + Copy>(mut self, column: &[T]) -> Self {
        self.0.push(column.len() as f64);
        self.0.extend(column.iter().map(|&value| value.into()));
        self
    }

    /// The packed array.
    pub fn into_array(self) -> Vec<f64> {
        self.0
    }
}
