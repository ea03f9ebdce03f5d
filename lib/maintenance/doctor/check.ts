import type { Context, Tx } from '@/lib/domain/kernel/operation'
import type { Environment } from '@/lib/env'

/** What a check examines. `isQuick`: objects are compared by their size, and not read. */
export type Subject = { ctx: Context; env: Environment; isQuick: boolean; onProgress: (sentence: string) => void }

export type Status = 'ok' | 'warning' | 'problem'

/** What is wrong, found and safe to put right. Inside the transaction; `afterwards` once that is committed. */
export type Repair = (tx: Tx) => Promise<{ done: string[]; afterwards?: () => Promise<unknown> }>

/** `value`: what was found, in a few words. `details`: each thing that is wrong, named. `fix`: what a person can do. */
export type Outcome = { status: Status; value: string; details?: string[]; fix?: string; repair?: Repair }

export type Check = {
  /** How scripts and the audit trail name it. */
  id: string
  needsDatabase: boolean
  examine(subject: Subject): Promise<Outcome>
}

export const ok = (value: string): Outcome => ({ status: 'ok', value })

export const counted = (count: number, one: string, many = `${one}s`) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`
