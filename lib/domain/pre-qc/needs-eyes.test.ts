import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { database } from '@/db/client'
import { files } from '@/db/schema/files'
import { makeBatch, makeFile, makeProject, makeResult, makeUser } from '@/fixtures/factories'
import { as } from '../testing'
import { listNeedsEyes } from './needs-eyes'
import { needsEyes } from './rules'
import { waiveCheck } from './waivers'

const unsure = {
  check_id: 'sharpness_check',
  label: 'Sharpness',
  status: 'warning',
  severity: 'advisory',
  confidence: 0.6,
  details: 'It looks soft.',
  needs_eyes: true,
}

async function scene() {
  const operator = await makeUser({ role: 'operator' })
  const project = await makeProject({ members: [operator] })
  const file = await makeFile(await makeBatch({ projectId: project.id, status: 'in_review', round: 1 }))
  const result = await makeResult(file, { checks: [unsure], summary: 'warning', needsEyes: true })
  return { operator, project, file, result, list: () => listNeedsEyes.execute(as(operator), {}, {}) }
}

describe('files that need eyes', () => {
  it('are listed with what the engine is not sure of, for members of their project', async () => {
    const { file, project, result, list } = await scene()
    expect((await list()).files).toEqual([
      expect.objectContaining({
        id: file.id,
        project: { id: project.id, name: project.name },
        result_id: result.id,
        checks: [{ check_id: 'sharpness_check', label: 'Sharpness', confidence: 0.6, details: 'It looks soft.' }],
      }),
    ])
    const stranger = await makeUser({ role: 'coordinator' })
    expect((await listNeedsEyes.execute(as(stranger), {}, {})).files).toEqual([])
  })

  it('are no longer listed once they are decided, or the finding is waived', async () => {
    const decided = await scene()
    await database().db.update(files).set({ decision: 'approved' }).where(eq(files.id, decided.file.id))
    expect((await decided.list()).files).toEqual([])
    const waived = await scene()
    const params = { result_id: waived.result.id, check_id: 'sharpness_check' }
    await waiveCheck.execute(as(waived.operator), params, { reason: 'It is meant to be soft', reason_code: 'intended' })
    expect((await waived.list()).files).toEqual([])
  })

  it('are those with a finding below the floor that is not waived', () => {
    expect(needsEyes([{ check_id: 'a', label: 'A', status: 'warning', needs_eyes: true }] as never)).toBe(true)
    expect(needsEyes([{ check_id: 'a', label: 'A', status: 'waived', needs_eyes: true }] as never)).toBe(false)
    expect(needsEyes([{ check_id: 'a', label: 'A', status: 'warning' }] as never)).toBe(false)
  })
})
