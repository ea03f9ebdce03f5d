import { expect, it } from 'vitest'
import type { Activity } from '@/lib/domain/batches/schema'
import { linesOf } from './activity-words'

const ann = { type: 'user' as const, id: 'ann', name: 'Ann' }
const one = (given: Partial<Activity>, minute = 0): Activity => ({
  id: `${minute}`,
  type: 'file.received',
  kind: 'upload',
  actor: ann,
  file: { id: 'f', name: 'hero.png' },
  note: null,
  details: {},
  created_at: new Date(Date.UTC(2026, 10, 25, 12, -minute)).toISOString(),
  ...given,
})
const said = (...activities: Activity[]) => linesOf(activities).map(({ sentence }) => sentence)

it('says who did what', () => {
  expect(said(one({ details: { version: 2 } }))).toEqual(['Ann uploaded hero.png, version 2'])
  expect(said(one({ type: 'file.reviewed', details: { after: 'rejected' } }))).toEqual(['Ann rejected hero.png'])
  const link = { type: 'upload_link' as const, id: 'l', name: 'Spring' }
  expect(said(one({ type: 'upload_link.opened', actor: link }))).toEqual(['“Spring” (upload link) was opened'])
  expect(
    said(one({ type: 'mail.sent', actor: { type: 'system', id: null, name: 'x' }, details: { to: 'Bo' } })),
  ).toEqual(['Mail to Bo'])
  const receiver = { type: 'guest' as const, id: 's', name: 'Paula' }
  const shared = (type: string, given: Partial<Activity> = {}) => one({ type, file: null, ...given })
  expect(said(shared('share_link.created', { details: { files: 2, to: 'Paula' } }))).toEqual([
    'Ann shared 2 files with “Paula”',
  ])
  expect(said(shared('share_link.opened', { actor: receiver }))).toEqual(['Paula opened the shared files'])
  const downloaded = shared('share_link.downloaded', { actor: receiver, details: { files: 2 } })
  expect(said(downloaded)).toEqual(['Paula downloaded 2 shared files'])
  expect(said(downloaded, downloaded)).toEqual(['Paula downloaded shared files 2 times'])
  expect(said(one({ type: 'certificate.issued', file: null }))).toEqual(['Certificate issued, Ann'])
})

it('gathers what one did at one go, and nothing else', () => {
  expect(said(one({}, 0), one({}, 1), one({}, 2))).toEqual(['Ann uploaded 3 files'])
  expect(said(one({}, 0), one({ actor: { ...ann, id: 'bo', name: 'Bo' } }, 1), one({}, 2))).toHaveLength(3)
  expect(said(one({}, 0), one({}, 61))).toHaveLength(2)
  const decided = (after: string, minute: number) => one({ type: 'file.reviewed', details: { after } }, minute)
  expect(said(decided('approved', 0), decided('approved', 1), decided('rejected', 2))).toEqual([
    'Ann approved 2 files',
    'Ann rejected hero.png',
  ])
})
