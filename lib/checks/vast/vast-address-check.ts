import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { count, verb } from '../wording'
import { notVast, vastOf } from './vast'

const SHOWN = 3

export const vastAddressCheck = mediaCheck({
  id: 'vast_address_check',
  label: 'Addresses of the VAST tag',
  kinds: ['other'],
  describe:
    'Every address in the tag (media files, tracking, clicks, impressions, errors, verification, resources) is a full https address. Macros in it are left as they are; what stands in extensions is not read. No address is asked for.',
  severity: 'blocking',
  thresholds: z.strictObject({}),
  notFor: notVast,
  run({ media, name }) {
    const { addressCount, insecure, insecureCount } = vastOf(media)
    if (addressCount === 0) return skip('The tag holds no address.')
    const extras = {
      measured: insecureCount,
      expected: 0,
      standard: 'W3C Mixed Content (2023): http is blocked on https pages',
    }
    if (insecureCount === 0) return pass(`All ${count(addressCount, 'address', 'addresses')} are https.`, extras)
    const shown = insecure
      .slice(0, SHOWN)
      .map(({ element, address }) => `${element} ${address === '' ? 'is empty' : `“${address.slice(0, 120)}”`}`)
    const more = insecureCount > SHOWN ? `; and ${insecureCount - SHOWN} more` : ''
    return fail(
      `${insecureCount} of ${count(addressCount, 'address', 'addresses')} ${verb(insecureCount, 'is', 'are')} not https: ${shown.join('; ')}${more}.`,
      {
        ...extras,
        fix: `In “${name}”, write ${[...new Set(insecure.slice(0, SHOWN).map(({ element }) => element))].join(', ')} with https:// and the whole address; take empty elements out.`,
      },
    )
  },
})
