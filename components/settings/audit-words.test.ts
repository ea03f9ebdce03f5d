import { expect, test } from 'vitest'
import { makeBatch, makeFile, makeProject, makeUser } from '@/fixtures/factories'
import { listAuditEvents } from '@/lib/domain/audit/queries'
import { completeReview } from '@/lib/domain/batches/commands'
import { reviewFile, undoReviews } from '@/lib/domain/review/commands'
import { as } from '@/lib/domain/testing'
import { outcomeOf } from './audit-words'

test('a row of the audit trail says what was decided', async () => {
  const admin = await makeUser({ role: 'administrator' })
  const operator = await makeUser({ role: 'operator' })
  const project = await makeProject({ members: [operator] })
  const batch = await makeBatch({ projectId: project.id, status: 'in_review', round: 1, operatorId: operator.id })
  const at = { project_id: project.id, batch_id: batch.id }
  const [one, two] = [await makeFile(batch, { name: 'one.png' }), await makeFile(batch, { name: 'two.png' })]
  const decide = (file: { id: string }, input: object) =>
    reviewFile.execute(as(operator), { ...at, file_id: file.id }, input)
  await decide(one, { decision: 'approve' })
  await undoReviews.execute(as(operator), at, { file_ids: [one.id] })
  await decide(one, { decision: 'approve' })
  await decide(two, { decision: 'reject', reason: 'wrong_content', comment: 'Last year.' })
  await completeReview.execute(as(operator), at, {})
  const { events } = await listAuditEvents.execute(as(admin), {}, { batch_id: batch.id })
  expect(events.map((event) => [event.type, outcomeOf(event)])).toEqual([
    ['batch.review_completed', 'Awaiting resupply'],
    ['file.reviewed', 'Rejected'],
    ['file.reviewed', 'Approved'],
    ['file.review_undone', 'Pending'],
    ['file.reviewed', 'Approved'],
  ])
})
