import type { Reviewer } from '@/components/review/reviewer'

/** What the current user may do with files of a batch here and now; the server asks again. */
export type FilePowers = Reviewer & { projectId: string; batchId: string; mayMove: boolean }
