import { partType } from '../formats/archive/part'
import {
  AD_FEATURES,
  type AdFeature,
  type AdViolation,
  type BannerFacts,
  type BannerRequest,
  type Click,
  FRAME_FAULTS,
  type FrameFault,
} from '../measurements'
import type { AdFile } from './ad-files'
import type { Devtools } from './devtools'
import { CLICK_TARGET, stubFor, watchPlans } from './page-scripts'
import { afterRunning } from './timers'

/** A reserved address (RFC 2606); https, so that the ad has what browsers give to secure pages only. */
const ORIGIN = 'https://ad.invalid'
/** The page around an ad in a frame is of another site. */
export const PAGE_AROUND = 'https://page.invalid/'

const MAX_REQUESTS = 400
const MAX_ERRORS = 40
const MAX_VIOLATIONS = 40
const MAX_TEXT = 300

/** Of our own making, and no help to the author of the ad. */
const OWN_ADDRESS = /https:\/\/ad\.invalid\/|\?clickTag=[^\s:)]*/g

/** Reports text that is run as code, and nothing else; `eval` itself cannot be wrapped without changing what it sees. */
const WITHOUT_EVAL = "script-src * data: blob: 'unsafe-inline' 'wasm-unsafe-eval'"
/** What the browser says of that policy. */
const OWN_POLICY = /Content Security Policy.*report-only|^\[Report Only\]/is

const cut = (text: string) => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text)

/** What is reported of an ad while it runs: it is served out of memory, everything else is refused and noted. */
export class PageWatch {
  readonly requests: BannerRequest[] = []
  moreRequests = 0
  readonly errors = new Map<string, { text: string; count: number; uncaught: boolean }>()
  readonly violations: BannerFacts['violations'] = []
  readonly features = new Map<AdFeature, number>()
  readonly asked = new Set<string>()
  readonly frameFaults: FrameFault[] = []
  phase: BannerRequest['phase'] = 'initial'
  loadedAt: number | undefined
  crashed = false
  left = false
  /** Where a click led, once there was one. */
  exit: { target: string; how: NonNullable<Click['how']> } | undefined
  readonly began = performance.now()
  private readonly settled: (() => void)[] = []
  private started = false
  private isOver = false
  private readonly sessions = new Set<string>()

  constructor(
    private readonly devtools: Devtools,
    private readonly files: ReadonlyMap<string, AdFile>,
    readonly target: string,
    readonly session: string,
    /** The page's own word for the question what it has planned. */
    readonly plans: string,
    /** The page around the ad, and what runs in its frame before the ad; without it the ad is the page. */
    private readonly around?: { page: string; script: string },
  ) {
    devtools.on(({ method, params, session: from }) => this.hear(method, params, from))
  }

  /** Hears nothing more: what comes is of another page. */
  end(): void {
    this.isOver = true
  }

  get seconds(): number {
    return Math.round(performance.now() - this.began) / 1000
  }

  /** Resolves at the load event, when the page is gone, or after so long. */
  loaded(withinMs: number): Promise<void> {
    if (this.loadedAt !== undefined || this.crashed) return Promise.resolve()
    return new Promise((resolve) => {
      const callOff = afterRunning(withinMs, resolve)
      this.settled.push(() => {
        callOff()
        resolve()
      })
    })
  }

  /** Sets up a page, a frame of another process or a worker before its first script. */
  async prepare(session: string, isWorker = false): Promise<void> {
    this.sessions.add(session)
    const { devtools } = this
    const asked: [string, Record<string, unknown>?][] = [
      ['Fetch.enable', { patterns: [{ urlPattern: '*' }] }],
      ['Network.enable', { maxTotalBufferSize: 1_000_000, maxResourceBufferSize: 1_000_000 }],
      ['Network.setCacheDisabled', { cacheDisabled: true }],
      ['Network.setBypassServiceWorker', { bypass: true }],
      ['Runtime.enable'],
      ['Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }],
      ...(isWorker
        ? []
        : ([
            ['Page.enable'],
            ['Log.enable'],
            ['Page.addScriptToEvaluateOnNewDocument', { source: watchPlans(this.plans), runImmediately: true }],
            ...(this.around
              ? [['Page.addScriptToEvaluateOnNewDocument', { source: this.around.script, runImmediately: true }]]
              : []),
          ] as [string, Record<string, unknown>?][])),
    ]
    // A worker knows fewer of them than a page; the page itself has to know all.
    await Promise.all(
      asked.map(([method, params]) => {
        const sent = devtools.send(method, params, session)
        return session === this.session ? sent : sent.catch(() => undefined)
      }),
    )
    devtools.notify('Runtime.runIfWaitingForDebugger', {}, session)
  }

  private settle(): void {
    for (const resolve of this.settled.splice(0)) resolve()
  }

  // biome-ignore lint/suspicious/noExplicitAny: events of Chromium's protocol.
  private hear(method: string, params: any, session: string | undefined) {
    if (this.isOver) return
    switch (method) {
      case 'Fetch.requestPaused':
        return this.respond(params, session)
      case 'Page.loadEventFired':
        if (session !== this.session || this.loadedAt !== undefined) return
        this.loadedAt = performance.now()
        this.phase = 'later'
        return this.settle()
      case 'Runtime.exceptionThrown': {
        const { text, exception } = params.exceptionDetails ?? {}
        return this.noteError(String(exception?.description ?? exception?.value ?? text ?? 'exception'), true)
      }
      case 'Runtime.consoleAPICalled':
        return this.hearConsole(params)
      case 'Log.entryAdded':
        // The requests report that a file could not be loaded.
        if (params.entry?.level === 'error' && params.entry.source !== 'network' && !OWN_POLICY.test(params.entry.text))
          this.noteError(String(params.entry.text), false)
        return
      case 'Page.javascriptDialogOpening':
        this.devtools.notify('Page.handleJavaScriptDialog', { accept: false }, session)
        return this.noteViolation('dialog', `${params.type}: ${params.message}`)
      case 'Page.windowOpen':
        return this.leave(String(params.url), 'window')
      case 'Page.frameNavigated': {
        const { frame } = params
        const isGone =
          session === this.session &&
          !frame.parentId &&
          this.started &&
          !isOurs(frame.url) &&
          !(this.around && frame.url === PAGE_AROUND)
        if (!isGone) return
        this.left = true
        return this.leave(String(frame.url), 'page')
      }
      case 'Browser.downloadWillBegin':
        return this.noteViolation('download', String(params.suggestedFilename || params.url))
      case 'Network.webSocketCreated':
      case 'Network.webTransportCreated':
        return this.noteRequest(String(params.url), 'outside', 'WebSocket')
      case 'Inspector.targetCrashed':
      case 'Target.targetCrashed':
        this.crashed = true
        return this.settle()
      case 'Target.targetCreated':
        // A window it opened: what it asked for is known, and it is not inspected.
        if (params.targetInfo?.type === 'page' && params.targetInfo.targetId !== this.target && this.started)
          this.devtools.notify('Target.closeTarget', { targetId: params.targetInfo.targetId })
        return
      case 'Target.attachedToTarget': {
        const { sessionId, targetInfo } = params
        if (sessionId === this.session || this.sessions.has(sessionId)) return
        if (targetInfo.type === 'page' && targetInfo.targetId !== this.target) return
        this.prepare(sessionId, /worker|worklet/.test(targetInfo.type)).catch(() => undefined)
      }
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: as above.
  private hearConsole({ type, args }: any): void {
    const said = (args ?? []).map((each: { value?: unknown; description?: string }) =>
      String(each.value ?? each.description ?? ''),
    )
    if (said[0] === 'greenroom-feature' && said[1] === this.plans) {
      const feature = AD_FEATURES.find((each) => each === said[2])
      if (feature) this.features.set(feature, (this.features.get(feature) ?? 0) + 1)
    } else if (said[0] === 'greenroom-frame' && said[1] === this.plans) {
      const what = FRAME_FAULTS.find((each) => each === said[2])
      if (what) this.noteFrameFault(what, said[3] ?? '')
    } else if (said[0] === 'greenroom-exit') {
      if (this.phase === 'click') this.exit ??= { target: said[2] || said[1], how: 'exit' }
      else this.noteViolation('redirect', `${said[1]}() without a click`)
    } else if (type === 'error' || type === 'assert') this.noteError(said.join(' '), false)
  }

  // biome-ignore lint/suspicious/noExplicitAny: as above.
  private respond({ requestId, request, resourceType, frameId }: any, session: string | undefined) {
    const url = String(request.url)
    const isTop = resourceType === 'Document' && session === this.session && frameId === this.target
    if (isTop && this.started) {
      // The ad wants to be another page. It stays, so that the rest can be seen.
      this.devtools.notify('Fetch.failRequest', { requestId, errorReason: 'Aborted' }, session)
      return this.leave(url, 'page')
    }
    if (isTop) this.started = true
    if (isTop && this.around) return this.serve(requestId, session, Buffer.from(this.around.page), 'text/html')
    const path = isOurs(url) ? pathOf(url) : null
    const file = path === null ? undefined : this.files.get(path)
    if (path !== null && file) {
      this.asked.add(path)
      this.noteRequest(path, 'served', resourceType, file)
      return this.serve(
        requestId,
        session,
        file.bytes,
        partType(path),
        request.headers?.Range ?? request.headers?.range,
      )
    }
    const stub = stubFor(path ?? url)
    if (stub) {
      this.noteRequest(path ?? url, 'supplied', resourceType)
      return this.serve(requestId, session, Buffer.from(stub), 'text/javascript')
    }
    if (path === null) {
      this.noteRequest(url, 'outside', resourceType)
      this.devtools.notify('Fetch.failRequest', { requestId, errorReason: 'AddressUnreachable' }, session)
      return
    }
    // A browser asks for it by itself.
    if (path !== 'favicon.ico') this.noteRequest(path, 'missing', resourceType)
    this.devtools.notify('Fetch.fulfillRequest', { requestId, responseCode: 404 }, session)
  }

  private serve(requestId: string, session: string | undefined, bytes: Buffer, type: string, range?: string): void {
    const asked = /^bytes=(\d+)-(\d*)$/.exec(range ?? '')
    const from = asked ? Number(asked[1]) : 0
    const to = asked?.[2] ? Math.min(Number(asked[2]), bytes.length - 1) : bytes.length - 1
    const isPart = asked !== null && from <= to
    const headers = {
      'Content-Type': type,
      'Access-Control-Allow-Origin': '*',
      'Accept-Ranges': 'bytes',
      ...(type.startsWith('text/html') && { 'Content-Security-Policy-Report-Only': WITHOUT_EVAL }),
      ...(isPart && { 'Content-Range': `bytes ${from}-${to}/${bytes.length}` }),
    }
    this.devtools.notify(
      'Fetch.fulfillRequest',
      {
        requestId,
        responseCode: isPart ? 206 : 200,
        responseHeaders: Object.entries(headers).map(([name, value]) => ({ name, value })),
        body: (isPart ? bytes.subarray(from, to + 1) : bytes).toString('base64'),
      },
      session,
    )
  }

  private leave(url: string, how: 'window' | 'page'): void {
    // A window that is opened without an address, as for a click tag that is not defined, leads nowhere.
    if (this.phase === 'click' && /^(?:about:blank)?$/.test(url)) return
    if (this.phase === 'click') this.exit ??= { target: cut(url), how }
    else this.noteViolation(how === 'window' ? 'popup' : 'redirect', url)
  }

  private noteRequest(target: string, status: BannerRequest['status'], kind: string, file?: AdFile): void {
    // A video is asked for in ranges; it is one file that is loaded.
    if (this.requests.some((each) => each.target === cut(target) && each.phase === this.phase && kind === 'Media'))
      return
    if (this.requests.length >= MAX_REQUESTS) {
      this.moreRequests += 1
      return
    }
    const bytes = file?.bytes.length ?? 0
    this.requests.push({
      target: cut(target),
      phase: this.phase,
      status,
      kind,
      bytes,
      packedBytes: Math.min(bytes, file?.packedBytes ?? 0),
      seconds: this.seconds,
    })
  }

  private noteError(text: string, uncaught: boolean): void {
    const shown = cut(text.split('\n').slice(0, 2).join(' ').replace(OWN_ADDRESS, '').replace(/ {2,}/g, ' '))
    const known = this.errors.get(shown)
    if (known) known.count += 1
    else if (this.errors.size < MAX_ERRORS) this.errors.set(shown, { text: shown, count: 1, uncaught })
  }

  noteFrameFault(what: FrameFault['what'], detail: string): void {
    const fault = { what, detail: cut(detail) }
    const isKnown = this.frameFaults.some((each) => each.what === what && each.detail === fault.detail)
    if (!isKnown && this.frameFaults.length < MAX_VIOLATIONS) this.frameFaults.push(fault)
  }

  noteViolation(what: AdViolation, detail: string): void {
    const shown = cut(detail)
    if (this.violations.length >= MAX_VIOLATIONS) return
    if (this.violations.some((each) => each.what === what && each.detail === shown)) return
    this.violations.push({ what, detail: shown, seconds: this.seconds })
  }
}

const isOurs = (url: string) => url === ORIGIN || url.startsWith(`${ORIGIN}/`)

function pathOf(url: string): string {
  const path = url.slice(ORIGIN.length + 1).replace(/[?#].*$/s, '')
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

export const startUrl = (start: string) => {
  const tag = encodeURIComponent(CLICK_TARGET)
  return `${ORIGIN}/${start.split('/').map(encodeURIComponent).join('/')}?clickTag=${tag}&clickTAG=${tag}&clicktag=${tag}`
}
