import { describe, expect, test } from 'vitest'
import { database } from '@/db/client'
import { recordStatements, testSql } from '@/db/testing'
import { makeBatch, makeComment, makeFile, makeProject, makeResult, makeUser } from '@/fixtures/factories'
import { FileSummaryList } from '../files/schema'
import { as, expectRefusal } from '../testing'
import { browseFiles, listFileFacets } from './file-summaries'
import { waiveCheck } from './waivers'

const line = (check_id: string, status: string) => ({
  check_id,
  label: `Label of ${check_id}`,
  status,
  confidence: 1,
  details: `What ${check_id} says`,
  severity: 'warning',
})

async function scene() {
  const viewer = await makeUser({ role: 'viewer' })
  const coordinator = await makeUser({ role: 'coordinator' })
  const project = await makeProject({ members: [viewer, coordinator] })
  const batch = await makeBatch({ projectId: project.id })
  const path = { project_id: project.id, batch_id: batch.id }
  const browse = async (input: object = {}) => FileSummaryList.parse(await browseFiles.execute(as(viewer), path, input))
  return { viewer, coordinator, project, batch, path, browse }
}

const namesIn = ({ files }: FileSummaryList) => files.map(({ name }) => name)

describe('the files of a batch in short', () => {
  test('any part of the list, the newest first, with how many there are', async () => {
    const { batch, browse } = await scene()
    for (let number = 0; number < 5; number++) await makeFile(batch, { name: `${number}.png` })
    await makeFile(batch, { name: 'replaced.png', isCurrent: false })
    expect(namesIn(await browse())).toEqual(['4.png', '3.png', '2.png', '1.png', '0.png'])
    const part = await browse({ offset: 3, limit: 1 })
    expect(namesIn(part)).toEqual(['1.png'])
    expect(part.total).toBe(5)
    expect(await browse({ offset: 9 })).toMatchObject({ files: [], total: 5 })
  })

  test('filtered by a part of the name in any case, by verdict and by decision', async () => {
    const { batch, browse } = await scene()
    const hero = await makeFile(batch, { name: 'Hero_100%.png', decision: 'approved' })
    await makeResult(hero, { summary: 'fail', checks: [line('a', 'fail')] })
    const other = await makeFile(batch, { name: 'hero-1000.png' })
    await makeResult(other, { status: 'running', summary: 'fail', completedAt: null })
    expect((await browse({ q: 'HERO' })).total).toBe(2)
    expect(namesIn(await browse({ q: '100%' }))).toEqual(['Hero_100%.png'])
    expect(namesIn(await browse({ verdict: 'fail' }))).toEqual(['Hero_100%.png'])
    expect(namesIn(await browse({ decision: 'pending' }))).toEqual(['hero-1000.png'])
    expect(await browse({ q: 'nothing' })).toMatchObject({ files: [], total: 0 })
  })

  test('with the gravest finding first, and without what was waived', async () => {
    const { batch, browse, coordinator } = await scene()
    const file = await makeFile(batch, { name: 'a.png' })
    const checks = [line('warned', 'warning'), line('broken', 'error'), line('failed', 'fail'), line('passed', 'pass')]
    const result = await makeResult(file, { summary: 'fail', checks })
    const [before] = (await browse()).files
    expect(before?.pre_qc).toEqual({
      status: 'completed',
      summary: 'fail',
      progress: 100,
      findings: 3,
      finding: { check_id: 'failed', label: 'Label of failed', status: 'fail', details: 'What failed says' },
    })
    await waiveCheck.execute(as(coordinator), { result_id: result.id, check_id: 'failed' }, { reason: 'Agreed' })
    const [after] = (await browse({ checks: 'all' })).files
    expect(after?.pre_qc).toMatchObject({ summary: 'warning', findings: 2, finding: { check_id: 'broken' } })
    expect(after?.pre_qc?.checks?.map(({ status }) => status)).toEqual(['warning', 'error', 'waived', 'pass'])
  })

  test('counts what could not be checked in the whole batch, until it is waived', async () => {
    const { batch, browse, coordinator } = await scene()
    await makeResult(await makeFile(batch), { status: 'failed', summary: null, failure: 'busy' })
    const half = await makeResult(await makeFile(batch), { summary: 'warning', checks: [line('broken', 'error')] })
    await makeResult(await makeFile(batch), { summary: 'pass', checks: [line('passed', 'pass')] })
    expect((await browse({ q: 'no such name' })).could_not_run).toBe(2)
    await waiveCheck.execute(as(coordinator), { result_id: half.id, check_id: 'broken' }, { reason: 'Seen by eye' })
    expect((await browse()).could_not_run).toBe(1)
  })

  test('by name, numbers by their value, and from the index alone', async () => {
    const { batch, browse } = await scene()
    const names = [
      'spot_10.png',
      'Spot_9.png',
      'spot_009.png',
      'a2b10.png',
      'a2b9.png',
      `${'9'.repeat(20)}.png`,
      '0.png',
    ]
    for (const name of names) await makeFile(batch, { name, nameKey: name.toLowerCase() })
    await makeFile(batch, { name: 'spot_1.png', isCurrent: false })
    expect(namesIn(await browse({ order: 'name' }))).toEqual([
      '0.png',
      `${'9'.repeat(20)}.png`,
      'a2b9.png',
      'a2b10.png',
      'Spot_9.png',
      'spot_009.png',
      'spot_10.png',
    ])
    expect(namesIn(await browse({ order: 'name', offset: 2, limit: 2 }))).toEqual(['a2b9.png', 'a2b10.png'])
    const plan = await testSql.begin(async (tx) => {
      // Of a small table anything is as cheap; asked whether it can.
      await tx.unsafe('set local enable_seqscan = off; set local enable_bitmapscan = off; set local enable_sort = off')
      const key = `regexp_replace(regexp_replace(files.name_key, '\\d+', '00000000000000\\&', 'g'), '\\d*(\\d{15})', '\\1', 'g')`
      const lines = await tx.unsafe(
        `explain select id from files where batch_id = $1 and is_current order by ${key}, id limit 100`,
        [batch.id],
      )
      return lines.map((line) => line['QUERY PLAN']).join('\n')
    })
    expect(plan).toContain('Index Only Scan using files_batch_id_name_order_index')
    expect(plan).not.toContain('Sort')
  })

  test('the part that holds a file, and what stands behind one, in either order and filtered', async () => {
    const { batch, browse } = await scene()
    const made = []
    for (let number = 0; number < 7; number++)
      made.push(await makeFile(batch, { name: `${number}.png`, decision: number % 2 ? 'approved' : 'pending' }))
    const fifth = made[5]?.id ?? ''
    const part = await browse({ order: 'name', at: fifth, limit: 3 })
    expect(part).toMatchObject({ offset: 3, total: 7 })
    expect(namesIn(part)).toEqual(['3.png', '4.png', '5.png'])
    expect(await browse({ at: fifth, limit: 3 })).toMatchObject({ offset: 0, files: [{}, { id: fifth }, {}] })
    expect(namesIn(await browse({ order: 'name', after: fifth }))).toEqual(['6.png'])
    expect(namesIn(await browse({ after: fifth, limit: 2 }))).toEqual(['4.png', '3.png'])
    expect(namesIn(await browse({ order: 'name', decision: 'pending', after: made[1]?.id }))).toEqual([
      '2.png',
      '4.png',
      '6.png',
    ])
    expect(await browse({ order: 'name', decision: 'approved', at: fifth, limit: 2 })).toMatchObject({ offset: 2 })
    // Not of the list, not of the batch.
    expect(await browse({ order: 'name', decision: 'pending', at: fifth, limit: 2 })).toMatchObject({ offset: 0 })
    const other = await makeFile(await makeBatch({ projectId: batch.projectId }), { name: '9.png' })
    expect(await browse({ order: 'name', at: other.id, limit: 2 })).toMatchObject({ offset: 0 })
    await expectRefusal(browse({ at: 'nothing' }), 'invalid_query')
  })

  test('with how many threads are open on each, where that is asked', async () => {
    const { batch, browse, viewer } = await scene()
    const file = await makeFile(batch, { name: 'a.png' })
    await makeFile(batch, { name: 'b.png' })
    const thread = await makeComment(file)
    await makeComment(file, { parentId: thread.id })
    await makeComment(file, { resolvedAt: new Date(), resolvedBy: viewer.id })
    const { files } = await browse({ order: 'name', comments: 'open' })
    expect(files.map(({ open_comments }) => open_comments)).toEqual([1, 0])
    expect((await browse()).files[0]).not.toHaveProperty('open_comments')
  })

  test('says of an archive no more than fits a list', async () => {
    const { batch, browse } = await scene()
    await makeFile(batch, {
      name: 'ad.zip',
      kind: 'archive',
      media: { kind: 'archive', entryCount: 2, documents: [{ text: 'x'.repeat(1000) }] },
    })
    expect((await browse()).files[0]?.media).toEqual({ kind: 'archive' })
  })

  test('is for those who see the project, and refuses what is no filter', async () => {
    const { path, browse } = await scene()
    await expectRefusal(browseFiles.execute(as(await makeUser({ role: 'operator' })), path), 'not_found')
    await expectRefusal(browse({ verdict: 'bad' }), 'invalid_query')
    await expectRefusal(browse({ limit: 501 }), 'invalid_query')
  })
})

describe('what the files of a batch are filtered and ordered by', () => {
  async function mixed() {
    const all = await scene()
    const { batch, viewer } = all
    const agency = await makeUser({ role: 'operator', name: 'Ada Sender' })
    const big = await makeFile(batch, {
      name: 'big.mp4',
      kind: 'video',
      size: 9000,
      media: { kind: 'video', duration_seconds: 30 },
      decision: 'approved',
    })
    const long = await makeFile(batch, {
      name: 'long.mp4',
      kind: 'video',
      size: 500,
      media: { kind: 'video', duration_seconds: 90 },
    })
    const small = await makeFile(batch, {
      name: 'small.png',
      kind: 'image',
      size: 10,
      sourceUserId: agency.id,
      decision: 'rejected',
      version: 3,
    })
    const failed = await makeResult(small, { summary: 'fail', checks: [line('text', 'fail'), line('loud', 'pass')] })
    await makeResult(long, { summary: 'warning', checks: [line('text', 'warning'), line('loud', 'warning')] })
    await makeResult(big, { summary: 'pass', checks: [line('text', 'pass'), line('loud', 'pass')] })
    return { ...all, viewer, agency, failed }
  }

  test('by kind, sender and check; what is waived is not found by its check', async () => {
    const { browse, agency, failed, coordinator } = await mixed()
    expect(namesIn(await browse({ kind: 'video' }))).toEqual(['long.mp4', 'big.mp4'])
    expect(await browse({ sender: agency.id })).toMatchObject({ total: 1, files: [{ name: 'small.png' }] })
    expect(namesIn(await browse({ check: 'text' }))).toEqual(['small.png', 'long.mp4'])
    expect(await browse({ check: 'text', verdict: 'fail' })).toMatchObject({ total: 1 })
    expect(await browse({ check: 'gone_check' })).toMatchObject({ total: 0, files: [] })
    await waiveCheck.execute(as(coordinator), { result_id: failed.id, check_id: 'text' }, { reason: 'Agreed' })
    expect(namesIn(await browse({ check: 'text' }))).toEqual(['long.mp4'])
  })

  test.each([
    [{ order: 'size' }, ['big.mp4', 'long.mp4', 'small.png']],
    [{ order: 'size', direction: 'asc' }, ['small.png', 'long.mp4', 'big.mp4']],
    [{ order: 'duration' }, ['long.mp4', 'big.mp4', 'small.png']],
    [{ order: 'version' }, ['small.png', 'long.mp4', 'big.mp4']],
    [{ order: 'verdict' }, ['small.png', 'long.mp4', 'big.mp4']],
    [{ order: 'decision' }, ['long.mp4', 'small.png', 'big.mp4']],
    [{ order: 'name', direction: 'desc' }, ['small.png', 'long.mp4', 'big.mp4']],
    [{ order: 'newest', direction: 'asc' }, ['big.mp4', 'long.mp4', 'small.png']],
  ])('ordered %j, and the part behind a file in the same order', async (asked, names) => {
    const { browse } = await mixed()
    const all = await browse(asked)
    expect(namesIn(all)).toEqual(names)
    const second = all.files[1]?.id
    expect(namesIn(await browse({ ...asked, after: second }))).toEqual(names.slice(2))
    expect(await browse({ ...asked, at: second, limit: 1 })).toMatchObject({ offset: 1, files: [{ id: second }] })
  })

  test('says what there is to filter by, with counts', async () => {
    const { viewer, path, agency } = await mixed()
    const facets = await listFileFacets.execute(as(viewer), path)
    expect(facets.kinds).toEqual([
      { kind: 'video', files: 2 },
      { kind: 'image', files: 1 },
    ])
    expect(facets.checks).toEqual([
      { check_id: 'text', label: 'Label of text', files: 2 },
      { check_id: 'loud', label: 'Label of loud', files: 1 },
    ])
    expect(facets.senders).toContainEqual({ id: agency.id, type: 'user', name: 'Ada Sender', files: 1 })
    expect(facets.senders.reduce((sum, { files }) => sum + files, 0)).toBe(3)
  })

  test('without what was waived, was found in a version before, or in an attempt before', async () => {
    const { viewer, coordinator, path, batch, failed } = await mixed()
    const replaced = await makeFile(batch, { name: 'old.png', isCurrent: false })
    await makeResult(replaced, { summary: 'fail', checks: [line('text', 'fail')] })
    const again = await makeFile(batch, { name: 'again.png' })
    await makeResult(again, { summary: 'fail', checks: [line('text', 'fail')], isCurrent: false })
    await makeResult(again, { status: 'running', summary: null, completedAt: null, attempt: 2 })
    await waiveCheck.execute(as(coordinator), { result_id: failed.id, check_id: 'text' }, { reason: 'Agreed' })
    const { checks } = await listFileFacets.execute(as(viewer), path)
    expect(checks).toEqual([
      { check_id: 'loud', label: 'Label of loud', files: 1 },
      { check_id: 'text', label: 'Label of text', files: 1 },
    ])
  })

  test('calls a check as the newest result does', async () => {
    const { viewer, path, batch } = await mixed()
    const renamed = { ...line('text', 'fail'), label: 'A newer label' }
    await makeResult(await makeFile(batch), { summary: 'fail', checks: [renamed] })
    const { checks } = await listFileFacets.execute(as(viewer), path)
    expect(checks[0]).toEqual({ check_id: 'text', label: 'A newer label', files: 3 })
  })

  test('the same while a worker has yet to fill in what was found', async () => {
    const { viewer, coordinator, path, browse, failed } = await mixed()
    await waiveCheck.execute(as(coordinator), { result_id: failed.id, check_id: 'text' }, { reason: 'Agreed' })
    const facets = await listFileFacets.execute(as(viewer), path)
    const found = namesIn(await browse({ check: 'text' }))
    expect(found).toEqual(['long.mp4'])
    await testSql`update verdicts set findings = null`
    expect(await listFileFacets.execute(as(viewer), path)).toEqual(facets)
    expect(namesIn(await browse({ check: 'text' }))).toEqual(found)
  })

  test('counts what was found from indexes alone', async () => {
    const { viewer, path, browse } = await mixed()
    const statements = recordStatements(database().sql)
    await listFileFacets.execute(as(viewer), path)
    await browse({ check: 'text' })
    const asked = statements.filter(({ text }) => text.includes('unnest(v.findings)'))
    expect(asked.length).toBeGreaterThan(1)
    await testSql.begin(async (tx) => {
      // Of a small table anything is as cheap; asked whether it can.
      await tx.unsafe('set local enable_seqscan = off; set local enable_bitmapscan = off')
      for (const { text, parameters } of asked) {
        const lines = await tx.unsafe(`explain ${text}`, parameters as never[])
        const plan = lines.map((line) => line['QUERY PLAN']).join('\n')
        expect(plan).toContain('Index Only Scan using verdicts_found_index')
        expect(plan).toContain('hashed SubPlan')
      }
    })
  })

  test('of a batch that may not be seen: not found', async () => {
    const { path } = await mixed()
    const stranger = as(await makeUser({ role: 'administrator' }))
    const outsider = as(await makeUser({ role: 'coordinator' }))
    await expectRefusal(listFileFacets.execute(outsider, path), 'not_found')
    expect((await listFileFacets.execute(stranger, path)).kinds).toHaveLength(2)
  })
})
