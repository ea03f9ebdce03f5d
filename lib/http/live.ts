import { and, asc, eq, gt } from 'drizzle-orm'
import { database } from '@/db/client'
import { events } from '@/db/schema/events'
import { projects } from '@/db/schema/projects'
import { findActor } from '@/lib/auth'
import { EVENT_CHANNEL } from '@/lib/domain/kernel/events'
import type { Actor } from '@/lib/domain/kernel/permissions'
import { unauthenticated } from '@/lib/domain/kernel/permissions'
import { visibleTo } from '@/lib/domain/kernel/visibility'
import { log } from '@/lib/log'
import type { Exchange } from './endpoint'

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

type Listener = (hint: Hint) => void | Promise<void>
const shared = globalThis as typeof globalThis & { greenroomListeners?: Set<Listener> }

/** One LISTEN connection for the whole process, opened when the first screen listens; postgres.js reopens a broken one. */
function listeners(): Set<Listener> {
  if (!shared.greenroomListeners) {
    const all = new Set<Listener>()
    shared.greenroomListeners = all
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
      const visibility = new Visibility(actor)
      const hear = async (hint: Hint) => {
        if (hint.projectId && !(await visibility.of(hint.projectId).catch(() => false))) return
        const data = JSON.stringify({ type: hint.type, project_id: hint.projectId, batch_id: hint.batchId })
        send(`${hint.sequence === undefined ? '' : `id: ${hint.sequence}\n`}data: ${data}\n\n`)
      }
      const all = listeners()
      all.add(hear)
      const heartbeat = setInterval(() => send(': still here\n\n'), HEARTBEAT_MS)
      const recheck = setInterval(async () => {
        visibility.forget()
        const still = await findActor(request.headers, ctx.address, new Date()).catch(() => null)
        if (!still) stop()
      }, RECHECK_MS)
      stop = () => {
        all.delete(hear)
        clearInterval(heartbeat)
        clearInterval(recheck)
        try {
          controller.close()
        } catch {
          // The browser closed it first.
        }
      }
      request.signal.addEventListener('abort', () => stop(), { once: true })
      send('retry: 2000\n: listening\n\n')
      // A browser that lost the line comes back by itself and says what it heard last. Listening began before the read, so
      // nothing falls in between; what is said twice does no harm.
      const last = request.headers.get('last-event-id')
      if (last !== null)
        void missedSince(last)
          .catch(() => [RESUMED])
          .then(async (missed) => {
            for (const hint of missed) await hear(hint)
          })
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
