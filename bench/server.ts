import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { V8_FLAGS } from '@/server/web/v8-flags'

/** A server of this folder in a process of its own, with the flags of the web processes. It sends its port, and ends when it is disconnected. */
export async function startServer(script: string, ...args: string[]): Promise<{ process: ChildProcess; port: number }> {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), args, {
    execArgv: [...V8_FLAGS, '--import', 'tsx'],
  })
  const [port] = (await once(child, 'message')) as [number]
  return { process: child, port }
}
