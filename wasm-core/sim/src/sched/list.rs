//! Doubly linked lists of tasks without allocation: the kernel's `list_head`, with indices instead of pointers.
//! A task is on one list at most, so all lists share one array of links.

use super::TaskId;

const NONE: u32 = u32::MAX;

/// A task's neighbours.
#[derive(Debug, Clone, Copy)]
pub(super) struct Link {
    next: u32,
    previous: u32,
}

impl Link {
    /// The links of a task that is on no list.
    pub(super) const OFF: Self = Self {
        next: NONE,
        previous: NONE,
    };
}

/// Head and tail of a list.
#[derive(Debug, Clone, Copy)]
pub(super) struct List {
    first: u32,
    last: u32,
}

impl List {
    /// The empty list.
    pub(super) const EMPTY: Self = Self {
        first: NONE,
        last: NONE,
    };

    pub(super) fn is_empty(self) -> bool {
        self.first == NONE
    }

    pub(super) fn first(self) -> Option<TaskId> {
        id(self.first)
    }

    pub(super) fn last(self) -> Option<TaskId> {
        id(self.last)
    }

    /// `list_add()`.
    pub(super) fn push_front(&mut self, links: &mut [Link], task: TaskId) {
        links[task.index()] = Link {
            next: self.first,
            previous: NONE,
        };
        match id(self.first) {
            Some(first) => links[first.index()].previous = task.0,
            None => self.last = task.0,
        }
        self.first = task.0;
    }

    /// `list_add_tail()`.
    pub(super) fn push_back(&mut self, links: &mut [Link], task: TaskId) {
        links[task.index()] = Link {
            next: NONE,
            previous: self.last,
        };
        match id(self.last) {
            Some(last) => links[last.index()].next = task.0,
            None => self.first = task.0,
        }
        self.last = task.0;
    }

    /// `list_del()` of a task that is on this list.
    pub(super) fn remove(&mut self, links: &mut [Link], task: TaskId) {
        let Link { next, previous } = links[task.index()];
        match id(previous) {
            Some(previous) => links[previous.index()].next = next,
            None => self.first = next,
        }
        match id(next) {
            Some(next) => links[next.index()].previous = previous,
            None => self.last = previous,
        }
        links[task.index()] = Link::OFF;
    }
}

/// The task after this one on its list.
pub(super) fn next(links: &[Link], task: TaskId) -> Option<TaskId> {
    id(links[task.index()].next)
}

/// The task before this one on its list.
pub(super) fn previous(links: &[Link], task: TaskId) -> Option<TaskId> {
    id(links[task.index()].previous)
}

fn id(index: u32) -> Option<TaskId> {
    (index != NONE).then_some(TaskId(index))
}
