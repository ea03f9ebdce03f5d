import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { CATALOGUE } from './catalogue'
import { fail, fileCheck, pass, skip, warn } from './check'
import { type CheckResult, runChecks } from './engine'
import { summarise } from './summary'
import { imageFacts, otherFacts, subject } from './testing'

const given = subject(imageFacts())
const check = (id: `${string}_check`, run: Parameters<typeof fileCheck>[0]['run']) =>
  fileCheck({
    id,
    label: id,
    kinds: ['image'],
    describe: 'A check of the tests.',
    severity: 'blocking',
    thresholds: z.strictObject({ limit: z.number().default(1).meta({ title: 'Limit', source: 'Reasoned: a test' }) }),
    run,
  })
const passing = check('passing_check', () => pass('It is well.'))
const failing = check('failing_check', () => fail('It is not well.', { fix: 'Fix it.' }))
const doubtful = check('doubtful_check', () => fail('It may not be well.', { confidence: 0.55 }))
const idle = check('idle_check', () => skip('There is nothing to evaluate.'))
const crashing = check('crashing_check', () => {
  throw new Error('division by a cucumber')
})

describe('the engine', () => {
  test('keeps a check that crashes apart: an error with its reason, and never a pass', () => {
    const verdict = runChecks(given, { checks: {} }, [passing, crashing])
    expect(verdict.summary).toBe('warning')
    expect(verdict.checks[1]).toMatchObject({ status: 'error', confidence: 0 })
    expect(verdict.checks[1]?.details).toContain('division by a cucumber')
  })

  test('reports what could not be measured as an error with the reason', () => {
    const unread = { ...given, media: { failed: 'the decoder ran out of its 20 s' } }
    const verdict = runChecks(unread, { checks: {} })
    expect(verdict.summary).toBe('warning')
    expect(verdict.checks.find((line) => line.check_id === 'dimension_check')).toMatchObject({
      status: 'error',
      details: 'Not checked: the decoder ran out of its 20 s.',
    })
  })

  test('shows a fail below the confidence floor as a warning that needs eyes', () => {
    const verdict = runChecks(given, { checks: {}, confidence_floor: 0.8 }, [doubtful])
    expect(verdict.summary).toBe('warning')
    expect(verdict.checks[0]?.status).toBe('warning')
    expect(verdict.checks[0]?.details).toContain('Needs eyes: the engine is 55 % sure')
  })

  test('lets the same fail stand from the floor on', () => {
    expect(runChecks(given, { checks: {}, confidence_floor: 0.55 }, [doubtful]).summary).toBe('fail')
  })

  test('lets the media category soften a check to a warning, and harden it again', () => {
    const softened = runChecks(given, { checks: { failing_check: { severity: 'warning' } } }, [failing])
    expect(softened).toMatchObject({ summary: 'warning', checks: [{ status: 'warning', severity: 'advisory' }] })
    const hardened = runChecks(given, { checks: { failing_check: { severity: 'fail' } } }, [failing])
    expect(hardened).toMatchObject({ summary: 'fail', checks: [{ status: 'fail', severity: 'blocking' }] })
  })

  test('leaves a check out that is switched off', () => {
    expect(runChecks(given, { checks: { failing_check: { enabled: false } } }, [passing, failing]).checks).toHaveLength(
      1,
    )
  })

  test('is not_applicable, never pass, when no check evaluated anything', () => {
    expect(runChecks(given, { checks: {} }, []).summary).toBe('not_applicable')
    expect(runChecks(given, { checks: {} }, [idle]).summary).toBe('not_applicable')
    expect(runChecks(subject(otherFacts()), { checks: {} }, [passing]).summary).toBe('not_applicable')
  })

  test('does not evaluate by a threshold that is not valid', () => {
    const settings = { checks: { passing_check: { thresholds: { limit: 'high' } } } }
    expect(runChecks(given, settings, [passing]).checks[0]).toMatchObject({ status: 'error' })
    const unknown = { checks: { passing_check: { thresholds: { limt: 1 } } } }
    expect(runChecks(given, unknown, [passing]).checks[0]).toMatchObject({ status: 'error' })
  })

  test('finds an ordinary image in order with no settings at all', () => {
    const verdict = runChecks(subject(imageFacts(), { claims: { width: 300, height: 250 } }), { checks: {} })
    expect(verdict.checks.filter((line) => line.status !== 'pass' && line.status !== 'skipped')).toEqual([])
    expect(verdict.summary).toBe('pass')
  })

  test('names an image of another size than its name says, in a sentence', () => {
    const wrong = subject(imageFacts({ width: 298 }), { name: 'sale_300x250.png', claims: { width: 300, height: 250 } })
    const line = runChecks(wrong, { checks: {} }).checks.find((one) => one.check_id === 'dimension_check')
    expect(line).toMatchObject({
      label: 'Dimensions',
      status: 'fail',
      confidence: 1,
      details: 'The image is 298 × 250 px; the name says 300 × 250 px.',
      measured: '298x250',
      expected: '300x250',
      unit: 'px',
    })
  })
})

describe('the summary', () => {
  const statuses = ['pass', 'warning', 'fail', 'skipped', 'error', 'waived'] as const
  const rank: Record<CheckResult['status'], number> = { skipped: 0, pass: 1, waived: 1, error: 2, warning: 2, fail: 3 }
  const named = ['not_applicable', 'pass', 'warning', 'fail'] as const

  test('is that of the worst check, whatever the checks and their order', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...statuses)), (list) => {
        const worst = Math.max(0, ...list.map((status) => rank[status]))
        expect(summarise(list.map((status) => ({ status })))).toBe(named[worst])
      }),
    )
  })

  test('is never a pass while a check could not run', () => {
    expect(summarise([{ status: 'pass' }, { status: 'error' }])).toBe('warning')
  })

  test('of real checks equals the worst line of the result', () => {
    const lines = [passing, failing, idle, crashing, check('odd_check', () => warn('It is odd.'))]
    fc.assert(
      fc.property(fc.subarray(lines), (some) => {
        const verdict = runChecks(given, { checks: {} }, some)
        expect(verdict.summary).toBe(named[Math.max(0, ...verdict.checks.map((line) => rank[line.status]))])
      }),
    )
  })
})

describe('the catalogue', () => {
  test('holds each id once, and each threshold says its title and source', () => {
    expect(new Set(CATALOGUE.map((one) => one.id)).size).toBe(CATALOGUE.length)
    for (const one of CATALOGUE) {
      expect(one.thresholds.safeParse({}).success, `${one.id} has a default for each threshold`).toBe(true)
      for (const [key, schema] of Object.entries(one.thresholds.shape)) {
        const meta = z.globalRegistry.get(schema)
        expect(meta?.title, `${one.id}.${key} has a title`).toBeTruthy()
        expect(meta?.source, `${one.id}.${key} has a source`).toBeTruthy()
      }
    }
  })
})
