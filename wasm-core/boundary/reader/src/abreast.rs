//! Two runs packet by packet, as the page gets them (`web/core/abreast.ts`). Each run lives in a worker
//! of its own: what is known of its packets' ways crosses as bytes, which only the core reads.

use serde::Serialize;
use tsify::{Ts, Tsify};
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use super::columns::Columns;
use super::session::Session;
use boundary_saying::SayingView;
use ringside::compare::abreast::{Abreast, Parting, Routes};
use ringside::journey::Journeys;
use ringside::kernel::PacketId;

/// So many partings are handed out, the first ones.
const MOST: usize = 2000;

/// Two runs on one clock.
#[derive(Debug, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(hashmap_as_object)]
pub struct AbreastView {
    /// How many nanoseconds the second run starts after the first.
    shift: f64,
    /// The first moment at which anything differs, be it only the time.
    #[tsify(type = "PartingView | undefined")]
    first: Option<PartingView>,
    partings: Vec<PartingView>,
    /// How many there are.
    total: usize,
    /// How many packets are in both.
    alike: usize,
    /// For each packet of the first and of the second run its like, packed.
    #[tsify(type = "readonly number[]")]
    likes: Vec<f64>,
}

/// Where the ways of a packet part.
#[derive(Debug, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(hashmap_as_object)]
pub struct PartingView {
    /// Nanoseconds from the start of the first run.
    at: f64,
    #[tsify(type = "'time' | 'cpu' | 'station' | 'end' | 'missing'")]
    kind: &'static str,
    /// The packet in the first run, and in the second.
    #[tsify(type = "readonly [number | undefined, number | undefined]")]
    packets: [Option<u32>; 2],
    saying: SayingView,
}

#[wasm_bindgen]
impl Session {
    /// What has to be known of the run to lay it beside another; for `abreast` alone.
    pub fn routes(&self) -> Result<Vec<u8>, JsError> {
        Ok(postcard::to_allocvec(&Routes::of(&self.opened))?)
    }
}

/// Lays two runs beside each other.
#[wasm_bindgen]
pub fn abreast(first: &[u8], second: &[u8]) -> Result<Ts<AbreastView>, JsError> {
    let routes = |bytes: &[u8]| postcard::from_bytes::<Routes>(bytes);
    let both = Abreast::of([routes(first)?, routes(second)?]);
    let view = |parting: &Parting| PartingView {
        at: parting.at as f64,
        kind: parting.kind.name(),
        packets: parting.packets.map(|packet| packet.map(|id| id.0)),
        saying: SayingView::of(&both.say(parting), &Journeys::default()),
    };
    let ids = |likes: &[PacketId]| likes.iter().map(|like| like.0).collect::<Vec<u32>>();
    let [here, there] = &both.likes;
    let view = AbreastView {
        shift: both.shift as f64,
        first: both.first.as_ref().map(view),
        partings: both.partings.iter().take(MOST).map(view).collect(),
        total: both.partings.len(),
        alike: here.iter().filter(|like| like.is_some()).count(),
        likes: Columns::default()
            .push(&ids(here))
            .push(&ids(there))
            .into_array(),
    };
    Ok(view.into_ts()?)
}
