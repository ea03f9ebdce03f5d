import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { EnvironmentError } from '@/lib/env'

let empty: string
beforeEach(() => {
  empty = mkdtempSync(path.join(tmpdir(), 'no-tools-'))
  // What a machine gives is found out once.
  vi.resetModules()
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(empty, { recursive: true })
})

/** As on a machine without util-linux. */
const withoutTools = () => vi.stubEnv('PATH', empty)
const missing = async () =>
  (await import('./limits')).sandboxLimits().flatMap(({ name, isInForce }) => (isInForce ? [] : [name]))
const OF_TOOLS = ['network', 'resources', 'privileges', 'parent', 'user']

describe('limits that a machine cannot give', () => {
  it('are reported', async () => {
    withoutTools()
    expect(await missing()).toEqual(expect.arrayContaining(OF_TOOLS))
  })

  it('stop no program by default: a program runs without them', async () => {
    withoutTools()
    const { limitingPrefix, requireLimits } = await import('./limits')
    expect(limitingPrefix('decoder')).toEqual([])
    expect(requireLimits).not.toThrow()
    const { SandboxedProcess } = await import('./process')
    const { MISBEHAVING } = await import('./testing')
    const process = new SandboxedProcess(MISBEHAVING)
    expect(await process.run('echo', { text: 'here' }, { cpuMs: 60_000, wallMs: 600_000 })).toMatchObject({
      result: 'here',
    })
    process.kill()
  })

  it('are each named, with how to get it, where all are asked for, and nothing is started without them', async () => {
    withoutTools()
    vi.stubEnv('SANDBOX', 'strict')
    const { requireLimits, sandboxLimits } = await import('./limits')
    const error = await Promise.resolve()
      .then(requireLimits)
      .catch((thrown) => thrown)
    // Another copy of the module, as the modules were reset.
    expect(error.constructor.name).toBe(EnvironmentError.name)
    const isRoot = process.getuid?.() === 0
    for (const { name, what, how, isInForce } of sandboxLimits())
      expect(error.message.includes(`- ${what}: ${how}.`)).toBe(!isInForce && (name !== 'user' || isRoot))
    expect(error.message).toContain('SANDBOX=auto')
    const { SandboxedProcess } = await import('./process')
    const { MISBEHAVING } = await import('./testing')
    expect(
      await new SandboxedProcess(MISBEHAVING).run('echo', { text: '' }, { cpuMs: 60_000, wallMs: 600_000 }),
    ).toMatchObject({ end: 'unable', why: expect.stringContaining('could not start') })
  })

  it('do not include another user where Greenroom runs as an ordinary one, which cannot give it', async () => {
    withoutTools()
    vi.stubEnv('SANDBOX', 'strict')
    const { requireLimits } = await import('./limits')
    const refusal = (uid: number) => {
      const getuid = vi.spyOn(process, 'getuid').mockReturnValue(uid)
      try {
        requireLimits()
        return ''
      } catch (error) {
        return String(error)
      } finally {
        getuid.mockRestore()
      }
    }
    expect(refusal(0)).toContain('a user of its own')
    expect(refusal(1000)).toContain('isolation from the network')
    expect(refusal(1000)).not.toContain('a user of its own')
  })

  it('say nothing where all are in force', async ({ skip }) => {
    skip((await missing()).some((name) => name !== 'user'))
    vi.stubEnv('SANDBOX', 'strict')
    expect((await import('./limits')).requireLimits).not.toThrow()
  })
})
