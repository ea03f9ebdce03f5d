/** How sure a verdict on an estimate is, by how far the estimate lies from the limit. Two decimals, as results show it. */

/** An estimate is never certain: 1 is for what is measured exactly. */
const MOST = 0.99

/**
 * Of what depends on the speed of a machine: the share of machines on which the verdict is the same. Their speed is taken
 * to be normally distributed in doublings about this server's, with a standard deviation of one doubling: two machines in
 * three compute between half and double as fast. 0.5 at the limit, 0.84 at one doubling, 0.98 at two.
 */
export function machineConfidence(measured: number, limit: number): number {
  if (measured <= 0 || limit <= 0) return MOST
  return likelihood(Math.abs(Math.log2(measured / limit)))
}

/**
 * Of a share that was found in some samples: how likely the share of everything lies on the same side of the limit (normal
 * approximation of the binomial distribution). 0.5 at the limit; rises with the distance and with the number of samples.
 * Where the limit is all or nothing, one sample decides.
 */
export function sampleConfidence(share: number, limit: number, samples: number): number {
  const deviation = Math.sqrt((limit * (1 - limit)) / samples)
  return deviation > 0 ? likelihood(Math.abs(share - limit) / deviation) : MOST
}

/** Straight from one confidence to another, as a share goes from 0 to 1; what lies beyond either end is as that end. */
export function confidenceBetween(share: number, from: number, to: number): number {
  return rounded(from + (to - from) * Math.min(1, Math.max(0, share)))
}

/** `lowest` at the limit itself, rising with the distance from it in doublings, `highest` from three doublings on. */
export function marginConfidence(measured: number, limit: number, lowest: number, highest: number): number {
  if (measured <= 0 || limit <= 0) return measured === limit ? lowest : highest
  return confidenceBetween(Math.abs(Math.log2(measured / limit)) / 3, lowest, highest)
}

const likelihood = (deviations: number) => Math.min(MOST, rounded(normalShare(deviations)))

const rounded = (confidence: number) => Math.round(confidence * 100) / 100

/** Share of a normal distribution below so many standard deviations, 0 and more (Abramowitz and Stegun 26.2.17). */
function normalShare(deviations: number): number {
  const t = 1 / (1 + 0.2316419 * deviations)
  const series = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  return 1 - (Math.exp((-deviations * deviations) / 2) / Math.sqrt(2 * Math.PI)) * series
}
