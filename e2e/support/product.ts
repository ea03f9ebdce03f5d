import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from '@/server/embedded-database/port'

const START_TIMEOUT_MS = 300_000

export type Product = { url: string; password: string; dataDir: string; stop(): Promise<void> }

/**
 * Starts Greenroom by its real start script, on a free port with a data folder of its own, and waits until it says that
 * it is ready: so the start itself is part of every story. Throws with its output when it does not get there.
 */
export async function startProduct(overrides: Record<string, string> = {}): Promise<Product> {
  const parent = mkdtempSync(path.join(tmpdir(), 'greenroom-stories-'))
  chmodSync(parent, 0o711)
  const dataDir = path.join(parent, 'data')
  const port = await freePort()
  const password = 'stories-in-a-browser'
  const { DATABASE_URL: _own, BASE_URL: _address, ...inherited } = process.env
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    env: { ...inherited, PORT: String(port), DATA_DIR: dataDir, DEMO: 'true', DEMO_PASSWORD: password, ...overrides },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // Should this process be ended without its teardown, the product is not to stay behind.
  const endWithUs = () => child.kill('SIGTERM')
  process.once('exit', endWithUs)
  const stop = async () => {
    process.off('exit', endWithUs)
    await end(child)
    rmSync(parent, { recursive: true, force: true })
  }
  try {
    await ready(child)
  } catch (error) {
    await stop()
    throw error
  }
  return { url: `http://localhost:${port}`, password, dataDir, stop }
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = ''
    const timeout = setTimeout(() => reject(new Error(`Greenroom was not ready in time:\n${output}`)), START_TIMEOUT_MS)
    const settle = (outcome: () => void) => {
      clearTimeout(timeout)
      outcome()
    }
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        output += chunk
        if (output.includes('Greenroom is ready.')) settle(resolve)
      })
    }
    child.once('exit', (code) => settle(() => reject(new Error(`Greenroom ended with code ${code}:\n${output}`))))
  })
}

async function end(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await gone
}
