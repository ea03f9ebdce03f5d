import { asc } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { database } from '@/db/client'
import { events } from '@/db/schema/events'
import { makeUser } from '@/fixtures/factories'
import { as, expectRefusal } from '../testing'
import { getLetterhead, letterheadOf, replaceLogo, updateLetterhead } from './letterhead'

const WRITTEN = {
  name: 'Harbour & Pine',
  address: '14 Rope Walk\nBristol',
  tax_id: 'GB 123',
  terms: 'Payment within 30 days.',
  undo_minutes: 30,
}
const image = { bytes: new Uint8Array([1, 2, 3]), extension: 'png' }
const drawn = { png: Buffer.from('drawn anew'), width: 400, height: 120 }

describe('the letterhead', () => {
  it('is empty, with a quarter of an hour to take a decision back, until an administrator writes it', async () => {
    const administrator = await makeUser({ role: 'administrator' })
    expect(await getLetterhead.execute(as(administrator), {})).toMatchObject({ name: '', logo: null, undo_minutes: 15 })
    expect(await updateLetterhead.execute(as(administrator), {}, WRITTEN)).toMatchObject(WRITTEN)
    expect(await letterheadOf(as('system'))).toMatchObject({ name: 'Harbour & Pine', undoMinutes: 30 })
    await updateLetterhead.execute(as(administrator), {}, { ...WRITTEN, undo_minutes: 5 })
    const recorded = await database().db.select().from(events).orderBy(asc(events.id))
    expect(recorded.filter(({ type }) => type === 'settings.updated').at(-1)?.data).toEqual({
      letterhead: { before: { undo_minutes: 30 }, after: { undo_minutes: 5 } },
    })
  })

  it('is written by administrators only', async () => {
    const coordinator = as(await makeUser({ role: 'coordinator' }))
    await expectRefusal(getLetterhead.execute(coordinator, {}), 'forbidden')
    await expectRefusal(updateLetterhead.execute(coordinator, {}, WRITTEN), 'forbidden')
    await expectRefusal(replaceLogo.execute(coordinator, {}, { image }), 'forbidden')
    await expectRefusal(updateLetterhead.execute(as('anonymous'), {}, WRITTEN), 'unauthenticated')
  })

  it('refuses what cannot be: a window of a year, control characters, terms without end', async () => {
    const administrator = as(await makeUser({ role: 'administrator' }))
    const wrong = { ...WRITTEN, undo_minutes: 600_000, name: 'a\u0000b', terms: 'x'.repeat(20_001) }
    await expectRefusal(updateLetterhead.execute(administrator, {}, wrong), 'validation_failed', [
      'name',
      'terms',
      'undo_minutes',
    ])
  })

  it('keeps a logo as it was drawn anew, and lets go of it', async () => {
    const administrator = as(await makeUser({ role: 'administrator' }), {
      ports: { settings: { drawLogo: async () => drawn } },
    })
    const stored = await replaceLogo.execute(administrator, {}, { image })
    expect(stored.logo).toEqual({ png: drawn.png.toString('base64'), width: 400, height: 120 })
    expect((await replaceLogo.execute(administrator, {}, { image: null })).logo).toBeNull()
  })

  it('says why an image cannot be a logo, and keeps the one it has', async () => {
    const administrator = await makeUser({ role: 'administrator' })
    await replaceLogo.execute(
      as(administrator, { ports: { settings: { drawLogo: async () => drawn } } }),
      {},
      { image },
    )
    const refusing = as(administrator, {
      ports: { settings: { drawLogo: async () => ({ refused: 'That is not an image.' }) } },
    })
    await expectRefusal(replaceLogo.execute(refusing, {}, { image }), 'validation_failed', ['image'])
    const huge = { bytes: new Uint8Array(1_000_001), extension: 'png' }
    await expectRefusal(replaceLogo.execute(refusing, {}, { image: huge }), 'validation_failed', ['image'])
    expect((await getLetterhead.execute(as(administrator), {})).logo).not.toBeNull()
  })
})
