import { sql } from 'drizzle-orm'
import { roomAt } from '@/lib/adapters/blob-store/room'
import { explainMailProblem } from '@/lib/adapters/mailer/smtp'
import { StorageUnavailable } from '@/lib/domain/kernel/blob-store'
import { unknownSettings } from '@/lib/env'
import { sandboxLimits } from '@/lib/sandbox/limits'
import { type Check, counted, type Outcome, ok } from './check'

/** Signs of life are given by this machine's clock and counted by the database's: from here on workers are taken for dead. */
const SKEW_PROBLEM_MS = 15_000
const SKEW_WARNING_MS = 2_000
const SAMPLES = 5
const GIB = 1024 ** 3

export const settings: Check = {
  id: 'settings',
  needsDatabase: false,
  async examine() {
    // A wrong value ends the command before any check, with the same sentence as a start.
    const unknown = unknownSettings(process.env)
    if (unknown.length === 0) return ok('valid')
    return {
      status: 'warning',
      value: `${counted(unknown.length, 'variable')} without a meaning`,
      details: unknown,
      fix: 'Remove or rename them; docs/running.md lists every setting.',
    }
  },
}

export const clock: Check = {
  id: 'clock',
  needsDatabase: true,
  async examine({ ctx }) {
    let best = { roundTrip: Number.POSITIVE_INFINITY, skew: 0 }
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      const before = Date.now()
      const [row] = await ctx.db.execute<{ now: string }>(
        sql`select (extract(epoch from clock_timestamp()) * 1000)::text as now`,
      )
      const after = Date.now()
      // The response was made somewhere between the two; the shortest round trip says it best.
      if (after - before < best.roundTrip)
        best = { roundTrip: after - before, skew: Number(row?.now) - (before + after) / 2 }
    }
    return evaluateSkew(best.skew)
  },
}

/** `skew`: milliseconds by which the database is ahead of this machine. */
export function evaluateSkew(skew: number): Outcome {
  const value = `the database is ${Math.abs(skew / 1000).toFixed(1)} s ${skew < 0 ? 'behind' : 'ahead'}`
  const size = Math.abs(skew)
  if (size < SKEW_WARNING_MS) return ok('agrees with the database to within 2 s')
  return {
    status: size < SKEW_PROBLEM_MS ? 'warning' : 'problem',
    value,
    fix: 'Let both machines take their time from NTP (timedatectl set-ntp true): leases, links and sessions end by these clocks.',
  }
}

export const storage: Check = {
  id: 'storage',
  needsDatabase: true,
  async examine({ ctx, env }) {
    try {
      await ctx.ports.blobs.prove()
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) throw error
      const fix =
        'Put right what it says; docs/storage.md describes each store. Until then uploads are refused with 503.'
      return { status: 'problem', value: `${env.STORAGE}: cannot be used`, details: [error.explanation], fix }
    }
    return ok(`${env.STORAGE}: written, read and deleted`)
  },
}

export const disk: Check = {
  id: 'disk',
  needsDatabase: false,
  async examine({ env }) {
    const { free, total, reserved, low } = await roomAt(env.DATA_DIR)
    const value = `${(free / GIB).toFixed(1)} GiB free of ${(total / GIB).toFixed(1)} GiB`
    if (free >= low) return ok(value)
    const fix = `Make room on the disk of ${env.DATA_DIR}, or move it: uploads are staged there, and refused when less than ${Math.round(reserved / 1024 ** 2)} MiB would be left.`
    return { status: 'warning', value, fix }
  },
}

export const sandbox: Check = {
  id: 'sandbox',
  needsDatabase: false,
  async examine() {
    const limits = sandboxLimits()
    const missing = limits.filter(({ isInForce }) => !isInForce)
    if (missing.length === 0) return ok(`all ${limits.length} limits in force`)
    return {
      status: 'warning',
      value: `${limits.length - missing.length} of ${limits.length} limits in force`,
      details: missing.map(({ what, how }) => `Without ${what}, which ${how}.`),
      fix: 'Provide them (docs/running.md, “The sandbox”); SANDBOX=strict refuses to start without.',
    }
  },
}

export const mail: Check = {
  id: 'mail',
  needsDatabase: false,
  async examine({ env }) {
    if (!env.SMTP_URL) return ok('not set up: no mail is sent')
    const problem = await explainMailProblem(env.SMTP_URL)
    if (problem === null) return ok('the mail server responds and lets us sign in')
    const fix = 'Correct SMTP_URL, or repair the mail server; mails wait meanwhile and are tried again.'
    return { status: 'problem', value: 'the mail server cannot be used', details: [problem], fix }
  },
}
