import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Child } from './child'
import { claimDataFolder } from './claim'

let folder: string
let child: Child | undefined
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'greenroom-child-'))
})
afterEach(async () => {
  await child?.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function start(program: string): Promise<Child> {
  const file = path.join(folder, 'program.mjs')
  writeFileSync(file, program)
  const claim = await claimDataFolder(folder, 'http://localhost')
  child = new Child({ name: 'web', args: [file], env: process.env, logs: folder, claim, dev: false })
  child.start()
  return child
}
const never = new AbortController().signal

describe('a process that is kept running', () => {
  it('is waited for until it says that it is ready, and its log holds JSON lines only', async () => {
    const web = await start('console.error("a warning"); process.send({ ready: true }); setInterval(() => {}, 1000)')
    await web.whenReady(never)
    // Who asks later is not kept waiting.
    await web.whenReady(never)
    await expect
      .poll(() => readFileSync(path.join(folder, 'web.log'), 'utf8'))
      .toMatch(/^\{"level":40,.*"msg":"a warning"\}\n$/)
  })

  it('is given up when it keeps ending', async () => {
    const web = await start('process.exit(3)')
    await expect(web.whenReady(never)).rejects.toThrow('the web process keeps ending')
  })

  it('is waited for no longer than asked', async () => {
    const web = await start('setInterval(() => {}, 1000)')
    const stop = new AbortController()
    const waiting = web.whenReady(stop.signal)
    stop.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
  })
})
