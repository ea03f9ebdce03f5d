import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { startDocument } from './start-document'

/** `var clickTag = "..."`, `window.clickTag = ...`, in any of the spellings ad servers read. */
const DEFINED = /\b(?:var|let|const)\s+(clicktag)\b|\bwindow\s*(?:\.\s*|\[\s*["'])(clicktag)\b["'\]\s]*=(?!=)/i
const EXITS = /\b(?:Enabler\.exit|ExitApi\.exit|mraid\.open|SDK\.clickThrough)\s*\(/
/** A script of the archive's own, whose text is not among the facts. */
const OWN_SCRIPT = /<script\b[^>]*\bsrc\s*=\s*["']?(?!https?:|\/\/)[^"'>\s]+/i

export const clickTagCheck = mediaCheck({
  id: 'click_tag_check',
  label: 'Click tag',
  kinds: ['archive'],
  describe:
    'The HTML file of an ad defines clickTag, or leaves by an exit call of the ad server, so that the click can be counted and the target changed. Reads the text; nothing is clicked.',
  severity: 'blocking',
  confidence: '0.85 for what stands in the HTML file; 0.5 when scripts of their own may define it.',
  thresholds: z.strictObject({}),
  run({ media }) {
    const start = startDocument(media)
    if (!start) return skip('The archive holds no HTML file to start from, so it is not an HTML5 ad.')
    const standard = 'Google Ad Manager, HTML5 guidelines (clickTag)'
    const text = start.text.replace(/<!--[\s\S]*?-->/g, '')
    const defined = DEFINED.exec(text)
    const exit = EXITS.exec(text)
    if (defined || exit) {
      const found = defined ? (defined[1] ?? defined[2] ?? 'clickTag') : `${exit?.[0].replace(/\s*\($/, '')}()`
      return pass(`“${start.path}” ${defined ? 'defines' : 'leaves by'} ${found}.`, {
        measured: found,
        confidence: 0.85,
        standard,
      })
    }
    const elsewhere = OWN_SCRIPT.test(text)
    return fail(
      `“${start.path}” defines no clickTag and calls no exit${elsewhere ? '; a script beside it may, which is not read here' : ''}.`,
      {
        measured: 'none',
        expected: 'clickTag',
        confidence: elsewhere ? 0.5 : 0.85,
        standard,
        fix: `Put <script>var clickTag = "https://www.example.com";</script> into the head of “${start.path}” and open window.clickTag on a click, with the client's address.`,
      },
    )
  },
})
