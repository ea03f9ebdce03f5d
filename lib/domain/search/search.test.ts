import { describe, expect, it } from 'vitest'
import { newId } from '@/db/schema/columns'
import { recognisedTexts } from '@/db/schema/pre-qc'
import { testDb, testSql } from '@/db/testing'
import {
  makeAgency,
  makeBatch,
  makeCampaign,
  makeComment,
  makeEstimate,
  makeFile,
  makeProject,
  makeResult,
  makeUser,
} from '@/fixtures/factories'
import { as, expectRefusal } from '../testing'
import { search } from './queries'

describe('search', () => {
  it('finds projects, batches, files, estimates, people and agencies by a part of their name, as one may see them', async () => {
    const member = await makeUser({ role: 'viewer', name: 'Zanzibar Vera' })
    const agency = await makeAgency({ name: 'Zanzibar Studio' })
    const project = await makeProject({ members: [member], name: 'Zanzibar launch', agencyId: agency.id })
    const batch = await makeBatch({ projectId: project.id, name: 'zanzibar banners' })
    const file = await makeFile(batch, { name: 'hero_ZANZIBAR_v01.png' })
    await makeFile(batch, { name: 'hero_zanzibar_v00.png', isCurrent: false })
    const estimate = await makeEstimate({ projectId: project.id, createdBy: member.id, title: 'Campaign in Zanzibar' })
    const found = async (by: typeof member, q: string) =>
      (await search.execute(as(by), {}, { q })).results.map(({ kind, id }) => [kind, id])
    const own: [string, string][] = [
      ['project', project.id],
      ['batch', batch.id],
      ['file', file.id],
      ['estimate', estimate.id],
    ]
    expect(await found(member, 'zanzibar')).toEqual([...own, ['agency', agency.id]])
    const seenByAll = [['agency', agency.id]]
    expect(await found(await makeUser({ role: 'coordinator' }), 'zanzibar')).toEqual(seenByAll)
    expect(await found(await makeUser({ role: 'administrator' }), 'zanzibar')).toEqual([
      ...own,
      ...seenByAll,
      ['person', member.id],
    ])
    expect(await found(member, 'zan%r')).toEqual([])
    expect(await found(member, estimate.number)).toEqual([['estimate', estimate.id]])
    const { results } = await search.execute(as(member), {}, { q: 'hero' })
    expect(results).toEqual([
      {
        kind: 'file',
        id: file.id,
        name: 'hero_ZANZIBAR_v01.png',
        hint: 'Zanzibar launch, zanzibar banners',
        project_id: project.id,
        batch_id: batch.id,
        file_id: file.id,
        check_id: null,
        status: 'pending',
        excerpt: null,
        match: 'beginning',
        created_at: file.createdAt.toISOString(),
      },
    ])
  })

  it('finds a file that is old by an index, and short texts and words of very many files, too', async () => {
    const member = await makeUser({ role: 'viewer' })
    const project = await makeProject({ members: [member] })
    const batch = await makeBatch({ projectId: project.id })
    const old = await makeFile(batch, { name: 'Quokka_ÄÖ.png' })
    const hidden = await makeFile(await makeBatch({ projectId: (await makeProject()).id }), {
      name: 'quokka-other.png',
    })
    await testSql.unsafe(
      `insert into files (id, project_id, batch_id, name, name_key, size, media_type, kind, sha256, media, object_key, source_type, source_user_id)
       select uuidv7(), project_id, batch_id, 'banner ' || n, 'banner ' || n, size, media_type, kind, md5(n::text), media, 'many/' || n, source_type, source_user_id
       from files, generate_series(1, 1100) n where id = $1`,
      [old.id],
    )
    await testSql`analyze files`
    const found = async (q: string) =>
      (await search.execute(as(member), {}, { q })).results
        .filter(({ kind }) => kind === 'file')
        .map(({ name }) => name)
    expect(await found('UOKKA')).toEqual([old.name])
    expect(await found('a_äö')).toEqual([old.name])
    expect(await found('qu')).toEqual([old.name])
    expect(await found('uokkas')).toEqual([])
    expect(await found('banner')).toEqual([1100, 1099, 1098, 1097, 1096].map((n) => `banner ${n}`))
    expect(hidden.name).toContain('quokka')
    const plan = await testSql.begin(async (tx) => {
      await tx.unsafe('set local enable_seqscan = off; set local enable_indexscan = off')
      const lines = await tx.unsafe(
        `explain select id from files where is_current and name ilike '%uokka%' and name_grams(name) @> name_grams('uokka')`,
      )
      return lines.map((line) => line['QUERY PLAN']).join('\n')
    })
    expect(plan).toContain('files_name_grams_index')
  })

  it('puts the name itself first, then what begins with it, then what has it, then what has its words', async () => {
    const member = await makeUser({ role: 'viewer' })
    const project = await makeProject({ members: [member] })
    const batch = await makeBatch({ projectId: project.id })
    for (const name of [
      'wombat red.png',
      'big red wombat.png',
      'wombat.png',
      'red_of_the_wombat.png',
      'a wombat red.png',
    ])
      await makeFile(batch, { name })
    const named = async (q: string) =>
      (await search.execute(as(member), {}, { q, kind: 'file', limit: '10' })).results.map(({ name, match }) => [
        name,
        match,
      ])
    expect(await named('Wombat.PNG')).toEqual([
      ['wombat.png', 'exact'],
      ['red_of_the_wombat.png', 'part'],
      ['big red wombat.png', 'part'],
    ])
    expect(await named('wombat red')).toEqual([
      ['wombat red.png', 'beginning'],
      ['a wombat red.png', 'part'],
      ['red_of_the_wombat.png', 'words'],
      ['big red wombat.png', 'words'],
    ])
  })

  it('guesses what was meant where nothing is called so, and only there', async () => {
    const member = await makeUser({ role: 'viewer' })
    const project = await makeProject({ members: [member], name: 'Armadillo spring' })
    const file = await makeFile(await makeBatch({ projectId: project.id, name: 'First' }), {
      name: 'armadillo_v01.png',
    })
    await makeProject({ name: 'Armadillo of others' })
    const found = async (q: string) =>
      (await search.execute(as(member), {}, { q })).results.map(({ id, match }) => [id, match])
    expect(await found('armadilo')).toEqual([
      [project.id, 'close'],
      [file.id, 'close'],
    ])
    expect(await found('amradillo')).toHaveLength(2)
    expect(await found('armadillo')).toEqual([
      [project.id, 'beginning'],
      [file.id, 'beginning'],
    ])
    expect(await found('armchairs')).toEqual([])
  })

  it('finds comments, text read in files and findings by what they say, as one may see them', async () => {
    const member = await makeUser({ role: 'viewer' })
    const project = await makeProject({ members: [member] })
    const batch = await makeBatch({ projectId: project.id })
    const file = await makeFile(batch, { name: 'one.png' })
    const comment = await makeComment(file, { body: `${'Before. '.repeat(60)}The narwhal is cut off.` })
    await testDb.insert(recognisedTexts).values({ fileId: file.id, body: 'Narwhal sale until Sunday' })
    const checks = [
      { check_id: 'blank_check', label: 'Blank', status: 'pass', details: 'No narwhal is blank.' },
      { check_id: 'border_check', label: 'Border', status: 'fail', details: 'A narwhal touches the edge.' },
    ]
    await makeResult(file, { summary: 'fail', checks })
    await makeResult(await makeFile(batch), { checks: checks.slice(0, 1) })
    const other = await makeFile(await makeBatch({ projectId: (await makeProject()).id }))
    await makeComment(other, { body: 'Another narwhal.' })
    await makeResult(other, { summary: 'fail', checks })
    const found = async (input: object) =>
      (await search.execute(as(member), {}, input)).results.map(({ kind, id, file_id, check_id, excerpt }) => ({
        kind,
        id,
        file_id,
        check_id,
        excerpt,
      }))
    const said = { file_id: file.id, check_id: null }
    expect(await found({ q: 'NARWHAL' })).toEqual([
      { ...said, kind: 'comment', id: comment.id, excerpt: expect.stringMatching(/^… .*The narwhal is cut off\.$/) },
      { ...said, kind: 'text', id: file.id, excerpt: 'Narwhal sale until Sunday' },
      {
        ...said,
        kind: 'finding',
        id: file.id,
        check_id: 'border_check',
        excerpt: 'Border: A narwhal touches the edge.',
      },
    ])
    expect(await found({ q: 'edge narw' })).toMatchObject([{ kind: 'finding' }])
    expect(await found({ q: 'narw', kind: 'comment' })).toMatchObject([{ kind: 'comment' }])
    expect(await found({ q: 'narwhal', kind: 'comment', project_id: other.projectId })).toEqual([])
    expect(await found({ q: 'na' })).toEqual([])
    for (const q of ["'", '!!!', '& | !', "it's:*", '\\'.repeat(3), '<->', '%%%'])
      expect(await found({ q })).toEqual([])
  })

  it('is narrowed by kind, agency, project, status and days of creation', async () => {
    const admin = await makeUser({ role: 'administrator' })
    const [one, two] = [await makeAgency(), await makeAgency()]
    const campaign = await makeCampaign({ agencyId: one.id, code: 'TAPIR9' })
    const first = await makeProject({ agencyId: one.id, name: 'Okapi one', campaignId: campaign.id })
    const second = await makeProject({ agencyId: two.id, name: 'Okapi two', status: 'completed' })
    const long = new Date('2026-02-03T12:00:00Z')
    const old = await makeBatch({ id: newId(long), projectId: first.id, name: 'okapi old', createdAt: long })
    const batch = await makeBatch({ projectId: second.id, name: 'okapi new', status: 'approved' })
    const file = await makeFile(batch, { name: 'okapi.png', decision: 'approved' })
    const found = async (input: object) =>
      (await search.execute(as(admin), {}, { q: 'okapi', ...input })).results.map(({ id }) => id)
    expect(await found({})).toEqual([second.id, first.id, batch.id, old.id, file.id])
    expect(await found({ kind: 'batch' })).toEqual([batch.id, old.id])
    expect(await found({ agency_id: one.id })).toEqual([first.id, old.id])
    expect(await found({ project_id: second.id })).toEqual([second.id, batch.id, file.id])
    expect(await found({ status: 'approved' })).toEqual([batch.id, file.id])
    expect(await found({ status: 'completed' })).toEqual([second.id])
    expect(await found({ from: '2026-02-03', to: '2026-02-03' })).toEqual([old.id])
    expect(await found({ to: '2026-02-02' })).toEqual([])
    expect(await found({ kind: 'batch', limit: '1' })).toEqual([batch.id])
    expect(await found({ q: 'tapir9' })).toEqual([first.id])
    for (const [input, path] of [
      [{ kind: 'thing' }, 'kind'],
      [{ status: 'late' }, 'status'],
      [{ from: '2026-02-30' }, 'from'],
      [{ limit: '101' }, 'limit'],
      [{ agency_id: 'x' }, 'agency_id'],
    ] as const)
      await expectRefusal(search.execute(as(admin), {}, { q: 'okapi', ...input }), 'invalid_query', [path])
  })

  it('wants something to search for', async () => {
    const user = as(await makeUser({ role: 'viewer' }))
    for (const input of [{}, { q: '' }, { q: ' ' }, { q: '\0' }, { q: 'x'.repeat(201) }]) {
      await expectRefusal(search.execute(user, {}, input), 'invalid_query', ['q'])
    }
  })
})
