import { describe, expect, it } from 'vitest'
import { asEvent, forScreen } from './screen'

const event = (fields: object) => JSON.stringify({ ...fields, time: '2026-01-01T00:00:00Z' })

describe('the screen of a running product', () => {
  it('shows warnings and errors as one short line', () => {
    const line = event({
      level: 50,
      msg: 'Mail was not sent',
      err: { message: 'connection refused' },
      request_id: 'r1',
    })
    expect(forScreen('worker', line, false, false)).toBe(
      'worker  error Mail was not sent: connection refused (request r1)',
    )
    const refused = event({ level: 50, msg: 'not available', reason: 'the disk is full', request_id: 'r2' })
    expect(forScreen('web', refused, false, false)).toBe('web     error not available: the disk is full (request r2)')
    expect(forScreen('web', event({ level: 40, msg: 'Slow' }), false, false)).toBe('web     warn  Slow')
  })

  it('leaves everyday events to the log file, except for developers', () => {
    const line = event({ level: 30, msg: 'Request finished' })
    expect(forScreen('web', line, false, false)).toBeNull()
    expect(forScreen('web', line, false, true)).toBe('web     info  Request finished')
  })

  it('shows what a process prints to standard error without being asked', () => {
    expect(forScreen('web', 'Out of memory', true, false)).toBe('web     Out of memory')
    expect(forScreen('web', 'compiled', false, false)).toBeNull()
  })
})

describe('the log file of a process', () => {
  it('holds JSON lines only, whatever a process or Node prints', () => {
    expect(asEvent(event({ level: 30, msg: 'Request finished' }), false)).toBe(
      event({ level: 30, msg: 'Request finished' }),
    )
    const printed = JSON.parse(asEvent('(node:7) MaxListenersExceededWarning: {possible} leak', true))
    expect(printed).toMatchObject({ level: 40, msg: '(node:7) MaxListenersExceededWarning: {possible} leak' })
    expect(JSON.parse(asEvent('{ not json', false))).toMatchObject({ level: 30, msg: '{ not json' })
  })
})
