import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { identifyProcess } from '@/server/embedded-database/process'

let folder: string
let npm: ChildProcess | undefined
let ours: number | undefined
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'greenroom-parent-'))
})
afterEach(() => {
  npm?.kill('SIGKILL')
  if (ours && identifyProcess(ours)) process.kill(ours, 'SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** A service as npm runs it: npm, a shell that stays, and node below that. The number of node. */
async function startBelowNpm(): Promise<number> {
  const watch = path.resolve('server/supervisor/parent.ts')
  writeFileSync(
    path.join(folder, 'service.ts'),
    `import { whenStarterIsGone } from ${JSON.stringify(watch)}
     whenStarterIsGone(() => process.exit(0))
     setInterval(() => {}, 1000)
     console.log(process.pid)`,
  )
  // Stands for npm: passes SIGTERM to the shell alone, as npm does.
  const stand = `
    const shell = require('node:child_process').spawn('sh', ['-c', process.argv[1]], { stdio: 'inherit' })
    process.on('SIGTERM', () => shell.kill('SIGTERM'))
    shell.on('exit', () => process.exit())`
  const command = `"${process.execPath}" --import tsx "${path.join(folder, 'service.ts')}"; true`
  npm = spawn(process.execPath, ['-e', stand, command], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, npm_lifecycle_event: 'start' },
  })
  const [line] = (await once(npm.stdout ?? npm, 'data')) as [Buffer]
  ours = Number(String(line).trim())
  return ours
}

it.each(['SIGTERM', 'SIGKILL'] as const)('a service started by npm ends when npm gets %s', async (signal) => {
  const pid = await startBelowNpm()
  expect(identifyProcess(pid)).not.toBeNull()
  npm?.kill(signal)
  await expect.poll(() => identifyProcess(pid)).toBeNull()
})
