import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { eq } from 'drizzle-orm'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { mailItems, mails } from '@/db/schema/mail'
import { emptyTables, testDb, testSql } from '@/db/testing'
import { makeBatch, makeFile, makeProject, makeUser, type UserRow } from '@/fixtures/factories'
import { smtpMailer } from '@/lib/adapters/mailer/smtp'
import { submitBatch } from '@/lib/domain/batches/commands'
import type { Context } from '@/lib/domain/kernel/operation'
import { claimMail } from '@/lib/domain/notifications/mail'
import { changeMailPreferences, getMailPreferences } from '@/lib/domain/notifications/preferences'
import { dueAt, waitAfter } from '@/lib/domain/notifications/rules'
import { as, expectRefusal } from '@/lib/domain/testing'
import { sendMail } from './send-mail'

/** A mail server that keeps what it took. */
let box: Email[] = []
let server: SMTPServer | undefined
let port = 0

async function startServer(options: SMTPServerOptions = {}) {
  server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    async onData(stream, _session, done) {
      box.push(await PostalMime.parse(await buffer(stream)))
      done()
    },
    ...options,
  })
  server.on('error', () => {})
  const listening = server.listen(port, '127.0.0.1')
  await new Promise<void>((resolve) => listening.once('listening', resolve))
  port = (listening.address() as AddressInfo).port
}
const stopServer = () => new Promise<void>((resolve) => (server ? server.close(resolve) : resolve()))

const PERSON = { name: 'Ann <script>', email: 'ann@example.test' }
let ann: UserRow
let coordinator: UserRow
let now: Date
beforeEach(async () => {
  await emptyTables()
  box = []
  port = 0
  await startServer()
  now = new Date('2026-11-21T10:20:00.000Z')
  ann = await makeUser({ role: 'operator', ...PERSON })
  coordinator = await makeUser({ role: 'coordinator' })
})
afterEach(stopServer)

const mailer = () =>
  smtpMailer({ url: `smtp://127.0.0.1:${port}`, from: 'Greenroom <greenroom@localhost>', timeoutMs: 10_000 })
const ports = () => ({ mail: { send: mailer() } })
const ctx = (): Context => as('system', { now, ports: ports() })
const send = () => sendMail(ctx(), { user_id: ann.id })
const pass = (ms: number) => {
  now = new Date(now.getTime() + ms)
}

async function submitted(name = 'Autumn "sale" <b>&', project?: { id: string }) {
  const inside = project ?? (await makeProject({ members: [ann, coordinator], name: 'Autumn' }))
  const batch = await makeBatch({ projectId: inside.id, operatorId: ann.id, name })
  await makeFile(batch)
  const path = { project_id: inside.id, batch_id: batch.id }
  await submitBatch.execute(as(coordinator, { now, ports: ports() }), path)
  return { batch, project: inside, path }
}

describe('a mail', () => {
  it('reports one thing in text and HTML, in the conversation of its batch, with a way to choose otherwise', async () => {
    const { batch, path } = await submitted()
    await send()
    expect(box).toHaveLength(0)
    pass(10_000)
    await send()
    const [mail] = box
    expect(mail?.subject).toBe('Autumn "sale" <b>& is ready for your review')
    expect(mail?.to).toEqual([{ name: PERSON.name, address: PERSON.email }])
    expect(mail?.from).toMatchObject({ name: 'Greenroom', address: 'greenroom@localhost' })
    const link = `http://localhost:3000/projects/${path.project_id}/batches/${batch.id}`
    expect(mail?.text).toContain(link)
    expect(mail?.html).toContain(`href="${link}"`)
    expect(mail?.html).toContain('Autumn &quot;sale&quot; &lt;b&gt;&amp; is ready')
    expect(mail?.html).not.toContain('<b>')
    expect(mail?.inReplyTo).toBe(`<batch-${batch.id}@localhost>`)
    const header = (name: string) => mail?.headers.find(({ key }) => key === name)?.value
    expect(header('list-unsubscribe')).toBe('<http://localhost:3000/settings/account#mail>')
    expect(header('auto-submitted')).toBe('auto-generated')
    await send()
    expect(box).toHaveLength(1)
  })

  it('is one for everything that came together', async () => {
    const { project } = await submitted('First')
    for (let i = 2; i <= 40; i++) await submitted(`Batch ${i}`, project)
    pass(10_000)
    await Promise.all([send(), send()])
    expect(box).toHaveLength(1)
    expect(box[0]?.subject).toBe('40 updates: First is ready for your review and 39 more')
    for (let i = 2; i <= 40; i++) expect(box[0]?.text).toContain(`Batch ${i} is ready`)
    expect(box[0]?.inReplyTo).toBeUndefined()
  })

  it('is lost in no hour without a mail server, and doubled by none of its attempts', async () => {
    await stopServer()
    const { project } = await submitted('Before')
    /** Takes the next job as a worker would, and says for how many milliseconds it was put off. */
    const nextJob = async () => {
      const [job] = await testSql<{ wait: string }[]>`
        delete from graphile_worker._private_jobs where id = (
          select id from graphile_worker._private_jobs where key like ${`send_mail:${ann.id}%`} order by run_at limit 1
        ) returning 1000 * extract(epoch from run_at - now()) as wait`
      return job && Math.max(0, Number(job.wait))
    }
    await nextJob()
    pass(10_000)
    const end = now.getTime() + 3_600_000
    let attempts = 0
    while (now.getTime() < end) {
      await send()
      attempts++
      if (attempts === 3) await submitted('Meanwhile', project)
      const wait = await nextJob()
      expect(wait).toBeDefined()
      pass((wait ?? 0) + 1)
    }
    expect(attempts).toBeGreaterThan(12)
    await startServer()
    for (let wait: number | undefined = 0; wait !== undefined; wait = await nextJob()) {
      pass(wait + 1)
      await send()
    }
    expect(box.map(({ subject }) => subject)).toEqual(['2 updates: Before is ready for your review and 1 more'])
    expect(await testDb.select({ status: mails.status }).from(mails)).toEqual([{ status: 'sent' }])
  })

  it('that may have arrived is sent again as it was, under the same Message-ID; what came since waits', async () => {
    let losing = true
    await stopServer()
    await startServer({
      async onData(stream, _session, done) {
        box.push(await PostalMime.parse(await buffer(stream)))
        // It has the mail, and the line breaks before it can say so.
        if (losing) for (const connection of server?.connections ?? []) connection.close()
        else done()
      },
    })
    const { project } = await submitted('First')
    pass(10_000)
    await send()
    losing = false
    await submitted('Second', project)
    pass(17_000)
    await send()
    pass(1)
    await send()
    expect(box.map(({ subject }) => subject)).toEqual([
      'First is ready for your review',
      'First is ready for your review',
      'Second is ready for your review',
    ])
    expect(box[0]?.messageId).toBe(box[1]?.messageId)
    expect(box[2]?.messageId).not.toBe(box[1]?.messageId)
  })

  it('goes on when the worker that had it died, and not before', async () => {
    await submitted()
    pass(10_000)
    expect(await claimMail(ctx(), ann.id)).not.toBeNull()
    pass(119_000)
    await send()
    expect(box).toHaveLength(0)
    pass(2_000)
    await send()
    expect(box).toHaveLength(1)
  })

  it('that is refused for good is not tried again, and holds up nothing', async () => {
    await stopServer()
    const refusing = { isOn: true, code: 550 }
    await startServer({
      onRcptTo(_address, _session, done) {
        if (!refusing.isOn) return done()
        done(Object.assign(new Error('not here'), { responseCode: refusing.code }))
      },
    })
    const { project } = await submitted('First')
    pass(10_000)
    await send()
    const [mail] = await testDb.select().from(mails)
    expect(mail).toMatchObject({ status: 'failed', error: expect.stringContaining('550') })

    refusing.code = 451
    await submitted('Second', project)
    pass(10_000)
    await send()
    refusing.isOn = false
    pass(17_000)
    await send()
    expect(box.map(({ subject }) => subject)).toEqual(['Second is ready for your review'])
  })
})

describe('a choice', () => {
  const choose = (frequency: string) =>
    changeMailPreferences.execute(as(ann), {}, { preferences: [{ type: 'batch.submitted', frequency }] })

  it('decides when a mail goes out, or that none does', async () => {
    await choose('none')
    const { project } = await submitted('Unsaid')
    expect(await testDb.$count(mailItems)).toBe(0)
    await choose('daily')
    await submitted('Daily', project)
    await choose('hourly')
    await submitted('Hourly', project)
    const due = await testDb.select({ at: mailItems.dueAt }).from(mailItems).orderBy(mailItems.dueAt)
    expect(due.map(({ at }) => at.toISOString())).toEqual(['2026-11-21T11:00:00.000Z', '2026-11-22T07:00:00.000Z'])
    now = new Date('2026-11-21T11:00:00.000Z')
    await send()
    expect(box.map(({ subject }) => subject)).toEqual(['Hourly is ready for your review'])
  })

  it('is one’s own, and must be one there is', async () => {
    await choose('daily')
    const { preferences } = await getMailPreferences.execute(as(ann), {})
    expect(preferences.find(({ type }) => type === 'batch.submitted')?.frequency).toBe('daily')
    const others = await getMailPreferences.execute(as(coordinator), {})
    expect(others.preferences.find(({ type }) => type === 'batch.submitted')?.frequency).toBe('immediate')
    await expectRefusal(choose('weekly'), 'validation_failed', ['preferences.0.frequency'])
    await expectRefusal(changeMailPreferences.execute(as(ann, { scope: 'read' }), {}, {}), 'forbidden')
  })

  it('puts each time where it belongs', () => {
    const at = (text: string) => new Date(`2026-11-21T${text}Z`)
    expect(dueAt('hourly', at('10:59:59.999'))).toEqual(at('11:00:00.000'))
    expect(dueAt('hourly', at('11:00:00.000'))).toEqual(at('12:00:00.000'))
    expect(dueAt('daily', at('06:59:59.999'))).toEqual(at('07:00:00.000'))
    expect(dueAt('daily', at('07:00:00.000'))).toEqual(new Date('2026-11-22T07:00:00Z'))
    expect([1, 2, 3, 6, 20].map(waitAfter)).toEqual([15_000, 30_000, 60_000, 300_000, 300_000])
  })
})

it('no user is mailed where no mail server is set up, nor whose account is disabled', async () => {
  const project = await makeProject({ members: [ann, coordinator] })
  const batch = await makeBatch({ projectId: project.id, operatorId: ann.id })
  await makeFile(batch)
  await submitBatch.execute(as(coordinator), { project_id: project.id, batch_id: batch.id })
  expect(await testDb.$count(mailItems)).toBe(0)

  await submitted()
  await testSql`update users set disabled_at = now() where id = ${ann.id}`
  pass(10_000)
  await send()
  expect(box).toHaveLength(0)
  expect(await testDb.select().from(mails).where(eq(mails.userId, ann.id))).toEqual([])
})
