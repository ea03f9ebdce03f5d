import { describe, expect, it } from 'vitest'
import { makeUser } from '@/fixtures/factories'
import { as, expectRefusal } from '../testing'
import { createMediaCategory, updateMediaCategory } from './commands'
import { listProfiles } from './profiles'
import { compareSettings } from './rules'

describe('the versions of a media category', () => {
  it('say who changed what, newest first', async () => {
    const administrator = await makeUser({ role: 'administrator' })
    const context = as(administrator)
    const { id } = await createMediaCategory.execute(context, {}, { name: `Versions ${administrator.id}` })
    const path = { media_category_id: id }
    const checks = { dimension_check: { thresholds: { min_width: 300 } }, blank_check: { enabled: false } }
    await updateMediaCategory.execute(context, path, { pre_qc: { checks } })
    const stricter = { dimension_check: { fails_from: '2027-01-01', thresholds: { min_width: 400 } } }
    await updateMediaCategory.execute(context, path, { pre_qc: { checks: stricter }, max_file_size: 1000 })
    const { profiles } = await listProfiles.execute(context, path)
    expect(profiles.map(({ version }) => version)).toEqual([3, 2, 1])
    expect(profiles[0]?.created_by).toEqual({ id: administrator.id, name: administrator.name })
    expect(profiles[0]?.changes).toEqual([
      { check_id: null, setting: 'max_file_size', before: null, after: 1000 },
      { check_id: 'blank_check', setting: 'enabled', before: false, after: undefined },
      { check_id: 'dimension_check', setting: 'fails_from', before: undefined, after: '2027-01-01' },
      { check_id: 'dimension_check', setting: 'thresholds.min_width', before: 300, after: 400 },
    ])
    expect(profiles[2]?.changes).toEqual([])
    await expectRefusal(listProfiles.execute(as(await makeUser({ role: 'coordinator' })), path), 'forbidden')
  })

  it('are compared by what they mean, not by the order it was written in', () => {
    const one = { enabled: true, checks: { a_check: { thresholds: { sizes: { x: 1, y: 2 }, list: [1, 2] } } } }
    const same = { enabled: true, checks: { a_check: { thresholds: { list: [1, 2], sizes: { y: 2, x: 1 } } } } }
    const other = { enabled: false, checks: { a_check: { thresholds: { list: [2, 1], sizes: { y: 2, x: 1 } } } } }
    expect(compareSettings(one, same)).toEqual([])
    expect(compareSettings(one, other).map(({ setting }) => setting)).toEqual(['enabled', 'thresholds.list'])
  })
})
