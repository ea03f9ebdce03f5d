import type { CheckStatus } from '@/lib/vocabulary'
import { as } from '../testing'
import { rerunResult } from './commands'
import { getResult } from './queries'
import { claimResult, finishResult } from './work'

/** What the tests of waivers begin with: findings, and the worker that finds them. */

export const checkLine = (check_id: string, status: CheckStatus, severity: 'advisory' | 'blocking' = 'advisory') => ({
  check_id,
  label: `Label of ${check_id}`,
  status,
  severity,
  confidence: 1,
  details: 'Measured.',
})

/** A finding that warns, and one that fails. */
export const findings = () => [checkLine('soft_check', 'warning'), checkLine('hard_check', 'fail', 'blocking')]

const DAY = 86_400_000
export const inDays = (days: number) => new Date(Date.now() + days * DAY)

type User = Parameters<typeof as>[0]

/** Ends a queued result with these findings, and gives what became of it. */
export async function finishChecks(user: User, id: string, now = new Date()) {
  const context = { ...as('system'), now }
  const claim = await claimResult(context, id)
  if (!claim) throw new Error('The result cannot be claimed.')
  await finishResult(context, claim, {
    status: 'completed',
    summary: 'fail',
    checks: findings(),
    engineVersion: '1',
    measurements: {},
  })
  return getResult.execute(as(user), { result_id: id })
}

/** The next attempt at the checks of a file, which finds the same. */
export async function checkAgain(user: User, { id }: { id: string }, now = new Date()) {
  const queued = await rerunResult.execute(as(user), { result_id: id })
  return finishChecks(user, queued.id, now)
}
