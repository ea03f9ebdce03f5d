import { renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { sealEvents } from '@/lib/domain/audit/chain'
import type { Context } from '@/lib/domain/kernel/operation'
import { env } from '@/lib/env'

/** Where the last known end of the chain is stored, outside the database: who cuts the chain there, is found out here. */
export const headFile = () => path.join(env.DATA_DIR, 'audit-head.json')

export async function sealAudit(ctx: Context) {
  const head = await sealEvents(ctx)
  if (!head) return
  const draft = `${headFile()}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(head)}\n`)
  renameSync(draft, headFile())
}
