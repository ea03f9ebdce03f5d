import { z } from 'zod'
import type { ArchiveFacts } from '@/lib/media/facts'
import { fail, mediaCheck, pass, skip } from '../check'
import { allOf, count } from '../wording'
import { BUILT, isScriptRead, mayRunScripts, startDocument, withoutComments } from './start-document'

const TO = String.raw`((?:(?:https?|wss?):)?\/\/[^"'\`\s>),]+)`

/** What a page loads by itself; a link that waits for a click (`<a href>`) or states a relation (`rel=canonical`) is none. */
const LOADED = new RegExp(
  [
    String.raw`<(?:script|img|iframe|source|video|audio|embed|input|track|object)\b[^<>]*?\s(?:src|poster|data)\s*=\s*["']?${TO}`,
    String.raw`<(?:img|source)\b[^<>]*?\ssrcset\s*=\s*["'][^"']*?${TO}`,
    String.raw`<link\b(?![^<>]*\srel\s*=\s*["']?(?:canonical|alternate|author|help|license|next|prev|search)\b)[^<>]*?\shref\s*=\s*["']?${TO}`,
    String.raw`<(?:image|use)\b[^<>]*?\s(?:xlink:)?href\s*=\s*["']?${TO}`,
    String.raw`url\(\s*["']?${TO}`,
    String.raw`@import\s+["']${TO}`,
    String.raw`\b(?:fetch|import|importScripts|sendBeacon|WebSocket|EventSource)\s*\(\s*["'\`]${TO}`,
    String.raw`\bimport\s*(?:[\w*{}\s,]{1,400}\sfrom\s*)?["']${TO}`,
    String.raw`\.open\s*\(\s*["'\`](?:get|head|post|put)["'\`]\s*,\s*["'\`]${TO}`,
    String.raw`\.src\s*=\s*["'\`]${TO}`,
  ].join('|'),
  'gi',
)

const ADDRESS = /^(?:(?:https?|wss?):)?\/\/([^/?#:]+)/i

const IMPORTED = /@import\s+(?:url\([^)]{0,4000}\)|"[^"]*"|'[^']*')\s*;/gi

/** Tags whose address a browser need not ask for: one of several, put off, or only stated. */
const CHOSEN =
  /<(?:(?:source|track)\b|link\b(?![^<>]*stylesheet)|(?=[^<>]*\s(?:media|loading|preload|srcset)\b))[^<>]*>/gi

export const externalRequestCheck = mediaCheck({
  id: 'external_request_check',
  label: 'Requests to other servers',
  kinds: ['archive'],
  describe:
    'An HTML5 ad brings along all it shows. Counts what the ad asks for while it runs without a network, and what its HTML file says it loads; where the ad was not run, what a script requests later is not seen.',
  severity: 'blocking',
  confidence:
    '1 for what it asked for, and, where it was not run, for what elements and imported style sheets of its page load; 0.9 for what else stands in the HTML file (in scripts and styles, or that was not asked for when it was run). A pass 0.95 when it was run. Not run: 0.99 without scripts, style sheets and any address but those of links and the click tag; 0.97 where all scripts were read, name no other address and put no code together; 0.9 where it loads from servers that are allowed; else 0.75, or 0.6 with scripts of its own.',
  thresholds: z.strictObject({
    allowed_hosts: z
      .array(z.string())
      .default([
        's0.2mdn.net',
        'tpc.googlesyndication.com',
        'ajax.googleapis.com',
        'fonts.googleapis.com',
        'fonts.gstatic.com',
      ])
      .meta({
        title: 'Hosts that may be asked',
        source: 'Reasoned: what Google Ad Manager and Campaign Manager 360 serve libraries and fonts from',
      }),
    https_only: z.boolean().default(true).meta({
      title: 'Only over https',
      source: 'IAB New Ad Portfolio (2017), secure delivery',
    }),
  }),
  run({ media, name, measures: { banner } }, { allowed_hosts, https_only }) {
    const start = startDocument(media)
    if (!start) return skip('The archive holds no HTML file to start from, so it is not an HTML5 ad.')
    const text = withoutComments(start.text)
    const written = loadedBy(text)
    const asked = (banner?.requests ?? []).map(({ target }) => target).filter((target) => ADDRESS.test(target))
    const addresses = [...asked, ...written]
    const allowed = new Set(allowed_hosts.map((host) => host.toLowerCase()))
    const foreign = new Set<string>()
    const open = new Set<string>()
    for (const address of addresses) {
      const host = hostOf(address)
      if (!allowed.has(host)) foreign.add(host)
      else if (https_only && isOpen(address)) open.add(host)
    }
    const isFault = (address: string) => foreign.has(hostOf(address)) || (isOpen(address) && open.has(hostOf(address)))
    const hosts = (set: Set<string>) => allOf([...set].slice(0, 5).map((host) => `“${host}”`))
    const extras = { measured: foreign.size + open.size, expected: 0, unit: 'hosts' }
    if (foreign.size + open.size === 0) {
      return pass(`“${start.path}” loads nothing from servers that are not allowed.`, {
        ...extras,
        confidence: banner ? 0.95 : sureOfNone(media, text, written),
      })
    }
    const faults = [
      ...(foreign.size > 0
        ? [`loads from ${count(foreign.size, 'server')} that may not be asked (${hosts(foreign)})`]
        : []),
      ...(open.size > 0 ? [`asks ${hosts(open)} without encryption`] : []),
    ]
    return fail(`“${start.path}” ${faults.join(' and ')}; none is wanted.`, {
      ...extras,
      confidence: asked.some(isFault) || (!banner && loadedBy(markupOf(text)).some(isFault)) ? 1 : 0.9,
      fix: `Put what ${hosts(foreign.size > 0 ? foreign : open)} serves into “${name}” and refer to it by its path in the archive.`,
    })
  },
})

const hostOf = (address: string) => ADDRESS.exec(address)?.[1]?.toLowerCase() ?? address

const isOpen = (address: string) => /^(?:http|ws):/i.test(address)

const loadedBy = (text: string): string[] =>
  [...text.matchAll(LOADED)].map((match) => match.slice(1).find((part) => part !== undefined) ?? '')

/** The page without what runs or applies only under conditions; the tags themselves stay. */
function markupOf(text: string): string {
  const opening = /<(script|style|template|noscript)\b[^<>]*>/gi
  let markup = ''
  let from = 0
  for (let tag = opening.exec(text); tag; tag = opening.exec(text)) {
    markup += text.slice(from, opening.lastIndex)
    const closing = new RegExp(`</${tag[1]}`, 'gi')
    closing.lastIndex = opening.lastIndex
    from = closing.exec(text)?.index ?? text.length
    // A style sheet that is imported without a condition is loaded whatever applies.
    if (/^<style>$/i.test(tag[0])) markup += (text.slice(opening.lastIndex, from).match(IMPORTED) ?? []).join('')
    opening.lastIndex = from
  }
  return (markup + text.slice(from)).replace(CHOSEN, '')
}

/** That an ad that was not run asks no server that is not allowed, where its page names none. */
function sureOfNone(media: ArchiveFacts, text: string, loaded: readonly string[]): number {
  const has = (name: RegExp) => media.entries.some(({ path }) => name.test(path))
  if (has(/\.m?js$/i)) return 0.6
  const others = loaded.reduce((rest, address) => rest.replaceAll(address, ''), text.replace(ONLY_STATED, ''))
  if (has(/\.(?:css|svg)$/i) || /\/\/[\w-]/.test(others)) return 0.75
  if (loaded.length > 0) return 0.9
  if (!mayRunScripts(media)) return 0.99
  return isScriptRead(media) && !BUILT.test(text) ? 0.97 : 0.75
}

/** Links, names of languages in XML, relations and the click tag: no browser asks for their addresses by itself. */
const ONLY_STATED =
  /<a\b[^<>]*>|<link\b(?=[^<>]*\srel\s*=\s*["']?canonical\b)[^<>]*>|\sxmlns(?::\w+)?\s*=\s*(?:"[^"]*"|'[^']*')|\bclicktag\d?["'\]\s]*=\s*(?:"[^"]*"|'[^']*')/gi
