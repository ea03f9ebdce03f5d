import { ApiProblem, type ResponseTo, sendRequest } from '../api'
import { networkProblem, type Sending } from './queue'
import type { UploadItem } from './upload-item'

type Begun = ResponseTo<'POST /api/public/upload-links/{token}/uploads'>
type Upload = ResponseTo<'GET /api/public/upload-links/{token}/uploads/{upload_id}'>
type Signed = ResponseTo<'POST /api/public/upload-links/{token}/uploads/{upload_id}/parts'>

const AT_ONCE = 4
/** Of one part, each by a new address. */
const TRIES = 4
const FIRST_PAUSE_MS = 500
/** Addresses are good for ten minutes; this clock and that of the service may differ, their speed does not. */
const ADDRESS_MS = 8 * 60_000
/** The verdict is asked for after this, then ever less often. */
const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 3_000

/** This browser reaches the service, and not the storage: the file has to go through the service. */
export class StorageUnreachable extends Error {}

/** Once a part has arrived, one that does not is no sign of a storage that cannot be reached. */
let hasReached = false

/**
 * Sends a file to the storage itself: the service signs an address for each part, and a worker validates the whole.
 * `path`: the collection of uploads. What was begun is found again by the file's folder, name, size and date, after a
 * reload too; parts that have arrived are not sent again. The caller tries again what is passing.
 * @throws {ApiProblem} with the verdict when the file is refused
 * @throws {StorageUnreachable} when no part arrives there, and none ever did
 */
export async function sendDirect(path: string, sending: Sending): Promise<unknown> {
  const { item, signal, onProgress } = sending
  const memory = memoryOf(path, item)
  const upload = await goOn(path, memory, sending)
  const at = `${path}/${upload.id}`
  const takeBack = () => {
    memory.forget()
    void sendRequest({ method: 'DELETE', path: at }).catch(() => {})
  }
  const stop = () => signal.reason === 'cancelled' && takeBack()
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  try {
    if (upload.left) {
      await new Parts(at, upload, upload.left, sending).send()
      await sendRequest({ method: 'POST', path: `${at}/complete`, signal })
    }
    const { status, result, refusal } = await verdictOn(at, signal, () => onProgress(item.file.size))
    memory.forget()
    if (status === 'accepted') return result
    const { code = 'file_rejected', detail = 'The file was refused.', violations = [] } = refusal ?? {}
    throw new ApiProblem({ status: 422, code, detail, body: { violations } })
  } catch (error) {
    if (error instanceof StorageUnreachable) takeBack()
    // Whether it is gone, or complete already, the next attempt finds out.
    throw isGone(error) ? networkProblem() : error
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** `left`: what is known of the parts; null when all of them were taken. */
type Going = Pick<Upload, 'id' | 'size' | 'part_size'> & { left: Pick<Signed, 'received' | 'parts'> | null }

/** The upload that was begun for this file, or a new one. */
async function goOn(path: string, memory: Memory, { item: { file }, signal }: Sending): Promise<Going> {
  const known = memory.id()
  const resumed = known === null ? null : await resume(`${path}/${known}`, signal)
  if (resumed) return resumed
  const body = { name: file.name, size: file.size }
  const begun = await sendRequest<Begun>({ method: 'POST', path, body, signal })
  memory.remember(begun.id)
  return { ...begun, left: { received: [], parts: begun.parts } }
}

/** Null when there is no such upload any more. */
async function resume(at: string, signal: AbortSignal): Promise<Going | null> {
  try {
    const upload = await sendRequest<Upload>({ method: 'GET', path: at, signal })
    return { ...upload, left: upload.status === 'receiving' ? await sign(at, signal) : null }
  } catch (error) {
    if (isGone(error)) return null
    throw error
  }
}

const sign = (at: string, signal: AbortSignal, parts?: number[]): Promise<Signed> =>
  sendRequest<Signed>({ method: 'POST', path: `${at}/parts`, body: parts ? { parts } : {}, signal })

/** Asks until there is one; `onAsked` hears that the service still responds. */
async function verdictOn(at: string, signal: AbortSignal, onAsked: () => void): Promise<Upload> {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 1.5, LONGEST_WAIT_MS)) {
    const upload = await sendRequest<Upload>({ method: 'GET', path: at, signal })
    onAsked()
    if (upload.status === 'accepted' || upload.status === 'refused') return upload
    await pause(wait, signal)
  }
}

/** The parts of one file on their way, a few at a time. */
class Parts {
  /** Bytes that have arrived or are on their way, by the number of their part. */
  private readonly sent = new Map<number, number>()
  private readonly waiting: number[]
  private readonly addresses = new Map<number, { url: string; goodUntil: number }>()
  private signing: Promise<void> | undefined

  constructor(
    private readonly at: string,
    private readonly upload: Pick<Upload, 'size' | 'part_size'>,
    { received, parts }: Pick<Signed, 'received' | 'parts'>,
    private readonly sending: Sending,
  ) {
    const count = Math.max(1, Math.ceil(upload.size / upload.part_size))
    const there = new Set(received)
    this.waiting = Array.from({ length: count }, (_, index) => index + 1).filter((number) => !there.has(number))
    for (const number of received) this.sent.set(number, this.bytesOf(number).size)
    this.learn(parts)
  }

  async send(): Promise<void> {
    this.report()
    const failed = new AbortController()
    const stop = AbortSignal.any([this.sending.signal, failed.signal])
    const turn = async () => {
      for (let number = this.waiting.shift(); number !== undefined; number = this.waiting.shift())
        await this.sendPart(number, stop)
    }
    try {
      await Promise.all(Array.from({ length: AT_ONCE }, turn))
    } catch (error) {
      failed.abort()
      throw error
    }
  }

  private async sendPart(number: number, stop: AbortSignal): Promise<void> {
    const bytes = this.bytesOf(number)
    for (let tried = 1; ; tried++) {
      const status = await put(await this.addressOf(number, stop), bytes, stop, (sent) => this.note(number, sent))
      if (status >= 200 && status < 300) {
        hasReached = true
        return this.note(number, bytes.size)
      }
      this.note(number, 0)
      this.addresses.delete(number)
      if (stop.aborted || status === 404) throw networkProblem()
      if (tried < TRIES) {
        await pause(FIRST_PAUSE_MS * 2 ** (tried - 1), stop)
        continue
      }
      if (hasReached) throw status === 0 ? networkProblem() : storageProblem()
      // The service still gives addresses, so it is the storage alone that is out of reach.
      await this.addressOf(number, stop)
      throw new StorageUnreachable()
    }
  }

  /** An address that is still good, asked for together with those of the next parts. */
  private async addressOf(number: number, stop: AbortSignal): Promise<string> {
    for (;;) {
      const known = this.addresses.get(number)
      if (known && known.goodUntil > performance.now()) return known.url
      this.signing ??= this.signFrom(number, stop).finally(() => {
        this.signing = undefined
      })
      await this.signing
    }
  }

  private async signFrom(number: number, stop: AbortSignal): Promise<void> {
    const { parts } = await sign(this.at, stop, [number, ...this.waiting].slice(0, 2 * AT_ONCE))
    this.learn(parts)
  }

  private learn(parts: Signed['parts']) {
    const goodUntil = performance.now() + ADDRESS_MS
    for (const { number, url } of parts) this.addresses.set(number, { url, goodUntil })
  }

  private bytesOf(number: number): Blob {
    const from = (number - 1) * this.upload.part_size
    return this.sending.item.file.slice(from, from + this.upload.part_size)
  }

  private note(number: number, bytes: number) {
    this.sent.set(number, bytes)
    this.report()
  }

  private report() {
    let bytes = 0
    for (const sent of this.sent.values()) bytes += sent
    // The whole of it has arrived when the service says so.
    this.sending.onProgress(Math.min(bytes, Math.max(0, this.upload.size - 1)))
  }
}

/** The status of the response, 0 when there was none. XMLHttpRequest, because fetch cannot say how much was sent. */
function put(url: string, bytes: Blob, signal: AbortSignal, onSent: (bytes: number) => void): Promise<number> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(0)
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    signal.addEventListener('abort', abort, { once: true })
    request.open('PUT', url)
    request.upload.onprogress = ({ loaded }) => onSent(loaded)
    request.onloadend = () => {
      signal.removeEventListener('abort', abort)
      resolve(request.status)
    }
    request.send(bytes)
  })
}

const isGone = (error: unknown) => error instanceof ApiProblem && error.code === 'not_found'

const storageProblem = () =>
  new ApiProblem({ status: 503, code: 'unavailable', detail: 'The file storage takes nothing at the moment.' })

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end, { once: true })
  })
}

type Memory = ReturnType<typeof memoryOf>

/** Which upload was begun for a file, for as long as this browser remembers it. */
function memoryOf(path: string, { file, folder }: UploadItem) {
  // Two files of one name in two folders are two uploads.
  const key = ['greenroom-upload', path, folder, file.name, file.size, file.lastModified].join('|')
  const quietly = <T>(act: () => T): T | null => {
    try {
      return act()
    } catch {
      return null // storage is switched off or full: this visit remembers
    }
  }
  return {
    id: () => visit.get(key) ?? quietly(() => localStorage.getItem(key)),
    remember(id: string) {
      visit.set(key, id)
      quietly(() => localStorage.setItem(key, id))
    },
    forget() {
      visit.delete(key)
      quietly(() => localStorage.removeItem(key))
    },
  }
}

const visit = new Map<string, string>()
