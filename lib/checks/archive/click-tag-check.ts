import { z } from 'zod'
import type { ArchiveFacts } from '@/lib/media/facts'
import type { BannerFacts, Click } from '@/lib/media/measurements'
import { type Finding, fail, mediaCheck, pass, skip } from '../check'
import {
  BUILT,
  isScriptRead,
  lacksLibraries,
  mayRunScripts,
  startDocument,
  WITHOUT_LIBRARIES,
  withoutComments,
} from './start-document'

/**
 * `var clickTag = "..."`, `window.clickTag = ...`, `clickTag = ...`, in any of the spellings ad servers read, with a number where
 * an ad has several exits.
 */
const DEFINED =
  /\b(?:var|let|const)\s+(clicktag\d?)\b|\b(?:window|self|globalThis)\s*(?:\.\s*|\[\s*["'])(clicktag\d?)\b["'\]\s]*=(?!=)|(?<=[,;{}>]\s{0,40})(clicktag\d?)\s*=(?!=)/gi
/** Read from the address of the ad, where servers without a variable of their own put it (OVK; Adform's `dhtml.getVar`). */
const OF_THE_ADDRESS =
  /\bgetVar\s*\(\s*["'](clicktag\d?)\b|(?<!\b(?:window|self|globalThis)\s{0,40})[."'](clicktag\d?)\b/i
const READS_ADDRESS = /\blocation\s*\.\s*(?:search|href)\b|\bURLSearchParams\b|\bgetVar\s*\(/
const EXITS = /\b(?:Enabler\.exit|ExitApi\.exit|mraid\.open|SDK\.clickThrough)\s*\(/
/** A link that an ad server fills in: %%CLICK_URL%%, ${CLICK_URL}, {{click}}, [CLICK]. */
const PLACEHOLDER = /\bhref\s*=\s*(?:["']\s*)?(?:%%|\$\{|\{\{|\[)/i
/** A script of the archive's own, whose text is not among the facts. */
const OWN_SCRIPT = /<script\b[^<>]*\bsrc\s*=\s*["']?(?!https?:|\/\/)[^"'>\s]+/i
const FOREIGN_SCRIPT = /<script\b[^<>]*\bsrc\s*=\s*["']?(?:https?:|\/\/)/i
/** An address to which a link or a script leads: `href="…"`, `window.open("…")`, `location = "…"`. */
const LEADS_TO = /\b(?:href\s*=\s*|open\s*\(\s*|location(?:\s*\.\s*href)?\s*=\s*)["'`]?([^"'`\s>)]+)/gi

export const clickTagCheck = mediaCheck({
  id: 'click_tag_check',
  label: 'Click tag',
  kinds: ['archive'],
  describe:
    'The HTML file of an ad defines clickTag, takes it from its address, or leaves by an exit call of the ad server, so that the click can be counted and the target changed. The ad is clicked once it has come to rest, with a click tag of our own: it has to lead there. An ad that keeps the click tag in a constant leads to the address that stands in its code; a link with that address written into it does not count. Where the ad was not run, its text alone is read.',
  severity: 'blocking',
  confidence:
    '1 for a click that led to the click tag or an exit. To the address of a constant: 0.97 where all scripts were read and hold it once, otherwise 0.85. Elsewhere: 0.99 where a link or script has the address written into it or no click tag is defined, otherwise 0.9. Nowhere: 0.99 where nothing in the ad answers a click or no click tag is defined, otherwise 0.8; 0.6 without libraries of other servers. Unclicked: 0.97 for a click tag that is defined and used in the same spelling, 0.95 for an exit call, 0.85 for a click tag that is not seen in use or comes from the address. None: 1 in an ad without any script and without a link that an ad server fills in, 0.99 where all scripts were read, 0.85 where one of another server, or code that is put together at run time, may define it, 0.5 where a script of its own may.',
  thresholds: z.strictObject({}),
  run({ media, measures: { banner } }) {
    const start = startDocument(media)
    if (!start) return skip('The archive holds no HTML file to start from, so it is not an HTML5 ad.')
    // Of a script, too: a line comment begins a line or follows a statement, so that addresses are none.
    const text = withoutComments(start.text).replace(/\/\*[\s\S]*?\*\/|(?<=^|[\s;{}>])\/\/[^\n<]*/gm, '')
    if (banner?.click) return evaluateClick({ path: start.path, text, media, banner }, banner.click)
    const found = foundIn(text)
    if (found) {
      const { name, how, confidence } = found
      return pass(`“${start.path}” ${how} ${name}.`, { measured: name, confidence, standard: STANDARD })
    }
    const elsewhere = OWN_SCRIPT.test(text)
    return fail(
      `“${start.path}” defines no clickTag and calls no exit${elsewhere ? '; a script beside it may, which is not read here' : ''}.`,
      {
        measured: 'none',
        expected: 'clickTag',
        confidence: elsewhere ? 0.5 : sureOfNone(media, text),
        standard: STANDARD,
        fix: `Put <script>var clickTag = "https://www.example.com";</script> into the head of “${start.path}” and open window.clickTag on a click, with the client's address.`,
      },
    )
  },
})

const STANDARD = 'Google Ad Manager, HTML5 guidelines (clickTag)'

type Found = { name: string; how: 'defines' | 'leaves by' | 'takes from its address'; confidence: number }

/** How a page gives the click tag away, by its text without comments; null: in no way. */
function foundIn(text: string): Found | null {
  const names = [...text.matchAll(DEFINED)].map(([, declared, global, bare]) => declared ?? global ?? bare ?? '')
  const [name] = names
  if (name) {
    const uses = (each: string) => text.split(new RegExp(`\\b${each}\\b`)).length - 1
    const isUsed = names.some((each) => uses(each) > names.filter((other) => other === each).length)
    return { name, how: 'defines', confidence: isUsed ? 0.97 : 0.85 }
  }
  const [exit] = EXITS.exec(text) ?? []
  if (exit) return { name: `${exit.replace(/\s*\($/, '')}()`, how: 'leaves by', confidence: 0.95 }
  const [, asked, read] = (READS_ADDRESS.test(text) && OF_THE_ADDRESS.exec(text)) || []
  const taken = asked ?? read
  return taken === undefined ? null : { name: taken, how: 'takes from its address', confidence: 0.85 }
}

/** That no script defines a click tag, where no text that was read does. */
function sureOfNone(media: ArchiveFacts, text: string): number {
  if (PLACEHOLDER.test(text)) return 0.85
  if (!mayRunScripts(media)) return 1
  return isScriptRead(media) && !FOREIGN_SCRIPT.test(text) && !BUILT.test(text) ? 0.99 : 0.85
}

type Clicked = { path: string; text: string; media: ArchiveFacts; banner: BannerFacts }

function evaluateClick({ path, text, media, banner }: Clicked, click: Click): Finding {
  const { target, how, byClickTag, declared } = click
  const open = `On a click call window.open(window.clickTag), and define it in the head of “${path}”: <script>var clickTag = "${declared ?? 'https://www.example.com'}";</script>`
  if (target === null) {
    const lacks = lacksLibraries(banner)
    const isCertain = banner.clickableShare === 0 || declared === null
    return fail(
      `A click on the ad leads nowhere${declared === null ? ', and no clickTag is defined' : `, although clickTag is defined (${declared})`}.${lacks ? WITHOUT_LIBRARIES : ''}`,
      {
        measured: 'none',
        expected: 'clickTag',
        confidence: lacks ? 0.6 : isCertain ? 0.99 : 0.8,
        standard: STANDARD,
        fix: `${open}.`,
      },
    )
  }
  if (how === 'exit')
    return pass(`A click leaves by the exit of the ad server (${target}).`, { measured: target, standard: STANDARD })
  if (byClickTag) return pass('A click leads where clickTag says.', { measured: 'clickTag', standard: STANDARD })
  const isWritten = [...text.matchAll(LEADS_TO)].some(([, address]) => isSame(address ?? '', target))
  // A constant cannot be given another value by us; an ad server replaces it in the text.
  if (declared && target.startsWith(declared) && !isWritten) {
    const isOnce = isScriptRead(media) && text.split(declared).length === 2
    return pass(`A click leads to ${target}, as clickTag says.`, {
      measured: 'clickTag',
      confidence: isOnce ? 0.97 : 0.85,
      standard: STANDARD,
    })
  }
  return fail(`A click leads to ${target}, whatever clickTag says, so that it cannot be counted or changed.`, {
    measured: target,
    expected: 'clickTag',
    confidence: isWritten || declared === null ? 0.99 : 0.9,
    standard: STANDARD,
    fix: `Take ${target} out of the code. ${open}.`,
  })
}

/** Whether an address is that to which a browser went, who writes a path where there is none. */
const isSame = (address: string, target: string) => address === target || `${address}/` === target
