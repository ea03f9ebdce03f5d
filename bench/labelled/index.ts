import { CHECK_IDS } from '@/lib/checks/catalogue'
import type { SpecFile } from '@/lib/checks/specs/files'

export type Labelled = SpecFile & { check: string }

const labelledFor = async (check: string): Promise<Labelled[]> => {
  const { FILES }: { FILES: readonly SpecFile[] } = await import(`../../lib/checks/specs/${check}/files.ts`)
  return FILES.map((file) => ({ ...file, check }))
}

/** The labelled set: `files.ts` of every spec, in the order of the catalogue. Nothing is written before `write` is called. */
export const LABELLED: readonly Labelled[] = (await Promise.all(CHECK_IDS.map(labelledFor))).flat()
