import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { database } from '@/db/client'
import { batches } from '@/db/schema/projects'
import {
  makeBatch,
  makeComment,
  makeFile,
  makeProject,
  makeResult,
  makeUploadLink,
  makeUser,
} from '@/fixtures/factories'
import { as, expectRefusal } from '../testing'
import { authenticateLink } from './find'
import { getPublicUploadLink } from './public'
import { openRejectedFile } from './rejected-files'
import { PublicUploadLink } from './schema'

const TOKEN = 'RejectedFilesTok'

async function resupply() {
  const reviewer = await makeUser({ role: 'operator' })
  const project = await makeProject({ members: [reviewer] })
  const batch = await makeBatch({ projectId: project.id, status: 'awaiting_resupply', round: 1 })
  const tokenHash = createHash('sha256').update(TOKEN).digest('hex')
  await makeUploadLink(batch, { tokenHash, tokenEncrypted: `sealed ${TOKEN}` })
  const ctx = as('anonymous')
  const holder = { ...ctx, actor: await authenticateLink(ctx, { token: TOKEN }) }
  return { reviewer, project, batch, holder }
}

const previews = { thumbnail: true, preview: true }
const line = (check_id: string, status: string, fix?: string) => ({
  check_id,
  label: check_id,
  status,
  details: `${check_id} says so`,
  severity: 'blocking',
  confidence: 1,
  ...(fix && { fix }),
})

test('the agency sees of each rejected file why, where and how to fix it, and nothing the team keeps to itself', async () => {
  const { batch, holder } = await resupply()
  const rejected = await makeFile(batch, {
    name: 'hero.png',
    decision: 'rejected',
    decisionComment: 'The logo is cut off.',
    decisionReason: 'brand_guidelines',
    previews,
  })
  const approved = await makeFile(batch, { name: 'other.png', decision: 'approved', previews })
  await makeResult(rejected, {
    summary: 'fail',
    checks: [line('b_check', 'warning'), line('c_check', 'pass'), line('a_check', 'fail', 'Export at 300 px')],
  })
  const anchor = { kind: 'region' as const, x: 0.1, y: 0.1, width: 0.2, height: 0.2 }
  const shapes = [{ kind: 'box' as const, colour: 'red', x: 0.1, y: 0.1, width: 0.2, height: 0.2 }]
  const shown = await makeComment(rejected, { body: 'Here', anchor, shapes })
  const between = await makeComment(rejected, { body: 'Between us', isInternal: true })
  await makeComment(rejected, { body: 'Still between us', isInternal: true, parentId: between.id })
  await makeComment(rejected, { body: 'Fixed already', resolvedAt: new Date() })
  await makeComment(rejected, { body: 'A reply', parentId: shown.id })
  await makeComment(approved, { body: 'Lovely' })

  const link = PublicUploadLink.parse(await getPublicUploadLink.execute(holder, { token: TOKEN }))
  expect(link.expected_files).toEqual([
    {
      name: 'hero.png',
      reason: 'The logo is cut off.',
      file_id: rejected.id,
      suggested_name: 'hero.png',
      changeable_tokens: [],
    },
  ])
  expect(link.rejected_files).toEqual([
    {
      file_id: rejected.id,
      name: 'hero.png',
      reason: 'The logo is cut off.',
      version: 1,
      code: 'brand_guidelines',
      picture_url: `http://localhost:3000/api/public/upload-links/${TOKEN}/files/${rejected.id}/picture`,
      picture_pages: 1,
      media_url: null,
      marks: [{ body: 'Here', anchor, shapes, answers: ['A reply'], attachments: [] }],
      findings: [
        { label: 'a_check', details: 'a_check says so', fix: 'Export at 300 px', is_blocking: true },
        { label: 'b_check', details: 'b_check says so', fix: null, is_blocking: false },
      ],
      repaired_copy: null,
    },
  ])

  const open = (file_id: string) => openRejectedFile.execute(holder, { token: TOKEN, file_id })
  expect((await open(rejected.id)).id).toBe(rejected.id)
  await expectRefusal(open(approved.id), 'not_found')
  const elsewhere = await makeFile(await makeBatch({ status: 'awaiting_resupply' }), { decision: 'rejected', previews })
  await expectRefusal(open(elsewhere.id), 'not_found')
  await database().db.update(batches).set({ status: 'in_review' }).where(eq(batches.id, batch.id))
  await expectRefusal(open(rejected.id), 'not_found')
  expect(await getPublicUploadLink.execute(holder, { token: TOKEN })).toHaveProperty('rejected_files', null)
})
