import type { Context } from '@/lib/domain/kernel/operation'
import { inTransaction } from '@/lib/domain/kernel/operation'
import { applyStep } from '@/lib/domain/retention/apply'
import { isBackupUnderWay } from './backup-lock'

const AFTER_BACKUP_MINUTES = 10

/** A step of a retention run; later, while a backup is under way: what is marked goes at once, and no hold comes in between. */
export async function applyRetention(ctx: Context, payload: { run_id: string }) {
  if (!(await isBackupUnderWay(ctx.db))) return applyStep(ctx, payload)
  const runAt = new Date(ctx.now.getTime() + AFTER_BACKUP_MINUTES * 60_000)
  await inTransaction(ctx, (tx) =>
    tx.enqueue('apply_retention', payload, { runAt, key: `apply_retention:${payload.run_id}` }),
  )
}
