import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { allOf, count } from '../wording'

const isAddress = (text: string) => /^[a-z][a-z0-9+.-]*:/i.test(text) || /^www\./i.test(text)

export const qrCodeCheck = mediaCheck({
  id: 'qr_code_check',
  label: 'QR codes and barcodes',
  kinds: ['image', 'document'],
  needs: ['codes'],
  describe:
    'Every code in the image (of a document: on its first page) can be read, and leads to an encrypted address. The address itself is not visited.',
  severity: 'advisory',
  confidence:
    '0.98 for what was decoded, as its check digits agree; 0.8 that there is none, as a damaged code is not seen.',
  thresholds: z.strictObject({
    required: z.boolean().default(false).meta({
      title: 'A code is wanted',
      source: 'Reasoned: not asked unless set',
    }),
    https_only: z.boolean().default(true).meta({
      title: 'Addresses start with https',
      source: 'Reasoned: phones warn of plain http; RFC 9110, 4.2.2',
    }),
  }),
  notFor: (media) => (media.kind === 'image' && media.format === 'eps' ? 'An EPS drawing is not drawn here.' : null),
  run({ name, measures: { codes: found } }, { required, https_only }) {
    const { codes } = found
    if (codes.length === 0) {
      if (!required) return skip('The image shows no code that could be read.')
      return fail('The image shows no code that could be read; one is wanted.', {
        measured: 0,
        expected: 1,
        confidence: 0.8,
        fix: `Place the code in “${name}” at least 2 cm wide or 120 px, dark on light, with four modules of quiet zone (ISO/IEC 18004).`,
      })
    }
    const quoted = (text: string) => `“${text.length > 80 ? `${text.slice(0, 80)}…` : text}”`
    const plain = codes.filter(({ text }) => isAddress(text) && !/^(https|mailto|tel|sms|geo):/i.test(text))
    const is = `The image shows ${count(codes.length, 'code')} (${allOf(codes.slice(0, 3).map(({ text }) => quoted(text)))})`
    const extras = { measured: codes.length, confidence: 0.98 }
    if (https_only && plain.length > 0) {
      return fail(`${is}; ${quoted(plain[0]?.text ?? '')} is not an address with https, which is wanted.`, {
        ...extras,
        expected: 'https',
        occurrences: plain.map(({ region }) => ({ region, page: 1 })),
        fix: `Make the code in “${name}” anew with the https address of the same page.`,
      })
    }
    return pass(`${is}, and every one can be read.`, {
      ...extras,
      occurrences: codes.map(({ region }) => ({ region, page: 1 })),
    })
  },
})
