import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { allOf, count } from '../wording'
import { startDocument, withoutComments } from './start-document'

/** What a page loads by itself; a link that waits for a click (`<a href>`) or states a relation (`rel=canonical`) is none. */
const LOADED =
  /<(?:script|img|iframe|source|video|audio|embed|input|track)\b[^>]*?\s(?:src|poster)\s*=\s*["']?((?:https?:)?\/\/[^"'\s>]+)|<(?:img|source)\b[^>]*?\ssrcset\s*=\s*["'][^"']*?((?:https?:)?\/\/[^"'\s,]+)|<link\b(?![^>]*\srel\s*=\s*["']?(?:canonical|alternate|author|help|license|next|prev|search)\b)[^>]*?\shref\s*=\s*["']?((?:https?:)?\/\/[^"'\s>]+)|url\(\s*["']?((?:https?:)?\/\/[^"')\s]+)|@import\s+["']((?:https?:)?\/\/[^"']+)|\b(?:fetch|importScripts)\s*\(\s*["'`]((?:https?:)?\/\/[^"'`]+)/gi

const ADDRESS = /^(?:(?:https?|wss?):)?\/\/([^/?#:]+)/i

export const externalRequestCheck = mediaCheck({
  id: 'external_request_check',
  label: 'Requests to other servers',
  kinds: ['archive'],
  describe:
    'An HTML5 ad brings along all it shows. Counts what the ad asks for while it runs without a network, and what its HTML file says it loads; where the ad was not run, what a script requests later is not seen.',
  severity: 'blocking',
  confidence:
    '1 for what it asked for, 0.9 for what only stands in the HTML file; a pass 0.95 when it was run, else 0.75, or 0.6 with scripts of its own.',
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
    const written = [...text.matchAll(LOADED)].map((match) => match.slice(1).find((part) => part !== undefined) ?? '')
    const asked = (banner?.requests ?? []).map(({ target }) => target).filter((target) => ADDRESS.test(target))
    const addresses = [...asked, ...written]
    const allowed = new Set(allowed_hosts.map((host) => host.toLowerCase()))
    const foreign = new Set<string>()
    const open = new Set<string>()
    for (const address of addresses) {
      const host = ADDRESS.exec(address)?.[1]?.toLowerCase() ?? address
      if (!allowed.has(host)) foreign.add(host)
      else if (https_only && /^(?:http|ws):/i.test(address)) open.add(host)
    }
    const hosts = (set: Set<string>) => allOf([...set].slice(0, 5).map((host) => `“${host}”`))
    const extras = { measured: foreign.size + open.size, expected: 0, unit: 'hosts' }
    if (foreign.size + open.size === 0) {
      const hasScripts = media.entries.some(({ path }) => /\.m?js$/i.test(path))
      return pass(`“${start.path}” loads nothing from servers that are not allowed.`, {
        ...extras,
        confidence: banner ? 0.95 : hasScripts ? 0.6 : 0.75,
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
      confidence: asked.length > 0 ? 1 : 0.9,
      fix: `Put what ${hosts(foreign.size > 0 ? foreign : open)} serves into “${name}” and refer to it by its path in the archive.`,
    })
  },
})
