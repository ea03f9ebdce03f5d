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

/** A hint that something happened: what kind, and where. What it was, a screen asks through the usual operations. */
type Hint = { type: string; projectId: string | null; batchId: string | null; sequence?: number }

const HEARTBEAT_MS = 15_000
/** Within this time a session that ended, or a membership that was taken, is noticed. */
const RECHECK_MS = 30_000

/** Asks a screen to load anew for all it shows, because it is not known what it missed. */
const RESUMED: Hint = { type: 'resumed', projectId: null, batchId: null }
/** Transactions commit out of order: an event may become visible after so many later ones. */
const OUT_OF_ORDER = 100
/** A client that missed more than this asks anew for everything. */
const REPLAYED = 500

export const ListenQuery = z.strictObject({
  since: z
    .string()
    .max(4000)
    .regex(/^\d+:\d+:[\d,]*$/, 'A snapshot of the database has the form 10:20:10,14,15.')
    .optional()
    .describe('What the database held when the page that listens was read: what happened since then is said first.'),
})

type Listener = (hint: Hint) => void | Promise<void>
/** `isListening` resolves once the database says what happens; what happened before that is not heard. */
type Listeners = { all: Set<Listener>; isListening: Promise<void> }
const shared = globalThis as typeof globalThis & { greenroomListeners?: Listeners }

/** One LISTEN connection for the whole process, opened when the first screen listens; postgres.js reopens a broken one. */
function listeners(): Listeners {
  if (!shared.greenroomListeners) {
    const all = new Set<Listener>()
    let opened = () => {}
    shared.greenroomListeners = { all, isListening: new Promise((resolve) => (opened = resolve)) }
    let isOpened = false
    database()
      .listener.listen(
        EVENT_CHANNEL,
        (payload) => {
          const hint = JSON.parse(payload) as Hint
          for (const listener of all) listener(hint)
        },
        () => {
          // Called anew when a broken connection was reopened: what was said meanwhile was not heard.
          if (isOpened) for (const listener of all) listener(RESUMED)
          isOpened = true
          opened()
        },
      )
      .catch((error) => {
        shared.greenroomListeners = undefined
        log.warn({ err: error }, 'live updates are interrupted')
      })
  }
  return shared.greenroomListeners
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
    const { all } = listeners()
    all.add(hear)
    const recheck = setInterval(async () => {
      visibility.forget()
      const still = await findActor(request.headers, ctx.address, new Date()).catch(() => null)
      if (!still) stop()
    }, RECHECK_MS)
    // A browser that lost the line comes back by itself and says what it heard last. Listening began before the read, so
    // nothing falls in between; what is said twice does no harm.
    const last = request.headers.get('last-event-id')
    const missed = last !== null ? missedSince(last) : since !== undefined ? missedAfter(since) : null
    if (missed)
      void missed
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
    const hear = async (hint: Hint) => {
      const isHere = hint.batchId === batchId || (hint.batchId === null && hint.projectId === projectId)
      if (hint !== RESUMED && !(isHere && shown.test(hint.type))) return
      const watched = await check().catch(() => null)
      if (!watched) return
      awaitExpiry(watched.expiresAt)
      send('data: {}\n\n')
    }
    const { all } = listeners()
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
    // What ended it while listening began was not heard.
    void check().catch(() => {})
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
      void listeners().isListening.then(() => send(': listening\n\n'))
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
 * What happened after a page was read, in its order; nearly always nothing, and the page need not be read a second time. Exact: by
 * the transactions that the page could not see yet (PostgreSQL, 9.27.5: pg_snapshot), not by a clock or by sequence numbers.
 */
async function missedAfter(snapshot: string): Promise<Hint[]> {
  const [, xmax = '', running = ''] = snapshot.split(':')
  const next = shortId(xmax)
  const unfinished = new Set(running.split(',').filter(Boolean).map(shortId))
  const newest = await database().db.execute<{
    type: string
    project_id: string | null
    batch_id: string | null
    sequence: string
    xid: string
  }>(sql`
    select type, project_id, batch_id, sequence::text, xmin::text as xid from events order by events.sequence desc limit ${REPLAYED}`)
  // Identifiers of transactions go round after 2 ** 32: one comes before another when it is less than half way behind it.
  const wasSeen = (xid: number) => ((xid - next) | 0) < 0 && !unfinished.has(xid)
  const missed = newest.filter(({ xid }) => !wasSeen(shortId(xid)))
  if (missed.length === REPLAYED) return [RESUMED]
  return missed.reverse().map(({ type, project_id, batch_id, sequence }) => ({
    type,
    projectId: project_id,
    batchId: batch_id,
    sequence: Number(sequence),
  }))
}

/** The 32 bits by which a row names its transaction; a snapshot has 64. */
const shortId = (xid: string) => Number(BigInt(xid) & 0xffff_ffffn)

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
