import { describe } from 'vitest'
import type { BannerFacts, BannerRequest } from '@/lib/media/measurements'
import { archiveFacts, bannerFacts, checkTable, subject } from '../testing'
import { adAnimationCheck } from './ad-animation-check'
import { adBehaviourCheck } from './ad-behaviour-check'
import { adSizeCheck } from './ad-size-check'
import { clickTagCheck } from './click-tag-check'
import { consoleErrorCheck } from './console-error-check'
import { cpuCheck } from './cpu-check'
import { externalRequestCheck } from './external-request-check'
import { initialLoadCheck } from './initial-load-check'
import { missingAssetCheck } from './missing-asset-check'
import { orphanAssetCheck } from './orphan-asset-check'
import { requestCountCheck } from './request-count-check'
import { subloadCheck } from './subload-check'

const ran = (changes: Partial<BannerFacts> = {}) =>
  subject(archiveFacts(), { measures: { banner: bannerFacts(changes) } })
const unrun = subject(archiveFacts(), { measures: { banner: { failed: 'no Chromium runs on this server' } } })
const plain = subject(archiveFacts({ entryPoints: [], documents: [] }))
const quick = subject(archiveFacts(), { depth: 'quick' })

const request = (target: string, changes: Partial<BannerRequest> = {}): BannerRequest => ({
  target,
  phase: 'initial',
  status: 'served',
  kind: 'Image',
  bytes: 1000,
  packedBytes: 1000,
  seconds: 0.2,
  ...changes,
})
const library = request('https://cdn.example/lib.js', { status: 'outside', kind: 'Script', bytes: 0, packedBytes: 0 })
const asking = (...requests: BannerRequest[]) => ran({ requests })

describe('what an ad does while it runs', () => {
  checkTable(adBehaviourCheck, [
    { it: 'passes when it loads and rests', given: ran(), says: 'pass', details: /watched for 12.5 s/ },
    { it: 'is not asked of a plain archive', given: plain, says: 'skipped' },
    { it: 'is not asked by the quick profile', given: quick, says: 'skipped', details: /does not run HTML5 ads/ },
    { it: 'is an error where nothing can run it', given: unrun, says: 'error', details: /no Chromium/ },
    {
      it: 'fails when it blocks its page',
      given: ran({ ended: 'blocked', loadSeconds: null }),
      says: 'fail',
      details: /while it loads/,
    },
    {
      it: 'fails when it takes all memory',
      given: ran({ ended: 'memory', memoryBytes: 1.6e9 }),
      says: 'fail',
      details: /1.6 GB/,
    },
    {
      it: 'fails when it never loads',
      given: ran({ loadSeconds: null }),
      says: 'fail',
      details: /did not finish loading/,
    },
    {
      it: 'fails when it opens a window unasked',
      given: ran({ violations: [{ what: 'popup', detail: 'https://pop.example/', seconds: 1 }] }),
      says: 'fail',
      details: /opens https:\/\/pop.example\/ without being clicked/,
    },
    {
      it: 'fails with sound',
      given: ran({ violations: [{ what: 'sound', detail: 'plays sound without being asked', seconds: 1 }] }),
      says: 'fail',
    },
    {
      it: 'passes with sound where that is allowed',
      given: ran({ violations: [{ what: 'sound', detail: 'plays sound without being asked', seconds: 1 }] }),
      thresholds: { sound: true },
      says: 'pass',
    },
    {
      it: 'fails when it shows nothing, and says what it may lack',
      given: ran({ requests: [library], stage: { width: 0, height: 0, isElement: false, isEmpty: true } }),
      says: 'fail',
      details: /What other servers serve was not loaded/,
    },
  ])
})

describe('how long an ad moves', () => {
  const motion = (lastChangeSeconds: number, isMoving = false, rounds?: number | null) =>
    ran({
      watchedSeconds: 32.1,
      motion: { lastChangeSeconds, isMoving, changes: 9, ...(rounds !== undefined && { rounds }) },
    })
  checkTable(adAnimationCheck, [
    { it: 'passes at 30 s', given: motion(30.4), says: 'pass', details: /after 30.4 s; at most 30 s/ },
    { it: 'fails above', given: motion(30.6), says: 'fail' },
    { it: 'fails when it goes on', given: motion(32, true), says: 'fail', details: /still moving after 32 s/ },
    {
      it: 'is not evaluated for longer than it was watched',
      given: motion(32, true),
      thresholds: { max_seconds: 45 },
      says: 'error',
    },
    { it: 'passes without a limit', given: motion(32, true), thresholds: { max_seconds: null }, says: 'pass' },
    { it: 'passes at the most rounds', given: motion(9, false, 3), thresholds: { max_rounds: 3 }, says: 'pass' },
    {
      it: 'fails with rounds without end',
      given: motion(9, false, null),
      thresholds: { max_rounds: 3 },
      says: 'fail',
      details: /without end/,
    },
    {
      it: 'says that rounds of a script were not counted where they are limited',
      given: motion(9),
      thresholds: { max_rounds: 3 },
      says: 'pass',
      details: /Rounds that a script drives are not counted: watch that there are no more than 3/,
    },
    { it: 'is not evaluated when the page was blocked', given: ran({ ended: 'blocked' }), says: 'error' },
  ])
})

describe('where a click leads', () => {
  const click = (changes: Partial<NonNullable<BannerFacts['click']>>, more: Partial<BannerFacts> = {}) =>
    ran({
      click: { on: 'stage', target: null, how: null, byClickTag: false, declared: 'https://example.com', ...changes },
      ...more,
    })
  checkTable(clickTagCheck, [
    { it: 'passes where the click tag says', given: ran(), says: 'pass', details: /where clickTag says/ },
    {
      it: 'passes by the exit of an ad server',
      given: click({ target: 'Main', how: 'exit' }),
      says: 'pass',
      details: /\(Main\)/,
    },
    { it: 'fails when it leads nowhere', given: click({}), says: 'fail', details: /leads nowhere, although/ },
    {
      it: 'fails when the target is fixed',
      given: click({ target: 'https://shop.example/', how: 'window' }),
      says: 'fail',
      fix: /Take https:\/\/shop.example\/ out/,
    },
    {
      it: 'passes when the tag is a constant',
      given: click({ target: 'https://example.com/', how: 'window' }),
      says: 'pass',
      details: /as clickTag says/,
    },
    { it: 'is read from the text where nothing was clicked', given: unrun, says: 'pass', details: /defines clickTag/ },
  ])
})

describe('what an ad draws', () => {
  const stage = (width: number, height: number) => ran({ stage: { width, height, isElement: true, isEmpty: false } })
  checkTable(adSizeCheck, [
    { it: 'passes at the size it states', given: stage(300, 250), says: 'pass', details: /and draws it/ },
    { it: 'passes at half a pixel more', given: stage(300.5, 250), says: 'pass' },
    {
      it: 'fails at another',
      given: stage(320, 250),
      says: 'fail',
      details: /states 300 × 250 px, but draws 320 × 250 px/,
    },
  ])
})

describe('what an ad asks for', () => {
  const many = (amount: number) => Array.from({ length: amount }, (_, index) => request(`${index}.png`))
  checkTable(requestCountCheck, [
    { it: 'passes at ten requests', given: asking(...many(10)), says: 'pass' },
    { it: 'fails at eleven', given: asking(...many(11)), says: 'fail', details: /11 files/ },
    { it: 'counts a file once', given: asking(...many(10), ...many(10)), says: 'pass' },
    {
      it: 'does not count what comes later',
      given: asking(...many(10), request('x', { phase: 'later' })),
      says: 'pass',
    },
  ])
  checkTable(initialLoadCheck, [
    {
      it: 'passes at the initial load of its size',
      given: asking(request('a', { packedBytes: 150_000 })),
      says: 'pass',
    },
    { it: 'fails above', given: asking(request('a', { packedBytes: 150_001 })), says: 'fail', fix: /“a” \(150 kB\)/ },
    {
      it: 'goes by the size in the name',
      given: { ...asking(request('a', { packedBytes: 60_000 })), claims: { width: 320, height: 50 } },
      says: 'fail',
      details: /50 kB are wanted for 320 × 50 px/,
    },
    {
      it: 'goes by the size it states when it draws another',
      given: ran({ stage: { width: 320, height: 250, isElement: true, isEmpty: false } }),
      says: 'pass',
      details: /for 300 × 250 px/,
    },
    {
      it: 'has none for other sizes',
      given: ran({ frame: { width: 333, height: 55 }, stage: null }),
      says: 'skipped',
      details: /333 × 55 px/,
    },
  ])
  checkTable(subloadCheck, [
    { it: 'passes without any', given: ran(), says: 'pass', details: /loads nothing after/ },
    {
      it: 'fails above twice the initial load',
      given: asking(request('film.mp4', { phase: 'later', packedBytes: 300_001 })),
      says: 'fail',
    },
  ])
  checkTable(missingAssetCheck, [
    { it: 'passes when all is there', given: ran(), says: 'pass' },
    {
      it: 'fails with what is missing, and what is called nearly so',
      given: asking(request('images/Hero.jpg', { status: 'missing' })),
      says: 'fail',
      details: /“images\/Hero.jpg” \(the archive has “images\/hero.jpg”\)/,
    },
  ])
  checkTable(orphanAssetCheck, [
    { it: 'passes without any', given: ran(), says: 'pass' },
    { it: 'fails with one', given: ran({ unused: [{ path: 'old.psd', bytes: 9000 }] }), says: 'fail', details: /9 kB/ },
    {
      it: 'does not mean the backup image',
      given: ran({ unused: [{ path: 'backup.jpg', bytes: 9000 }] }),
      says: 'pass',
    },
  ])
  checkTable(externalRequestCheck, [
    { it: 'fails with what a script asked for', given: asking(library), says: 'fail', details: /“cdn.example”/ },
    {
      it: 'fails with a socket without encryption to a host that is allowed',
      given: asking(request('ws://s0.2mdn.net/x', { status: 'outside', kind: 'WebSocket' })),
      says: 'fail',
      details: /without encryption/,
    },
    { it: 'passes with its own files', given: ran(), says: 'pass' },
  ])
})

describe('what an ad costs', () => {
  const load = (mainThread: number) => ran({ cpu: { mainThread, process: mainThread, seconds: 5 } })
  checkTable(cpuCheck, [
    { it: 'passes at 30 %', given: load(0.3), says: 'pass' },
    { it: 'fails above', given: load(0.31), says: 'fail', details: /31 % of the time/ },
    { it: 'is an error when the page was blocked', given: ran({ ended: 'blocked' }), says: 'error' },
  ])
  checkTable(consoleErrorCheck, [
    { it: 'passes without errors', given: ran(), says: 'pass' },
    {
      it: 'fails with one, told once',
      given: ran({ errors: [{ text: 'no price', count: 4, uncaught: false }] }),
      says: 'fail',
      details: /“no price” \(4 times\)/,
    },
  ])
})
