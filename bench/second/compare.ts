import { execFile } from 'node:child_process'
import { isFailure, type Subject } from '@/lib/checks/check'

/** One thing that both engines say of a file. */
export type Compared = { what: string; ours: string; theirs: string; agrees: boolean }

/** What is said by both; where one of them says nothing, it is no disagreement. */
export class Comparison {
  readonly all: Compared[] = []

  /** The same words or numbers. */
  same(what: string, ours: unknown, theirs: unknown): void {
    if (isSilent(ours) || isSilent(theirs)) return
    this.all.push({ what, ours: String(ours), theirs: String(theirs), agrees: String(ours) === String(theirs) })
  }

  /** Numbers that differ by no more than this. */
  near(what: string, ours: number | null | undefined, theirs: number | null | undefined, tolerance: number): void {
    if (isSilent(ours) || isSilent(theirs)) return
    const [one, other] = [Number(ours), Number(theirs)]
    const agrees = Math.abs(one - other) <= tolerance + 1e-9
    this.all.push({ what, ours: rounded(one), theirs: rounded(other), agrees })
  }
}

const isSilent = (value: unknown) =>
  value === null || value === undefined || value === '' || (typeof value === 'number' && !Number.isFinite(value))
const rounded = (value: number) => String(Math.round(value * 1000) / 1000)

/**
 * Whether a file is whole. What acts by itself is refused, too, and is no damage. A file whose content is of another type,
 * or of none, is refused for that, and not looked into any further: null.
 */
export function isIntact(integrity: Subject['integrity']): boolean | null {
  if (isFailure(integrity)) return false
  const codes = integrity.violations.map(({ code }) => code)
  const damage = codes.filter((code) => !NO_DAMAGE.includes(code))
  if (damage.length > 0) return false
  return codes.some((code) => OF_ANOTHER_TYPE.includes(code)) ? null : true
}
const OF_ANOTHER_TYPE = ['type_mismatch', 'unsupported_type']
const NO_DAMAGE = ['malware', ...OF_ANOTHER_TYPE]

export type Output = { code: number; text: string }

/** What a program prints, on both channels, and how it ends; null where it is not installed. */
export function run(program: string, args: readonly string[]): Promise<Output | null> {
  return new Promise((resolve, reject) => {
    const options = { maxBuffer: 256 * 1024 * 1024, timeout: 600_000, env: { ...process.env, LC_ALL: 'C' } }
    execFile(program, args, options, (error, stdout, stderr) => {
      if (error && 'code' in error && error.code === 'ENOENT') return resolve(null)
      if (error && typeof error.code !== 'number') return reject(error)
      resolve({ code: Number(error?.code ?? 0), text: stdout + stderr })
    })
  })
}

/** Programs that are missing, of these. */
export async function missing(programs: readonly string[]): Promise<string[]> {
  const found = await Promise.all(programs.map(async (program) => (await run(program, ['--version'])) !== null))
  return programs.filter((_, index) => !found[index])
}
