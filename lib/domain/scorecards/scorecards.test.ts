import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { scorecardLinks } from '@/db/schema/certificates'
import { rateLimits } from '@/db/schema/operations'
import { emptyTables, testDb } from '@/db/testing'
import { makeAgency, makeBatch, makeFile, makeProject, makeResult, makeUser } from '@/fixtures/factories'
import type { ResultSummary } from '@/lib/vocabulary'
import { as, eventsAbout, expectRefusal } from '../testing'
import { getScorecard } from './card'
import { authenticateReader } from './find'
import { createScorecardLink, deactivateScorecardLink, listScorecardLinks } from './links'
import { medianOfOthers } from './rules'
import { Scorecard } from './schema'

// A Wednesday: the twelve whole weeks before began on 2026-04-06.
const NOW = new Date('2026-07-01T12:00:00.000Z')
const later = (ms: number) => new Date(NOW.getTime() + ms)

beforeEach(() => emptyTables())

const admin = () => makeUser({ role: 'administrator' })

async function linked(given: { expires_at?: string } = {}) {
  const agency = await makeAgency({ name: 'Northlight' })
  const user = await admin()
  const link = await createScorecardLink.execute(as(user, { now: NOW }), { agency_id: agency.id }, given)
  return { agency, user, link, token: link.url.split('/').at(-1) ?? '' }
}

const read = (token: string, now = NOW) => getScorecard.execute(as('anonymous', { now }), { token })

const failing = (details: string, fix: string | null) => [
  {
    check_id: 'dimension_check',
    label: 'Dimensions',
    status: 'fail',
    severity: 'blocking',
    confidence: 1,
    details,
    fix,
  },
  {
    check_id: 'blank_check',
    label: 'Blank',
    status: 'pass',
    severity: 'blocking',
    confidence: 1,
    details: 'Not blank.',
  },
]

/** Files of an agency with what their first check said, in a project without members. */
async function delivered(agencyId: string, summaries: ResultSummary[], at = later(-86_400_000)) {
  const batch = await makeBatch({ projectId: (await makeProject({ agencyId })).id })
  for (const summary of summaries) {
    const file = await makeFile(batch)
    const checks = summary === 'fail' ? failing(`${file.name} is 301 px wide.`, 'Export 300 px wide.') : []
    await makeResult(file, { summary, completedAt: at, checks })
  }
  return batch
}

describe('a scorecard', () => {
  it('shows an agency its own first-time pass rate, week by week, and against the weeks before', async () => {
    const { agency, token } = await linked()
    await delivered(agency.id, ['pass', 'warning', 'pass', 'fail'])
    await delivered(agency.id, ['pass', 'fail'], new Date('2026-04-06T00:00:00.000Z'))
    await delivered(agency.id, ['fail', 'fail'], new Date('2026-04-05T23:59:59.000Z'))
    const card = await read(token)
    expect(Scorecard.parse(card)).toEqual(card)
    expect(card).toMatchObject({
      agency: { name: 'Northlight' },
      from: '2026-04-06',
      to: '2026-07-01',
      files_checked: 6,
      first_time_pass_rate: 4 / 6,
      previous: { first_time_pass_rate: 0 },
    })
    expect(card.weeks).toHaveLength(13)
    expect(card.weeks[0]).toEqual({ start: '2026-04-06', files_checked: 2, first_time_pass_rate: 0.5 })
    expect(card.weeks[12]).toEqual({ start: '2026-06-29', files_checked: 4, first_time_pass_rate: 0.75 })
  })

  it('counts a file by its first check, however well its next version did, and says how it would have been fixed', async () => {
    const { agency, token } = await linked()
    const batch = await makeBatch({ projectId: (await makeProject({ agencyId: agency.id })).id })
    const first = await makeFile(batch, { name: 'hero.png', isCurrent: false })
    const old = await makeFile(batch, { name: 'old.png' })
    await makeResult(old, {
      summary: 'fail',
      completedAt: later(-9_000_000),
      checks: failing('299 px wide.', 'Export again.'),
    })
    await makeResult(first, { summary: 'fail', completedAt: later(-8_000_000), checks: failing('301 px wide.', null) })
    const second = await makeFile(batch, { name: 'hero.png', version: 2, supersedesId: first.id })
    await makeResult(second, { summary: 'pass', completedAt: later(-7_000_000) })
    expect(await read(token)).toMatchObject({
      files_checked: 2,
      first_time_pass_rate: 0,
      top_failing_checks: [
        {
          check_id: 'dimension_check',
          label: 'Dimensions',
          count: 2,
          // The newest says no way to fix it, so the newest that does is shown.
          example: { file_name: 'old.png', details: '299 px wide.', fix: 'Export again.' },
        },
      ],
    })
  })

  it('shows the median of the others from three of them on, and nothing else of them', async () => {
    const { agency, token } = await linked()
    await delivered(agency.id, ['pass'])
    const others = await Promise.all(['Alpha', 'Beta', 'Gamma'].map((name) => makeAgency({ name })))
    await delivered(others[0]?.id ?? '', ['fail'])
    await delivered(others[1]?.id ?? '', ['pass', 'pass', 'fail'])
    expect((await read(token)).others_median).toBeNull()
    await delivered(others[2]?.id ?? '', ['pass'])
    const card = await read(token)
    expect(card.others_median).toBe(0.67)
    expect(card.top_failing_checks).toEqual([])
    expect(JSON.stringify(card)).not.toMatch(/Alpha|Beta|Gamma/)
  })

  it('is empty, and not wrong, when nothing was delivered', async () => {
    const { token } = await linked()
    expect(await read(token)).toMatchObject({ files_checked: 0, first_time_pass_rate: null, top_failing_checks: [] })
  })
})

describe('the median of others', () => {
  it.each([
    [[], null],
    [[0.5, 1], null],
    [[0.1, 0.9, 0.5], 0.5],
    [[1, 0, 0.5, 0.25], 0.38],
  ])('of %j is %s', (rates, median) => {
    expect(medianOfOthers(rates)).toBe(median)
  })
})

describe('a scorecard link', () => {
  it('is made, listed and withdrawn by administrators, on the audit trail', async () => {
    const { agency, user, link, token } = await linked()
    expect(link).toMatchObject({
      status: 'active',
      expires_at: null,
      last_used_at: null,
      agency: { name: 'Northlight' },
    })
    const path = { scorecard_link_id: link.id }
    for (const role of ['viewer', 'operator', 'coordinator'] as const) {
      const other = as(await makeUser({ role }))
      await expectRefusal(createScorecardLink.execute(other, { agency_id: agency.id }, {}), 'forbidden')
      await expectRefusal(listScorecardLinks.execute(other, { agency_id: agency.id }), 'forbidden')
      await expectRefusal(deactivateScorecardLink.execute(other, path), 'forbidden')
    }
    const withdraw = () => deactivateScorecardLink.execute(as(user), path)
    expect((await withdraw()).status).toBe('deactivated')
    expect((await withdraw()).status).toBe('deactivated')
    expect((await eventsAbout(link.id)).map(({ type }) => type)).toEqual([
      'scorecard_link.created',
      'scorecard_link.deactivated',
    ])
    expect((await expectRefusal(read(token), 'link_deactivated')).message).toContain('withdrawn')
    const { scorecard_links } = await listScorecardLinks.execute(as(user), { agency_id: agency.id })
    expect(scorecard_links).toMatchObject([{ id: link.id, status: 'deactivated', url: link.url }])
  })

  it('stops working when it expires, and says so', async () => {
    const { token } = await linked({ expires_at: later(1000).toISOString() })
    await read(token, later(999))
    expect((await expectRefusal(read(token, later(1000)), 'link_expired')).message).toContain(
      '2026-07-01T12:00:01.000Z',
    )
  })

  it('must end in the future', async () => {
    const agency = await makeAgency()
    const make = (input: object) =>
      createScorecardLink.execute(as('system', { now: NOW }), { agency_id: agency.id }, input)
    await expectRefusal(make({ expires_at: 'soon' }), 'validation_failed', ['expires_at'])
    const by = await admin()
    const past = { expires_at: NOW.toISOString() }
    await expectRefusal(
      createScorecardLink.execute(as(by, { now: NOW }), { agency_id: agency.id }, past),
      'validation_failed',
      ['expires_at'],
    )
  })

  it('keeps its token as a hash, and notes to the minute when it was read', async () => {
    const { token, link } = await linked()
    const lastRead = async (at: Date) => {
      await authenticateReader(as('anonymous', { now: at }), { token })
      const [row] = await testDb.select().from(scorecardLinks).where(eq(scorecardLinks.id, link.id))
      expect(row?.tokenHash).not.toContain(token)
      return row?.lastUsedAt
    }
    expect(await lastRead(NOW)).toEqual(NOW)
    expect(await lastRead(later(30_000))).toEqual(NOW)
    expect(await lastRead(later(61_000))).toEqual(later(61_000))
  })

  it('is read anonymously, signed in or not', async () => {
    const { token, user } = await linked()
    expect(await authenticateReader(as(user), { token })).toEqual({ type: 'anonymous' })
  })

  it('cannot be guessed: too many wrong ones from one address end in a wait', async () => {
    const { token } = await linked()
    const ask = (guess: string, address: string) =>
      authenticateReader(as('anonymous', { now: NOW, address }), { token: guess })
    for (let n = 0; n < 60; n++) await expectRefusal(ask(`guess ${n}`, '192.0.2.1'), 'not_found')
    await expectRefusal(ask('one more', '192.0.2.1'), 'rate_limited')
    // Who has a good one is not held up by the guesses of a neighbour.
    await ask(token, '192.0.2.1')
    await testDb.delete(rateLimits)
  })
})
