//! Tensor maps that a launch changes where they lie in global memory: who changed one, who released it, who acquired it.
//!
//! Copies read tensor maps in a proxy of their own. A change reaches them when the thread that made it, or one that is ordered behind it,
//! executes `fence.proxy.tensormap::generic.release`, and then the warp of the copy, or one that the copy is ordered behind, the acquire, ordered behind that. Within a CTA order is
//! what barriers make (as for shared memory); between CTAs it is the order of the run, and both fences need at least the scope of the GPU.

use crate::clock::Mark;
use crate::fault::Fault;
use crate::program::MapScope;
use crate::shared::{Actor, Shared};
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tk_diag::DATA_RACE;

/// Something that a thread did.
#[derive(Clone, Copy)]
struct Event {
    cta: u64,
    mark: Mark,
    pc: u32,
}

/// Who asks: a thread, at an instruction, with the shared memory that knows its CTA's order.
pub(crate) struct Asker<'a> {
    pub(crate) cta: u64,
    pub(crate) actor: Actor,
    pub(crate) pc: u32,
    pub(crate) shared: &'a Shared,
}

impl Asker<'_> {
    fn event(&self) -> Event {
        Event { cta: self.cta, mark: self.shared.stamp(self.actor), pc: self.pc }
    }

    /// Whether something in the same CTA is ordered before now.
    fn after(&self, event: Event) -> bool {
        event.cta == self.cta && self.shared.unordered(event.mark, self.actor).is_none()
    }
}

/// What an acquire found.
#[derive(Clone, Copy)]
enum Acquired {
    Done,
    /// Nothing orders it behind the release.
    Unordered,
    /// The release or the acquire does not reach another CTA.
    Narrow,
}

/// The last change of a tensor map and what followed it.
struct Changed {
    change: Event,
    released: Option<(Event, MapScope)>,
    /// Of each warp, by CTA and number, its acquire since the release.
    acquired: FxHashMap<(u64, u32), (Acquired, Event)>,
    /// The last copy by each warp.
    uses: FxHashMap<(u64, u32), Event>,
}

/// The tensor maps that a launch changed, by address.
#[derive(Default)]
pub(crate) struct ChangedMaps {
    any: AtomicBool,
    maps: Mutex<FxHashMap<u64, Changed>>,
}

impl ChangedMaps {
    fn maps(&self) -> MutexGuard<'_, FxHashMap<u64, Changed>> {
        self.maps.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A thread changes the map at an address. An error when copies by it are not ordered before.
    pub(crate) fn change(&self, address: u64, asker: &Asker<'_>) -> Result<(), Box<Fault>> {
        self.any.store(true, Ordering::Relaxed);
        let mut maps = self.maps();
        let uses = maps.get(&address).into_iter().flat_map(|map| map.uses.values());
        let mut unordered = uses.filter(|event| event.cta == asker.cta && !asker.after(**event));
        if let Some(event) = unordered.next() {
            let message = format!("a change of the tensor map at {address:#x} races with a copy by it");
            return Err(Fault::new(DATA_RACE, message)
                .also(event.pc, "the copy")
                .help("put a barrier between the last copy by a tensor map and its change"));
        }
        let (acquired, uses) = (FxHashMap::default(), FxHashMap::default());
        maps.insert(address, Changed { change: asker.event(), released: None, acquired, uses });
        Ok(())
    }

    /// A release fence: it hands over the changes that are ordered before it and that no other has handed over as far.
    pub(crate) fn release(&self, scope: MapScope, asker: &Asker<'_>) {
        let due = |map: &Changed| map.released.is_none_or(|(_, released)| released != scope && scope == MapScope::Gpu);
        for map in self.maps().values_mut().filter(|map| due(map) && asker.after(map.change)) {
            map.released = Some((asker.event(), scope));
            map.acquired.clear();
        }
    }

    /// An acquire fence of one map.
    pub(crate) fn acquire(&self, address: u64, scope: MapScope, asker: &Asker<'_>) {
        let mut maps = self.maps();
        let Some(map) = maps.get_mut(&address) else { return };
        let Some((release, released)) = map.released else { return };
        let found = match release.cta == asker.cta {
            true if asker.after(release) => Acquired::Done,
            true => Acquired::Unordered,
            false if released == MapScope::Cta || scope == MapScope::Cta => Acquired::Narrow,
            false => Acquired::Done,
        };
        let entry = map.acquired.entry((asker.cta, asker.actor.warp)).or_insert((found, asker.event()));
        if matches!(found, Acquired::Done) {
            *entry = (found, asker.event());
        }
    }

    /// A thread issues a copy by the map at an address.
    pub(crate) fn copy(&self, address: u64, asker: &Asker<'_>) -> Result<(), Box<Fault>> {
        if !self.any.load(Ordering::Relaxed) {
            return Ok(());
        }
        let mut maps = self.maps();
        let Some(map) = maps.get_mut(&address) else { return Ok(()) };
        let fault = |why: &str, other: Option<(u32, &'static str)>| {
            let message = format!("a copy by the tensor map at {address:#x}, which was changed {why}");
            let fault = Fault::new(DATA_RACE, message).also(map.change.pc, "changes it");
            other.into_iter().fold(fault, |fault, (pc, what)| fault.also(pc, what)).help(
                "execute `fence.proxy.tensormap::generic.release` after the change, then a barrier, and then the acquire",
            )
        };
        let Some((release, _)) = map.released else {
            return Err(fault("and not released since, so not acquired since", None));
        };
        let by_another = |acquired: &(Acquired, Event)| matches!(acquired.0, Acquired::Done) && asker.after(acquired.1);
        match map.acquired.get(&(asker.cta, asker.actor.warp)).copied() {
            Some((Acquired::Done, _)) => {}
            _ if map.acquired.values().any(by_another) => {}
            Some((Acquired::Unordered, event)) => {
                return Err(fault(
                    "and acquired without a barrier behind the release",
                    Some((event.pc, "the acquire")),
                ));
            }
            Some((Acquired::Narrow, event)) => {
                let why = "in another CTA, with fences of the scope of one CTA";
                return Err(fault(why, Some((event.pc, "the acquire"))));
            }
            None => return Err(fault("and not acquired since by this warp", Some((release.pc, "releases it")))),
        }
        map.uses.insert((asker.cta, asker.actor.warp), asker.event());
        Ok(())
    }
}
