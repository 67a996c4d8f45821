//! A table of named columns, as CSV and as Parquet.
//!
//! Parquet's columns have types: a setting is whole numbers, flags or text, whichever all of its
//! values are; what is measured is a double, null where a run has none of it. Nothing is compressed, so that any
//! reader has what it takes. Source: the Parquet format's logical types (STRING is UTF-8 in a BYTE_ARRAY).

use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use serde_json::Value;

use crate::plan::{Plan, Varied, word};
use crate::points::Point;
use crate::runs::Runs;
use crate::{columns, columns::COLUMNS};

/// A table.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Its columns, all of one length.
    pub columns: Vec<Column>,
}

/// A column.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Its name, with the unit.
    pub name: String,
    /// Its values.
    pub cells: Cells,
}

/// The values of a column.
#[derive(Debug, Clone, PartialEq)]
pub enum Cells {
    /// Whole numbers.
    Whole(Vec<i64>),
    /// Flags.
    Flag(Vec<bool>),
    /// Words.
    Text(Vec<String>),
    /// Measured values; some may be absent.
    Number(Vec<Option<f64>>),
}

impl Table {
    /// The table of single runs, in the plan's order.
    pub fn of_runs(plan: &Plan, runs: &Runs) -> Self {
        let points: Vec<usize> = runs.keys().map(|run| run.point).collect();
        let mut columns = settings(plan, &points);
        let seeds = runs.keys().map(|run| run.seed as i64).collect();
        columns.push(Column::new("seed", Cells::Whole(seeds)));
        for (at, name) in COLUMNS.iter().enumerate() {
            let cells = runs.values().map(|values: &columns::Values| values[at]);
            columns.push(Column::new(*name, Cells::Number(cells.collect())));
        }
        Self { columns }
    }

    /// The table of points: for each column its mean and half of its 95 % interval.
    pub fn of_points(plan: &Plan, points: &[Point]) -> Self {
        let places: Vec<usize> = points.iter().map(|point| point.point).collect();
        let mut columns = settings(plan, &places);
        let seeds = points.iter().map(|point| point.seeds as i64).collect();
        columns.push(Column::new("seeds", Cells::Whole(seeds)));
        for (at, name) in COLUMNS.iter().enumerate() {
            let means = || points.iter().map(|point| point.means[at]);
            let mean = means().map(|mean| Some(mean?.mean)).collect();
            let half = means().map(|mean| mean?.half).collect();
            columns.push(Column::new(*name, Cells::Number(mean)));
            columns.push(Column::new(format!("{name}_ci95"), Cells::Number(half)));
        }
        Self { columns }
    }

    /// The table as CSV; what is absent is empty.
    pub fn to_csv(&self) -> Result<Vec<u8>, String> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let wrong = |error: csv::Error| error.to_string();
        let names = self.columns.iter().map(|column| &column.name);
        writer.write_record(names).map_err(wrong)?;
        let rows = self.columns.first().map_or(0, Column::len);
        for row in 0..rows {
            let cells = self.columns.iter().map(|column| column.cell(row));
            writer.write_record(cells).map_err(wrong)?;
        }
        writer.into_inner().map_err(|error| error.to_string())
    }

    /// The table as a Parquet file that carries what it is of (`ringside.sweep`, JSON).
    pub fn to_parquet(&self, identity: &Value) -> Result<Vec<u8>, String> {
        self.parquet(identity).map_err(|error| error.to_string())
    }

    fn parquet(&self, identity: &Value) -> Result<Vec<u8>, ParquetError> {
        let fields = self.columns.iter().map(Column::parquet_type);
        let schema =
            Type::group_type_builder("sweep").with_fields(fields.collect::<Result<_, _>>()?);
        let said = KeyValue::new("ringside.sweep".to_owned(), identity.to_string());
        let properties = WriterProperties::builder().set_key_value_metadata(Some(vec![said]));
        let mut bytes = Vec::new();
        let (schema, properties) = (Arc::new(schema.build()?), Arc::new(properties.build()));
        let mut file = SerializedFileWriter::new(&mut bytes, schema, properties)?;
        let mut group = file.next_row_group()?;
        for column in &self.columns {
            // The schema has one for each.
            let Some(mut writer) = group.next_column()? else {
                break;
            };
            match &column.cells {
                Cells::Whole(cells) => {
                    writer.typed::<Int64Type>().write_batch(cells, None, None)?;
                }
                Cells::Flag(cells) => {
                    writer.typed::<BoolType>().write_batch(cells, None, None)?;
                }
                Cells::Text(cells) => {
                    let cells: Vec<ByteArray> =
                        cells.iter().map(|text| text.as_str().into()).collect();
                    writer
                        .typed::<ByteArrayType>()
                        .write_batch(&cells, None, None)?;
                }
                Cells::Number(cells) => {
                    let there: Vec<f64> = cells.iter().copied().flatten().collect();
                    let levels: Vec<i16> =
                        cells.iter().map(|cell| i16::from(cell.is_some())).collect();
                    let levels = Some(&levels[..]);
                    writer
                        .typed::<DoubleType>()
                        .write_batch(&there, levels, None)?;
                }
            }
            writer.close()?;
        }
        group.close()?;
        file.close()?;
        Ok(bytes)
    }
}

/// The columns of the varied settings at these points.
fn settings(plan: &Plan, points: &[usize]) -> Vec<Column> {
    let column = |(at, varied): (usize, &Varied)| {
        let values = || points.iter().map(|&point| plan.values(point)[at]);
        // Of all that the plan has, so that the parts of a sweep have one type.
        let cells = if varied.values.iter().all(Value::is_i64) {
            Cells::Whole(values().filter_map(Value::as_i64).collect())
        } else if varied.values.iter().all(Value::is_boolean) {
            Cells::Flag(values().filter_map(Value::as_bool).collect())
        } else {
            Cells::Text(values().map(word).collect())
        };
        Column::new(varied.setting.clone(), cells)
    };
    plan.varied.iter().enumerate().map(column).collect()
}

impl Column {
    fn new(name: impl Into<String>, cells: Cells) -> Self {
        let name = name.into();
        Self { name, cells }
    }

    fn len(&self) -> usize {
        match &self.cells {
            Cells::Whole(cells) => cells.len(),
            Cells::Flag(cells) => cells.len(),
            Cells::Text(cells) => cells.len(),
            Cells::Number(cells) => cells.len(),
        }
    }

    fn cell(&self, row: usize) -> String {
        match &self.cells {
            Cells::Whole(cells) => cells[row].to_string(),
            Cells::Flag(cells) => cells[row].to_string(),
            Cells::Text(cells) => cells[row].clone(),
            Cells::Number(cells) => cells[row].map_or_else(String::new, |cell| cell.to_string()),
        }
    }

    fn parquet_type(&self) -> Result<Arc<Type>, ParquetError> {
        let (physical, repetition) = match self.cells {
            Cells::Whole(_) => (Physical::INT64, Repetition::REQUIRED),
            Cells::Flag(_) => (Physical::BOOLEAN, Repetition::REQUIRED),
            Cells::Text(_) => (Physical::BYTE_ARRAY, Repetition::REQUIRED),
            Cells::Number(_) => (Physical::DOUBLE, Repetition::OPTIONAL),
        };
        let is_text = physical == Physical::BYTE_ARRAY;
        let column = Type::primitive_type_builder(&self.name, physical)
            .with_repetition(repetition)
            .with_logical_type(is_text.then_some(LogicalType::String));
        Ok(Arc::new(column.build()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use sim::config::catalogue::Catalogue;

    /// A part with a few seeds has no point of which each was measured, and no line of a setting at all.
    #[test]
    fn a_column_has_one_type_whatever_is_in_it() {
        let catalogue = Catalogue::shipped().unwrap();
        let base = catalogue.scenario("today-rps").unwrap().scenario.clone();
        let varied = |setting: &str, values: [Value; 2]| Varied {
            setting: setting.to_owned(),
            values: values.into(),
        };
        let cells = |varied: Varied| {
            let plan = Plan::new(base.clone(), vec![varied], vec![1], &catalogue).unwrap();
            let table = Table::of_points(&plan, &[]);
            table.columns[0].cells.clone()
        };
        assert_eq!(
            cells(varied("irq_affinity", [json!("cpu0"), json!("cpu1")])),
            Cells::Text(Vec::new())
        );
        assert_eq!(
            cells(varied("rx_ring", [json!(64), json!(128)])),
            Cells::Whole(Vec::new())
        );
        assert_eq!(
            cells(varied("rps", [json!(true), json!(false)])),
            Cells::Flag(Vec::new())
        );
    }
}
