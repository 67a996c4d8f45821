//! Numbers that name things, one type for each kind of thing, and tables that are indexed by them.
//!
//! An id is four bytes, and so is an `Option` of one.

use std::marker::PhantomData;
use std::num::NonZeroU32;
use std::ops::{Index, IndexMut};

/// A number that names an item of a [`Table`].
pub trait Id: Copy {
    /// The id of the item at an index.
    fn from_index(index: usize) -> Self;

    /// The item's index.
    fn index(self) -> usize;
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident,)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub struct $name(NonZeroU32);

        impl Id for $name {
            #[inline]
            fn from_index(index: usize) -> Self {
                Self(NonZeroU32::MIN.saturating_add(index as u32))
            }

            #[inline]
            fn index(self) -> usize {
                self.0.get() as usize - 1
            }
        }
    )*};
}

ids! {
    /// An `sk_buff`.
    SkbId,
    /// Memory of packet data.
    BufferId,
    /// A socket.
    SockId,
    /// A process, among those of all hosts.
    TaskId,
    /// A NIC of a host.
    NicId,
    /// A receive queue of a host, counted over all its NICs.
    QueueId,
    /// A frame on a wire.
    FlightId,
}

/// The device that a packet comes from or goes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Device {
    /// `lo`.
    Loopback,
    /// A NIC of the host.
    Nic(NicId),
}

/// Items in a row, indexed by their ids.
#[derive(Debug)]
pub struct Table<I, T> {
    items: Vec<T>,
    ids: PhantomData<I>,
}

impl<I, T> Default for Table<I, T> {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            ids: PhantomData,
        }
    }
}

impl<I: Id, T> Table<I, T> {
    /// Adds an item; its id.
    pub fn push(&mut self, item: T) -> I {
        self.items.push(item);
        I::from_index(self.items.len() - 1)
    }

    /// The id that the next item gets.
    pub fn next_id(&self) -> I {
        I::from_index(self.items.len())
    }

    /// Items.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The items in order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    /// The ids in order, as they are now.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + use<I, T> {
        (0..self.items.len()).map(I::from_index)
    }
}

impl<I: Id, T> Index<I> for Table<I, T> {
    type Output = T;

    #[inline]
    fn index(&self, id: I) -> &T {
        &self.items[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for Table<I, T> {
    #[inline]
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_leads_to_its_item_and_none_takes_no_room() {
        let mut table: Table<SkbId, &str> = Table::default();
        let (first, second) = (table.push("first"), table.push("second"));
        assert_eq!((table[first], table[second]), ("first", "second"));
        assert_eq!(table.ids().collect::<Vec<_>>(), [first, second]);
        assert_eq!(size_of::<Option<SkbId>>(), size_of::<SkbId>());
        assert_eq!(size_of::<Device>(), size_of::<NicId>());
    }
}
