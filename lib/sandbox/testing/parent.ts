import { SandboxedProcess } from '../process'
import { MISBEHAVING } from '.'
import type { MisbehavingJobs } from './misbehaving'

/** Starts a sandboxed process that does the job of the first argument, and says which process that is. */
const child = new SandboxedProcess<MisbehavingJobs>(MISBEHAVING)
const job = process.argv[2] === 'spin' ? 'spin' : 'wait'
await child.run('echo', { text: '' }, { cpuMs: 60_000, wallMs: 600_000 })
const working = child.run(job, null, { cpuMs: 600_000, wallMs: 600_000 })
process.stdout.write(`${child.pid}\n`)
await working
