/**
 * Where the code says what it is doing, for OpenTelemetry. What sends it is lib/adapters/telemetry.mjs, where a collector is
 * set; otherwise nothing is behind this, nothing is loaded, and a call costs one look-up.
 */

/** What a span says. Never personal data, secrets, addresses, names of files, or messages, which quote all of these. */
export type SpanFacts = Record<string, string | number | boolean>

/** Adds to what a span says, once that is known. */
type Note = (facts: SpanFacts) => void

/** `kind`: `client` for what another system does. */
type SpanOptions = { facts?: SpanFacts; kind?: 'internal' | 'client' }

/** The trace a line of the log belongs to, as OpenTelemetry names the fields in JSON. */
type TraceIds = { trace_id: string; span_id: string }

/** `waitedMs`: since it was due. `payload`: as `carriedTrace` gave it. */
type TracedJob = { task: string; id: string; attempt: number; waitedMs: number; payload: unknown }

export interface Telemetry {
  span<R>(name: string, options: SpanOptions, run: (note: Note) => Promise<R>): Promise<R>
  job<R>(job: TracedJob, run: () => Promise<R>): Promise<R>
  note: Note
  ids(): TraceIds | null
  traceparent(): string | null
  line(json: string): void
}

/** A symbol of the registry: every bundle of this module finds what the process started. */
const key = Symbol.for('greenroom.telemetry')
const telemetry = () => (globalThis as { [key]?: Telemetry })[key]

/** Runs something inside a span, where a request or a job is being traced. An error it ends with is the span's, by its kind. */
export function span<R>(name: string, run: (note: Note) => Promise<R>, options: SpanOptions = {}): Promise<R> {
  return telemetry()?.span(name, options, run) ?? run(() => {})
}

/** Runs a job in a span of its own, in the trace that its payload carries. */
export function spanOfJob<R>(job: TracedJob, run: () => Promise<R>): Promise<R> {
  return telemetry()?.job(job, run) ?? run()
}

/** Says something about the request or the job under way. */
export function noteOnTrace(facts: SpanFacts): void {
  telemetry()?.note(facts)
}

/** For each line of the log; empty where nothing is traced. */
export function traceIds(): TraceIds | Record<never, never> {
  return telemetry()?.ids() ?? {}
}

/** For what goes on with this trace later: W3C Trace Context, as the header of that name. Empty where nothing is traced. */
export function carriedTrace(): { traceparent?: string } {
  const traceparent = telemetry()?.traceparent()
  return traceparent ? { traceparent } : {}
}

/** Hears of each line of the log, as it is written. */
export function sendLine(json: string): void {
  telemetry()?.line(json)
}
