import { fork } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Where the password of the demo accounts is stored, so that it can be found again after the first start. */
export const demoPasswordFile = (dataDir: string) => path.join(dataDir, 'demo-password')

/** Whether this data folder's first start made the demo workspace. */
export const hasDemo = (dataDir: string) => existsSync(demoPasswordFile(dataDir))

/**
 * Fills an empty database with the demo workspace. Returns the password of its accounts, or null when there was no need.
 * The password is on disk before the accounts are: a start that is killed in between leaves no user locked out.
 */
export async function fillDemo(env: NodeJS.ProcessEnv, dataDir: string, signal: AbortSignal): Promise<string | null> {
  const file = demoPasswordFile(dataDir)
  const stored = hasDemo(dataDir) ? readFileSync(file, 'utf8').trim() : null
  const password = env.DEMO_PASSWORD?.trim() || stored || readablePassword()
  if (!stored) writeFileSync(file, `${password}\n`, { mode: 0o600 })
  const made = await seed({ ...env, DEMO_PASSWORD: password }, signal)
  if (made) writeFileSync(file, `${password}\n`, { mode: 0o600 })
  else if (!stored) rmSync(file, { force: true })
  return made ? password : null
}

async function seed(env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<boolean> {
  const bundled = env.NODE_ENV === 'production'
  const child = fork(bundled ? path.join('.next', 'programs', 'seed.mjs') : path.join('scripts', 'seed.ts'), {
    env,
    execArgv: bundled ? [] : ['--import', 'tsx'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    signal,
  })
  let made = false
  child.on('message', (message: { made: boolean }) => {
    made = message.made
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
  if (code !== 0) {
    throw new Error('The demo workspace could not be made; the reason stands above. DEMO=false starts without it.')
  }
  return made
}

/** Four groups without letters and digits that look alike: some 79 bits, and still easy to type. */
function readablePassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
  const group = () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('')
  return Array.from({ length: 4 }, group).join('-')
}
