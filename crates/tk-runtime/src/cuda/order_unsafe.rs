//! Launches in order: graphs of them, and points between them.
#![allow(unsafe_code, reason = "the CUDA driver is a C library")]

use super::driver::sys::{self, CUresult};
use super::{Gpu, check};
use crate::{Result, Stream};
use std::sync::Arc;
use std::sync::atomic::Ordering;

impl Gpu {
    /// Makes a graph of the launches that `queue` queues; they do not run now.
    pub fn capture(self: &Arc<Self>, queue: &mut dyn FnMut()) -> Result<Graph> {
        let _current = self.enter()?;
        let mut stream = std::ptr::null_mut();
        // The default stream cannot be captured, and a stream that waits for it would break the capture.
        let flags = sys::CUstream_flags::CU_STREAM_NON_BLOCKING as u32;
        // SAFETY: the context is current and `stream` outlives the call.
        check("make a stream", unsafe { sys::cuStreamCreate(&mut stream, flags) })?;
        let result = self.capture_on(stream, queue);
        // SAFETY: the stream was made above and nothing refers to it after the capture.
        let _ = unsafe { sys::cuStreamDestroy_v2(stream) };
        let mut graph = Graph { context: self.clone(), graph: result?, run: std::ptr::null_mut() };
        // SAFETY: the graph is complete; `graph.run` outlives the call.
        check("prepare a graph", unsafe { sys::cuGraphInstantiateWithFlags(&mut graph.run, graph.graph, 0) })?;
        Ok(graph)
    }

    /// Makes a graph of the launches that `queue` queues on the stream that it is given; they do not run now.
    ///
    /// # Errors
    /// What the driver says, such as that something was queued that cannot be captured.
    pub fn capture_on_stream(self: &Arc<Self>, queue: &mut dyn FnMut(Stream)) -> Result<Graph> {
        self.capture(&mut || {
            let handle = self.stream.load(Ordering::Relaxed) as usize;
            // SAFETY: the stream lives until the capture has ended.
            queue(unsafe { Stream::from_handle(handle) });
        })
    }

    fn capture_on(&self, stream: sys::CUstream, queue: &mut dyn FnMut()) -> Result<sys::CUgraph> {
        let mode = sys::CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED;
        // SAFETY: the stream was made in this context.
        check("capture launches", unsafe { sys::cuStreamBeginCapture_v2(stream, mode) })?;
        self.stream.store(stream, Ordering::Relaxed);
        queue();
        self.stream.store(std::ptr::null_mut(), Ordering::Relaxed);
        let mut graph = std::ptr::null_mut();
        // SAFETY: the capture began above on this thread, and `graph` outlives the call.
        check("capture launches", unsafe { sys::cuStreamEndCapture(stream, &mut graph) })?;
        Ok(graph)
    }

    /// An event that nothing was recorded for yet. The context is current.
    fn new_event(self: &Arc<Self>, flags: sys::CUevent_flags) -> Result<Event> {
        let mut event = std::ptr::null_mut();
        // SAFETY: the context is current and `event` outlives the call.
        check("make an event", unsafe { sys::cuEventCreate(&mut event, flags as u32) })?;
        Ok(Event { context: self.clone(), event })
    }

    /// Records a point in the stream.
    pub fn record(self: &Arc<Self>) -> Result<Event> {
        let _current = self.enter()?;
        let event = self.new_event(sys::CUevent_flags::CU_EVENT_DEFAULT)?;
        // SAFETY: the event was made in this context; a null stream is the default stream.
        check("record an event", unsafe { sys::cuEventRecord(event.event, std::ptr::null_mut()) })?;
        Ok(event)
    }

    /// What is queued on `stream` from now on runs after what is queued on `other` until now. The host does not wait.
    pub fn wait_for(self: &Arc<Self>, stream: Stream, other: Stream) -> Result<()> {
        let _current = self.enter()?;
        let event = self.new_event(sys::CUevent_flags::CU_EVENT_DISABLE_TIMING)?;
        let [stream, other] = [stream, other].map(|stream| stream.handle() as sys::CUstream);
        // SAFETY: the event was made in this context, whose streams both are, as whoever made the handles said.
        check("record an event", unsafe { sys::cuEventRecord(event.event, other) })?;
        // SAFETY: as above. The event is destroyed behind this; the driver keeps what streams wait for.
        check("let a stream wait", unsafe { sys::cuStreamWaitEvent(stream, event.event, 0) })
    }
}

/// Launches in their order, ready to run as one.
pub struct Graph {
    context: Arc<Gpu>,
    graph: sys::CUgraph,
    run: sys::CUgraphExec,
}

impl Graph {
    /// Enqueues all its launches on the default stream.
    pub fn replay(&self) -> Result<()> {
        let _current = self.context.enter()?;
        // SAFETY: the graph was instantiated in this context and lives until its drop; null is the default stream.
        check("run a graph", unsafe { sys::cuGraphLaunch(self.run, std::ptr::null_mut()) })
    }
}

impl Drop for Graph {
    fn drop(&mut self) {
        if let Ok(_current) = self.context.enter() {
            // SAFETY: both were made in `capture` and nothing else destroys them; `run` is null when that failed.
            unsafe {
                if !self.run.is_null() {
                    let _ = sys::cuGraphExecDestroy(self.run);
                }
                let _ = sys::cuGraphDestroy(self.graph);
            }
        }
    }
}

/// A point in the stream.
pub struct Event {
    context: Arc<Gpu>,
    event: sys::CUevent,
}

impl Event {
    /// Milliseconds from this point to a later one; waits for the later one.
    pub fn milliseconds_until(&self, later: &Event) -> Result<f64> {
        let _current = self.context.enter()?;
        let mut milliseconds = 0.0f32;
        // SAFETY: both events were recorded in this context and live until their drop; `milliseconds` outlives the call.
        let status = unsafe {
            match sys::cuEventSynchronize(later.event) {
                CUresult::CUDA_SUCCESS => sys::cuEventElapsedTime(&mut milliseconds, self.event, later.event),
                failure => failure,
            }
        };
        check("time the kernel", status)?;
        Ok(f64::from(milliseconds))
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        if let Ok(_current) = self.context.enter() {
            // SAFETY: the event was made in this context and nothing else destroys it.
            let _ = unsafe { sys::cuEventDestroy_v2(self.event) };
        }
    }
}
