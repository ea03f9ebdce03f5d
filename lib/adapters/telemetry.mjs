// Sends traces, metrics and logs by OTLP, as the OTEL_* variables say (docs/monitoring.md). Plain JavaScript: the web server,
// which has no TypeScript loader, starts it before anything that could be traced. The packages are loaded where an endpoint
// is set, and only here.
import { setTimeout as delay } from 'node:timers/promises'

const KEY = Symbol.for('greenroom.telemetry')
const SIGNALS = ['TRACES', 'METRICS', 'LOGS']
/** What is left is sent within so long when the process ends. */
const FLUSH_MS = 3_000
/** A collector that cannot be reached is named once in so long. */
const QUIET_MS = 3_600_000

const setting = (name) => process.env[name]?.trim() || undefined

/** The signals that go somewhere: those with an endpoint, unless turned off. */
function wantedSignals() {
  if (setting('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return []
  return SIGNALS.filter(
    (signal) =>
      setting(`OTEL_${signal}_EXPORTER`) !== 'none' &&
      (setting(`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`) ?? setting('OTEL_EXPORTER_OTLP_ENDPOINT')),
  )
}

/**
 * Starts what the settings ask for; null when that is nothing.
 * @param {object} options
 * @param {string} options.service the name of the service, unless the settings have another
 * @param {import('prom-client').Registry} options.registry its counters and gauges are the metrics that are sent
 * @param {() => Promise<void>} [options.collect] brings the registry up to date, before each time it is read
 * @returns {Promise<{ serve: ReturnType<typeof serving>, stop(): Promise<void> } | null>}
 */
export async function startTelemetry({ service, registry, collect }) {
  const signals = wantedSignals()
  if (signals.length === 0) return null
  const [{ core, NodeSDK, resources }, api, { logs }] = await Promise.all([
    import('@opentelemetry/sdk-node'),
    import('@opentelemetry/api'),
    import('@opentelemetry/api-logs'),
  ])
  // With OTEL_LOG_LEVEL the SDK writes its own log.
  if (!setting('OTEL_LOG_LEVEL')) api.diag.setLogger(faultLogger(), api.DiagLogLevel.WARN)
  const { defaultResource, envDetector, hostDetector, resourceFromAttributes, serviceInstanceIdDetector } = resources
  const sdk = new NodeSDK({
    resource: defaultResource().merge(resourceFromAttributes({ 'service.name': service, 'process.pid': process.pid })),
    // Not the command line and the user of the process, which are in the SDK's own choice.
    ...(!setting('OTEL_NODE_RESOURCE_DETECTORS') && {
      resourceDetectors: [envDetector, hostDetector, serviceInstanceIdDetector],
    }),
    // Next would read a caller's `traceparent` once more, and put what it reads in the place of our span.
    textMapPropagator: null,
    ...(!signals.includes('TRACES') && { spanProcessors: [] }),
    ...(!signals.includes('METRICS') && { metricReaders: [] }),
    ...(!signals.includes('LOGS') && { logRecordProcessors: [] }),
  })
  sdk.start()
  const tracer = api.trace.getTracer('greenroom')
  // For our own spans alone: those of Next hold whole addresses, with the tokens of public links in them.
  api.trace.disable()
  if (signals.includes('METRICS')) observe(api.metrics.getMeter('greenroom'), registry, collect)
  const logger = signals.includes('LOGS') ? logs.getLogger('greenroom') : null
  const propagator = new core.W3CTraceContextPropagator()
  const extract = (carrier) => propagator.extract(api.ROOT_CONTEXT, carrier, api.defaultTextMapGetter)
  globalThis[KEY] = { ...tracing(api, tracer, extract), line: (json) => logger?.emit(recordOf(json)) }
  return {
    serve: serving(api, tracer, extract),
    async stop() {
      // The SDK does not report what it could not send at its end.
      const late = delay(FLUSH_MS, undefined, { ref: false }).then(() => {
        throw new Error(`what was left was not sent within ${FLUSH_MS / 1000} s`)
      })
      await Promise.race([sdk.shutdown(), late]).catch((error) => api.diag.error(error))
    },
  }
}

/** In a context: the span of the request or the job. */
const ENTRY = Symbol('greenroom.entry')

/** @returns {Omit<import('../tracing').Telemetry, 'line'>} */
function tracing(api, tracer, extract) {
  const { context, ROOT_CONTEXT, SpanKind, trace } = api
  const current = () => {
    const found = trace.getSpanContext(context.active())
    return found && api.isSpanContextValid(found) ? found : null
  }
  // By its ids alone: Next renames an active span after its own route, and writes the address into it.
  const below = (span, outer) => trace.setSpanContext(outer, span.spanContext())
  const carried = (traceparent) => (typeof traceparent === 'string' ? extract({ traceparent }) : ROOT_CONTEXT)
  const within = async (span, outer, run) => {
    try {
      return await context.with(below(span, outer), run)
    } catch (error) {
      markFailed(api, span, error)
      throw error
    } finally {
      span.end()
    }
  }
  return {
    span(name, { facts, kind }, run) {
      // What no request and no job asked for would be traces of one span each.
      if (!current()) return run(() => {})
      const outer = context.active()
      const options = { kind: kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL, attributes: facts }
      const span = tracer.startSpan(name, options, outer)
      return within(span, outer, () => run((more) => span.setAttributes(more)))
    },
    job({ task, id, attempt, waitedMs, payload }, run) {
      const outer = carried(payload?.traceparent)
      const linked = trace.getSpanContext(carried(payload?.linked_to))
      const attributes = {
        'messaging.system': 'graphile_worker',
        'messaging.operation.type': 'process',
        'messaging.destination.name': task,
        'messaging.message.id': id,
        'greenroom.job.attempt': attempt,
        'greenroom.job.waited_ms': waitedMs,
      }
      const links = linked ? [{ context: linked }] : []
      const span = tracer.startSpan(`process ${task}`, { kind: SpanKind.CONSUMER, attributes, links }, outer)
      return within(span, outer.setValue(ENTRY, span), run)
    },
    note: (facts) => context.active().getValue(ENTRY)?.setAttributes(facts),
    ids() {
      const found = current()
      return found && { trace_id: found.traceId, span_id: found.spanId }
    },
    traceparent() {
      const found = current()
      return found && `00-${found.traceId}-${found.spanId}-0${found.traceFlags & api.TraceFlags.SAMPLED}`
    },
  }
}

function serving(api, tracer, extract) {
  const { context, SpanKind, SpanStatusCode, trace } = api
  /**
   * Runs a request in a span, in the trace of its `traceparent`, until its response has been sent. Attributes by the
   * semantic conventions for HTTP servers, without the address: paths of public links hold their tokens.
   * @template R
   * @param {import('node:http').IncomingMessage} req
   * @param {import('node:http').ServerResponse} res
   * @param {{ route: string, method: string }} about `route`: the template of its path; `method`: `_OTHER` for none that is known
   * @param {() => R} run
   * @returns {R}
   */
  return function serve(req, res, { route, method }, run) {
    const outer = extract(req.headers)
    const attributes = {
      'http.request.method': method,
      'http.route': route,
      'url.scheme': 'http',
      'network.protocol.version': req.httpVersion,
    }
    const name = `${method === '_OTHER' ? 'HTTP' : method} ${route}`
    const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, outer)
    res.once('close', () => {
      if (res.headersSent) span.setAttribute('http.response.status_code', res.statusCode)
      if (!res.writableFinished) span.setAttribute('error.type', 'aborted')
      if (res.statusCode >= 500) {
        span.setAttribute('error.type', String(res.statusCode)).setStatus({ code: SpanStatusCode.ERROR })
      }
      span.end()
    })
    return context.with(trace.setSpanContext(outer, span.spanContext()).setValue(ENTRY, span), run)
  }
}

/** An error by its kind alone. What was refused (it has `facts`) is no fault, except that something could not be used. */
function markFailed(api, span, error) {
  const { code, name, facts } = error ?? {}
  span.setAttribute('error.type', typeof code === 'string' ? code : (name ?? typeof error))
  if (!facts || code === 'unavailable') span.setStatus({ code: api.SpanStatusCode.ERROR })
}

/** Each metric of the registry as an instrument that is read when the SDK sends: nothing is counted twice. */
function observe(meter, registry, collect) {
  const instruments = new Map(
    registry.getMetricsAsArray().map((metric) => {
      const options = { description: metric.help }
      const make = metric.type === 'counter' ? 'createObservableCounter' : 'createObservableGauge'
      return [metric.name, meter[make](metric.name, options)]
    }),
  )
  meter.addBatchObservableCallback(
    async (result) => {
      await collect?.()
      for (const { name, values } of await registry.getMetricsAsJSON()) {
        const instrument = instruments.get(name)
        if (instrument) for (const { value, labels } of values) result.observe(instrument, value, labels)
      }
    },
    [...instruments.values()],
  )
}

const SEVERITIES = { 10: 'TRACE', 20: 'DEBUG', 30: 'INFO', 40: 'WARN', 50: 'ERROR', 60: 'FATAL' }

/** A line of the log as a record; the SDK adds the trace it is written in. */
function recordOf(json) {
  const { level, time, msg = '', err, trace_id: _trace, span_id: _span, ...attributes } = JSON.parse(json)
  return {
    timestamp: new Date(time),
    // 1 to 21 by steps of 4, as in the data model of logs.
    severityNumber: (level / 10) * 4 - 3,
    severityText: SEVERITIES[level],
    body: msg,
    attributes: {
      ...attributes,
      ...(err && { 'exception.type': err.type, 'exception.message': err.message, 'exception.stacktrace': err.stack }),
    },
  }
}

/** The SDK reports each batch that it could not send. */
function faultLogger() {
  let saidAt = Number.NEGATIVE_INFINITY
  const say = (...words) => {
    const now = performance.now()
    if (now - saidAt < QUIET_MS) return
    saidAt = now
    console.error(
      `Traces, metrics or logs could not be sent where OTEL_EXPORTER_OTLP_ENDPOINT says: ${reasonOf(words)}. Requests and jobs go on; what cannot be sent is dropped. This is said at most once an hour.`,
    )
  }
  const ignore = () => {}
  // That a queue is full is no reason of its own.
  const warn = (text, ...more) => /^Dropped \d/.test(text) || say(text, ...more)
  return { error: say, warn, info: ignore, debug: ignore, verbose: ignore }
}

function reasonOf(words) {
  const texts = words.map((word) => {
    if (word instanceof Error) return word.message
    try {
      // The SDK's own errors come as JSON, with a stack.
      const { code, message } = JSON.parse(word)
      return [code, message].filter(Boolean).join(' ')
    } catch {
      return String(word)
    }
  })
  return texts.join(' ').replaceAll(/\s+/g, ' ').slice(0, 300)
}
