import { z } from 'zod'
import { VAST_VERSIONS } from '@/lib/media/facts'
import { fail, mediaCheck, pass } from '../check'
import { anyOf, count } from '../wording'
import { structureFaults } from './structure'
import { notVast, vastOf } from './vast'

const SHOWN = 4

export const vastStructureCheck = mediaCheck({
  id: 'vast_structure_check',
  label: 'VAST tag',
  kinds: ['other'],
  describe:
    'A VAST tag (2.0 to 4.3) has what its version requires: at least one ad, each InLine or Wrapper with its required elements, creatives with UniversalAdId (from 4.0), a readable Duration, MediaFiles and their required attributes. What is no well-formed VAST, states no version or declares entities is refused when it comes in. Addresses are never asked for, so a wrapper is evaluated as it stands.',
  severity: 'blocking',
  thresholds: z.strictObject({
    versions: z.array(z.enum(VAST_VERSIONS)).default([]).meta({
      title: 'Allowed versions',
      source: 'Reasoned: any unless set; players of connected television often take 4.x, older ones 2.0 and 3.0 only',
    }),
    wrapper: z.boolean().default(true).meta({
      title: 'Wrappers are allowed',
      source: 'VAST 4.2, 2.3.5: wrappers may be refused. Allowed unless set',
    }),
  }),
  notFor: notVast,
  run({ media, name }, { versions, wrapper }) {
    const vast = vastOf(media)
    const { version, adCount, ads } = vast
    const is = `VAST ${version} with ${count(adCount, 'ad')}`
    if (versions.length > 0 && !versions.includes(version)) {
      return fail(`${is}; version ${anyOf(versions)} is wanted.`, {
        measured: version,
        expected: versions.join(', '),
        fix: `Have the ad server write “${name}” as VAST ${anyOf(versions)}.`,
      })
    }
    if (adCount === 0) {
      return fail('The tag holds no ad: the ad server had none to give.', {
        measured: 0,
        expected: 'an ad',
        standard: 'VAST 4.2, 3.3',
        fix: `Ask the ad server for “${name}” again when the campaign runs.`,
      })
    }
    if (!wrapper && ads.some(({ kind }) => kind === 'wrapper')) {
      return fail(`${is}; it is a wrapper, which only points to another tag.`, {
        measured: 'wrapper',
        expected: 'inline',
        standard: 'VAST 4.2, 2.3.5',
        fix: `Send the tag to which the VASTAdTagURI of “${name}” leads.`,
      })
    }
    const faults = structureFaults(vast)
    const [first] = faults
    if (first) {
      const shown = faults.slice(0, SHOWN).map(({ what, section }) => `${what} (${section})`)
      const more = faults.length > SHOWN ? `; and ${faults.length - SHOWN} more` : ''
      return fail(`${is}: ${shown.join('; ')}${more}.`, {
        measured: faults.length,
        expected: 0,
        standard: first.section,
        fix: `Have the ad server write “${name}” again with what VAST ${version} requires.`,
      })
    }
    return pass(`${is}, as the version requires.`, { measured: 0, expected: 0 })
  },
})
