import type { Subject } from '../../check'
import { fileTypeCheck } from '../../file/file-type-check'
import { image } from '../../testing'
import { specOf } from '../spec'

const file = (changes: Partial<Subject> = {}) => image({}, changes)
const limits = (mediaTypes: string[], maxFileBytes: number | null = null) => ({ mediaTypes, maxFileBytes })

export const spec = specOf(fileTypeCheck, {
  good: [
    { name: 'name and content agree', given: file() },
    { name: 'a type the media category takes', given: file({ expectations: limits(['image/png']) }) },
  ],
  bad: [
    {
      name: 'the name ends in another type',
      given: file({ name: 'hero.jpg' }),
      details: /ends in “.jpg” but the type of the content is PNG image/,
    },
    {
      name: 'a type the media category does not take',
      given: file({ expectations: limits(['image/jpeg', 'image/gif']) }),
      details: /JPEG image .* or GIF image .* is wanted/,
    },
    {
      name: 'a type of the media category, but not of the list of the check',
      given: file({ expectations: limits(['image/png']) }),
      thresholds: { allowed: ['image/webp'] },
    },
  ],
})
