import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { identifyProcess, type ProcessIdentity } from '@/server/embedded-database/process'
import { claimDataFolder } from './claim'

let dataDir: string
const processes: ChildProcess[] = []

beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'greenroom-claim-'))
})
afterEach(() => {
  for (const child of processes.splice(0)) child.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

const URL = 'http://localhost:3000'
const noteFile = () => path.join(dataDir, 'running.json')

function bystander(): ProcessIdentity {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' })
  processes.push(child)
  const identity = identifyProcess(child.pid ?? 0)
  if (!identity) throw new Error('The process did not start.')
  return identity
}

/** As a killed run leaves it: its supervisor is gone, its children may not be. */
function leaveNote(children: ProcessIdentity[]) {
  const gone = { pid: process.pid, startedAt: 'before this one' }
  writeFileSync(noteFile(), JSON.stringify({ supervisor: gone, children, url: URL }))
}

describe('a data folder', () => {
  it('belongs to one running Greenroom; the second learns which', async () => {
    const claim = await claimDataFolder(dataDir, URL)
    await expect(claimDataFolder(dataDir, URL)).rejects.toThrow(
      `Greenroom already runs on ${dataDir} (process ${process.pid}, ${URL})`,
    )
    claim.release()
    expect(existsSync(noteFile())).toBe(false)
  })

  it('is given to exactly one of several that start at the same moment', async () => {
    leaveNote([])
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => claimDataFolder(dataDir, URL)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('is free again after its run was killed, and what that left running is ended', async () => {
    const orphan = bystander()
    leaveNote([orphan])
    const claim = await claimDataFolder(dataDir, URL)
    expect(claim.recovered).toBe(true)
    expect(identifyProcess(orphan.pid)).toBeNull()
  })

  it('is free of what a child of a killed run had started, though the child itself is gone', async () => {
    // Each leads a session, starts one process there, says which, and ends.
    const start = async (folder: string) => {
      const options = { detached: true, env: { ...process.env, DATA_DIR: folder } }
      const leader = spawn('sh', ['-c', 'sleep 60 </dev/null >/dev/null 2>&1 & echo $!; read end'], options)
      processes.push(leader)
      const identity = identifyProcess(leader.pid ?? 0)
      const [pid] = await once(leader.stdout, 'data')
      const orphan = identifyProcess(Number(pid))
      leader.stdin.end()
      await once(leader, 'close')
      if (!identity || !orphan) throw new Error('The processes did not start.')
      return { identity, orphan }
    }
    const [ours, theirs] = [await start(dataDir), await start('/elsewhere')]
    try {
      leaveNote([ours.identity, theirs.identity])
      expect((await claimDataFolder(dataDir, URL)).recovered).toBe(true)
      expect(identifyProcess(ours.orphan.pid)).toBeNull()
      expect(identifyProcess(theirs.orphan.pid)).toEqual(theirs.orphan)
    } finally {
      process.kill(theirs.orphan.pid, 'SIGKILL')
    }
  })

  it('is not kept waiting by what a killed run left and does not end when asked', async () => {
    const stubborn = spawn('sh', ['-c', 'trap "echo asked" TERM; echo up; while :; do sleep 0.1; done'])
    processes.push(stubborn)
    const said: string[] = []
    stubborn.stdout.setEncoding('utf8').on('data', (text) => said.push(text))
    await once(stubborn.stdout, 'data')
    const orphan = identifyProcess(stubborn.pid ?? 0)
    if (!orphan) throw new Error('The process did not start.')
    const closed = once(stubborn, 'close')
    leaveNote([orphan])
    await claimDataFolder(dataDir, URL)
    await closed
    expect(said.join('')).toBe('up\n')
  })

  it('never costs a stranger its life who has got the number of a dead process', async () => {
    const stranger = bystander()
    leaveNote([{ pid: stranger.pid, startedAt: 'long ago' }])
    const claim = await claimDataFolder(dataDir, URL)
    expect(claim.recovered).toBe(false)
    expect(identifyProcess(stranger.pid)).toEqual(stranger)
  })

  it.each(['', 'not json', '{}', '{"supervisor":null}'])('is not blocked by a note that reads %j', async (content) => {
    writeFileSync(noteFile(), content)
    await expect(claimDataFolder(dataDir, URL)).resolves.toMatchObject({ recovered: false })
  })

  it('notes the processes of a run, readable for its owner alone', async () => {
    const claim = await claimDataFolder(dataDir, URL)
    const child = bystander()
    claim.addChild(child.pid)
    expect(JSON.parse(readFileSync(noteFile(), 'utf8')).children).toEqual([child])
    expect(statSync(noteFile()).mode & 0o777).toBe(0o600)
  })
})
