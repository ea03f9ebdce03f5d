import { expect, test } from 'vitest'
import { reminderOf, resupplyRequestOf } from './letters'

const about = {
  batch: {
    name: 'Banners',
    due: { on: '2026-12-04', state: 'on_track' as const },
    counts: { files: 5, total_size: 1, approved: 3, rejected: 2, pending: 0 },
  },
  projectName: 'Spring',
  url: 'https://greenroom.test/u/abc',
}

test('a reminder names what is missing, where to send it and by when', () => {
  expect(reminderOf(about, 5, { count: 2, names: ['a.jpg', 'b.png'] })).toBe(
    `Hello,

2 of 5 files of “Banners” (Spring) have not arrived yet:

- a.jpg
- b.png

Please upload them here: https://greenroom.test/u/abc

Due: 4 Dec 2026.`,
  )
})

test('a long list is cut, and a batch may have no day', () => {
  const missing = { count: 22, names: Array.from({ length: 21 }, (_, index) => `${index}.jpg`) }
  const text = reminderOf({ ...about, batch: { ...about.batch, due: null } }, 30, missing)
  expect(text).toContain('- 19.jpg\n- and 2 more\n')
  expect(text).not.toContain('Due')
})

test('a request for new versions leads to the page that says why', () => {
  expect(resupplyRequestOf(about)).toContain('2 files of “Banners” (Spring) need new versions.')
  expect(resupplyRequestOf(about)).toContain(about.url)
})
