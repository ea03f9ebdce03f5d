import type { StageState } from '@/lib/vocabulary'

/** A stage with how far its files are: of the current ones, by what those who take part decided on these very bytes. */
export type StageProgress = {
  id: string
  name: string
  position: number
  dueAt: Date | null
  completedAt: Date | null
  skippedAt: Date | null
  withdrawnAt: Date | null
  files: number
  approved: number
  rejected: number
}

/** Every current file was decided at it; a stage without files waits for them. */
export const isDecided = ({ files, approved, rejected }: Pick<StageProgress, 'files' | 'approved' | 'rejected'>) =>
  files > 0 && approved + rejected === files

const isPassed = (stage: StageProgress) => stage.withdrawnAt !== null || stage.skippedAt !== null || isDecided(stage)

/** Where a stage stands: it is open once all before it have passed. */
export function stateOf(stage: StageProgress, all: readonly StageProgress[]): StageState {
  if (stage.withdrawnAt) return 'withdrawn'
  if (stage.skippedAt) return 'skipped'
  if (isDecided(stage)) return 'done'
  return all.every((other) => other.position >= stage.position || isPassed(other)) ? 'open' : 'waiting'
}

/** A decision counts at a stage that is open; at one that is done it may still be changed. */
export const takesDecisions = (state: StageState) => state === 'open' || state === 'done'

/** Since when a stage is open: since the last of those before it passed, or since the batch was submitted. */
export function openSince(stage: StageProgress, all: readonly StageProgress[], submittedAt: Date | null): Date | null {
  if (stateOf(stage, all) !== 'open' || !submittedAt) return null
  const before = all
    .filter(({ position, withdrawnAt }) => position < stage.position && withdrawnAt === null)
    .map(({ completedAt, skippedAt }) => (skippedAt ?? completedAt)?.getTime() ?? 0)
  return new Date(Math.max(submittedAt.getTime(), ...before))
}

/** The first thing that keeps a batch from being approved, as a sentence; null when nothing does. */
export function whyNotThrough(stages: readonly StageProgress[]): string | null {
  for (const stage of stages) {
    const state = stateOf(stage, stages)
    if (state === 'open' || state === 'waiting')
      return `The stage “${stage.name}” has decided ${stage.approved + stage.rejected} of ${stage.files} files. Wait for it, or skip it with a reason.`
    if (state === 'done' && stage.rejected > 0)
      return `The stage “${stage.name}” rejected ${stage.rejected} of ${stage.files} files. Reject them, so that new versions come, or skip the stage with a reason.`
  }
  return null
}
