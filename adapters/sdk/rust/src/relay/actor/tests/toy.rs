//! The toy that `../cases` speaks of, as a binding in Rust: a few lines that do what its page says.

use std::sync::atomic::{AtomicIsize, Ordering};

use super::flight::to_its_end;
use super::*;
use crate::relay::around::{Ended, Execution};
use crate::relay::callback::Raised;
use crate::relay::source::{Chunks, Opening, Source, Wrapped};
use crate::relay::streams::{Collector, Finalizer};

const FAMILIES: [&str; 4] = ["subscriber", "llm.request", "llm.execution", "llm.stream"];

/// One toy; `lacks` is what it may lack, by the word for it in the cases.
#[derive(Default)]
pub(super) struct Toy {
    kept: Kept,
    /// How many plugins are installed.
    pub(super) plugins: Arc<AtomicIsize>,
    /// How many scope stacks were made, and the number of the current one.
    stacks: AtomicIsize,
    current: Arc<AtomicIsize>,
    /// Handle → kind of what was started.
    started: Mutex<HashMap<String, String>>,
    lacks: String,
}

/// What is registered, as the listing has it.
type Kept = Arc<Mutex<Vec<(Listed, Arc<Callee>)>>>;

impl Toy {
    pub(super) fn lacking(part: &str) -> Self {
        Self { lacks: part.into(), ..Self::default() }
    }

    /// What a binding says that lacks this part.
    fn not_lacking(&self, part: &str, capability: &str) -> Result<(), Stop> {
        if self.lacks == part { Err(Stop::unsupported(capability, "no toy")) } else { Ok(()) }
    }

    fn put(&self, listed: Listed, callee: Callee) -> Result<Undo, Refusal> {
        if !FAMILIES.contains(&listed.family.as_str()) {
            return Err(Stop::unsupported(listed.family, "no toy").into());
        }
        let is = |other: &Listed, one: &Listed| (&other.family, &other.effective) == (&one.family, &one.effective);
        let mut kept = lock(&self.kept);
        if kept.iter().any(|(other, _)| is(other, &listed)) {
            return Err(failed("taken".into()).into());
        }
        kept.push((listed.clone(), Arc::new(callee)));
        let all = Arc::clone(&self.kept);
        Ok(Arc::new(move || {
            let mut kept = lock(&all);
            let before = kept.len();
            kept.retain(|(other, _)| !is(other, &listed) || listed.effective == "stuck");
            Ok(kept.len() < before)
        }))
    }

    fn all(&self, family: &str) -> Vec<Arc<Callee>> {
        let kept = lock(&self.kept);
        kept.iter().filter(|(one, _)| one.family == family).map(|(_, callee)| Arc::clone(callee)).collect()
    }

    fn callbacks(&self, family: &str) -> Vec<Callback> {
        let callback = |callee: Arc<Callee>| match &*callee {
            Callee::Callback(callback) => Some(callback.clone()),
            _ => None,
        };
        self.all(family).into_iter().filter_map(callback).collect()
    }

    fn sources(&self) -> Vec<Source> {
        let source = |callee: Arc<Callee>| match &*callee {
            Callee::Source(source) => Some(source.clone()),
            _ => None,
        };
        self.all("llm.stream").into_iter().filter_map(source).collect()
    }

    fn tell(&self, event: &Json) {
        for callee in self.all("subscriber") {
            if let Callee::Sink(sink) = &*callee {
                sink.put(Ok(event.clone()));
            }
        }
    }
}

impl Binding for Toy {
    type Handle = String;

    fn describe(&self) -> Json {
        json!({})
    }

    fn fresh_scope(&self) -> Beside {
        let (stack, current) = (self.stacks.fetch_add(1, Ordering::SeqCst), Arc::clone(&self.current));
        current.store(stack, Ordering::SeqCst);
        Arc::new(move || current.store(stack, Ordering::SeqCst))
    }

    fn registered(&self, family: Option<&str>) -> Result<Vec<Listed>, Refusal> {
        let kept = lock(&self.kept);
        let listed = kept.iter().map(|(one, _)| one.clone());
        Ok(listed.filter(|one| family.is_none_or(|family| family == one.family)).collect())
    }

    fn flush(&self) -> Result<(), Refusal> {
        Ok(())
    }

    fn register(&self, step: &Register, scope: Option<&String>, callee: Callee) -> Result<Undo, Refusal> {
        if let Some(scope) = scope {
            self.tell(&json!({"register": step.name, "scope": scope}));
        }
        self.put(Listed::own(&step.family, &step.name), callee)
    }

    /// What plugins register has names of its own.
    fn install(&self, plugins: Plugins) -> Result<Undo, Refusal> {
        let (undo, count) = (Mutex::new(Vec::new()), Arc::clone(&self.plugins));
        let played = plugins.names.iter().try_for_each(|name| {
            plugins.play(name, |step, callee| {
                let effective = format!("plugin.{}", step.name);
                let owned = Listed { effective, plugin: Some(name.clone()), ..Listed::own(&step.family, &step.name) };
                lock(&undo).push(self.put(owned, callee)?);
                Ok(())
            })
        });
        count.fetch_add(1, Ordering::SeqCst);
        let take_back = move || {
            count.fetch_sub(1, Ordering::SeqCst);
            lock(&undo).iter().try_for_each(|one: &Undo| one().map(drop))?;
            Ok(true)
        };
        if let Err(text) = played {
            take_back()?;
            return Err(failed(format!("registration failed: {text}")).into());
        }
        Ok(Arc::new(take_back))
    }

    fn call_llm(
        &self,
        step: &Call,
        _: Option<&String>,
        provider: Callback,
        _: Option<RequestCodec>,
        flight: Option<&Flight>,
    ) -> Result<Json, Refusal> {
        let mut request = step.request.clone();
        for intercept in self.callbacks("llm.request") {
            request = intercept.play(&json!({"request": request}), request.clone()).map_err(raised)?;
        }
        let calling = go_on(self.callbacks("llm.execution"), request.clone(), provider);
        let flight = flight.filter(|_| self.lacks != "cancelling");
        let answer = to_its_end(calling, flight).unwrap_or_else(|| Err(failed("cancelled".into())))?;
        self.tell(&json!({"call": step.name, "request": request}));
        Ok(answer)
    }

    fn open_stream(&self, step: &Call, _: Option<&String>, parts: Parts) -> Result<Box<dyn Reader>, Refusal> {
        let Parts { source, collector, finalizer, .. } = parts;
        let opening = opened(self.sources(), step.request.clone(), source);
        let chunks = to_its_end(opening, None).expect("nobody cancels it")?;
        Ok(Box::new(Read { chunks: Some(chunks), collector, finalizer: Some(finalizer) }))
    }

    fn call_tool(&self, _: &Call, _: Option<&String>, _: Callback, _: Option<&Flight>) -> Result<Json, Refusal> {
        Err(Stop::unsupported("tool", "no toy").into())
    }

    fn helper(&self, _: &Helper) -> Result<Json, Refusal> {
        Err(Stop::unsupported("helper", "no toy").into())
    }

    fn start(&self, step: &Start, parent: Option<&String>) -> Result<String, Refusal> {
        if step.name == "refused" {
            return Err(failed("no such start".into()).into());
        }
        let mut told = json!({"start": step.name, "parent": parent, "input": step.input});
        if let Some(timestamp) = step.timestamp {
            told["said"] = json!([step.attributes, timestamp]);
        }
        self.tell(&told);
        let handle = format!("handle of {}", step.name);
        lock(&self.started).insert(handle.clone(), format!("{:?}", step.kind).to_lowercase());
        Ok(handle)
    }

    fn end(&self, step: &End, of: &String) -> Result<(), Refusal> {
        self.tell(&json!({"end": of, "output": step.output}));
        Ok(())
    }

    fn current(&self) -> Result<(String, String), Refusal> {
        let stack = self.current.load(Ordering::SeqCst);
        Ok(("u".into(), if stack == 0 { "n".into() } else { format!("n {stack}") }))
    }

    fn build(&self, step: &Build) -> Result<Json, Refusal> {
        self.not_lacking("objects", "build")?;
        Ok(json!({step.object.as_str(): step.value}))
    }

    fn decode(&self, step: &Decode) -> Result<Json, Refusal> {
        self.not_lacking("coding", "codec.asked")?;
        Ok(json!({"decode": step.codec, "side": format!("{:?}", step.side).to_lowercase(), "payload": step.payload}))
    }

    fn encode(&self, step: &Encode) -> Result<Json, Refusal> {
        self.not_lacking("coding", "codec.asked")?;
        Ok(json!({"encode": step.codec, "annotation": step.annotation, "payload": step.payload}))
    }

    fn told(&self, of: &String) -> Result<Json, Refusal> {
        Ok(json!({"handle": of, "kind": lock(&self.started)[of]}))
    }

    fn mark(&self, step: &Mark, parent: Option<&String>) -> Result<(), Refusal> {
        self.tell(&json!({"mark": step.name, "parent": parent}));
        Ok(())
    }
}

fn raised(raised: Raised) -> Failure {
    match raised {
        Raised::Scripted(text) | Raised::Refused(text) => failed(text),
    }
}

type Going = Pin<Box<dyn Future<Output = Result<Json, Failure>> + Send>>;

/// Makes a call through what wraps it.
fn go_on(mut around: Vec<Callback>, request: Json, provider: Callback) -> Going {
    Box::pin(async move {
        if around.is_empty() {
            return provider.llm_provider(request).await.map_err(raised);
        }
        let first = around.remove(0);
        let given = json!({"request": request});
        let proceed = move |argument: Json| Ok(go_on(around.clone(), argument, provider.clone()));
        let execution = Execution { argument: request, form: Option::unwrap_or_default, proceed, said: Failure::clone };
        first.wrap(given, execution).await.map_err(|ended| match ended {
            Ended::Raised(own) => raised(own),
            Ended::Passed(failure) => failure,
        })
    })
}

/// Opens a stream through what wraps it.
fn opened(mut around: Vec<Source>, request: Json, source: Source) -> Opening<Failure> {
    Box::pin(async move {
        let given = json!({"request": request});
        let flow = if around.is_empty() {
            source.open(given, failed)?
        } else {
            let first = around.remove(0);
            let proceed = Box::new(move |argument: Json| Ok(opened(around.clone(), argument, source.clone())));
            first.wrap(given, Wrapped { argument: request, proceed, said: Failure::clone }, failed).await?
        };
        Ok(Box::pin(flow) as Chunks<Failure>)
    })
}

/// Hands each chunk to the collector and then to its reader, and reads nothing ahead.
struct Read {
    chunks: Option<Chunks<Failure>>,
    collector: Collector,
    finalizer: Option<Finalizer>,
}

impl Read {
    fn end(&mut self) {
        self.chunks = None;
        if let Some(finalizer) = self.finalizer.take() {
            let _ = finalizer.finish();
        }
    }

    fn collected(&mut self) -> Result<Option<Json>, Failure> {
        let Some(chunks) = &mut self.chunks else { return Ok(None) };
        let Poll::Ready(next) = chunks.as_mut().poll_next(&mut Context::from_waker(Waker::noop())) else {
            return Err(failed("it waits".into()));
        };
        let Some(chunk) = next.transpose()? else { return Ok(None) };
        self.collector.take(chunk.clone()).map_err(failed)?;
        Ok(Some(chunk))
    }
}

impl Reader for Read {
    fn next(&mut self) -> Result<Option<Json>, Refusal> {
        let got = self.collected();
        if !matches!(got, Ok(Some(_))) {
            self.end();
        }
        Ok(got?)
    }

    fn close(&mut self) -> Result<(), Refusal> {
        self.end();
        Ok(())
    }
}

impl Drop for Read {
    fn drop(&mut self) {
        self.end();
    }
}
