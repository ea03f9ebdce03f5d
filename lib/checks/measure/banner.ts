/** What a browser saw of an HTML5 ad that ran in it, without a network and without anybody touching it until the end. */
export type BannerFacts = {
  /** `HeadlessChrome/147.0.7727.0` */
  browser: string
  /** The page it started from, as a path in the archive. */
  start: string
  /** The frame it was given, CSS pixels. */
  frame: { width: number; height: number }
  /** How it ended: by itself, or by what it did to its page. `left`: it replaced itself by another page. */
  ended: 'watched' | 'blocked' | 'crashed' | 'memory' | 'left'
  /** From the navigation to the load event; null when that did not come while it was waited for. */
  loadSeconds: number | null
  /** How long it was looked at after the load event. */
  watchedSeconds: number
  requests: BannerRequest[]
  /** Requests beyond those listed. */
  moreRequests: number
  /** Errors in the console and exceptions nobody caught, each once. */
  errors: { text: string; count: number; uncaught: boolean }[]
  /** Null when the page did not live long enough to be looked at. */
  motion: Motion | null
  /** Null when the page did not live long enough. */
  stage: Stage | null
  /** Null when nothing could be clicked any more. */
  click: Click | null
  /** Share of one processor core that its main thread and its whole process took while it moved, 0 to 1 and more. */
  cpu: { mainThread: number | null; process: number | null; seconds: number } | null
  /** What an ad should do only when it is asked to, or never. */
  misdeeds: { what: Misdeed; detail: string; seconds: number }[]
  /** Files of the archive that nothing asked for and no file of text mentions. */
  unused: { path: string; bytes: number }[]
  /** The most memory the browser took, bytes. */
  memoryBytes: number
}

export type Misdeed = 'dialog' | 'popup' | 'redirect' | 'download' | 'sound'

export type BannerRequest = {
  /** Of the archive: the path in it. Of another server: the address. */
  target: string
  /** `initial`: until the load event; `later`: after it, by itself; `click`: after a click. */
  phase: 'initial' | 'later' | 'click'
  /** `missing`: the archive has no such file. `outside`: another server, which was not asked. `supplied`: the ad server's own library, by a stand-in. */
  status: 'served' | 'missing' | 'outside' | 'supplied'
  /** `Script`, `Image`, ... as Chromium says it. */
  kind: string
  bytes: number
  /** As a server that compresses sends it: what it takes in the archive. */
  packedBytes: number
  seconds: number
}

export type Motion = {
  /** Seconds after the load event at which the picture last changed; 0 when it never did. */
  lastChangeSeconds: number
  /** It was still changing when it was last looked at. */
  isMoving: boolean
  /** Pictures that differ from the one before. */
  changes: number
  /** Rounds of its longest CSS animation; null: without end; absent: it has none. */
  rounds?: number | null
}

export type Stage = {
  width: number
  height: number
  /** One element fills it from the upper left corner; else it is what all elements cover together. */
  isElement: boolean
  isEmpty: boolean
}

export type Click = {
  /** What was clicked: the middle of the stage, or the element that asks for it. */
  on: 'stage' | 'element'
  /** Where it went; null: nowhere. */
  target: string | null
  how: 'window' | 'page' | 'exit' | null
  /** The target was the one that the click tag was given. */
  byClickTag: boolean
  /** The click tag as the ad defines it; null: it defines none. */
  declared: string | null
}
