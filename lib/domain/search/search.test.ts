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

  it('finds words of two characters where a word begins, and of other scripts anywhere, whatever came since', async () => {
    const admin = await makeUser({ role: 'administrator' })
    const batch = await makeBatch({ projectId: (await makeProject()).id })
    const names = ['xq_first.png', '2024夏促主图.png', '🦜🥝 party.png', 'axqb.png']
    const old = []
    for (const name of names) old.push(await makeFile(batch, { name, createdAt: new Date('2024-01-01') }))
    const [row] = await testSql<{ pairs: string[] }[]>`select name_pairs('Ab_cd 夏促.PNG') as pairs`
    expect(row?.pairs.toSorted()).toEqual([' 夏', '.p', 'ab', 'cd', 'pn', '促.', '夏促'])
    await testSql.unsafe(
      `insert into files (id, project_id, batch_id, name, name_key, size, media_type, kind, sha256, media, object_key, source_type, source_user_id)
       select uuidv7(), project_id, batch_id, 'later ' || n, 'later ' || n, size, media_type, kind, md5('later' || n), media, 'later/' || n, source_type, source_user_id
       from files, generate_series(1, 5100) n where id = $1`,
      [old[0]?.id ?? ''],
    )
    await testSql`analyze files`
    const found = async (q: string) => {
      const { results, partial } = await search.execute(as(admin), {}, { q, kind: 'file' })
      return [results.map(({ name }) => name), partial]
    }
    expect(await found('xq')).toEqual([['xq_first.png'], []])
    expect(await found('夏促')).toEqual([['2024夏促主图.png'], []])
    expect(await found('🦜🥝')).toEqual([['🦜🥝 party.png'], []])
    // One character is in no index: the newest are compared, and that is said.
    expect(await found('🥝')).toEqual([[], ['file']])
    expect(await found('later')).toEqual([[5100, 5099, 5098, 5097, 5096].map((n) => `later ${n}`), ['file']])
  })

  it('finds what one may see among very many that one may not, in the same order every time', async () => {
    const [member, stranger] = [await makeUser({ role: 'viewer' }), await makeUser({ role: 'viewer' })]
    const own = await makeProject({ members: [member], name: 'Own of few' })
    const mine = []
    for (const name of ['gnu_a.png', 'big gnu.png', 'gnu_b.png'])
      mine.push(await makeFile(await makeBatch({ projectId: own.id }), { name }))
    const other = await makeFile(await makeBatch({ projectId: (await makeProject({ members: [stranger] })).id }), {
      name: 'gnu_other.png',
    })
    await makeComment(mine[0] as typeof other, { body: 'The ibex is too dark.' })
    await testSql.unsafe(
      `insert into files (id, project_id, batch_id, name, name_key, size, media_type, kind, sha256, media, object_key, source_type, source_user_id)
       select uuidv7(), project_id, batch_id, 'gnu ' || n, 'gnu ' || n, size, media_type, kind, md5('gnu' || n), media, 'gnu/' || n, source_type, source_user_id
       from files, generate_series(1, 5100) n where id = $1`,
      [other.id],
    )
    await testSql.unsafe(
      `insert into file_comments (id, project_id, batch_id, file_id, body, created_by)
       select uuidv7(), project_id, batch_id, id, 'The ibex of another', source_user_id from files where object_key like 'gnu/%'`,
    )
    await testSql`analyze`
    const found = async (by: typeof member, input: object) => {
      const { results, partial } = await search.execute(as(by), {}, input)
      return [results.map(({ kind, name }) => [kind, name]), partial]
    }
    const expected = [
      [
        ['file', 'gnu_b.png'],
        ['file', 'gnu_a.png'],
        ['file', 'big gnu.png'],
      ],
      [],
    ]
    for (let again = 0; again < 3; again++) expect(await found(member, { q: 'gnu' })).toEqual(expected)
    expect(await found(member, { q: 'gnu', project_id: other.projectId })).toEqual([[], []])
    expect(await found(member, { q: 'gnu_other.png' })).toEqual([[], []])
    expect(await found(member, { q: 'ibex' })).toEqual([[['comment', 'gnu_a.png']], []])
    expect(await found(await makeUser({ role: 'coordinator' }), { q: 'gnu' })).toEqual([[], []])
    const [results] = await found(stranger, { q: 'gnu_other.png' })
    expect(results).toEqual([['file', 'gnu_other.png']])
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
