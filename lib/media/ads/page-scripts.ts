/** What runs inside the page of an ad. As text: a browser runs it, and our compiler must not touch it. */

/** Where the click tag is sent to: a reserved address (RFC 2606). */
export const CLICK_TARGET = 'https://clicktag.invalid/landing'

/** Points of a side at which it is asked whether a click is answered. */
const GRID = 20

/** Every spelling ad servers read. */
const CLICK_TAGS = ['clickTag', 'clickTAG', 'clicktag', 'ClickTag', 'CLICKTAG', 'clickTag1', 'clickTAG1']

/**
 * Before anything of the ad: keeps count of what it has planned, so that an ad that is done is distinguished from one that waits
 * between two scenes. `ours` is a name of this run.
 */
export const watchPlans = (ours: string) => `(() => {
  const timers = new Set(), repeats = new Set()
  let frames = 0
  const { setTimeout: later, clearTimeout: notLater, setInterval: often, clearInterval: notOften, requestAnimationFrame: nextFrame } = window
  window.setTimeout = function setTimeout(work, ms, ...rest) {
    if (typeof work !== 'function') return later(work, ms, ...rest)
    const id = later((...given) => { timers.delete(id); return work.apply(window, given) }, ms, ...rest)
    timers.add(id)
    return id
  }
  window.clearTimeout = function clearTimeout(id) { timers.delete(id); repeats.delete(id); return notLater(id) }
  window.setInterval = function setInterval(work, ms, ...rest) { const id = often(work, ms, ...rest); repeats.add(id); return id }
  window.clearInterval = function clearInterval(id) { timers.delete(id); repeats.delete(id); return notOften(id) }
  window.requestAnimationFrame = function requestAnimationFrame(work) { frames += 1; return nextFrame.call(window, work) }
  // Sound by Web Audio, and by players that are not in the document: started, not silent, and on its way to the speakers.
  const leads = new WeakMap(), started = new Set(), players = new Set()
  let heard = false
  const isSilent = ({ buffer }) => {
    if (!buffer) return buffer === null
    for (let channel = 0; channel < buffer.numberOfChannels; channel++) if (buffer.getChannelData(channel).some((sample) => sample !== 0)) return false
    return true
  }
  const reaches = (node, seen) => {
    if (seen.has(node)) return false
    seen.add(node)
    if (node instanceof GainNode && node.gain.value === 0) return false
    if (node instanceof AudioDestinationNode) return !(node.context instanceof OfflineAudioContext) && node.context.state === 'running'
    return [...(leads.get(node) || [])].some((next) => reaches(next, seen))
  }
  const isHeard = () => {
    heard = heard || [...started].some((node) => !isSilent(node) && reaches(node, new Set())) ||
      [...players].some((each) => !each.paused && !each.ended && !each.muted && each.volume > 0 && !each.isConnected)
    return heard
  }
  const wrap = (owner, name, before) => {
    const real = owner && Object.getOwnPropertyDescriptor(owner, name)
    if (!real || typeof real.value !== 'function') return
    Object.defineProperty(owner, name, { ...real, value: { [name](...given) { before(this, given); return real.value.apply(this, given) } }[name] })
  }
  const soon = () => { later(isHeard, 0); later(isHeard, 60) }
  if (window.AudioNode) {
    wrap(AudioNode.prototype, 'connect', (node, [to]) => { if (to instanceof AudioNode) leads.set(node, (leads.get(node) || new Set()).add(to)) })
    wrap(AudioNode.prototype, 'disconnect', (node, [to]) => { if (to instanceof AudioNode) leads.get(node)?.delete(to); else leads.delete(node) })
    for (const kind of [AudioScheduledSourceNode, AudioBufferSourceNode]) wrap(kind.prototype, 'start', (node) => { started.add(node); soon() })
  }
  wrap(HTMLMediaElement.prototype, 'play', (player) => { players.add(player); player.addEventListener('playing', isHeard) })
  // What scripts set again and again: how often an element came back to a state that it had left.
  const states = new WeakMap()
  let rounds = 0, steps = 0, most = null
  const note = (element, state) => {
    const known = states.get(element) || { last: null, times: new Map() }
    states.set(element, known)
    if (known.last === state || known.times.size > 2000) return
    known.last = state
    const times = (known.times.get(state) || 0) + 1
    known.times.set(state, times)
    if (times > rounds) {
      rounds = times
      steps = 1
      most = known
    } else if (times === rounds && known === most) steps += 1
  }
  const text = (node) => 'text ' + (node.textContent || '').slice(0, 200)
  new MutationObserver((changes) => {
    for (const { type, target, attributeName } of changes) {
      if (type === 'attributes') note(target, attributeName + ' ' + (target.getAttribute(attributeName) || '').slice(0, 300))
      else note(target, text(target))
    }
  }).observe(document, { subtree: true, attributes: true, childList: true, characterData: true, attributeFilter: ['class', 'style', 'src', 'hidden', 'transform', 'x', 'y', 'cx', 'cy', 'd'] })
  const shown = new WeakMap()
  document.addEventListener('animationstart', ({ target, animationName }) => {
    const times = shown.get(target) || new Map()
    shown.set(target, times)
    times.set(animationName, (times.get(animationName) || 0) + 1)
    if (times.get(animationName) <= rounds) return
    rounds = times.get(animationName)
    steps = 1
    most = times
  }, true)
  // What ads should leave alone. Said over the console, which frames of other processes have, too.
  const say = console.debug.bind(console)
  const uses = (feature) => say('greenroom-feature', ${JSON.stringify(ours)}, feature)
  const guard = (owner, name, feature) => {
    const real = owner && Object.getOwnPropertyDescriptor(owner, name)
    if (!real || !real.get || !real.configurable) return
    const set = real.set && { set(value) { uses(feature); return real.set.call(this, value) } }
    Object.defineProperty(owner, name, { ...real, get() { uses(feature); return real.get.call(this) }, ...set })
  }
  guard(Document.prototype, 'cookie', 'cookies')
  guard(window, 'localStorage', 'local_storage')
  guard(window, 'sessionStorage', 'session_storage')
  wrap(Document.prototype, 'write', () => uses('document_write'))
  wrap(Document.prototype, 'writeln', () => uses('document_write'))
  wrap(window.IDBFactory && IDBFactory.prototype, 'open', () => uses('indexed_db'))
  wrap(window.Geolocation && Geolocation.prototype, 'getCurrentPosition', () => uses('geolocation'))
  wrap(window.Geolocation && Geolocation.prototype, 'watchPosition', () => uses('geolocation'))
  // The policy that text is not run as code only reports (page-watch.ts).
  document.addEventListener('securitypolicyviolation', ({ blockedURI }) => { if (blockedURI === 'eval') uses('eval') })
  // What asks for clicks by script.
  const CLICKS = /^(?:click|mousedown|mouseup|pointerdown|pointerup|touchstart|touchend)$/
  const listening = new WeakSet()
  wrap(EventTarget.prototype, 'addEventListener', (target, [type]) => { if (CLICKS.test(type)) listening.add(target || window) })
  const asksForClicks = (node) => listening.has(node) || typeof node.onclick === 'function' || typeof node.onmousedown === 'function' || typeof node.onmouseup === 'function'
  const answersAt = (x, y) => {
    let node = document.elementFromPoint(x, y)
    if (node && node.tagName === 'IFRAME') {
      const { left, top } = node.getBoundingClientRect()
      try {
        const within = node.contentWindow[${JSON.stringify(ours)}]('at', x - left, y - top)
        if (within) return within
      } catch {}
    }
    let byScript = asksForClicks(window)
    for (; node; node = node.parentNode || node.host) {
      if (node.nodeType === 1 && node.matches('a[href], area[href], button, [role=button]')) return 'link'
      byScript ||= asksForClicks(node)
    }
    return byScript && 'script'
  }
  delete window.RTCPeerConnection
  delete window.webkitRTCPeerConnection
  Object.defineProperty(window, ${JSON.stringify(ours)}, { value: (question, x, y) => {
    if (question === 'at') return answersAt(x, y)
    const asked = frames
    frames = 0
    return { timers: timers.size, repeats: repeats.size, frames: asked, rounds, steps, isHeard: isHeard() }
  } })
})()`

/** Pixels by which the page around an ad lets it expand to the right and downwards. */
const ROOM = 300

/** A page of another site with the ad in a frame, as publishers place it. */
export const pageAround = (address: string, { width, height }: { width: number; height: number }) =>
  `<!doctype html><title>Page</title><style>body{margin:0}</style><iframe title="Ad" src="${address.replaceAll('&', '&amp;')}" width="${width}" height="${height}" style="border:0"></iframe>`

/**
 * Before anything of an ad in a frame: the interface of SafeFrame 1.1 (IAB, 2014) for what is within, `$sf.ext`. What it is
 * asked for in a way that hosts refuse is said over the console. `ours` as in `watchPlans`.
 */
export const offerSafeFrame = (ours: string, { width, height }: { width: number; height: number }) => `(() => {
  if (window.top === window || window.parent !== window.top) return
  const say = console.debug.bind(console)
  const wrong = (what, detail) => say('greenroom-frame', ${JSON.stringify(ours)}, what, detail)
  let isRegistered = false, status = 'collapsed', hear = () => {}
  const tell = (message, data) => setTimeout(() => hear(message, data), 0)
  const registered = (name) => { if (!isRegistered) wrong('unregistered', '$sf.ext.' + name + '()') }
  const room = { t: 0, l: 0, r: ${ROOM}, b: ${ROOM}, xs: false, yx: false, ys: false }
  const supported = { 'exp-ovr': true, 'exp-push': false, 'read-cookie': false, 'write-cookie': false, bg: false, pin: false }
  const ext = {
    register(width, height, notify) { isRegistered = true; if (typeof notify === 'function') hear = notify; tell('geom-update', ext.geom()) },
    supports: (key) => typeof key === 'string' ? supported[key] : { ...supported },
    geom: () => ({
      win: { t: 0, l: 0, r: 1280, b: 800, w: 1280, h: 800 },
      self: { t: 0, l: 0, r: ${width}, b: ${height}, w: ${width}, h: ${height}, xiv: 1, yiv: 1, iv: 1, z: 0 },
      exp: { ...room },
    }),
    expand(how, down, push) {
      registered('expand')
      const { t = 0, l = 0, r = 0, b = 0, push: pushes = false } = typeof how === 'object' && how ? how : { r: Number(how) || 0, b: Number(down) || 0, push: push === true }
      if (!navigator.userActivation.hasBeenActive) wrong('expands_unasked', '$sf.ext.expand()')
      if (pushes && !supported['exp-push']) wrong('expands_by_pushing', '$sf.ext.expand()')
      const beyond = Object.entries({ t, l, r, b }).filter(([side, by]) => by > room[side]).map(([side, by]) => side + ' ' + by + ' px')
      if (beyond.length > 0) { wrong('expands_too_far', beyond.join(', ')); tell('failed', { reason: 'no room' }); return false }
      status = 'expanded'
      tell('expanded', {})
      return true
    },
    collapse() { registered('collapse'); status = 'collapsed'; tell('collapsed', {}); return true },
    status: () => status,
    meta: () => '',
    cookie: () => false,
    inViewPercentage: () => 100,
    winHasFocus: () => true,
    hostURL: () => '',
  }
  window.$sf = { ext, ver: '1-1-0', specVersion: '1.1' }
})()`

/** In a world of our own: what moves by style sheets, and what plays. */
export const READ_STATE = `(() => {
  const running = document.getAnimations().filter((each) => each.playState === 'running')
  const timings = document.getAnimations().map((each) => each.effect && each.effect.getComputedTiming()).filter(Boolean)
  const longest = timings.sort((a, b) => b.endTime - a.endTime)[0]
  const media = [...document.querySelectorAll('video, audio')].filter((each) => !each.paused && !each.ended)
  return {
    animations: running.length,
    rounds: longest ? (Number.isFinite(longest.iterations) ? longest.iterations : 'endless') : undefined,
    playing: media.length,
    isLoud: media.some((each) => !each.muted && each.volume > 0),
  }
})()`

/**
 * In a world of our own: what the ad really draws. Where one element lies at the upper left corner, the largest such is
 * the stage; else it is what all elements that show something cover. Of an element counts what the elements around it do
 * not clip. The body is one of them where it has a size in pixels: else it is as wide as the frame, whatever the ad is.
 */
export const MEASURE_STAGE = `(() => {
  const frame = { width: innerWidth, height: innerHeight }
  const { body } = document
  const clips = (element) => getComputedStyle(element).overflow !== 'visible'
  const shows = (element) => {
    const style = getComputedStyle(element)
    if (style.visibility === 'hidden' || style.display === 'none') return false
    if (/^(IMG|CANVAS|VIDEO|svg|OBJECT|EMBED|IFRAME|INPUT|BUTTON)$/.test(element.tagName)) return true
    if (style.backgroundImage !== 'none' || !/^rgba\\(.*, 0\\)$|^transparent$/.test(style.backgroundColor)) return true
    if (parseFloat(style.borderTopWidth) > 0 && style.borderTopStyle !== 'none') return true
    return [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')
  }
  const boxOf = (element) => {
    let { left, top, right, bottom } = element.getBoundingClientRect()
    let { position } = getComputedStyle(element)
    for (let around = element.parentElement; around && around !== body && position !== 'fixed'; around = around.parentElement) {
      const style = getComputedStyle(around)
      // What is placed absolutely is clipped by what it is placed in, and by nothing between.
      if (position === 'absolute' && style.position === 'static' && style.transform === 'none') continue
      position = style.position
      if (!clips(around)) continue
      const box = around.getBoundingClientRect()
      left = Math.max(left, box.left)
      top = Math.max(top, box.top)
      right = Math.min(right, box.right)
      bottom = Math.min(bottom, box.bottom)
    }
    return { element, left, top, width: right - left, height: bottom - top }
  }
  const isSized = body && ['width', 'height'].every((side) => body.computedStyleMap().get(side)?.unit === 'px')
  const elements = [...(isSized ? [body] : []), ...document.querySelectorAll('body *')].slice(0, 5000)
  const boxes = elements
    .filter((element) => !/^(SCRIPT|STYLE|LINK|META|TEMPLATE)$/.test(element.tagName) && !element.ownerSVGElement)
    .filter((element) => shows(element) || clips(element))
    .map(boxOf)
    .filter(({ left, top, width, height }) => width >= 1 && height >= 1 && left < frame.width && top < frame.height && left + width > 0 && top + height > 0)
  const area = (box) => box.width * box.height
  const drawn = boxes.filter(({ element }) => shows(element))
  const corner = boxes.filter(({ left, top }) => Math.abs(left) <= 1 && Math.abs(top) <= 1).sort((a, b) => area(b) - area(a))[0]
  const isEmpty = drawn.length === 0 && !body?.innerText?.trim()
  if (corner) return { width: corner.width, height: corner.height, isElement: true, isEmpty }
  const right = Math.max(0, ...drawn.map((box) => box.left + box.width))
  const bottom = Math.max(0, ...drawn.map((box) => box.top + box.height))
  const left = Math.max(0, Math.min(right, ...drawn.map((box) => box.left)))
  const top = Math.max(0, Math.min(bottom, ...drawn.map((box) => box.top)))
  return { width: right - left, height: bottom - top, isElement: false, isEmpty }
})()`

/**
 * In the page: the share of a stage of that size that answers a click, and of that which does by a link or a button, by a grid
 * of points. `ours` as in `watchPlans`.
 */
export const clickableShare = (ours: string, { width, height }: { width: number; height: number }) => `(() => {
  const width = Math.min(innerWidth, ${width}), height = Math.min(innerHeight, ${height})
  let answered = 0, linked = 0
  for (let row = 0; row < ${GRID}; row++) for (let column = 0; column < ${GRID}; column++) {
    const by = ${ours}('at', (column + 0.5) * width / ${GRID}, (row + 0.5) * height / ${GRID})
    if (by) answered += 1
    if (by === 'link') linked += 1
  }
  return { clickableShare: answered / ${GRID * GRID}, linkedShare: linked / ${GRID * GRID} }
})()`

/** In a world of our own: the middle of the largest element that asks to be clicked. */
export const FIND_EXIT = `(() => {
  const asks = [...document.querySelectorAll('a[href], button, [onclick], area, [role=button]'), ...[...document.querySelectorAll('body *')].filter((each) => getComputedStyle(each).cursor === 'pointer')]
  const seen = asks.map((each) => each.getBoundingClientRect()).map(({ left, top, right, bottom }) => {
    const from = { x: Math.max(0, left), y: Math.max(0, top) }
    return { ...from, width: Math.min(innerWidth, right) - from.x, height: Math.min(innerHeight, bottom) - from.y }
  })
  const box = seen.filter(({ width, height }) => width > 0 && height > 0).sort((a, b) => b.width * b.height - a.width * a.height)[0]
  return box ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : null
})()`

/** In the page: the click tag as it stands. */
export const READ_CLICK_TAG = `(() => {
  ${CLICK_TAGS.map((name) => `try { if (typeof ${name} === 'string') return ${name} } catch {}`).join('\n  ')}
  return null
})()`

/** In the page, as the ad server does: every click tag gets a target of ours. */
export const SET_CLICK_TAG = CLICK_TAGS.map(
  (name) => `try { if (typeof ${name} === 'string') ${name} = '${CLICK_TARGET}' } catch {}`,
).join(';')

/**
 * Stubs of what ad servers and apps put beside an ad: without them an ad that waits for its server never begins.
 * They only report an exit.
 */
const EXIT = (how: string) =>
  `(...given) => console.debug('greenroom-exit', ${JSON.stringify(how)}, String(given.find((each) => typeof each === 'string') ?? ''))`
const ENABLER = `(() => {
  const hear = (type, work) => { if (/init|page_loaded|visible|readyForLoad/i.test(String(type))) setTimeout(() => work({ type }), 0) }
  const events = new Proxy({}, { get: (_, name) => String(name) })
  window.studio = window.studio || { events: { StudioEvent: events }, sdk: {}, video: {} }
  const known = {
    isInitialized: () => true, isPageLoaded: () => true, isVisible: () => true, addEventListener: hear, removeEventListener() {},
    exit: ${EXIT('Enabler.exit')}, exitOverride: ${EXIT('Enabler.exitOverride')}, exitQueryString: ${EXIT('Enabler.exitQueryString')},
    getUrl: (path) => path, loadModule: (_, done) => done && done(), loadScript: (_, done) => done && done(),
    getParameter: () => null, setProfileId() {}, setDevDynamicContent() {},
  }
  window.Enabler = new Proxy(known, { get: (target, name) => name in target ? target[name] : () => undefined })
})()`
const MRAID = `(() => {
  const known = { getState: () => 'default', getVersion: () => '3.0', isViewable: () => true, getPlacementType: () => 'inline',
    addEventListener: (type, work) => { if (/ready|viewableChange/.test(type)) setTimeout(() => work(true), 0) },
    supports: () => false, open: ${EXIT('mraid.open')} }
  window.mraid = new Proxy(known, { get: (target, name) => name in target ? target[name] : () => undefined })
})()`
const EXIT_API = `window.ExitApi = { exit: ${EXIT('ExitApi.exit')}, delayedExit: ${EXIT('ExitApi.delayedExit')} }`

const STAND_INS: [RegExp, string][] = [
  [/^https?:\/\/s0\.2mdn\.net\/.*Enabler\w*\.js/i, ENABLER],
  [/^https?:\/\/tpc\.googlesyndication\.com\/.*exitapi\.js/i, EXIT_API],
  [/(^|\/)mraid\.js$/i, MRAID],
]

/** The stub of a library that the place of the ad brings along; undefined: it is none of those. */
export function stubFor(target: string): string | undefined {
  return STAND_INS.find(([pattern]) => pattern.test(target))?.[1]
}
