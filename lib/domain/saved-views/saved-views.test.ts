import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { makeSavedView, makeUser } from '@/fixtures/factories'
import { as, expectRefusal } from '../testing'
import { createSavedView, deleteSavedView, getSavedView, listSavedViews, updateSavedView } from './saved-views'

const failing = { place: 'files', name: 'Failing videos', query: { verdict: 'fail', kind: 'video' } } as const
const people = async () => ({
  viewer: await makeUser({ role: 'viewer' }),
  operator: await makeUser({ role: 'operator' }),
  administrator: await makeUser({ role: 'administrator' }),
})
const namesFor = async (user: Awaited<ReturnType<typeof makeUser>>, place = 'files') =>
  (await listSavedViews.execute(as(user), {}, { place })).saved_views.map(({ name }) => name)

describe('saved views', () => {
  test('are for every user, and seen by their owner alone until they are shared', async () => {
    const { viewer, operator } = await people()
    const saved = await createSavedView.execute(as(viewer), {}, failing)
    expect(saved).toMatchObject({ ...failing, is_shared: false, owner: { id: viewer.id }, may_edit: true })
    expect(await namesFor(viewer)).toEqual(['Failing videos'])
    expect(await namesFor(viewer, 'projects')).toEqual([])
    expect(await namesFor(operator)).not.toContain('Failing videos')
    await expectRefusal(getSavedView.execute(as(operator), { view_id: saved.id }), 'not_found')
    await expectRefusal(deleteSavedView.execute(as(operator), { view_id: saved.id }), 'not_found')
  })

  test('shared by an operator, they are everybody’s to use, and the owner’s or an administrator’s to change', async () => {
    const { viewer, operator, administrator } = await people()
    const name = `Team ${randomUUID()}`
    const shared = await createSavedView.execute(as(operator), {}, { ...failing, name, is_shared: true })
    expect(await namesFor(viewer)).toContain(name)
    const path = { view_id: shared.id }
    expect(await getSavedView.execute(as(viewer), path)).toMatchObject({ may_edit: false })
    await expectRefusal(updateSavedView.execute(as(viewer), path, { name: 'Mine' }), 'forbidden')
    await expectRefusal(deleteSavedView.execute(as(viewer), path), 'forbidden')
    await deleteSavedView.execute(as(administrator), path)
    expect(await namesFor(viewer)).not.toContain(name)
  })

  test('are not shared by who only looks on', async () => {
    const { viewer } = await people()
    await expectRefusal(createSavedView.execute(as(viewer), {}, { ...failing, is_shared: true }), 'forbidden')
    const own = await makeSavedView(viewer)
    await expectRefusal(updateSavedView.execute(as(viewer), { view_id: own.id }, { is_shared: true }), 'forbidden')
  })

  test('are changed: name, what they show, whether they are shared', async () => {
    const { operator } = await people()
    const own = await makeSavedView(operator, { name: 'Before' })
    const changed = { name: 'After', query: { decision: 'pending' }, is_shared: true }
    expect(await updateSavedView.execute(as(operator), { view_id: own.id }, changed)).toMatchObject(changed)
    expect(await updateSavedView.execute(as(operator), { view_id: own.id }, { is_shared: false })).toMatchObject({
      ...changed,
      is_shared: false,
    })
  })

  test('have one name each for one user and list, in any case, also when two are saved at once', async () => {
    const { operator } = await people()
    const save = (name: string) => createSavedView.execute(as(operator), {}, { ...failing, name })
    const both = await Promise.allSettled([save('To redo'), save('TO REDO')])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const twin = await makeSavedView(operator, { name: 'Other' })
    const refused = await expectRefusal(
      updateSavedView.execute(as(operator), { view_id: twin.id }, { name: 'to Redo' }),
      'validation_failed',
    )
    expect(refused.facts.errors).toMatchObject([{ path: 'name', code: 'duplicate' }])
    await createSavedView.execute(as(operator), {}, { ...failing, place: 'projects', name: 'To redo' })
  })

  test('are at most 50 a list', async () => {
    const { operator } = await people()
    for (let number = 0; number < 50; number++) await makeSavedView(operator, { name: `View ${number}` })
    const refused = await expectRefusal(createSavedView.execute(as(operator), {}, failing), 'validation_failed')
    expect(refused.facts.errors).toMatchObject([{ path: 'name', code: 'too_many' }])
  })

  test.each([
    ['no name', { ...failing, name: ' ' }],
    ['an unknown list', { ...failing, place: 'moon' }],
    ['a parameter that is none', { ...failing, query: { 'a b': 'x' } }],
    ['a value that is no text', { ...failing, query: { verdict: 7 } }],
    ['a value that is too long', { ...failing, query: { q: 'x'.repeat(301) } }],
    [
      'too many parameters',
      { ...failing, query: Object.fromEntries([...'abcdefghijklmnopqrstu'].map((c) => [c, ''])) },
    ],
  ])('with %s are refused', async (_, input) => {
    const { operator } = await people()
    await expectRefusal(createSavedView.execute(as(operator), {}, input), 'validation_failed')
  })
})
