import { fork } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Where the password of the demo accounts is kept, so that it can be found again after the first start. */
export const demoPasswordFile = (dataDir: string) => path.join(dataDir, 'demo-password')

/** Fills an empty database with the demo workspace. The password of its accounts, or null when there was no need. */
export async function fillDemo(env: NodeJS.ProcessEnv, dataDir: string, signal: AbortSignal): Promise<string | null> {
  const child = fork('scripts/seed.ts', {
    env,
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    signal,
  })
  let password: string | null = null
  child.on('message', (message: { password: string | null }) => {
    password = message.password
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
  if (code !== 0)
    throw new Error('The demo workspace could not be made; the reason stands above. DEMO=false starts without it.')
  if (password) writeFileSync(demoPasswordFile(dataDir), `${password}\n`, { mode: 0o600 })
  return password
}

/** Whether this data folder's first start made the demo workspace. */
export const hasDemo = (dataDir: string) => existsSync(demoPasswordFile(dataDir))
