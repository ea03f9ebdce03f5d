import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { allOf, count } from '../wording'
import { mayRunScripts, startDocument, withoutComments } from './start-document'

/** What a page loads by itself; a link that waits for a click (`<a href>`) or states a relation (`rel=canonical`) is none. */
const LOADED =
  /<(?:script|img|iframe|source|video|audio|embed|input|track)\b[^>]*?\s(?:src|poster)\s*=\s*["']?((?:https?:)?\/\/[^"'\s>]+)|<(?:img|source)\b[^>]*?\ssrcset\s*=\s*["'][^"']*?((?:https?:)?\/\/[^"'\s,]+)|<link\b(?![^>]*\srel\s*=\s*["']?(?:canonical|alternate|author|help|license|next|prev|search)\b)[^>]*?\shref\s*=\s*["']?((?:https?:)?\/\/[^"'\s>]+)|url\(\s*["']?((?:https?:)?\/\/[^"')\s]+)|@import\s+["']((?:https?:)?\/\/[^"']+)|\b(?:fetch|importScripts)\s*\(\s*["'`]((?:https?:)?\/\/[^"'`]+)/gi

const ADDRESS = /^(?:(?:https?|wss?):)?\/\/([^/?#:]+)/i

/** Tags whose address a browser need not ask for: one of several, put off, or only stated. */
const CHOSEN = /<(?:(?:source|track)\b|link\b(?![^<>]*stylesheet)|[^<>]*\s(?:media|loading|preload|srcset)\b)[^<>]*>/gi

export const externalRequestCheck = mediaCheck({
  id: 'external_request_check',
  label: 'Requests to other servers',
  kinds: ['archive'],
  describe:
    'An HTML5 ad brings along all it shows. Counts what the ad asks for while it runs without a network, and what its HTML file says it loads; where the ad was not run, what a script requests later is not seen.',
  severity: 'blocking',
  confidence:
    '1 for what it asked for, and, where it was not run, for what elements of its page load; 0.9 for what else stands in the HTML file (in scripts and styles, or that was not asked for when it was run). A pass 0.95 when it was run, or holds neither scripts nor style sheets and no other address than those of links; else 0.75, or 0.6 with scripts of its own.',
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
      const hasScripts = media.entries.some(({ path }) => /\.m?js$/i.test(path))
      return pass(`“${start.path}” loads nothing from servers that are not allowed.`, {
        ...extras,
        confidence: banner
          ? 0.95
          : hasScripts
            ? 0.6
            : isPlain(media.entries, text) && !mayRunScripts(media)
              ? 0.95
              : 0.75,
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
    opening.lastIndex = from
  }
  return (markup + text.slice(from)).replace(CHOSEN, '')
}

/** Whether nothing but its page could load anything, and the page has no address but those that links lead to. */
function isPlain(entries: readonly { path: string }[], text: string): boolean {
  const links = /<a\b[^<>]*>|\sxmlns(?::\w+)?\s*=\s*(?:"[^"]*"|'[^']*')/gi
  return !entries.some(({ path }) => /\.(?:css|svg)$/i.test(path)) && !/\/\/[\w-]/.test(text.replace(links, ''))
}
