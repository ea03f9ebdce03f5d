import { z } from 'zod'
import type { Click } from '@/lib/media/measurements'
import { type Finding, fail, mediaCheck, pass, skip } from '../check'
import { lacksLibraries, mayRunScripts, startDocument, WITHOUT_LIBRARIES, withoutComments } from './start-document'

/** `var clickTag = "..."`, `window.clickTag = ...`, in any of the spellings ad servers read. */
const DEFINED = /\b(?:var|let|const)\s+(clicktag)\b|\bwindow\s*(?:\.\s*|\[\s*["'])(clicktag)\b["'\]\s]*=(?!=)/i
const EXITS = /\b(?:Enabler\.exit|ExitApi\.exit|mraid\.open|SDK\.clickThrough)\s*\(/
/** A link that an ad server fills in: %%CLICK_URL%%, ${CLICK_URL}, {{click}}, [CLICK]. */
const PLACEHOLDER = /\bhref\s*=\s*["']?\s*(?:%%|\$\{|\{\{|\[)/i
/** A script of the archive's own, whose text is not among the facts. */
const OWN_SCRIPT = /<script\b[^>]*\bsrc\s*=\s*["']?(?!https?:|\/\/)[^"'>\s]+/i

export const clickTagCheck = mediaCheck({
  id: 'click_tag_check',
  label: 'Click tag',
  kinds: ['archive'],
  describe:
    'The HTML file of an ad defines clickTag, or leaves by an exit call of the ad server, so that the click can be counted and the target changed. The ad is clicked once it has come to rest, with a click tag of our own: it has to lead there. Where the ad was not run, its text alone is read.',
  severity: 'blocking',
  confidence:
    '1 for a click that led to the click tag, 0.9 for one that led elsewhere, 0.8 for one that led nowhere (0.6 without libraries of other servers). Unclicked: 0.85 for what stands in the HTML file or does not; 1 for no click tag in an ad without any script and without a link that an ad server fills in; 0.5 when scripts of their own may define it.',
  thresholds: z.strictObject({}),
  run({ media, measures: { banner } }) {
    const start = startDocument(media)
    if (!start) return skip('The archive holds no HTML file to start from, so it is not an HTML5 ad.')
    if (banner?.click) return evaluateClick(start.path, banner.click, lacksLibraries(banner))
    // Of a script, too: a line comment begins a line or follows a statement, so that addresses are none.
    const text = withoutComments(start.text).replace(/\/\*[\s\S]*?\*\/|(?<=^|[\s;{}>])\/\/[^\n<]*/gm, '')
    const defined = DEFINED.exec(text)
    const exit = EXITS.exec(text)
    if (defined || exit) {
      const found = defined ? (defined[1] ?? defined[2] ?? 'clickTag') : `${exit?.[0].replace(/\s*\($/, '')}()`
      return pass(`“${start.path}” ${defined ? 'defines' : 'leaves by'} ${found}.`, {
        measured: found,
        confidence: 0.85,
        standard: STANDARD,
      })
    }
    const elsewhere = OWN_SCRIPT.test(text)
    return fail(
      `“${start.path}” defines no clickTag and calls no exit${elsewhere ? '; a script beside it may, which is not read here' : ''}.`,
      {
        measured: 'none',
        expected: 'clickTag',
        confidence: elsewhere ? 0.5 : mayRunScripts(media) || PLACEHOLDER.test(text) ? 0.85 : 1,
        standard: STANDARD,
        fix: `Put <script>var clickTag = "https://www.example.com";</script> into the head of “${start.path}” and open window.clickTag on a click, with the client's address.`,
      },
    )
  },
})

const STANDARD = 'Google Ad Manager, HTML5 guidelines (clickTag)'

function evaluateClick(path: string, { target, how, byClickTag, declared }: Click, lacks: boolean): Finding {
  const open = `On a click call window.open(window.clickTag), and define it in the head of “${path}”: <script>var clickTag = "${declared ?? 'https://www.example.com'}";</script>`
  if (target === null) {
    return fail(
      `A click on the ad leads nowhere${declared === null ? ', and no clickTag is defined' : `, although clickTag is defined (${declared})`}.${lacks ? WITHOUT_LIBRARIES : ''}`,
      { measured: 'none', expected: 'clickTag', confidence: lacks ? 0.6 : 0.8, standard: STANDARD, fix: `${open}.` },
    )
  }
  if (how === 'exit')
    return pass(`A click leaves by the exit of the ad server (${target}).`, { measured: target, standard: STANDARD })
  if (byClickTag) return pass('A click leads where clickTag says.', { measured: 'clickTag', standard: STANDARD })
  // A constant cannot be given another value by us; an ad server replaces it in the text.
  if (declared !== null && target.startsWith(declared)) {
    return pass(`A click leads to ${target}, as clickTag says.`, {
      measured: 'clickTag',
      confidence: 0.85,
      standard: STANDARD,
    })
  }
  return fail(`A click leads to ${target}, whatever clickTag says, so that it cannot be counted or changed.`, {
    measured: target,
    expected: 'clickTag',
    confidence: 0.9,
    standard: STANDARD,
    fix: `Take ${target} out of the code. ${open}.`,
  })
}
