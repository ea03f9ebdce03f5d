import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { allOf, anyOf } from '../wording'

export const pdfxCheck = mediaCheck({
  id: 'pdfx_check',
  label: 'PDF/X',
  kinds: ['document'],
  describe:
    'The document states the print standard it keeps, and the marks of that standard that can be read without a full preflight: output intent, no encryption, no script, a trim or art box on each page (not both), fonts embedded, for X-1a and X-3 no transparency, for X-1a no colour but CMYK, grey and spot colours. Of fonts, transparency and colours counts what pages paint with.',
  severity: 'blocking',
  confidence:
    '1 for a statement that is not wanted, and for each mark that is broken: all are read exactly. A pass 0.9: a full preflight inspects more.',
  thresholds: z.strictObject({
    versions: z.array(z.string()).default([]).meta({
      title: 'Allowed standards',
      source: 'Reasoned: not asked unless set; PDF/X-4 (ISO 15930-7), PDF/X-1a (ISO 15930-4), PDF/X-3 (ISO 15930-6)',
    }),
  }),
  run({ name, media }, { versions }) {
    const stated = media.pdfxVersion
    if (versions.length === 0) {
      return skip(`The document states ${stated ?? 'no PDF/X version'}; none is set for this media category.`)
    }
    const wanted = anyOf(versions)
    const extras = { measured: stated ?? 'none', expected: wanted, standard: 'ISO 15930' }
    const fix = `Export “${name}” again as ${versions[0]} (InDesign: Adobe PDF Presets > ${versions[0]}).`
    const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '')
    if (!stated || !versions.some((version) => plain(stated).startsWith(plain(version)))) {
      return fail(`The document states ${stated ?? 'no PDF/X version'}; ${wanted} is wanted.`, { ...extras, fix })
    }
    const broken = [
      ...(media.outputIntent === null ? ['it names no output intent'] : []),
      ...(media.encrypted ? ['it is encrypted'] : []),
      ...(media.hasJavaScript || media.hasLaunchAction ? ['it holds a script'] : []),
      ...(media.pageSizes.some(({ trimBox, artBox }) => (trimBox === null) === (artBox === null))
        ? ['a page has no trim or art box, or both']
        : []),
      ...(media.fonts.some((font) => !font.embedded && !/type\s*3/i.test(font.type)) ? ['a font is not embedded'] : []),
      ...(media.hasTransparency && /x-?[13]/i.test(stated) ? ['it holds live transparency'] : []),
    ]
    // ISO 15930-1 and 15930-4, 6.2.3: no RGB, no Lab, nothing by a profile.
    const foreign = /x-?1a/i.test(stated) ? media.colourSpaces.filter((space) => /rgb|lab|icc|cal/i.test(space)) : []
    if (foreign.length > 0) broken.push(`it paints with ${allOf(foreign)}`)
    if (broken.length > 0) {
      return fail(`The document states ${stated} and does not keep it: ${broken.join('; ')}.`, {
        ...extras,
        fix,
      })
    }
    return pass(`The document states ${stated} and shows its marks, as wanted.`, { ...extras, confidence: 0.9 })
  },
})
