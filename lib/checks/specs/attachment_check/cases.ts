import { attachmentCheck } from '../../document/attachment-check'
import { document, documentContents } from '../../testing'
import { specOf } from '../spec'

const attached = (...names: string[]) =>
  document({ contents: documentContents({ attachments: { count: names.length, names } }) })

export const spec = specOf(attachmentCheck, {
  good: [{ name: 'none', given: attached(), thresholds: { rule: 'none' }, details: /no attached file/ }],
  bad: [
    {
      name: 'a working file',
      given: attached('prices.xlsx'),
      thresholds: { rule: 'none' },
      details: /1 attached file \(“prices.xlsx”\); none is wanted/,
    },
  ],
  skipped: [
    { name: 'nothing is set', given: attached('prices.xlsx'), details: /“prices.xlsx”\); no rule/ },
    { name: 'measured before', given: document({ contents: undefined }) },
  ],
})
