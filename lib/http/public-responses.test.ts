import { createHash, randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { database } from '@/db/client'
import { costEstimates } from '@/db/schema/cost-estimates'
import { preQcWaivers } from '@/db/schema/pre-qc'
import { batches } from '@/db/schema/projects'
import { reviewLinks } from '@/db/schema/review-links'
import { shareLinks } from '@/db/schema/share-links'
import { uploadLinks } from '@/db/schema/upload-links'
import { webhookDeliveries } from '@/db/schema/webhooks'
import {
  makeAgency,
  makeAttachment,
  makeBatch,
  makeCampaign,
  makeComment,
  makeDirectUpload,
  makeFile,
  makeProject,
  makeResult,
  makeReviewLink,
  makeScorecardLink,
  makeShareLink,
  makeToken,
  makeUploadLink,
  makeUser,
  makeWebhook,
} from '@/fixtures/factories'
import { closePrinter } from '@/lib/adapters/printer/printer'
import { nameKey } from '@/lib/domain/naming/portable-name'
import { readPdf } from '@/lib/pdf/testing'
import { service } from '@/lib/service'
import type { Handler } from './endpoint'
import { INTERFACE } from './interface'
import { routes, send } from './testing'

/**
 * People without an account get what is meant for them and nothing else. The world of this test has a marker in
 * everything that is kept inside; then every public method of the interface is asked, in every state it has, and no
 * response, header, refusal or PDF may hold a marker. A new public method without a line here fails.
 */

afterAll(closePrinter)

let planted = 0
/** A value that must never be seen outside. */
const inside = (what: string) => `inside-${what}-${++planted}`
const MARKER = /inside-[a-z]+-\d+/gi

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const sealed = (token: string) => ({
  tokenHash: sha256(token),
  tokenEncrypted: service().ports.secrets.encrypt(token),
})

/** Every response that was given: what was asked, and all that came back as text. */
const responses: { call: string; status: number; said: string }[] = []

async function ask(
  call: string,
  params: Record<string, string> = {},
  { body, headers }: { body?: unknown; headers?: Record<string, string> } = {},
) {
  const [method = '', path = ''] = call.split(' ')
  const handlers: Record<string, Handler> = await import(routes[path] ?? '')
  const handler = handlers[method]
  if (!handler) throw new Error(`${path} has no ${method}.`)
  const url = path.replace(/\{(\w+)\}/g, (_, name) => params[name] ?? '')
  const response = await send(handler, method, url, { params, body, headers })
  const head = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
  const bytes = Buffer.from(await response.arrayBuffer())
  const text = response.headers.get('content-type')?.includes('pdf') ? await paper(bytes) : bytes.toString('utf8')
  responses.push({ call, status: response.status, said: `${head}\n${text}` })
  return { status: response.status, text }
}

async function paper(bytes: Buffer) {
  const { pages, info, outline } = await readPdf(bytes)
  return [...pages.map(({ text }) => text), JSON.stringify(info), ...outline].join('\n')
}

/** Asked by staff, whose responses may say everything. */
async function staff(token: string, method: string, path: string, params: Record<string, string>, body?: unknown) {
  const handlers: Record<string, Handler> = await import(routes[path] ?? '')
  const response = await send(handlers[method] as Handler, method, '/', { token, params, body })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${text}`)
  return text.startsWith('{') ? JSON.parse(text) : text
}

async function world() {
  const admin = await makeUser({
    role: 'administrator',
    name: inside('administrator'),
    email: `${inside('mail')}@x.test`,
  })
  const { token } = await makeToken(admin, { name: inside('token') })
  await makeWebhook({ url: `https://${inside('hook')}.test/`, description: inside('hook'), createdBy: admin.id })
  const sender = await makeUser({ name: 'Jana Sender', email: `${inside('mail')}@x.test` })
  const senderToken = (await makeToken(sender)).token
  const reviewer = await makeUser({ role: 'operator', name: inside('reviewer'), email: `${inside('mail')}@x.test` })
  const agency = await makeAgency()
  await makeAgency({ name: inside('agency') })
  await makeCampaign({ name: inside('campaign') })
  const project = await makeProject({
    name: 'Spring',
    agencyId: agency.id,
    createdBy: admin.id,
    members: [sender, reviewer],
  })
  await makeProject({ name: inside('project'), agencyId: agency.id })
  return { admin, token, sender, senderToken, reviewer, agency, project }
}
type World = Awaited<ReturnType<typeof world>>

const waiverOf = (resultId: string, checkId: string, createdBy: string) =>
  database()
    .db.insert(preQcWaivers)
    .values({ resultId, checkId, reason: inside('waiver'), createdBy })

const line = (check_id: string, status: string, details: string) => ({
  check_id,
  label: check_id.replace('_check', ''),
  status,
  details,
  severity: 'blocking',
  confidence: 1,
  fix: details,
})

/** Estimates as the client meets them: approved inside with comments, revised, decided by a colleague. */
async function estimates({ senderToken, project }: World) {
  const at = '/api/cost-estimates/{estimate_id}'
  const create = async (description = 'Banner set') => {
    const { id } = await staff(
      senderToken,
      'POST',
      '/api/cost-estimates',
      {},
      {
        project_id: project.id,
        title: 'Spring set',
        line_items: [{ description, quantity: 2, unit_price: 50 }],
      },
    )
    return { estimate_id: id as string }
  }
  /** Steps are put in as the workflow would, with names and comments that are not shown outside. */
  const approvedInside = async (on: { estimate_id: string }) => {
    const tokenText = randomUUID()
    const by = { id: randomUUID(), name: inside('approver') }
    const step = (status: 'approved' | 'pending') => ({
      name: inside('step'),
      role: null,
      user: by,
      status,
      by: status === 'approved' ? by : null,
      at: status === 'approved' ? '2026-11-20T10:00:00.000Z' : null,
      comment: status === 'approved' ? inside('margin') : '',
    })
    await database()
      .db.update(costEstimates)
      .set({ steps: [step('approved')], ...sealed(tokenText) })
      .where(eq(costEstimates.id, on.estimate_id))
    return { link: { token: tokenText }, pending: step('pending') }
  }
  const submitted = async () => {
    const on = await create()
    await staff(senderToken, 'POST', `${at}/submit`, on)
    return { on, ...(await approvedInside(on)) }
  }

  const { link } = await submitted()
  const client = '/api/public/cost-estimates/{token}'
  const open = async (params: { token: string }) => {
    await ask(`GET ${client}`, params)
    await ask(`GET ${client}/pdf`, params)
  }
  await open(link)
  await ask(`POST ${client}/decision`, link, { body: { decision: 'approve', name: 'Ada', total: 1 } })
  await ask(`POST ${client}/decision`, link, { body: {} })
  await ask(`POST ${client}/decision`, link, { body: { decision: 'approve', name: 'Ada', comment: 'Go' } })
  await open(link)
  await ask(`POST ${client}/decision`, link, { body: { decision: 'reject', name: 'Ada' } })
  await ask(`POST ${client}/undo`, link)
  await ask(`POST ${client}/undo`, link)

  // A colleague records what the client said on the telephone, in words for the team.
  for (const decision of ['approve', 'reject']) {
    const recorded = await submitted()
    await staff(senderToken, 'POST', `${at}/${decision}`, recorded.on, { comment: inside('recorded') })
    await open(recorded.link)
    await ask(`POST ${client}/undo`, recorded.link)
  }

  // Revised: what was offered before, and what is being written or waits inside, is not shown.
  const revised = await submitted()
  await staff(senderToken, 'POST', `${at}/revise`, revised.on)
  await staff(senderToken, 'PATCH', at, revised.on, {
    title: inside('draft'),
    notes: inside('draft'),
    line_items: [{ description: inside('draft'), quantity: 1, unit_price: 1 }],
  })
  await open(revised.link)
  await ask(`POST ${client}/decision`, revised.link, { body: { decision: 'approve', name: 'Ada' } })
  await ask(`POST ${client}/undo`, revised.link)
  await database()
    .db.update(costEstimates)
    .set({ status: 'awaiting_internal_approval', steps: [revised.pending] })
    .where(eq(costEstimates.id, revised.on.estimate_id))
  await open(revised.link)
  await ask(`POST ${client}/decision`, revised.link, { body: { decision: 'approve', name: 'Ada' } })
  await ask(`POST ${client}/undo`, revised.link)
  expect(responses.at(-1)?.said).not.toContain('internal')

  const nothing = { token: 'unknown' }
  await open(nothing)
  await ask(`POST ${client}/decision`, nothing, { body: {} })
  await ask(`POST ${client}/undo`, nothing)
}

/** A batch that waits for a resupply, beside another of the project that the agency has no link to. */
async function resupply({ admin, sender, reviewer, project }: World) {
  const batch = await makeBatch({ projectId: project.id, name: 'Banners', status: 'awaiting_resupply', round: 1 })
  const foreign = await makeBatch({ projectId: project.id, name: inside('batch') })
  const twin = await makeFile(foreign, { name: `${inside('file')}.png`, sourceUserId: admin.id })
  const approved = await makeFile(batch, {
    name: 'logo.png',
    decision: 'approved',
    decisionComment: inside('praise'),
    decidedBy: reviewer.id,
  })
  await makeComment(approved, { body: inside('comment') })
  const rejected = await makeFile(batch, {
    name: 'hero.png',
    decision: 'rejected',
    decisionComment: 'The logo is cut off.',
    decidedBy: reviewer.id,
    objectKey: `files/${inside('key')}`,
    sourceUserId: admin.id,
  })
  const result = await makeResult(rejected, {
    summary: 'fail',
    checks: [
      line('near_duplicate_check', 'fail', `The image looks like “${twin.name}”.`),
      line('blank_check', 'fail', inside('waived')),
      line('size_check', 'pass', inside('passed')),
    ],
  })
  await waiverOf(result.id, 'blank_check', reviewer.id)
  const shown = await makeComment(rejected, { body: 'Here', createdBy: reviewer.id })
  await makeComment(rejected, { body: inside('reply'), parentId: shown.id, isInternal: true })
  const secret = await makeComment(rejected, { body: inside('comment'), isInternal: true })
  const resolved = await makeComment(rejected, { body: inside('resolved'), resolvedAt: new Date() })
  const kept = await Promise.all([secret, resolved].map((on) => makeAttachment(on, { name: inside('attachment') })))

  const link = { token: randomUUID() }
  const locked = { token: randomUUID() }
  await makeUploadLink(batch, { ...sealed(link.token), label: 'New versions', createdBy: sender.id })
  await makeUploadLink(batch, { label: inside('label'), note: inside('note') })
  await makeUploadLink(batch, {
    ...sealed(locked.token),
    label: 'Locked',
    note: inside('note'),
    passwordHash: await import('@node-rs/argon2').then(({ hash }) => hash(inside('password'))),
    createdBy: sender.id,
  })
  // Another one's upload, to the batch of the link.
  const begun = await makeDirectUpload(
    {
      id: admin.id,
      name: admin.name,
      email: admin.email,
      role: admin.role,
      type: 'user',
      scope: 'write',
      via: 'token',
    },
    { project_id: project.id, batch_id: batch.id },
    { name: `${inside('upload')}.png` },
  )
  const at = '/api/public/upload-links/{token}'
  const everything = async (params: { token: string }) => {
    const file = { ...params, file_id: rejected.id }
    await ask(`GET ${at}`, params)
    await ask(`GET ${at}/rejected-files`, params)
    await ask(`GET ${at}/files/{file_id}/picture`, file)
    await ask(`GET ${at}/files/{file_id}/media`, file)
    for (const { id, commentId } of kept) {
      const attachment = { ...file, comment_id: commentId, attachment_id: id }
      const place = `${at}/files/{file_id}/comments/{comment_id}/attachments/{attachment_id}`
      await ask(`GET ${place}`, attachment)
      await ask(`GET ${place}/picture`, attachment)
    }
    for (const part of ['preview', 'download']) await ask(`GET ${at}/files/{file_id}/repair/${part}`, file)
    await ask(`POST ${at}/files/{file_id}/repair/accept`, file, { body: { repair_id: randomUUID() } })
    await ask(`GET ${at}/files/{file_id}/picture`, { ...params, file_id: approved.id })
    await ask(`GET ${at}/files/{file_id}/media`, { ...params, file_id: twin.id })
    await ask(`POST ${at}/files/check`, params, {
      body: {
        files: [
          { name: 'hero.png', size: 10, sha256: twin.sha256 },
          { name: 'other.png', size: 10, sha256: approved.sha256 },
          { name: 'a b?.exe', size: 1e15 },
        ],
      },
    })
    await ask(`POST ${at}/files/check`, params, { body: { files: [] } })
    await ask(`POST ${at}/opened`, params)
    await ask(`POST ${at}/session`, params)
    await ask(`DELETE ${at}/session`, params, { headers: { 'upload-session': randomUUID() } })
    await ask(`POST ${at}/unlock`, params, { body: { password: 'wrong' } })
    const form = new FormData()
    form.set('file', new Blob(['not an image']), 'hero.png')
    const sent = new Response(form)
    await ask(`POST ${at}/files`, params, {
      body: Buffer.from(await sent.arrayBuffer()),
      headers: { 'content-type': sent.headers.get('content-type') ?? '', 'upload-session': randomUUID() },
    })
    await ask(`POST ${at}/uploads`, params, {
      body: { name: 'other.png', size: 12 },
      headers: { 'upload-session': randomUUID() },
    })
    for (const id of [begun.id, randomUUID()]) {
      const upload = { ...params, upload_id: id }
      const headers = { 'upload-session': randomUUID() }
      await ask(`GET ${at}/uploads/{upload_id}`, upload, { headers })
      await ask(`POST ${at}/uploads/{upload_id}/parts`, upload, { body: {}, headers })
      await ask(`POST ${at}/uploads/{upload_id}/complete`, upload, { headers })
      await ask(`DELETE ${at}/uploads/{upload_id}`, upload, { headers })
    }
    await ask(`POST ${at}/tus`, params, {
      headers: {
        'tus-resumable': '1.0.0',
        'upload-length': '12',
        'upload-metadata': `filename ${Buffer.from('other.png').toString('base64')}`,
      },
    })
  }
  await everything(link)
  await everything(locked)
  await everything({ token: 'unknown' })
  for (const change of [{ expiresAt: new Date(0) }, { expiresAt: null, deactivatedAt: new Date() }]) {
    await database()
      .db.update(uploadLinks)
      .set(change)
      .where(eq(uploadLinks.tokenHash, sha256(link.token)))
    await everything(link)
  }
  return { hashes: [twin.sha256, approved.sha256, rejected.sha256] }
}

/** What a link says of the tiles of a file. */
async function tiles(at: string, file: Record<string, string>) {
  await ask(`GET ${at}/files/{file_id}/tiles`, file)
  await ask(`POST ${at}/files/{file_id}/tiles`, file)
  await ask(`GET ${at}/files/{file_id}/tiles/{level}/{column}/{row}`, { ...file, level: '0', column: '0', row: '0' })
}

/** A batch in review, of which one file is shown by a link, and others are not. */
async function reviews({ admin, sender, reviewer, project }: World) {
  const batch = await makeBatch({ projectId: project.id, name: 'Posters', status: 'in_review', round: 1 })
  const shown = await makeFile(batch, {
    name: 'poster.png',
    decisionComment: inside('decision'),
    objectKey: `files/${inside('key')}`,
    sourceUserId: admin.id,
  })
  const other = await makeFile(batch, { name: `${inside('file')}.png`, sourceUserId: admin.id })
  const said = await makeComment(shown, { body: 'Here', createdBy: reviewer.id })
  await makeComment(shown, { body: inside('reply'), parentId: said.id, isInternal: true })
  const secret = await makeComment(shown, { body: inside('comment'), isInternal: true })
  const attached = await makeAttachment(said, { name: 'sketch.txt', hasPicture: false })
  const secretAttached = await makeAttachment(secret, { name: inside('attachment'), hasPicture: false })
  const link = { token: randomUUID() }
  const locked = { token: randomUUID() }
  const terms = { fileIds: [shown.id], createdBy: sender.id, mayDownload: true }
  const { id } = await makeReviewLink(batch, { ...terms, ...sealed(link.token) })
  await makeReviewLink(batch, {
    ...terms,
    name: inside('name'),
    email: `${inside('mail')}@x.test`,
    note: inside('note'),
  })
  await makeReviewLink(batch, {
    ...terms,
    ...sealed(locked.token),
    name: inside('name'),
    passwordHash: await import('@node-rs/argon2').then(({ hash }) => hash(inside('password'))),
  })
  const at = '/api/public/review-links/{token}'
  const everything = async (params: { token: string }, isOpen = false) => {
    await ask(`GET ${at}`, params)
    await ask(`POST ${at}/unlock`, params, { body: { password: 'wrong' } })
    // Of an open one the stream does not end.
    if (!isOpen) await ask(`GET ${at}/live`, params)
    await ask(`GET ${at}/files`, params)
    for (const file_id of [shown.id, other.id]) {
      const file = { ...params, file_id }
      for (const part of ['picture', 'media', 'banner']) await ask(`GET ${at}/files/{file_id}/${part}`, file)
      await tiles(at, file)
      await ask(`POST ${at}/files/{file_id}/decision`, file, { body: { decision: 'approve', sha256: shown.sha256 } })
      for (const parent_id of [said.id, secret.id])
        await ask(`POST ${at}/files/{file_id}/comments`, file, { body: { body: 'A reply', parent_id } })
      for (const comment_id of [said.id, secret.id]) {
        const comment = { ...file, comment_id }
        await ask(`PATCH ${at}/files/{file_id}/comments/{comment_id}`, comment, { body: { body: 'Mine' } })
        await ask(`DELETE ${at}/files/{file_id}/comments/{comment_id}`, comment)
        for (const { id } of [attached, secretAttached]) {
          const attachment = { ...comment, attachment_id: id }
          const place = `${at}/files/{file_id}/comments/{comment_id}/attachments`
          await ask(`POST ${place}`, comment, { body: {} })
          await ask(`GET ${place}/{attachment_id}/picture`, attachment)
          await ask(`DELETE ${place}/{attachment_id}`, attachment)
        }
        const kept = { ...comment, attachment_id: secretAttached.id }
        await ask(`GET ${at}/files/{file_id}/comments/{comment_id}/attachments/{attachment_id}`, kept)
      }
    }
    await ask(`GET ${at}/files/{file_id}/download`, { ...params, file_id: other.id })
    await ask(`GET ${at}/files/{file_id}/playback/media`, { ...params, file_id: other.id })
    await ask(`GET ${at}/files/{file_id}/playback/pieces/{pieces_id}/{number}`, {
      ...params,
      file_id: other.id,
      pieces_id: other.id,
      number: '0',
    })
  }
  await everything(link, true)
  await everything(locked)
  await everything({ token: 'unknown' })
  for (const change of [{ expiresAt: new Date(0) }, { expiresAt: null, deactivatedAt: new Date() }]) {
    await database().db.update(reviewLinks).set(change).where(eq(reviewLinks.id, id))
    await everything(link)
  }
}

/** A batch of which one approved file is shared, and others are not. */
async function shares({ admin, sender, project }: World) {
  const batch = await makeBatch({ projectId: project.id, name: 'Finals', status: 'in_review', round: 1 })
  const approved = { decision: 'approved', decisionComment: inside('decision'), sourceUserId: admin.id } as const
  const shown = await makeFile(batch, { name: 'final.png', ...approved, objectKey: `files/${inside('key')}` })
  const other = await makeFile(batch, { name: `${inside('file')}.png`, ...approved })
  await makeComment(shown, { body: inside('comment'), isInternal: true })
  const link = { token: randomUUID() }
  const locked = { token: randomUUID() }
  const { id } = await makeShareLink(shown, { ...sealed(link.token), createdBy: sender.id })
  await makeShareLink(shown, { name: inside('name'), note: inside('note'), createdBy: sender.id })
  await makeShareLink(shown, {
    ...sealed(locked.token),
    name: inside('name'),
    note: inside('note'),
    createdBy: sender.id,
    passwordHash: await import('@node-rs/argon2').then(({ hash }) => hash(inside('password'))),
  })
  const at = '/api/public/share-links/{token}'
  const everything = async (params: { token: string }, isOpen = false) => {
    // Of an open one the stream does not end.
    if (!isOpen) await ask(`GET ${at}/live`, params)
    await ask(`GET ${at}`, params)
    await ask(`POST ${at}/unlock`, params, { body: { password: 'wrong' } })
    await ask(`GET ${at}/files`, params)
    for (const file_id of [shown.id, other.id]) {
      for (const part of ['thumbnail', 'preview', 'media', 'playback/media'])
        await ask(`GET ${at}/files/{file_id}/${part}`, { ...params, file_id })
      await tiles(at, { ...params, file_id })
    }
    await ask(`GET ${at}/files/{file_id}/download`, { ...params, file_id: other.id })
  }
  await everything(link, true)
  await everything(locked)
  await everything({ token: 'unknown' })
  for (const change of [{ mayDownload: false }, { expiresAt: new Date(0) }, { deactivatedAt: new Date() }]) {
    await database().db.update(shareLinks).set(change).where(eq(shareLinks.id, id))
    await ask(`GET ${at}/archive`, link)
    await ask(`GET ${at}/files/{file_id}/download`, { ...link, file_id: shown.id })
    await everything(link, change.mayDownload === false)
  }
}

async function approvals({ admin, reviewer, project }: World, hashes: string[]) {
  const batch = await makeBatch({ projectId: project.id, name: 'Approved', status: 'approved', reviewedAt: new Date() })
  const file = await makeFile(batch, {
    name: `${inside('certified')}.png`,
    decision: 'approved',
    decidedBy: reviewer.id,
    sourceUserId: admin.id,
  })
  const result = await makeResult(file, { summary: 'warning' })
  await waiverOf(result.id, 'blank_check', reviewer.id)
  const path = '/api/projects/{project_id}/batches/{batch_id}/certificate'
  const params = { project_id: project.id, batch_id: batch.id }
  const { statement } = await staff((await makeToken(reviewer)).token, 'POST', path, params)
  const certificate = { certificate_id: statement.id as string }
  await ask('GET /api/public/certificates/{certificate_id}', certificate)
  for (const hash of [file.sha256, ...hashes]) await ask('POST /api/public/verify', {}, { body: { sha256: hash } })
  await ask('POST /api/public/verify', {}, { body: { sha256: 'x' } })
  await database().db.update(batches).set({ status: 'in_review' }).where(eq(batches.id, batch.id))
  await ask('GET /api/public/certificates/{certificate_id}', certificate)
  await ask('GET /api/public/certificates/{certificate_id}', { certificate_id: randomUUID() })
}

async function scorecards({ agency, project }: World) {
  const others = await makeAgency({ name: inside('agency') })
  for (const [owner, name] of [
    [agency.id, 'own.png'],
    [others.id, `${inside('rival')}.png`],
  ] as const) {
    const batch = await makeBatch({
      projectId: owner === agency.id ? project.id : (await makeProject({ agencyId: owner })).id,
      status: 'in_review',
    })
    const file = await makeFile(batch, { name, nameKey: nameKey(name) })
    const checks = [line('near_duplicate_check', 'fail', `It looks like “${inside('file')}.png”.`)]
    await makeResult(file, { summary: 'fail', checks })
  }
  const token = randomUUID()
  await makeScorecardLink({ agencyId: agency.id }, token)
  await ask('GET /api/public/scorecards/{token}', { token })
  const over = randomUUID()
  await makeScorecardLink({ agencyId: agency.id, expiresAt: new Date(0) }, over)
  await ask('GET /api/public/scorecards/{token}', { token: over })
  await ask('GET /api/public/scorecards/{token}', { token: 'unknown' })
}

async function passwordResets({ admin, token }: World) {
  for (const method of ['GET', 'POST']) await ask(`${method} /api/public/setup/{token}`, { token: 'unknown' })
  for (const email of [admin.email, 'unknown@x.test', 'x'])
    await ask('POST /api/public/password-resets', {}, { body: { email } })
  const use = 'POST /api/public/password-resets/use'
  await ask(use, {}, { body: { token: 'unknown', new_password: 'long enough by far' } })
  const user = await makeUser({ name: inside('person') })
  const { url } = await staff(token, 'POST', '/api/users/{user_id}/reset-link', { user_id: user.id })
  await ask(use, {}, { body: { token: url.split('#').at(-1), new_password: 'long enough by far' } })
}

test('no public response shows what is stored inside', async () => {
  const scene = await world()
  await estimates(scene)
  const { hashes } = await resupply(scene)
  await reviews(scene)
  await shares(scene)
  await approvals(scene, hashes)
  await scorecards(scene)
  await passwordResets(scene)

  const leaked = responses.flatMap(({ call, status, said }) =>
    (said.match(MARKER) ?? []).map((found) => `${call} ${status}: ${found}`),
  )
  expect(leaked).toEqual([])
  // The markers are there to be found, and so are the responses.
  expect(planted).toBeGreaterThan(50)
  const fine = new Set(responses.filter(({ status }) => status < 300).map(({ call }) => call))
  for (const call of [
    'GET /api/public/cost-estimates/{token}',
    'GET /api/public/cost-estimates/{token}/pdf',
    'POST /api/public/cost-estimates/{token}/decision',
    'POST /api/public/cost-estimates/{token}/undo',
    'GET /api/public/upload-links/{token}',
    'POST /api/public/upload-links/{token}/files/check',
    'GET /api/public/certificates/{certificate_id}',
    'POST /api/public/verify',
    'GET /api/public/review-links/{token}',
    'GET /api/public/review-links/{token}/files',
    'POST /api/public/review-links/{token}/files/{file_id}/decision',
    'POST /api/public/review-links/{token}/files/{file_id}/comments',
    'GET /api/public/share-links/{token}',
    'GET /api/public/share-links/{token}/files',
    'GET /api/public/scorecards/{token}',
    'POST /api/public/password-resets',
    'POST /api/public/password-resets/use',
  ])
    expect(fine).toContain(call)
  const open = INTERFACE.flatMap(({ paths }) =>
    Object.entries(paths).flatMap(([path, served]) => Object.keys(served).map((method) => `${method} ${path}`)),
  ).filter((call) => call.includes(' /api/public/'))
  expect(open.filter((call) => !responses.some((response) => response.call === call))).toEqual([])
})

test('what webhooks send holds no key: no link, no password, no address of a person', async () => {
  const { senderToken, project } = await world()
  const batch = await makeBatch({ projectId: project.id })
  const password = inside('password')
  const made = { batch_id: batch.id, label: 'Spring', password, note: 'For you' }
  const { url } = await staff(senderToken, 'POST', '/api/upload-links', {}, made)
  const sent = await database().db.select({ payload: webhookDeliveries.payload }).from(webhookDeliveries)
  const all = sent.map(({ payload }) => payload).join('\n')
  expect(all).toContain('upload_link.created')
  expect(all).toContain('estimate.approved')
  expect(all).not.toContain(url.split('/').at(-1))
  expect(all).not.toMatch(/inside-(mail|password|key|hook|token)-/)
  expect(all).not.toMatch(/\/[eus]\/[A-Za-z0-9]{16}/)
})
