import { expect, it } from 'vitest'
import { entityTag, ifMatch } from './etag'

it('an If-Match holds for the tag of what is there, whole and strong, or for anything', () => {
  const tag = entityTag({ name: 'One' })
  const holds = (header: string) => ifMatch(header)({ name: 'One' })
  for (const other of ['"other"', `W/${tag}`, tag.slice(1, -1), '']) expect(holds(other)).toBe(false)
  for (const same of [tag, `"other", ${tag}`, '*']) expect(holds(same)).toBe(true)
  expect(ifMatch(tag)({ name: 'Two' })).toBe(false)
})
