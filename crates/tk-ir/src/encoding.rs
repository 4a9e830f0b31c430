//! Layout attributes as data: cached conversion between `#ttg.…` attributes and [`Encoding`].
//!
//! The text of the attribute is the common form. Attributes are unique in a context, so each is converted once.

use crate::{Attribute, Context, Type};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;
use tk_diag::{BAD_LAYOUT, Diagnostic, Result};
use tk_layout::{Encoding, LinearLayout};

/// Conversions done so far, by attribute address and by value. Attributes live as long as their context.
#[derive(Debug, Default)]
pub(crate) struct Caches {
    by_attribute: RefCell<FxHashMap<usize, Option<Rc<Encoding>>>>,
    by_encoding: RefCell<FxHashMap<Encoding, usize>>,
    linear: RefCell<FxHashMap<usize, Vec<OfShape>>>,
}

/// The linear layout of a layout attribute for tensors of one shape, or why there is none.
#[derive(Debug)]
struct OfShape {
    shape: Box<[i64]>,
    linear: std::result::Result<Rc<LinearLayout>, String>,
}

impl Context {
    /// The attribute of a layout.
    pub fn encoding_attr(&self, encoding: &Encoding) -> Attribute<'_> {
        if let Some(address) = self.caches.by_encoding.borrow().get(encoding) {
            return Attribute::from_address(*address, self);
        }
        let text = encoding.to_string();
        let Some(attribute) = self.parse_attr(&text) else {
            panic!("tk's own layout text `{text}` is not an attribute")
        };
        self.caches.by_encoding.borrow_mut().insert(encoding.clone(), attribute.id());
        self.caches.by_attribute.borrow_mut().insert(attribute.id(), Some(Rc::new(encoding.clone())));
        attribute
    }
}

impl<'c> Attribute<'c> {
    /// The layout this attribute stands for; `None` when it is no layout, or one that tk cannot use.
    pub fn encoding(self) -> Option<Rc<Encoding>> {
        let caches = &self.context().caches;
        if let Some(known) = caches.by_attribute.borrow().get(&self.id()) {
            return known.clone();
        }
        let encoding = Encoding::parse(&self.to_string()).ok().map(Rc::new);
        if let Some(encoding) = &encoding {
            caches.by_encoding.borrow_mut().entry(Encoding::clone(encoding)).or_insert(self.id());
        }
        caches.by_attribute.borrow_mut().insert(self.id(), encoding.clone());
        encoding
    }

    /// The linear layout of a tensor of `shape` with this layout, worked out once; or why there is none.
    pub fn linear_layout(self, shape: &[i64]) -> std::result::Result<Rc<LinearLayout>, String> {
        let cache = &self.context().caches.linear;
        if let Some(known) =
            cache.borrow().get(&self.id()).and_then(|known| known.iter().find(|of| *of.shape == *shape))
        {
            return known.linear.clone();
        }
        let encoding = self.encoding().ok_or_else(|| format!("`{self}` is not a layout that tk can use"))?;
        let linear = encoding.to_linear(shape).map(Rc::new);
        let known = OfShape { shape: shape.into(), linear: linear.clone() };
        cache.borrow_mut().entry(self.id()).or_default().push(known);
        linear
    }

    /// The layout this attribute stands for, or why it is none.
    pub fn expect_encoding(self) -> Result<Rc<Encoding>> {
        self.encoding().ok_or_else(|| {
            let reason = Encoding::parse(&self.to_string()).err().unwrap_or_default();
            Diagnostic::error(BAD_LAYOUT, format!("`{self}` is not a layout that tk can use: {reason}")).boxed()
        })
    }
}

impl<'c> Type<'c> {
    /// The layout of a tensor or memory descriptor, as data.
    pub fn layout(self) -> Option<Rc<Encoding>> {
        self.encoding()?.encoding()
    }

    /// The linear layout of a tensor or memory descriptor, worked out once; `None` where there is none, or it has no layout.
    pub fn linear_layout(self) -> Option<Rc<LinearLayout>> {
        self.encoding()?.linear_layout(&self.shape()).ok()
    }

    /// The same tensor or memory descriptor with this layout.
    pub fn with_layout(self, layout: &Encoding) -> Type<'c> {
        self.with_encoding(Some(self.context().encoding_attr(layout)))
    }
}
