import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cacheFolder } from '@/e2e/support/chromium'
import { zip } from '@/fixtures/zip'
import type { NameClaims } from '@/lib/checks/check'
import { type CheckSettings, runChecks } from '@/lib/checks/engine'
import { closeInspector, inspectFile } from '../inspect/inspect'
import type { BannerFacts } from '../measurements'
import { measureFile } from '../measurer/measure-file'
import { type ChromiumPlaces, findChromium } from './chromium'
import type { BannerLimits } from './protocol'
import { bannerWatcher } from './watch-ad'

let folder: string
const elsewhere = process.env.TMPDIR
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'watch-banner-'))
  // What the browsers of others on this machine do is none of our business.
  process.env.TMPDIR = folder
})
afterAll(async () => {
  closeInspector()
  if (elsewhere === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = elsewhere
  await rm(folder, { recursive: true })
})

const places = { named: process.env.GREENROOM_CHROMIUM, cacheFolder: cacheFolder() }
const STAGE = 'position:relative;width:300px;height:250px;overflow:hidden;background:#fed'
const CLICK = 'document.addEventListener("click", () => window.open(window.clickTag))'
const MOVE =
  '#b{position:absolute;width:60px;height:60px;background:#084}@keyframes m{from{left:0}to{left:240px}}.once{animation:m 1s 1 forwards}.endless{animation:m 1s infinite}'

/** A page that is a faultless ad of 300 x 250 but for what the test puts into it. */
function page({ head = '<script>var clickTag = "https://www.example.com";</script>', body = '', script = CLICK } = {}) {
  return `<!doctype html><html><head><meta name="ad.size" content="width=300,height=250"><style>body{margin:0}${MOVE}</style>${head}</head><body><div id="s" style="${STAGE}">${body}</div><script>${script}</script></body></html>`
}

type AdOptions = {
  name?: string
  claims?: NameClaims
  limits?: Partial<BannerLimits>
  places?: ChromiumPlaces
  depth?: 'quick' | 'full'
  checks?: Record<string, CheckSettings>
}
let written = 0

/** From the files of an ad to what its checks say, by the browser, the inspector and the engine as they are. */
async function evaluated(files: Record<string, string | Buffer>, given: AdOptions = {}) {
  written += 1
  const { name = 'ad.zip', depth = 'full', claims = {}, checks = {} } = given
  const file = path.join(folder, `${written}.zip`)
  await writeFile(file, zip(Object.entries(files).map(([part, content]) => [part, content, 'store'] as const)))
  const about = { name, kind: 'archive', mediaType: 'application/zip' } as const
  const watch = bannerWatcher(given.places ?? places, given.limits)
  const { contactSheet, ...measured } = await measureFile(inspectFile, file, about, { depth }, watch)
  const subject = {
    ...about,
    ...measured,
    depth,
    bytes: 1000,
    claims,
    expectations: { mediaTypes: [], maxFileBytes: null },
  }
  const verdict = runChecks(subject, { checks: { backup_image_check: { enabled: false }, ...checks } })
  const { banner } = measured.measures
  // A browser that is not there is reported by the one test that is about it.
  if (!given.places && banner && 'failed' in banner) throw new Error(banner.failed)
  return {
    summary: verdict.summary,
    facts: banner as BannerFacts,
    contactSheet,
    line: (id: string) => verdict.checks.find(({ check_id }) => check_id === id),
    /** What is not well, by id. */
    faults: Object.fromEntries(
      verdict.checks
        .filter(({ status }) => !['pass', 'skipped'].includes(status))
        .map(({ check_id, status }) => [check_id, status]),
    ),
  }
}

/** Processes of the browsers that were started here. */
const browsers = () =>
  readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(path.join(folder, 'greenroom-banner-'))
      } catch {
        return false
      }
    })

describe('an HTML5 ad that is as it should be', () => {
  it('passes every check, by what it did when it ran, and leaves a contact sheet', async () => {
    const { summary, faults, facts, line, contactSheet } = await evaluated({
      'index.html': page({ body: '<div id="b" class="once"></div><img src="img/hero.svg" alt="">' }),
      'img/hero.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><path d="M0 0h40v40z"/></svg>',
    })
    expect(faults).toEqual({})
    expect(summary).toBe('pass')
    expect(facts.ended).toBe('watched')
    expect(facts.requests.map(({ target, status, phase }) => [target, status, phase])).toEqual([
      ['index.html', 'served', 'initial'],
      ['img/hero.svg', 'served', 'initial'],
    ])
    expect(line('click_tag_check')).toMatchObject({ status: 'pass', confidence: 1 })
    expect(line('ad_size_check')?.details).toContain('300 × 250 px and draws it')
    expect(line('ad_animation_check')?.details).toContain('comes to rest')
    expect(line('request_count_check')).toMatchObject({ measured: 2, expected: 10 })
    const strip = await sharp(contactSheet ?? undefined).metadata()
    expect(strip.format).toBe('webp')
    expect(strip.width).toBeGreaterThan(600)
  })

  it('is clicked with a tag of our own, so that a target that is written into its code is found', async () => {
    const { line } = await evaluated({
      'index.html': page({ script: 'onclick = () => window.open("https://shop.example/spring")' }),
    })
    expect(line('click_tag_check')).toMatchObject({ status: 'fail', measured: 'https://shop.example/spring' })
  })

  it('may leave by the exit of its ad server, whose library is stood in for', async () => {
    const { line, facts, faults } = await evaluated({
      'index.html': page({
        head: '<script src="https://s0.2mdn.net/ads/studio/Enabler.js"></script>',
        script:
          'Enabler.addEventListener(studio.events.StudioEvent.INIT, () => { s.onclick = () => Enabler.exit("Main") })',
      }),
    })
    expect(facts.click).toMatchObject({ how: 'exit', target: 'Main' })
    expect(line('click_tag_check')?.status).toBe('pass')
    expect(faults).toEqual({})
  })
})

describe('an HTML5 ad with a fault', () => {
  it('reports which files it misses, which are called otherwise, and which are not needed', async () => {
    const { line } = await evaluated({
      'index.html': page({ body: '<img src="gone.png" alt=""><img src="Hero.svg" alt="">' }),
      'hero.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>',
      'old/draft.psd': 'x',
    })
    expect(line('missing_asset_check')).toMatchObject({ status: 'fail', measured: 2 })
    expect(line('missing_asset_check')?.details).toContain('“gone.png” and “Hero.svg” (the archive has “hero.svg”)')
    expect(line('orphan_asset_check')).toMatchObject({ status: 'warning', measured: 2 })
    expect(line('orphan_asset_check')?.details).toContain('“old/draft.psd”')
  })

  it('reports what it asks other servers for, by scripts, workers and sockets, too', async () => {
    const { line, facts } = await evaluated({
      'index.html': page({
        script: `${CLICK};new Worker("w.js");setTimeout(() => fetch("https://pixel.example/p").catch(() => 0), 100);new WebSocket("wss://socket.example/")`,
      }),
      'w.js': 'fetch("https://worker.example/x").catch(() => 0)',
    })
    const outside = facts.requests.filter(({ status }) => status === 'outside').map(({ target }) => target)
    expect(outside.sort()).toEqual(['https://pixel.example/p', 'https://worker.example/x', 'wss://socket.example/'])
    expect(line('external_request_check')).toMatchObject({ status: 'fail', confidence: 1, measured: 3 })
  })

  it('reports its errors in the console', async () => {
    const { line } = await evaluated({
      'index.html': page({ script: `${CLICK};console.error("no price");setTimeout(() => stageOfMine.start(), 10)` }),
    })
    expect(line('console_error_check')).toMatchObject({ status: 'warning', measured: 2 })
    expect(line('console_error_check')?.details).toMatch(/“no price” and “ReferenceError: stageOfMine is not defined/)
  })

  it('reports that a click leads nowhere', async () => {
    const { line } = await evaluated({ 'index.html': page({ head: '', script: '' }) })
    expect(line('click_tag_check')).toMatchObject({ status: 'fail', measured: 'none' })
    expect(line('click_tag_check')?.details).toContain('no clickTag is defined')
  })

  it('reports that it moves longer than it may', async () => {
    const endless = { 'index.html': page({ body: '<div id="b" class="endless"></div>' }) }
    const limits = { watchMs: 2500 }
    const short = { ad_animation_check: { thresholds: { max_seconds: 1 } } }
    const { line, facts } = await evaluated(endless, { limits, checks: short })
    expect(facts.motion).toMatchObject({ isMoving: true, rounds: null })
    expect(line('ad_animation_check')).toMatchObject({ status: 'fail', expected: 1 })
    // Of 30 s only a part was watched: that it moves longer was not seen, and is not said.
    const { line: unseen } = await evaluated(endless, { limits })
    expect(unseen('ad_animation_check')).toMatchObject({ status: 'error' })
    const thrice = {
      'index.html': page({ body: '<div id="b" class="once" style="animation-iteration-count:3"></div>' }),
    }
    const { line: counted } = await evaluated(thrice, {
      checks: { ad_animation_check: { thresholds: { max_rounds: 2 } } },
    })
    expect(counted('ad_animation_check')).toMatchObject({ status: 'fail', measured: 3, unit: 'rounds' })
  })

  it('says until when something was planned, and to how many states a script brings it back', async () => {
    const byTimer = page({
      body: '<div id="b" style="position:absolute;width:40px;height:40px;background:red"></div>',
      script: `let n = 0; const timer = setInterval(() => { if (n === 12) return clearInterval(timer); b.style.left = (n % 3) * 60 + 'px'; n++ }, 100)`,
    })
    const { facts } = await evaluated({ 'index.html': byTimer })
    const { plannedUntilSeconds = 0, ...motion } = facts.motion ?? {}
    expect(motion).toMatchObject({ scriptRounds: 4, scriptSteps: 3, isMoving: false })
    expect(plannedUntilSeconds).toBeGreaterThan(0.9)
    expect(plannedUntilSeconds).toBeLessThan(facts.watchedSeconds)
  })

  it('reports that it draws another size than it states, and than its name says', async () => {
    const { line } = await evaluated(
      { 'index.html': page().replace('width:300px;height:250px', 'width:728px;height:90px') },
      { name: 'sale_728x90.zip', claims: { width: 728, height: 90 } },
    )
    expect(line('ad_size_check')).toMatchObject({ status: 'fail', measured: '728x90', expected: '300x250' })
  })

  it('reports that its main thread computes too much', async () => {
    const script = `${CLICK};const ctx = document.createElement('canvas').getContext('2d');s.append(ctx.canvas);(function draw() { let sum = 0; for (let i = 0; i < 2e7; i++) sum += Math.sqrt(i); ctx.fillStyle = 'hsl(' + (sum + performance.now()) % 360 + ',50%,50%)'; ctx.fillRect(0, 0, 300, 150); setTimeout(draw, 0) })()`
    const { line, facts } = await evaluated({ 'index.html': page({ script }) }, { limits: { watchMs: 3000 } })
    expect(facts.ended).toBe('watched')
    expect(facts.cpu?.mainThread).toBeGreaterThan(0.4)
    expect(line('cpu_check')).toMatchObject({ status: 'warning', expected: 30 })
  })

  it('reports what it loads at first and what afterwards', async () => {
    const { line, facts } = await evaluated({
      'index.html': page({
        body: '<img src="first.bin" alt="">',
        script: `${CLICK};onload = () => setTimeout(() => fetch("later.bin"), 200)`,
      }),
      'first.bin': Buffer.alloc(160_000, 1),
      'later.bin': Buffer.alloc(20_000, 1),
    })
    expect(facts.requests.map(({ target, phase }) => [target, phase])).toContainEqual(['later.bin', 'later'])
    expect(line('initial_load_check')).toMatchObject({ status: 'fail', expected: 150_000 })
    expect(line('initial_load_check')?.fix).toContain('“first.bin” (160 kB)')
    expect(line('subload_check')).toMatchObject({ status: 'pass', measured: 20_000, expected: 300_000 })
  })
})

describe('an HTML5 ad that means harm', () => {
  it.each([
    ['blocks its page while it loads', 'for (;;) {}'],
    ['blocks its page after', 'setTimeout(() => { for (;;) {} }, 1500)'],
    ['blocks its page', 'for (;;) alert("again")'],
  ])('that %s fails by it, and by nothing that was not seen', async (says, script) => {
    const { line, faults } = await evaluated(
      { 'index.html': page({ script }) },
      { limits: { loadMs: 3000, silenceMs: 2000 } },
    )
    expect(line('ad_behaviour_check')).toMatchObject({ status: 'fail', measured: 'blocked' })
    expect(line('ad_behaviour_check')?.details).toContain(says)
    expect(faults).toMatchObject({ ad_animation_check: 'error', cpu_check: 'error' })
    expect(browsers()).toEqual([])
  })

  it('that takes all memory is ended before the server suffers', async () => {
    const script =
      'const kept = []; setInterval(() => { for (let i = 0; i < 20; i++) kept.push(new Uint8Array(2 ** 24).fill(1)) }, 10)'
    const { line, facts } = await evaluated(
      { 'index.html': page({ script }) },
      { limits: { memoryBytes: 400 * 2 ** 20 } },
    )
    expect(facts.ended).toBe('memory')
    expect(line('ad_behaviour_check')).toMatchObject({ status: 'fail' })
    expect(browsers()).toEqual([])
  })

  it('that opens windows, dialogs and downloads, leaves, and installs a worker fails by each, and stays alone', async () => {
    const { line, facts } = await evaluated({
      'index.html': page({
        script: `${CLICK};alert("win");window.open("https://popup.example/");const a = document.createElement("a");a.href = "data:application/octet-stream,abc";a.download = "setup.exe";a.click();navigator.serviceWorker.register("sw.js").catch(() => 0);setTimeout(() => { location = "https://evil.example/" }, 300)`,
      }),
      'sw.js': 'self.addEventListener("fetch", () => 0)',
    })
    expect(facts.violations.map(({ what, detail }) => [what, detail])).toEqual(
      expect.arrayContaining([
        ['dialog', 'alert: win'],
        ['popup', 'https://popup.example/'],
        ['download', 'setup.exe'],
        ['redirect', 'https://evil.example/'],
      ]),
    )
    expect(line('ad_behaviour_check')).toMatchObject({ status: 'fail', measured: 4 })
    // It was kept, so that the rest could be seen.
    expect(line('click_tag_check')?.status).toBe('pass')
    expect(browsers()).toEqual([])
    expect((await readdir(folder)).filter((name) => name.startsWith('greenroom-banner-'))).toEqual([])
  })
})

describe('a browser that ends at its start', () => {
  /** The browser behind a script that ends at once, for what it is asked, unless that fits the pattern. */
  async function launcher(name: string, fits: string): Promise<ChromiumPlaces> {
    const { executable, environment } = await findChromium(places)
    const named = path.join(folder, name)
    const settings = Object.entries(environment).map(([key, value]) => `export ${key}='${value}'`)
    const guard = `case "$*" in *--version*|${fits}) ;; *) echo 'the display is gone' >&2; exit 1 ;; esac`
    await writeFile(named, ['#!/bin/sh', guard, ...settings, `exec '${executable}' "$@"`, ''].join('\n'), {
      mode: 0o755,
    })
    return { ...places, named }
  }

  it('is started once more, and the ad is evaluated as if nothing had been', async () => {
    // The second start has a folder of its own.
    const { faults, facts } = await evaluated({ 'index.html': page() }, { places: await launcher('once', '*/again*') })
    expect(facts).toMatchObject({ ended: 'watched' })
    expect(faults).toEqual({})
    expect(browsers()).toEqual([])
  })

  it('and does so again is reported, with what it said', async () => {
    const { line } = await evaluated({ 'index.html': page() }, { places: await launcher('never', 'no-such-request') })
    const details = line('ad_behaviour_check')?.details ?? ''
    expect(line('ad_behaviour_check')?.status).toBe('error')
    expect(details).toContain('ended at its start, and again when it was started once more')
    expect(details.match(/the display is gone/g)).toHaveLength(1)
    expect(browsers()).toEqual([])
  })
})

describe('an HTML5 ad in a frame of another site', () => {
  const inFrame = async (script: string) =>
    (await evaluated({ 'index.html': page({ script: CLICK + script }) })).facts.inFrame

  it('is run there when it mentions the page around it', async () => {
    expect(await inFrame(';document.title = "top"')).toBe('unasked')
    expect(await inFrame(';try { parent.document.title } catch {}')).toEqual([])
    expect(await inFrame(';parent.document.title')).toEqual([
      { what: 'reaches_out', detail: expect.stringContaining("Failed to read a named property 'document'") },
    ])
  })

  it('has SafeFrame, and is asked for what that does not allow', async () => {
    const faults = await inFrame(';$sf.ext.expand({ r: 400, push: true })')
    expect((Array.isArray(faults) ? faults : []).map(({ what }) => what).sort()).toEqual([
      'expands_by_pushing',
      'expands_too_far',
      'expands_unasked',
      'needs_safeframe',
      'unregistered',
    ])
  })
})

describe('an HTML5 ad that cannot be run', () => {
  it('is evaluated by its text, and what needs a browser is an error with the reason', async () => {
    const nowhere = { named: path.join(folder, 'no-chromium'), cacheFolder: folder }
    const { summary, line } = await evaluated({ 'index.html': page() }, { places: nowhere })
    expect(summary).toBe('warning')
    for (const id of [
      'ad_behaviour_check',
      'ad_animation_check',
      'missing_asset_check',
      'console_error_check',
      'cpu_check',
    ])
      expect(line(id)).toMatchObject({ status: 'error', details: expect.stringContaining('CHROMIUM_PATH is “') })
    expect(line('click_tag_check')).toMatchObject({ status: 'pass', confidence: 0.97 })
    expect(line('ad_size_check')?.status).toBe('pass')
  })

  it('is left alone by the quick profile, which says so', async () => {
    const { line, facts } = await evaluated({ 'index.html': page() }, { depth: 'quick' })
    expect(facts).toBeUndefined()
    expect(line('ad_behaviour_check')).toMatchObject({
      status: 'skipped',
      details: expect.stringContaining('does not run HTML5 ads'),
    })
  })

  it('because it is none is not asked for anything of an ad', async () => {
    const { faults, facts } = await evaluated({ 'notes.txt': 'hello' })
    expect(facts).toBeUndefined()
    expect(faults).toEqual({})
  })
})
