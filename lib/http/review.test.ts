import { createHash, randomUUID } from 'node:crypto'
import { finished } from 'node:stream/promises'
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { batches, projects } from '@/db/schema/projects'
import { testDb } from '@/db/testing'
import {
  makeBatch,
  makeComment,
  makeFile,
  makeProject,
  makeToken,
  makeUploadLink,
  makeUser,
} from '@/fixtures/factories'
import { eventsAbout } from '@/lib/domain/testing'
import { service } from '@/lib/service'
import type { BatchStatus, Role } from '@/lib/vocabulary'
import type { Handler } from './endpoint'
import { routes, send } from './testing'

/** What a review refuses, over HTTP: nothing of it may change a row, and each refusal says why. */

const BATCH = '/api/projects/{project_id}/batches/{batch_id}'
const FILE = `${BATCH}/files/{file_id}`

async function call(
  method: string,
  route: string,
  params: Record<string, string>,
  sent: { token?: string; body?: unknown; query?: string; headers?: Record<string, string> } = {},
) {
  const handlers: Record<string, Handler> = await import(routes[route] ?? '')
  const handler = handlers[method]
  if (!handler) throw new Error(`${route} has no ${method}.`)
  return send(handler, method, `/${sent.query ?? ''}`, { params, ...sent })
}

async function room(status: BatchStatus = 'in_review') {
  const someone = async (role: Role) => {
    const user = await makeUser({ role })
    return { user, token: (await makeToken(user)).token }
  }
  const [operator, second, viewer, stranger] = [
    await someone('operator'),
    await someone('operator'),
    await someone('viewer'),
    await someone('coordinator'),
  ]
  const project = await makeProject({ members: [operator.user, second.user, viewer.user] })
  const batch = await makeBatch({ projectId: project.id, status, round: 1, operatorId: operator.user.id })
  const place = { project_id: project.id, batch_id: batch.id }
  const on = (file: { id: string }) => ({ ...place, file_id: file.id })
  return { operator, second, viewer, stranger, project, batch, place, on }
}

const APPROVE = { decision: 'approve' }
const REJECT = { decision: 'reject', reason: 'colour', comment: 'Too red.' }

const problem = async (response: Response) => {
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  return { status: response.status, ...(await response.json()) }
}

describe('a decision over HTTP', () => {
  test('on a version that was replaced is refused, alone and among many', async () => {
    const { operator, batch, place, on } = await room()
    const old = await makeFile(batch, { name: 'hero.png', isCurrent: false })
    const current = await makeFile(batch, { name: 'hero.png', version: 2, supersedesId: old.id })
    const { token } = operator
    const alone = await call('POST', `${FILE}/review`, on(old), { token, body: APPROVE })
    expect(await problem(alone)).toMatchObject({ status: 409, code: 'invalid_state', current: 'superseded' })
    const body = { ...APPROVE, file_ids: [current.id, old.id] }
    expect((await problem(await call('POST', `${BATCH}/review`, place, { token, body }))).code).toBe('invalid_state')
    expect(await eventsAbout(current.id)).toEqual([])
    expect(await eventsAbout(old.id)).toEqual([])
  })

  test.each(['open', 'awaiting_resupply', 'approved', 'cancelled'] as const)(
    'in a batch that is %s is refused, with what it is and what it would have to be',
    async (status) => {
      const { operator, batch, place, on } = await room(status)
      const file = await makeFile(batch)
      const { token } = operator
      const calls: [string, Record<string, string>, object | undefined][] = [
        [`${FILE}/review`, on(file), APPROVE],
        [`${BATCH}/review`, place, { ...REJECT, file_ids: [file.id] }],
        [`${BATCH}/review/passing`, place, {}],
        [`${BATCH}/review/undo`, place, { file_ids: [file.id] }],
        [`${BATCH}/complete-review`, place, {}],
      ]
      for (const [route, params, body] of calls) {
        const refused = await problem(await call('POST', route, params, { token, body }))
        expect(refused).toMatchObject({ status: 409, code: 'invalid_state' })
        expect(refused.detail.length).toBeGreaterThan(20)
      }
      expect(await eventsAbout(file.id)).toEqual([])
      expect(await eventsAbout(batch.id)).toEqual([])
    },
  )

  test('in a project that is closed is refused', async () => {
    const { operator, batch, project, on } = await room()
    const file = await makeFile(batch)
    await testDb.update(projects).set({ status: 'completed' }).where(eq(projects.id, project.id))
    const refused = await call('POST', `${FILE}/review`, on(file), { token: operator.token, body: APPROVE })
    expect(await problem(refused)).toMatchObject({ status: 409, code: 'project_closed' })
  })

  test('by the wrong person is refused: who may only view, who is not of the project, who is anonymous', async () => {
    const { viewer, stranger, batch, on } = await room()
    const file = await makeFile(batch)
    const by = async (token?: string) =>
      (await call('POST', `${FILE}/review`, on(file), { token, body: APPROVE })).status
    expect([await by(viewer.token), await by(stranger.token), await by()]).toEqual([403, 404, 401])
    expect(await eventsAbout(file.id)).toEqual([])
  })

  test('of two people at once counts once when each says what they saw', async () => {
    const { operator, second, batch, on } = await room()
    const file = await makeFile(batch)
    const decide = (token: string, body: object) =>
      call('POST', `${FILE}/review`, on(file), { token, body: { ...body, expected_decision: 'pending' } })
    const responses = await Promise.all([decide(operator.token, APPROVE), decide(second.token, REJECT)])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 412])
    expect(await eventsAbout(file.id)).toHaveLength(1)
  })

  test('sent twice with one key is one decision, and the second response says that it is a repetition', async () => {
    const { operator, batch, on } = await room()
    const file = await makeFile(batch)
    const headers = { 'Idempotency-Key': randomUUID() }
    const decide = () => call('POST', `${FILE}/review`, on(file), { token: operator.token, body: REJECT, headers })
    const [first, again] = [await decide(), await decide()]
    expect([first.status, again.status]).toEqual([200, 200])
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(await again.text()).toBe(await first.text())
    expect(await eventsAbout(file.id)).toHaveLength(1)
  })

  test('completing a review twice at once completes it once', async () => {
    const { operator, second, batch, place } = await room()
    await makeFile(batch, { decision: 'approved' })
    const complete = (token: string) => call('POST', `${BATCH}/complete-review`, place, { token, body: {} })
    const responses = await Promise.all([complete(operator.token), complete(second.token)])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await eventsAbout(batch.id)).map(({ type }) => type)).toEqual(['batch.review_completed'])
  })

  test.each([
    [{ decision: 'maybe' }, 'decision'],
    [{ decision: 'reject' }, 'comment'],
    [{ decision: 'reject', comment: '' }, 'comment'],
    [{ decision: 'reject', comment: 'x', reason: 'ugly' }, 'reason'],
    [{ decision: 'approve', reason: 'colour' }, 'reason'],
    [{ decision: 'approve', status: 'approved' }, 'status'],
    [{ decision: 'reject', comment: 'a\u0000b' }, 'comment'],
    [{ decision: 'approve', sha256: 'abc' }, 'sha256'],
  ])('of the form %j is refused at %s', async (body, field) => {
    const { operator, batch, on } = await room()
    const file = await makeFile(batch)
    const refused = await problem(await call('POST', `${FILE}/review`, on(file), { token: operator.token, body }))
    expect(refused).toMatchObject({ status: 422, code: 'validation_failed' })
    expect(refused.errors.map(({ path }: { path: string }) => path)).toContain(field)
    expect(await eventsAbout(file.id)).toEqual([])
  })
})

describe('a comment over HTTP', () => {
  test.each([
    '<script>alert(1)</script><img src=x onerror=alert(1)>',
    "'; drop table file_comments; --",
    '\u202egnp.exe\u202c {{7*7}} %s',
    '👩🏽‍🚀 سلام 漢字 e\u0301\u0301\u0301',
    `line one\nline two\ttab ${'x'.repeat(3900)}`,
  ])('keeps a hostile text to the letter, as JSON that no browser runs', async (body) => {
    const { operator, batch, on, place } = await room()
    const file = await makeFile(batch)
    const { token } = operator
    const made = await call('POST', `${FILE}/comments`, on(file), { token, body: { body } })
    expect(made.status).toBe(201)
    const listed = await call('GET', `${BATCH}/comments`, place, { token })
    expect(listed.headers.get('content-type')).toBe('application/json')
    expect(listed.headers.get('x-content-type-options')).toBe('nosniff')
    expect((await listed.json()).comments).toMatchObject([{ body }])
  })

  const REFUSED = ['', ' \u200b ', 'a\u0000b', 'x'.repeat(4001), 7, null]
  test.each(REFUSED.map((body) => ({ body })))('that says $body is refused', async ({ body }) => {
    const { operator, batch, on } = await room()
    const file = await makeFile(batch)
    const refused = await call('POST', `${FILE}/comments`, on(file), { token: operator.token, body: { body } })
    expect(await problem(refused)).toMatchObject({ status: 422, errors: [{ path: 'body' }] })
  })

  test('resolved by two at once is resolved once', async () => {
    const { operator, second, batch, on } = await room()
    const file = await makeFile(batch)
    const comment = await makeComment(file)
    const resolve = (token: string) =>
      call(
        'PATCH',
        `${FILE}/comments/{comment_id}`,
        { ...on(file), comment_id: comment.id },
        {
          token,
          body: { resolved: true },
        },
      )
    const responses = await Promise.all([resolve(operator.token), resolve(second.token)])
    expect(responses.map(({ status }) => status)).toEqual([200, 200])
    expect(await eventsAbout(comment.id)).toHaveLength(1)
  })
})

describe('what an agency is shown of a rejected file', () => {
  const LINK = '/api/public/upload-links/{token}'

  async function rejected(kind: 'video' | 'image') {
    const { batch } = await room('awaiting_resupply')
    const token = randomUUID().replaceAll('-', '').slice(0, 16)
    const tokenHash = createHash('sha256').update(token).digest('hex')
    const link = await makeUploadLink(batch, { tokenHash, tokenEncrypted: service().ports.secrets.encrypt(token) })
    const staged = await service().ports.blobs.stage()
    const writable = await staged.writable()
    writable.end(Buffer.from('0123456789'))
    await finished(writable)
    const objectKey = `files/${randomUUID()}` as const
    await service().ports.blobs.commit(staged, objectKey)
    const file = await makeFile(batch, {
      kind,
      mediaType: kind === 'video' ? 'video/mp4' : 'image/png',
      size: 10,
      objectKey,
      decision: 'rejected',
      previews: { thumbnail: true, preview: true },
    })
    const ask = (what: 'media' | 'picture', file_id = file.id, query = '', headers = {}) =>
      call('GET', `${LINK}/files/{file_id}/${what}`, { token, file_id }, { query, headers })
    return { batch, link, file, ask, token }
  }

  test('is a video whole or by range, to be saved or seeked in and nothing else', async () => {
    const { ask } = await rejected('video')
    const whole = await ask('media')
    expect([whole.status, await whole.text()]).toEqual([200, '0123456789'])
    expect(whole.headers.get('content-security-policy')).toContain('sandbox')
    const part = await ask('media', undefined, '', { range: 'bytes=2-4' })
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([206, 'bytes 2-4/10', '234'])
  })

  test('is no other kind of file, no page it does not have, and nothing that was not rejected', async () => {
    const { ask, batch } = await rejected('image')
    const other = await makeFile(batch, {
      kind: 'video',
      decision: 'approved',
      previews: { thumbnail: true, preview: true },
    })
    expect((await ask('media')).status).toBe(404)
    expect((await ask('media', other.id)).status).toBe(404)
    expect((await ask('picture', undefined, '?page=2')).status).toBe(404)
    expect((await ask('picture', undefined, '?page=x')).status).toBe(400)
  })

  test('is nothing once the files are submitted again', async () => {
    const { ask, batch } = await rejected('video')
    await testDb.update(batches).set({ status: 'in_review' }).where(eq(batches.id, batch.id))
    expect((await ask('media')).status).toBe(404)
    expect((await ask('picture')).status).toBe(404)
  })
})
