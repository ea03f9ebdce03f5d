import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { promisify } from 'node:util'
import { sandboxEnvironment } from './launch'
import { productRoot } from './programs'

type Environment = Record<string, string>

/** Runs a tool that is no stranger's, and reads nothing of theirs, to its end; its output. It sees no setting either. */
export async function runTool(
  command: string,
  args: string[],
  { environment, timeoutMs }: { environment: Environment; timeoutMs: number },
): Promise<string> {
  const env = { ...sandboxEnvironment(), HOME: process.env.HOME ?? tmpdir(), ...environment }
  const { stdout } = await promisify(execFile)(command, args, { cwd: productRoot(), env, timeout: timeoutMs })
  return stdout
}

/** In a sandboxed process: starts another one in the same sandbox, which is spoken to on its descriptors 3 and 4. */
export function startInside(command: string, args: string[], environment: Environment): ChildProcess {
  // What this process was given when it was put into the sandbox, which holds no setting.
  const env = { ...process.env, ...environment }
  return spawn(command, args, { env, stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] })
}
