/** How far numbers of few files can be trusted. */

export type Interval = { low: number; high: number }

/** The 97.5 % point of the normal distribution: both sides together leave 5 %. */
const Z = 1.959964

/**
 * 95 % confidence interval of a share (Wilson 1927), which also holds for few files and for shares of 0 and 1. Null where
 * nothing was counted.
 */
export function wilson(hits: number, total: number): Interval | null {
  if (total === 0) return null
  const share = hits / total
  const middle = share + Z ** 2 / (2 * total)
  const spread = Z * Math.sqrt((share * (1 - share)) / total + Z ** 2 / (4 * total ** 2))
  const scale = 1 + Z ** 2 / total
  return { low: Math.max(0, (middle - spread) / scale), high: Math.min(1, (middle + spread) / scale) }
}

export type Sure = { confidence: number; isRight: boolean }

export type Bin = { from: number; to: number; files: number; confidence: number; hits: number }

/** Verdicts by how sure the engine was, in bins of the same width; 1 belongs to the last. Empty bins are left out. */
export function binsOf(verdicts: readonly Sure[], count = 10): Bin[] {
  return Array.from({ length: count }, (_, index) => {
    const own = verdicts.filter(({ confidence }) => Math.min(count - 1, Math.floor(confidence * count)) === index)
    const mean = own.reduce((sum, { confidence }) => sum + confidence, 0) / own.length
    const right = own.filter(({ isRight }) => isRight).length
    return {
      from: index / count,
      to: (index + 1) / count,
      files: own.length,
      confidence: mean,
      hits: right / own.length,
    }
  }).filter(({ files }) => files > 0)
}

/**
 * Expected calibration error (Naeini 2015): how far the confidence is from the share of right verdicts, on average over
 * the files. 0: of verdicts with confidence 0.9 nine in ten are right. Null where nothing was counted.
 */
export function calibrationError(verdicts: readonly Sure[], count = 10): number | null {
  if (verdicts.length === 0) return null
  const bins = binsOf(verdicts, count)
  return (
    bins.reduce((sum, { files, confidence, hits }) => sum + files * Math.abs(confidence - hits), 0) / verdicts.length
  )
}
