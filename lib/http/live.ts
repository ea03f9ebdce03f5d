import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { z } from 'zod'
import { database } from '@/db/client'
import { events } from '@/db/schema/events'
import { projects } from '@/db/schema/projects'
import { findActor } from '@/lib/auth'
import { DomainError } from '@/lib/domain/kernel/errors'
import { EVENT_CHANNEL } from '@/lib/domain/kernel/events'
import type { Actor } from '@/lib/domain/kernel/permissions'
import { unauthenticated } from '@/lib/domain/kernel/permissions'
import { parseInput } from '@/lib/domain/kernel/shapes'
import { visibleTo } from '@/lib/domain/kernel/visibility'
import { watchRoom } from '@/lib/domain/review-links/public'
import { watchShare } from '@/lib/domain/share-links/public'
import { log } from '@/lib/log'
import { acting, type Exchange } from './endpoint'
import { queryOf } from './request'
import { currentSnapshot, seenBy } from './snapshot'

/**
 * A hint that something happened: what kind, and where. What it was, a screen asks through the usual operations. Events have
 * a sequence; what is no event has the transaction that gave it (`giveHint`).
 */
type Hint = { type: string; projectId: string | null; batchId: string | null; sequence?: number; xid?: string }

const HEARTBEAT_MS = 15_000
/** Within this time a session that ended, or a membership that was taken, is noticed. */
const RECHECK_MS = 30_000

/** Asks a screen to load anew for all it shows, because it is not known what it missed. */
const RESUMED: Hint = { type: 'resumed', projectId: null, batchId: null }
/** Transactions commit out of order: an event may become visible after so many later ones. */
const OUT_OF_ORDER = 100
/** A client that missed more than this asks anew for everything. */
const REPLAYED = 500
/** So many hints that are no events are kept for pages that were read before them. */
const KEPT = 500

export const ListenQuery = z.strictObject({
  since: z
    .string()
    .max(4000)
    .regex(/^\d+:\d+:[\d,]*$/, 'A snapshot of the database has the form 10:20:10,14,15.')
    .optional()
    .describe('What the database held when the page that listens was read: what happened since then is said first.'),
})

type Listener = (hint: Hint) => void | Promise<void>
type Listeners = {
  all: Set<Listener>
  /** Resolves once the database says what happens; what happened before that is not heard. Rejects when it never will. */
  isListening: Promise<void>
  /** What the database held once it was listened to, as `pg_snapshot`: what came after was heard. */
  from: string | null
  /** The newest that are no events, in their order. */
  kept: Hint[]
}
const shared = globalThis as typeof globalThis & { greenroomListeners?: Listeners }

/** One LISTEN connection for the whole process, opened when the first screen listens; postgres.js reopens a broken one. */
function listeners(): Listeners {
  shared.greenroomListeners ??= listen()
  return shared.greenroomListeners
}

function listen(): Listeners {
  const { listener } = database()
  const own: Listeners = { all: new Set(), isListening: Promise.resolve(), from: null, kept: [] }
  const hear = (hint: Hint) => {
    for (const each of own.all) each(hint)
  }
  const begin = async () => {
    own.from = await currentSnapshot()
  }
  let isOpened = false
  own.isListening = new Promise<void>((resolve, reject) => {
    const said = (payload: string) => {
      const hint = JSON.parse(payload) as Hint
      if (hint.xid !== undefined) own.kept = [...own.kept.slice(1 - KEPT), hint]
      hear(hint)
    }
    // Called anew when a broken connection was reopened: what was said meanwhile was not heard.
    const opened = () => {
      own.from = null
      own.kept = []
      if (isOpened) hear(RESUMED)
      isOpened = true
      begin().then(resolve, reject)
    }
    listener.listen(EVENT_CHANNEL, said, opened).catch(reject)
  })
  own.isListening.catch((error) => {
    shared.greenroomListeners = undefined
    log.warn({ err: error }, 'live updates are interrupted')
  })
  return own
}

/** Hints for the signed-in user, as server-sent events (HTML Standard, section 9.2); only of projects they may see. */
export async function live({ request, ctx }: Exchange): Promise<Response> {
  const { actor } = ctx
  if (actor.type !== 'user') throw unauthenticated()
  const { since } = parseInput(ListenQuery, queryOf(request), 'invalid_query')
  return eventStream(request, ({ send, stop }) => {
    const visibility = new Visibility(actor)
    const hear = async (hint: Hint) => {
      if (hint.projectId && !(await visibility.of(hint.projectId).catch(() => false))) return
      const data = JSON.stringify({ type: hint.type, project_id: hint.projectId, batch_id: hint.batchId })
      send(`${hint.sequence === undefined ? '' : `id: ${hint.sequence}\n`}data: ${data}\n\n`)
    }
    const { all, isListening } = listeners()
    all.add(hear)
    const recheck = setInterval(async () => {
      visibility.forget()
      const still = await findActor(request.headers, ctx.address, new Date()).catch(() => null)
      if (!still) stop()
    }, RECHECK_MS)
    // A browser that lost the line comes back by itself and says what it heard last. Listening begins before the read, so
    // nothing falls in between; what is said twice does no harm.
    const last = request.headers.get('last-event-id')
    const missed = async () => (last !== null ? missedSince(last) : since !== undefined ? missedAfter(since) : [])
    void isListening
      .then(missed)
      .catch(() => [RESUMED])
      .then(async (hints) => {
        for (const hint of hints) await hear(hint)
      })
    return () => {
      all.delete(hear)
      clearInterval(recheck)
    }
  })
}

/** What people without an account have open asks anew for, when one of these happened in its batch. */
const SHOWN_TO_GUESTS = /^(comment|file|batch|review_link|project)\./
const SHOWN_TO_RECEIVERS = /^(file|batch|share_link|project|certificate)\./

/** For the page of a review link. */
export const liveRoom = (exchange: Exchange) => liveOfLink(exchange, watchRoom, SHOWN_TO_GUESTS)

/** For the page of a share link. */
export const liveShare = (exchange: Exchange) => liveOfLink(exchange, watchShare, SHOWN_TO_RECEIVERS)

/**
 * For the page of a link: that something changed, never what, and that the link ended. It is said within a moment of the
 * change that ends it, and at the second at which it expires.
 */
async function liveOfLink(
  exchange: Exchange,
  watch: typeof watchRoom | typeof watchShare,
  shown: RegExp,
): Promise<Response> {
  const ctx = await acting(watch, exchange)
  const params = exchange.params as { token: string }
  const { since } = parseInput(ListenQuery, queryOf(exchange.request), 'invalid_query')
  const { batchId, projectId, expiresAt } = await watch.execute(ctx, params)
  return eventStream(exchange.request, ({ send, stop }) => {
    const check = async () => {
      const watched = await watch.execute({ ...ctx, now: new Date() }, params).catch((error: unknown) => {
        if (error instanceof DomainError && error.code !== 'unavailable') return null
        throw error
      })
      if (watched) return watched
      send('event: ended\ndata: {}\n\n')
      stop()
      return null
    }
    const concerns = (hint: Hint) =>
      hint === RESUMED ||
      ((hint.batchId === batchId || (hint.batchId === null && hint.projectId === projectId)) && shown.test(hint.type))
    const hear = async (hint: Hint) => {
      if (!concerns(hint)) return
      const watched = await check().catch(() => null)
      if (!watched) return
      awaitExpiry(watched.expiresAt)
      send('data: {}\n\n')
    }
    const { all, isListening } = listeners()
    all.add(hear)
    const recheck = setInterval(() => void check().catch(() => {}), RECHECK_MS)
    let expiry: ReturnType<typeof setTimeout> | undefined
    function awaitExpiry(at: Date | null) {
      clearTimeout(expiry)
      const left = at === null ? Number.POSITIVE_INFINITY : at.getTime() - Date.now()
      // Longer than a timer can wait: the look every half minute finds it.
      if (left < 2 ** 31) expiry = setTimeout(() => void check().catch(() => {}), left + 5)
    }
    awaitExpiry(expiresAt)
    // What happened since the page was read, or ended it while listening began, was not heard. A browser that comes back
    // after its line broke repeats the address.
    void isListening
      .then(() => (since === undefined ? [] : missedAfter(since)))
      .catch(() => [RESUMED])
      .then(async (hints) => {
        const hint = hints.find(concerns)
        await (hint ? hear(hint) : check())
      })
      .catch(() => {})
    return () => {
      all.delete(hear)
      clearInterval(recheck)
      clearTimeout(expiry)
    }
  })
}

type Line = { send: (text: string) => void; stop: () => void }

/** A stream of server-sent events that stays open. `open` returns what ends it. */
function eventStream(request: Request, open: (line: Line) => () => void): Response {
  const encoder = new TextEncoder()
  let stop = () => {}
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (text: string) => {
        try {
          controller.enqueue(encoder.encode(text))
        } catch {
          stop()
        }
      }
      let close = () => {}
      const heartbeat = setInterval(() => send(': still here\n\n'), HEARTBEAT_MS)
      stop = () => {
        clearInterval(heartbeat)
        close()
        try {
          controller.close()
        } catch {
          // The browser closed it first.
        }
      }
      request.signal.addEventListener('abort', () => stop(), { once: true })
      close = open({ send, stop: () => stop() })
      send('retry: 2000\n\n')
      // A browser whose line ends opens another.
      void listeners().isListening.then(() => send(': listening\n\n'), stop)
    },
    cancel: () => stop(),
  })
  return new Response(body, {
    headers: {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'private, no-store, no-transform',
      'X-Accel-Buffering': 'no',
    },
  })
}

/** What was said since the event with this sequence number, in its order. */
async function missedSince(last: string): Promise<Hint[]> {
  if (!/^\d{1,15}$/.test(last)) return [RESUMED]
  const missed = await database()
    .db.select({
      type: events.type,
      projectId: events.projectId,
      batchId: events.batchId,
      sequence: events.sequence,
    })
    .from(events)
    .where(gt(events.sequence, Number(last) - OUT_OF_ORDER))
    .orderBy(asc(events.sequence))
    .limit(REPLAYED)
  return missed.length < REPLAYED ? missed : [RESUMED]
}

/**
 * What happened after a page was read; nearly always nothing, and the page need not be read a second time. Exact: by the
 * transactions that the page could not see yet (PostgreSQL, 9.27.5: pg_snapshot), not by a clock or by sequence numbers.
 */
async function missedAfter(snapshot: string): Promise<Hint[]> {
  const { from, kept } = listeners()
  const page = seenBy(snapshot)
  const isHeardSince =
    from !== null && page.seesAllOf(from) && !(kept.length === KEPT && !page.sees(kept[0]?.xid ?? ''))
  if (!isHeardSince) return [RESUMED]
  const newest = await database().db.execute<{
    type: string
    project_id: string | null
    batch_id: string | null
    sequence: string
    xid: string
  }>(sql`
    select type, project_id, batch_id, sequence::text, xmin::text as xid from events order by events.sequence desc limit ${REPLAYED}`)
  const missed = newest.filter(({ xid }) => !page.sees(xid))
  if (missed.length === REPLAYED) return [RESUMED]
  const unstored = kept.filter(({ xid = '' }) => !page.sees(xid))
  const stored = missed.reverse().map(({ type, project_id, batch_id, sequence }) => ({
    type,
    projectId: project_id,
    batchId: batch_id,
    sequence: Number(sequence),
  }))
  return [...stored, ...unstored]
}

/** Which projects a listener may see, asked once for a while: a busy project would otherwise ask at every hint. */
class Visibility {
  private known = new Map<string, Promise<boolean>>()

  constructor(private readonly actor: Actor) {}

  of(projectId: string): Promise<boolean> {
    const known = this.known.get(projectId) ?? this.ask(projectId)
    this.known.set(projectId, known)
    return known
  }

  forget() {
    this.known.clear()
  }

  private async ask(projectId: string) {
    const found = await database()
      .db.select({ id: projects.id })
      .from(projects)
      .where(and(eq(projects.id, projectId), visibleTo(this.actor)))
    return found.length > 0
  }
}
