import { createHash, randomUUID } from 'node:crypto'
import { newToken } from '@/lib/domain/directory/token-format'
import { nameKey } from '@/lib/domain/naming/portable-name'
import { database } from './client'
import { scorecardLinks } from './schema/certificates'
import { newId } from './schema/columns'
import { fileComments } from './schema/comments'
import { costEstimateLines, costEstimates } from './schema/cost-estimates'
import { agencies, apiTokens, campaigns, mediaCategories, preQcProfiles, users } from './schema/directory'
import { events, notifications } from './schema/events'
import { files } from './schema/files'
import { preQcResults } from './schema/pre-qc'
import { batches, projectMembers, projects } from './schema/projects'
import { uploadLinks } from './schema/upload-links'
import { webhookDeliveries, webhooks } from './schema/webhooks'

/**
 * Rows for tests, as few words as possible: what a test does not say is made up, and whatever a row needs is made with
 * it. They go past the rules on purpose, so that a test can begin in any state.
 */

export type UserRow = typeof users.$inferSelect

let made = 0
const serial = () => ++made
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

export async function makeUser(given: Partial<typeof users.$inferInsert> = {}) {
  const n = serial()
  return only(
    database()
      .db.insert(users)
      .values({ email: `person-${n}@example.test`, name: `Person ${n}`, role: 'coordinator', ...given })
      .returning(),
  )
}

/** An API token of the user: the row, and the token itself to send as `Authorization: Bearer`. */
export async function makeToken(user: { id: string }, given: Partial<typeof apiTokens.$inferInsert> = {}) {
  const token = newToken()
  const row = await only(
    database()
      .db.insert(apiTokens)
      .values({
        userId: user.id,
        name: 'For a test',
        tokenHash: sha256(token),
        prefix: token.slice(0, 7),
        scope: 'write',
        ...given,
      })
      .returning(),
  )
  return { ...row, token }
}

export async function makeAgency(given: Partial<typeof agencies.$inferInsert> = {}) {
  const n = serial()
  return only(
    database()
      .db.insert(agencies)
      .values({ name: `Agency ${n}`, code: `AG${n}`, ...given })
      .returning(),
  )
}

export async function makeCampaign(given: Partial<typeof campaigns.$inferInsert> = {}) {
  const n = serial()
  const agencyId = given.agencyId ?? (await makeAgency()).id
  return only(
    database()
      .db.insert(campaigns)
      .values({ name: `Campaign ${n}`, code: `CAMP${n}`, ...given, agencyId })
      .returning(),
  )
}

/** A media category with the first version of its Pre-QC settings. */
export async function makeMediaCategory(given: Partial<typeof mediaCategories.$inferInsert> = {}) {
  const preQc = given.preQc ?? { enabled: true, checks: {} }
  const category = await only(
    database()
      .db.insert(mediaCategories)
      .values({ name: `Category ${serial()}`, ...given, preQc })
      .returning(),
  )
  await database()
    .db.insert(preQcProfiles)
    .values({ mediaCategoryId: category.id, version: category.profileVersion, settings: preQc })
  return category
}

/** A project; `members` are the users who see it. */
export async function makeProject(given: Partial<typeof projects.$inferInsert> & { members?: { id: string }[] } = {}) {
  const { members = [], ...columns } = given
  const agencyId = columns.agencyId ?? (await makeAgency()).id
  const createdBy = columns.createdBy ?? members[0]?.id ?? (await makeUser()).id
  const project = await only(
    database()
      .db.insert(projects)
      .values({ name: `Project ${serial()}`, ...columns, agencyId, createdBy })
      .returning(),
  )
  if (members.length > 0) {
    await database()
      .db.insert(projectMembers)
      .values(members.map(({ id: userId }) => ({ projectId: project.id, userId, addedAt: new Date() })))
  }
  return project
}

export async function makeBatch(given: Partial<typeof batches.$inferInsert> = {}) {
  const projectId = given.projectId ?? (await makeProject()).id
  const mediaCategoryId = given.mediaCategoryId ?? (await makeMediaCategory()).id
  return only(
    database()
      .db.insert(batches)
      .values({ name: `Batch ${serial()}`, ...given, projectId, mediaCategoryId })
      .returning(),
  )
}

/** A stored file of a batch: its row only, no bytes. */
export async function makeFile(
  batch: { id: string; projectId: string },
  given: Partial<typeof files.$inferInsert> = {},
) {
  const n = serial()
  const name = given.name ?? `file-${n}.png`
  const sourceUserId = given.sourceUserId ?? (given.sourceLinkId ? null : (await makeUser()).id)
  return only(
    database()
      .db.insert(files)
      .values({
        batchId: batch.id,
        projectId: batch.projectId,
        nameKey: nameKey(name),
        size: 1000 + n,
        mediaType: 'image/png',
        kind: 'image',
        sha256: sha256(`${randomUUID()}${n}`),
        media: { kind: 'image', width: 300, height: 250 },
        objectKey: `files/${randomUUID()}`,
        sourceType: given.sourceLinkId ? 'upload_link' : 'user',
        ...given,
        name,
        sourceUserId,
      })
      .returning(),
  )
}

/** A comment on a file. */
export async function makeComment(
  file: { id: string; batchId: string; projectId: string },
  given: Partial<typeof fileComments.$inferInsert> = {},
) {
  const createdBy = given.createdBy ?? (await makeUser()).id
  return only(
    database()
      .db.insert(fileComments)
      .values({
        fileId: file.id,
        batchId: file.batchId,
        projectId: file.projectId,
        body: `Comment ${serial()}`,
        ...given,
        createdBy,
      })
      .returning(),
  )
}

/** An upload link: the row only; its token opens nothing unless `tokenHash` is given. */
export async function makeUploadLink(batch: { id: string }, given: Partial<typeof uploadLinks.$inferInsert> = {}) {
  const createdBy = given.createdBy ?? (await makeUser()).id
  return only(
    database()
      .db.insert(uploadLinks)
      .values({
        batchId: batch.id,
        tokenHash: sha256(randomUUID()),
        tokenEncrypted: 'sealed',
        ...given,
        createdBy,
      })
      .returning(),
  )
}

/** `token` is what its address ends in. */
export async function makeScorecardLink(given: Partial<typeof scorecardLinks.$inferInsert> = {}, token = randomUUID()) {
  const agencyId = given.agencyId ?? (await makeAgency()).id
  const createdBy = given.createdBy ?? (await makeUser({ role: 'administrator' })).id
  return only(
    database()
      .db.insert(scorecardLinks)
      .values({ tokenHash: sha256(token), tokenEncrypted: `sealed ${token}`, ...given, agencyId, createdBy })
      .returning(),
  )
}

/** A draft of one line, 100 EUR. */
export async function makeEstimate(given: Partial<typeof costEstimates.$inferInsert> = {}) {
  const createdBy = given.createdBy ?? (await makeUser()).id
  const projectId = given.projectId ?? (await makeProject()).id
  const estimate = await only(
    database()
      .db.insert(costEstimates)
      .values({
        number: `MADE-${randomUUID()}`,
        title: 'Estimate',
        currency: 'EUR',
        subtotal: '100',
        discountAmount: '0',
        taxAmount: '0',
        total: '100',
        ...given,
        projectId,
        createdBy,
      })
      .returning(),
  )
  await database().db.insert(costEstimateLines).values({
    estimateId: estimate.id,
    position: 1,
    description: 'Work',
    quantity: '1',
    unitPrice: '100',
    amount: '100',
  })
  return estimate
}

/** A Pre-QC result of a file, by default completed with nothing found. */
export async function makeResult(
  file: { id: string; batchId: string; projectId: string; sha256: string },
  given: Partial<typeof preQcResults.$inferInsert> = {},
) {
  const profileId =
    given.profileId ??
    (
      await only(
        database()
          .db.insert(preQcProfiles)
          .values({
            mediaCategoryId: (await makeMediaCategory({ profileVersion: 1 })).id,
            version: 2,
            settings: { enabled: true, checks: {} },
          })
          .returning(),
      )
    ).id
  return only(
    database()
      .db.insert(preQcResults)
      .values({
        fileId: file.id,
        batchId: file.batchId,
        projectId: file.projectId,
        fileSha256: file.sha256,
        status: 'completed',
        summary: 'pass',
        completedAt: new Date(),
        ...given,
        profileId,
      })
      .returning(),
  )
}

/** An endpoint for webhooks; its secret is sealed as the tests' own secrets do. */
export async function makeWebhook(given: Partial<typeof webhooks.$inferInsert> = {}) {
  const createdBy = given.createdBy ?? (await makeUser({ role: 'administrator' })).id
  return only(
    database()
      .db.insert(webhooks)
      .values({ url: 'https://example.test/hooks', secretEncrypted: 'sealed', ...given, createdBy })
      .returning(),
  )
}

/** A delivery that was never tried, without a job. */
export async function makeDelivery(given: Partial<typeof webhookDeliveries.$inferInsert> = {}) {
  const webhookId = given.webhookId ?? (await makeWebhook()).id
  return only(
    database()
      .db.insert(webhookDeliveries)
      .values({ type: 'webhook.ping', payload: '{}', ...given, webhookId })
      .returning(),
  )
}

/** A notification with the event it tells of. */
export async function makeNotification(user: { id: string }, given: Partial<typeof notifications.$inferInsert> = {}) {
  const [event] = await database()
    .db.insert(events)
    .values({ id: newId(), type: 'batch.submitted', actorType: 'system', actorName: 'A test' })
    .returning()
  return only(
    database()
      .db.insert(notifications)
      .values({
        userId: user.id,
        eventId: event?.id ?? '',
        type: 'batch.submitted',
        title: `Notification ${serial()}`,
        href: '/projects',
        ...given,
      })
      .returning(),
  )
}

async function only<T>(rows: PromiseLike<T[]>): Promise<T> {
  const [row] = await rows
  if (!row) throw new Error('An inserted row did not come back.')
  return row
}
