import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { describeCatalogue } from './documentation'

test('the page of the checks says what the catalogue says', () => {
  const page = readFileSync(new URL('../../docs/checks.md', import.meta.url), 'utf8')
  expect(page, 'run npm run docs:checks').toBe(describeCatalogue())
})
