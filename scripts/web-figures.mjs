// What the web processes behind one port know of themselves, gathered for the metrics: one scrape reaches one process,
// and must tell of all. A process asks (`figures`), the first process passes the question on and sends back the answers.
import cluster from 'node:cluster'

const ANSWER_MS = 1_000

/** Where `lib/http/metrics.ts` finds `gather`. A symbol of the registry: every bundle shares it. */
const KEY = Symbol.for('greenroom.figures')

/** In each web process. */
export function offerFigures() {
  const waiting = new Map()
  let questions = 0
  globalThis[KEY] = () => {
    if (!cluster.isWorker) return Promise.resolve([figures()])
    questions += 1
    return new Promise((resolve) => {
      waiting.set(questions, resolve)
      process.send({ ask: questions })
    })
  }
  process.on('message', ({ tell, answers, question }) => {
    if (tell !== undefined) process.send({ told: tell, figures: figures() })
    if (answers === undefined) return
    waiting.get(question)?.(answers)
    waiting.delete(question)
  })
}

/** In the first process, for each of the others. */
export function passFigures(worker) {
  worker.on('message', ({ ask }) => {
    if (ask === undefined) return
    const asked = Object.values(cluster.workers).filter((each) => each.isConnected())
    const tell = `${worker.id}:${ask}`
    const answers = []
    const hear = (_from, message) => {
      if (message.told !== tell) return
      answers.push(message.figures)
      if (answers.length === asked.length) reply()
    }
    const reply = () => {
      clearTimeout(late)
      cluster.off('message', hear)
      if (worker.isConnected()) worker.send({ answers, question: ask })
    }
    const late = setTimeout(reply, ANSWER_MS)
    cluster.on('message', hear)
    for (const each of asked) each.send({ tell })
  })
}

/** Seconds of processor time, bytes of memory, Unix time in seconds. */
function figures() {
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  return {
    // Counted by lib/http/request-count.ts.
    requests: [...(globalThis.greenroomRequests ?? [])],
    residentBytes: rss,
    heapBytes: heapUsed,
    cpuSeconds: (user + system) / 1e6,
    startedAt: Math.round(Date.now() / 1000 - process.uptime()),
  }
}
