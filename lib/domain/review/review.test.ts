import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { database } from '@/db/client'
import { fileComments } from '@/db/schema/comments'
import { files } from '@/db/schema/files'
import { preQcWaivers } from '@/db/schema/pre-qc'
import { batches, projects } from '@/db/schema/projects'
import { recordStatements, rowsInPlan, testSql } from '@/db/testing'
import { makeBatch, makeComment, makeFile, makeProject, makeResult, makeUser } from '@/fixtures/factories'
import { getFile } from '../files/queries'
import { as, eventsAbout, expectRefusal } from '../testing'
import { approvePassing, previewPassing, reviewFile, reviewFiles, undoReviews } from './commands'
import { createComment, deleteComment, updateComment } from './comments'
import { listComments } from './read-comments'

const T0 = new Date('2026-11-20T10:00:00.000Z')
const later = (seconds: number) => new Date(T0.getTime() + seconds * 1000)

async function room() {
  const coordinator = await makeUser({ role: 'coordinator' })
  const operator = await makeUser({ role: 'operator' })
  const second = await makeUser({ role: 'operator' })
  const viewer = await makeUser({ role: 'viewer' })
  const project = await makeProject({ members: [coordinator, operator, second, viewer] })
  const batch = await makeBatch({ projectId: project.id, status: 'in_review', round: 1, operatorId: operator.id })
  const place = { project_id: project.id, batch_id: batch.id }
  return { coordinator, operator, second, viewer, project, batch, place }
}
type Room = Awaited<ReturnType<typeof room>>
const at = ({ place }: Room, file: { id: string }) => ({ ...place, file_id: file.id })

describe('a decision', () => {
  test('carries a coded reason beside the comment, which an approval cannot', async () => {
    const it = await room()
    const file = await makeFile(it.batch)
    const reviewed = await reviewFile.execute(as(it.operator), at(it, file), {
      decision: 'reject',
      reason: 'wrong_size',
      comment: '298 px wide',
    })
    expect(reviewed.review).toMatchObject({ decision: 'rejected', reason: 'wrong_size', comment: '298 px wide' })
    await expectRefusal(
      reviewFile.execute(as(it.operator), at(it, file), { decision: 'reject', reason: 'ugly', comment: 'x' }),
      'validation_failed',
      ['reason'],
    )
    await expectRefusal(
      reviewFile.execute(as(it.operator), at(it, file), { decision: 'approve', reason: 'wrong_size' }),
      'validation_failed',
      ['reason'],
    )
    const approved = await reviewFile.execute(as(it.operator), at(it, file), { decision: 'approve' })
    expect(approved.review).toMatchObject({ decision: 'approved', reason: null, comment: null })
  })

  test('is refused when the file holds other bytes than were viewed', async () => {
    const it = await room()
    const file = await makeFile(it.batch)
    const seen = { decision: 'approve', sha256: 'a'.repeat(64) }
    await expectRefusal(reviewFile.execute(as(it.operator), at(it, file), seen), 'stale')
    const right = { decision: 'approve', sha256: file.sha256.toUpperCase() }
    expect((await reviewFile.execute(as(it.operator), at(it, file), right)).review.decision).toBe('approved')
  })

  test('of two people at once counts once: the other is refused', async () => {
    const it = await room()
    const file = await makeFile(it.batch)
    const seen = { expected_decision: 'pending' }
    const outcomes = await Promise.allSettled([
      reviewFile.execute(as(it.operator), at(it, file), { decision: 'approve', ...seen }),
      reviewFile.execute(as(it.second), at(it, file), { decision: 'reject', comment: 'No.', ...seen }),
    ])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'stale' } })
    expect(await eventsAbout(file.id)).toHaveLength(1)
  })
})

describe('taking a decision back', () => {
  test('within a minute, what was before holds again', async () => {
    const it = await room()
    const file = await makeFile(it.batch)
    const by = (who: typeof it.operator, seconds: number) => as(who, { now: later(seconds) })
    await reviewFile.execute(by(it.second, 0), at(it, file), {
      decision: 'reject',
      reason: 'colour',
      comment: 'Too red.',
    })
    await reviewFile.execute(by(it.operator, 10), at(it, file), { decision: 'approve' })
    const { files: undone } = await undoReviews.execute(by(it.operator, 60), it.place, { file_ids: [file.id] })
    expect(undone[0]?.review).toEqual({
      decision: 'rejected',
      reason: 'colour',
      comment: 'Too red.',
      reviewed_by: { id: it.second.id, name: it.second.name },
      reviewed_at: T0.toISOString(),
    })
    expect((await eventsAbout(file.id)).map(({ type }) => type)).toEqual([
      'file.reviewed',
      'file.reviewed',
      'file.review_undone',
    ])
  })

  test('brings back a file without a decision, and cannot be done twice', async () => {
    const it = await room()
    const file = await makeFile(it.batch)
    await reviewFile.execute(as(it.operator, { now: T0 }), at(it, file), { decision: 'approve' })
    const undo = () => undoReviews.execute(as(it.operator, { now: later(5) }), it.place, { file_ids: [file.id] })
    expect((await undo()).files[0]?.review).toMatchObject({ decision: 'pending', reviewed_by: null, reviewed_at: null })
    await expectRefusal(undo(), 'invalid_state')
  })

  test('is refused after a minute, for another reviewer’s, for a viewer, and once the review is complete', async () => {
    const it = await room()
    const file = await makeFile(it.batch)
    await reviewFile.execute(as(it.operator, { now: T0 }), at(it, file), { decision: 'approve' })
    const undo = (who: typeof it.operator, seconds: number) =>
      undoReviews.execute(as(who, { now: later(seconds) }), it.place, { file_ids: [file.id] })
    await expectRefusal(undo(it.operator, 60.001), 'invalid_state')
    await expectRefusal(undo(it.second, 5), 'forbidden')
    await expectRefusal(undo(it.viewer, 5), 'forbidden')
    await database().db.update(batches).set({ status: 'approved' }).where(eq(batches.id, it.batch.id))
    await expectRefusal(undo(it.operator, 5), 'invalid_state')
  })

  test('of many is all or none', async () => {
    const it = await room()
    const [mine, theirs] = [await makeFile(it.batch), await makeFile(it.batch)]
    await reviewFiles.execute(as(it.operator, { now: T0 }), it.place, { decision: 'approve', file_ids: [mine.id] })
    await reviewFile.execute(as(it.second, { now: T0 }), at(it, theirs), { decision: 'approve' })
    await expectRefusal(
      undoReviews.execute(as(it.operator, { now: later(1) }), it.place, { file_ids: [mine.id, theirs.id] }),
      'forbidden',
    )
    expect((await getFile.execute(as(it.viewer), at(it, mine))).review.decision).toBe('approved')
    const foreign = await makeFile(await makeBatch())
    await expectRefusal(
      undoReviews.execute(as(it.operator, { now: later(1) }), it.place, { file_ids: [foreign.id] }),
      'not_found',
    )
  })
})

describe('two users who decide the same files', () => {
  test('each file is decided by the first; the other learns who decided it', async () => {
    const it = await room()
    const [first, second, third] = [await makeFile(it.batch), await makeFile(it.batch), await makeFile(it.batch)]
    const ids = [first.id, second.id, third.id]
    const expected_decisions = Object.fromEntries(ids.map((id) => [id, 'pending' as const]))
    await reviewFile.execute(as(it.second), at(it, second), { decision: 'approve' })
    const done = await reviewFiles.execute(as(it.operator), it.place, {
      decision: 'reject',
      comment: 'Wrong claim.',
      file_ids: ids,
      expected_decisions,
    })
    expect(done.files.map(({ id }) => id).sort()).toEqual([first.id, third.id].sort())
    expect(done.left).toEqual([
      { file: { id: second.id, name: second.name }, reason: `${it.second.name} approved it meanwhile.` },
    ])
    expect((await getFile.execute(as(it.viewer), at(it, second))).review.decision).toBe('approved')
  })

  test('at once: every file once, no one twice', async () => {
    const it = await room()
    const ids = [(await makeFile(it.batch)).id, (await makeFile(it.batch)).id]
    const expected_decisions = Object.fromEntries(ids.map((id) => [id, 'pending' as const]))
    const decide = (who: typeof it.operator) =>
      reviewFiles.execute(as(who), it.place, { decision: 'approve', file_ids: ids, expected_decisions })
    const both = await Promise.all([decide(it.operator), decide(it.second)])
    expect(both.map(({ files }) => files.length).sort()).toEqual([0, 2])
    expect(both.map(({ left }) => left.length).sort()).toEqual([0, 2])
  })

  test('what is expected of files that are not named makes no difference', async () => {
    const it = await room()
    const file = await makeFile(it.batch)
    const done = await reviewFiles.execute(as(it.operator), it.place, {
      decision: 'approve',
      file_ids: [file.id],
      expected_decisions: { [it.batch.id]: 'approved' },
    })
    expect(done).toMatchObject({ files: [{ id: file.id }], left: [] })
  })
})

describe('approving all that pass', () => {
  const line = (status: string) => ({
    check_id: 'x_check',
    label: 'X',
    status,
    severity: 'blocking',
    confidence: 1,
    details: '',
  })

  test('leaves every file that does not pass by itself, each with the reason', async () => {
    const it = await room()
    const checked = async (given: Parameters<typeof makeResult>[1], file: Parameters<typeof makeFile>[1] = {}) => {
      const made = await makeFile(it.batch, file)
      const result = await makeResult(made, given)
      return { made, result }
    }
    const passing = await checked({ checks: [line('pass')] })
    const failing = await checked({ checks: [line('fail')], summary: 'fail' })
    const warned = await checked({ checks: [line('warning')], summary: 'warning' })
    const waived = await checked({ checks: [line('fail')], summary: 'fail' })
    await database()
      .db.insert(preQcWaivers)
      .values({ resultId: waived.result.id, checkId: 'x_check', reason: 'Agreed', createdBy: it.coordinator.id })
    const running = await checked({ status: 'running', summary: null, completedAt: null })
    const broken = await checked({ status: 'failed', summary: null })
    const nothing = await checked({ checks: [line('skipped')], summary: 'not_applicable' })
    const unsettled = await checked({ checks: [line('pass')] }, { integrity: 'pending' })
    const unchecked = { made: await makeFile(it.batch) }
    const decided = await checked({ checks: [line('pass')] }, { decision: 'rejected', decisionComment: 'No.' })

    const preview = await previewPassing.execute(as(it.viewer), it.place)
    expect(preview.passing).toEqual([{ id: passing.made.id, name: passing.made.name }])
    expect(preview.counts).toEqual({ passing: 1, left: 8 })
    const outcome = await approvePassing.execute(as(it.operator), it.place, {})
    expect(outcome.approved.map(({ id }) => id)).toEqual([passing.made.id])
    expect(Object.fromEntries(outcome.left.map(({ file, reason }) => [file.id, reason]))).toEqual({
      [failing.made.id]: 'Its checks failed.',
      [warned.made.id]: 'Its checks have warnings.',
      [waived.made.id]: 'A finding of its checks was waived.',
      [running.made.id]: 'Its checks have not ended.',
      [broken.made.id]: 'Its checks could not be run.',
      [nothing.made.id]: 'No check applied to it.',
      [unsettled.made.id]: 'Its integrity is not settled.',
      [unchecked.made.id]: 'It was not checked.',
    })
    expect((await getFile.execute(as(it.viewer), at(it, decided.made))).review.decision).toBe('rejected')
    expect(await eventsAbout(failing.made.id)).toEqual([])
    expect(await eventsAbout(passing.made.id)).toHaveLength(1)
  })

  test('of many that pass, as many are named as are approved at once, and all are counted', async () => {
    const it = await room()
    const first = await makeFile(it.batch, { name: 'first.png' })
    await makeResult(first, { checks: [line('pass')] })
    await testSql.unsafe(
      `insert into files (id, project_id, batch_id, name, name_key, size, media_type, kind, sha256, media, object_key, source_type, source_user_id)
       select uuidv7(), project_id, batch_id, 'f' || n, 'f' || n, size, media_type, kind, md5(n::text), media, 'many/' || n, source_type, source_user_id
       from files, generate_series(1, 600) n where id = $1`,
      [first.id],
    )
    await testSql.unsafe(
      `insert into pre_qc_results (id, project_id, batch_id, file_id, file_sha256, profile_id, status, summary, checks)
       select uuidv7(), f.project_id, f.batch_id, f.id, f.sha256, r.profile_id, 'completed', 'pass', r.checks
       from files f, pre_qc_results r where r.file_id = $1 and f.batch_id = r.batch_id and f.id <> $1`,
      [first.id],
    )
    const preview = await previewPassing.execute(as(it.viewer), it.place)
    expect(preview).toMatchObject({ left: [], counts: { passing: 601, left: 0 } })
    expect(preview.passing).toHaveLength(500)
  })

  test('asked for by name, a file that fails by now stays, and so do a superseded and an unknown one', async () => {
    const it = await room()
    const good = await makeFile(it.batch)
    await makeResult(good, { checks: [line('pass')] })
    const bad = await makeFile(it.batch)
    await makeResult(bad, { checks: [line('fail')], summary: 'fail' })
    const old = await makeFile(it.batch, { isCurrent: false })
    const file_ids = [good.id, bad.id, old.id]
    const result = await approvePassing.execute(as(it.operator), it.place, { file_ids })
    expect(result.approved.map(({ id }) => id)).toEqual([good.id])
    expect(result.left.map(({ file }) => file.id).sort()).toEqual([bad.id, old.id].sort())
    const stranger = (await makeFile(await makeBatch())).id
    await expectRefusal(approvePassing.execute(as(it.operator), it.place, { file_ids: [stranger] }), 'not_found')
  })

  test('is refused outside a review and for a viewer', async () => {
    const it = await room()
    await expectRefusal(approvePassing.execute(as(it.viewer), it.place, {}), 'forbidden')
    await database().db.update(batches).set({ status: 'open' }).where(eq(batches.id, it.batch.id))
    await expectRefusal(approvePassing.execute(as(it.operator), it.place, {}), 'invalid_state')
  })
})

describe('a comment', () => {
  test('is listed by pages that read no more of the batch than they show', async () => {
    const it = await room()
    const file = await makeFile(it.batch)
    await testSql`insert into file_comments (id, project_id, batch_id, file_id, body, created_by)
      select uuidv7(), ${it.project.id}, ${it.batch.id}, ${file.id}, 'Comment ' || n, ${it.operator.id} from generate_series(1, 2000) n`
    // Of most batches little is said, and the planner takes this one for one of those.
    await testSql`insert into users (id, email, name, role) select uuidv7(), 'reader-' || n || '@example.test', 'Reader', 'viewer' from generate_series(1, 500) n`
    await testSql`with others as (insert into batches (id, project_id, name, status, media_category_id)
        select uuidv7(), project_id, 'Other ' || n, 'open', media_category_id from batches, generate_series(1, 4000) n where id = ${it.batch.id} returning id)
      insert into file_comments (id, project_id, batch_id, file_id, body, created_by)
        select uuidv7(), ${it.project.id}, id, ${file.id}, 'Elsewhere', ${it.operator.id} from others`
    await testSql`analyze file_comments, users, files, batches`
    const statements = recordStatements(database().sql)
    const first = await listComments.execute(as(it.viewer), it.place, { limit: 50 })
    const second = await listComments.execute(as(it.viewer), it.place, { limit: 50, cursor: first.next_cursor })
    expect([...first.comments, ...second.comments].map(({ body }) => body)).toEqual(
      Array.from({ length: 100 }, (_, at) => `Comment ${at + 1}`),
    )
    const asked = statements.filter(({ text }) => text.includes('from "file_comments"'))
    expect(asked).toHaveLength(2)
    for (const { text, parameters } of asked) {
      const [row] = await testSql.begin(async (tx) => {
        // Statements are prepared: after five runs they may be planned without knowing what is asked for.
        await tx.unsafe('set local plan_cache_mode = force_generic_plan')
        await tx.unsafe(`prepare a_page as ${text}`)
        const given = parameters.map((parameter) => `'${parameter}'`).join(', ')
        const plan = await tx.unsafe(`explain (analyze, timing off, format json) execute a_page(${given})`)
        await tx.unsafe('deallocate a_page')
        return plan
      })
      // Ids, then rows.
      expect(rowsInPlan(row?.['QUERY PLAN'][0].Plan, 'file_comments')).toBeLessThanOrEqual(102)
    }
  })

  const say = (it: Room, file: { id: string }, body: object, who = it.operator) =>
    createComment.execute(as(who), at(it, file), body)

  test('is pinned to a point, a region, a page or a time, replied to and resolved', async () => {
    const it = await room()
    const video = await makeFile(it.batch, { kind: 'video', media: { durationSeconds: 12 } })
    const anchor = { kind: 'region', x: 0.1, y: 0.2, width: 0.5, height: 0.8, time: 3.2 }
    const first = await say(it, video, { body: 'The logo is cut off.', anchor })
    expect(first).toMatchObject({ anchor, file_version: 1, author: { name: it.operator.name }, resolved_at: null })
    const reply = await say(it, video, { body: 'Agreed.', parent_id: first.id }, it.second)
    expect(reply).toMatchObject({ parent_id: first.id, anchor: null })
    const path = { ...at(it, video), comment_id: first.id }
    const resolved = await updateComment.execute(as(it.second), path, { resolved: true })
    expect(resolved).toMatchObject({ resolved_by: { name: it.second.name }, resolved_at: expect.any(String) })
    const reopened = await updateComment.execute(as(it.operator), path, { resolved: false })
    expect(reopened).toMatchObject({ resolved_by: null, resolved_at: null })
    expect((await eventsAbout(first.id)).map(({ type }) => type)).toEqual([
      'comment.added',
      'comment.resolved',
      'comment.reopened',
    ])
    const { comments } = await listComments.execute(as(it.viewer), it.place, { file_id: video.id })
    expect(comments.map(({ id }) => id)).toEqual([first.id, reply.id])
    const next = await makeFile(it.batch, { name: `2 ${video.name}`, version: 2, seriesKey: video.nameKey })
    const ofNext = async (input: object) =>
      (await listComments.execute(as(it.viewer), it.place, { file_id: next.id, ...input })).comments
    expect(await ofNext({})).toEqual([])
    expect((await ofNext({ versions: 'all' })).map(({ id }) => id)).toEqual([first.id, reply.id])
    await deleteComment.execute(as(it.operator), path)
    expect((await listComments.execute(as(it.viewer), it.place, {})).comments).toEqual([])
  })

  test.each([
    [{ kind: 'point', x: 1.2, y: 0 }],
    [{ kind: 'point', x: -0.1, y: 0 }],
    [{ kind: 'point', x: 'a', y: 0 }],
    [{ kind: 'region', x: 0.9, y: 0, width: 0.2, height: 0.1 }],
    [{ kind: 'region', x: 0, y: 0, width: 0, height: 0.1 }],
    [{ kind: 'page', page: 0 }],
    [{ kind: 'page', page: 5 }],
    [{ kind: 'page', page: 1.5 }],
    [{ kind: 'time', time: 2 }],
    [{ kind: 'time', time: 3, end: 2 }],
    [{ kind: 'somewhere' }],
    [{ kind: 'point', x: 0, y: 0, onclick: 'alert(1)' }],
  ])('cannot stand where there is nothing: %j', async (anchor) => {
    const it = await room()
    const pages = await makeFile(it.batch, { kind: 'document', media: { pages: 4 } })
    await expectRefusal(say(it, pages, { body: 'Here', anchor }), 'validation_failed')
  })

  test('cannot stand after the end of a video, nor on a page of an image', async () => {
    const it = await room()
    const video = await makeFile(it.batch, { kind: 'video', media: { durationSeconds: 12 } })
    await say(it, video, { body: 'The last frame', anchor: { kind: 'time', time: 12.04 } })
    await expectRefusal(say(it, video, { body: 'x', anchor: { kind: 'time', time: 13 } }), 'validation_failed', [
      'anchor.time',
    ])
    const image = await makeFile(it.batch)
    await expectRefusal(
      say(it, image, { body: 'x', anchor: { kind: 'point', x: 0, y: 0, page: 1 } }),
      'validation_failed',
      ['anchor.page'],
    )
    await expectRefusal(say(it, image, { body: 'x', anchor: { kind: 'time', time: 1 } }), 'validation_failed', [
      'anchor.time',
    ])
  })

  const WRITTEN = [
    '<img src=x onerror=alert(1)>',
    "'; drop table file_comments; --",
    '\u202egnp.exe\u202c',
    '👩🏽‍🚀 سلام 漢字 e\u0301',
    'a\nb\tc',
    '{{constructor.constructor("x")()}}',
    'x'.repeat(4000),
  ]
  test.each(WRITTEN.map((body) => ({ body })))('keeps what was written, to the letter: $body', async ({ body }) => {
    const it = await room()
    const file = await makeFile(it.batch)
    expect((await say(it, file, { body })).body).toBe(body)
  })

  const REFUSED = ['', '   ', '\u200b\u200d', 'a\u0000b', '\ud800', 'x'.repeat(4001), null, 7]
  test.each(REFUSED.map((body) => ({ body })))(
    'says something that can be stored and seen: $body is refused',
    async ({ body }) => {
      const it = await room()
      const file = await makeFile(it.batch)
      await expectRefusal(say(it, file, { body }), 'validation_failed', ['body'])
    },
  )

  test('is about a current version; an older one can still be replied to and resolved', async () => {
    const it = await room()
    const old = await makeFile(it.batch, { isCurrent: false })
    const comment = await makeComment(old)
    await expectRefusal(say(it, old, { body: 'Late' }), 'invalid_state')
    await say(it, old, { body: 'Fixed in version 2', parent_id: comment.id })
    await updateComment.execute(as(it.operator), { ...at(it, old), comment_id: comment.id }, { resolved: true })
  })

  test('is replied to in its own thread only', async () => {
    const it = await room()
    const [file, other] = [await makeFile(it.batch), await makeFile(it.batch)]
    const comment = await makeComment(file, { isInternal: true })
    const reply = await say(it, file, { body: 'Yes', parent_id: comment.id })
    expect(reply.is_internal).toBe(true)
    for (const [target, parent_id] of [
      [other, comment.id],
      [file, reply.id],
      [file, '0190a000-0000-7000-8000-000000000009'],
    ] as const) {
      await expectRefusal(say(it, target, { body: 'x', parent_id }), 'validation_failed', ['parent_id'])
    }
    const misplaced = { body: 'x', parent_id: comment.id, anchor: { kind: 'point', x: 0, y: 0 } }
    await expectRefusal(say(it, file, misplaced), 'validation_failed', ['anchor'])
    const path = { ...at(it, file), comment_id: reply.id }
    await expectRefusal(updateComment.execute(as(it.operator), path, { resolved: true }), 'validation_failed', [
      'resolved',
    ])
  })

  test('is changed by its author, removed by its author or a coordinator, and by no other user', async () => {
    const it = await room()
    const file = await makeFile(it.batch)
    const comment = await makeComment(file, { createdBy: it.operator.id, body: 'Frist' })
    const path = { ...at(it, file), comment_id: comment.id }
    await expectRefusal(updateComment.execute(as(it.coordinator), path, { body: 'Mine' }), 'forbidden')
    await expectRefusal(deleteComment.execute(as(it.second), path), 'forbidden')
    await expectRefusal(say(it, file, { body: 'x' }, it.viewer), 'forbidden')
    await expectRefusal(updateComment.execute(as(it.viewer), path, { resolved: true }), 'forbidden')
    const stranger = await makeUser({ role: 'coordinator' })
    await expectRefusal(updateComment.execute(as(stranger), path, { resolved: true }), 'not_found')
    await expectRefusal(listComments.execute(as(stranger), it.place, {}), 'not_found')
    const changed = await updateComment.execute(as(it.operator), path, { body: 'First' })
    expect(changed).toMatchObject({ body: 'First', edited_at: expect.any(String) })
    expect((await eventsAbout(comment.id))[0]?.data).toMatchObject({
      before: { body: 'Frist' },
      after: { body: 'First' },
    })
    await deleteComment.execute(as(it.coordinator), path)
    const left = await database().db.select().from(fileComments).where(eq(fileComments.id, comment.id))
    expect(left).toEqual([])
  })

  test('belongs to the file in its path, and a closed project takes none', async () => {
    const it = await room()
    const [file, other] = [await makeFile(it.batch), await makeFile(it.batch)]
    const comment = await makeComment(file)
    await expectRefusal(
      updateComment.execute(as(it.operator), { ...at(it, other), comment_id: comment.id }, { resolved: true }),
      'not_found',
    )
    await database().db.update(projects).set({ status: 'archived' }).where(eq(projects.id, it.project.id))
    await expectRefusal(say(it, file, { body: 'x' }), 'project_closed')
    await expectRefusal(
      deleteComment.execute(as(it.coordinator), { ...at(it, file), comment_id: comment.id }),
      'project_closed',
    )
    expect(await database().db.select().from(files).where(eq(files.id, file.id))).toHaveLength(1)
  })
})
