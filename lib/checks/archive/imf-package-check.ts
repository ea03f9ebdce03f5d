import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { count } from '../wording'

const SHOWN = 5

export const imfPackageCheck = mediaCheck({
  id: 'imf_package_check',
  label: 'IMF package',
  kinds: ['archive'],
  describe:
    'A package in the Interoperable Master Format (a ZIP with an ASSETMAP.xml): every asset of its packing lists is there with the size and the hash that are stated, and its composition playlists have one edit rate, with sequences of equal length. Its track files (MXF) are gone through to their end: each is OP1a with one essence, bears the id by which the compositions name it, and holds as many frames or samples, counted, as its header and the compositions say, at their rate; video is played as video and audio as audio. Frames are not decoded. A supplemental package, whose compositions play track files that lie in the package of the original version, is named as one, and fails where complete packages are wanted; whether the other package has these files is not known.',
  severity: 'blocking',
  thresholds: z.strictObject({
    packages: z.enum(['any', 'complete']).default('any').meta({
      title: 'Packages are taken',
      source:
        'Reasoned: supplemental packages are usual where versions are made from one original (IMF User Group, BP 002); “complete” refuses them',
    }),
  }),
  notFor: (media) => (media.imf === null ? 'The archive is not an IMF package: it has no asset map.' : null),
  run({ media, name }, { packages }) {
    const { imf } = media
    if (!imf) return skip('Whether the archive is an IMF package was not read when it was measured.')
    const { assets, compositions, faults, faultCount, elsewhere = [], elsewhereCount = 0, trackFiles = 0 } = imf
    const clauses = [...new Set(faults.map(({ clause }) => clause))]
    const extras = {
      measured: faultCount,
      expected: 0,
      unit: 'faults',
      standard: clauses.length > 0 ? clauses.join('; ') : 'SMPTE ST 429-9; SMPTE ST 2067-2, ST 2067-3, ST 2067-5',
    }
    if (faultCount === 0) {
      const lengths = compositions.map(
        ({ title, editRate: [num, den], frames }) =>
          `“${title}”, ${frames} edit units at ${den === 1 ? num : `${num}/${den}`}`,
      )
      const essences =
        trackFiles > 0 ? ` ${count(trackFiles, 'track file holds', 'track files hold')} what they play.` : ''
      const needs =
        elsewhereCount > 0
          ? ` It is a supplemental package: its compositions play ${count(elsewhereCount, 'track file')} of another package, that of the original version, and need it (${elsewhere.slice(0, SHOWN).join(', ')}${elsewhereCount > SHOWN ? ', …' : ''}).`
          : ''
      if (needs && packages === 'complete')
        return fail(`The IMF package is not complete.${needs}`, {
          ...extras,
          measured: elsewhereCount,
          unit: 'track files',
          standard: 'SMPTE ST 2067-2; IMF User Group, BP 002',
          fix: `Send “${name}” as a complete package, with every track file that its compositions play.`,
        })
      return pass(
        `The package holds ${count(assets, 'asset')} with the size and the hash that are stated, and ${count(compositions.length, 'composition')}: ${lengths.slice(0, SHOWN).join('; ')}.${essences}${needs}`,
        extras,
      )
    }
    const more = faultCount > SHOWN ? ` ${count(faultCount - SHOWN, 'more fault')}.` : ''
    const shown = faults.slice(0, SHOWN).map(({ text, clause }) => `${text.replace(/\.$/, '')} (${clause}).`)
    return fail(`The IMF package does not hold. ${shown.join(' ')}${more}`, {
      ...extras,
      fix: `Make the package “${name}” again with the tool that wrote it, so that its packing lists are of the files as they are.`,
    })
  },
})
