/** How sure a verdict on an estimate is, by how far the estimate lies from the limit. Two decimals, as results show it. */

/** An estimate is never certain: 1 is for what is measured exactly. */
const MOST = 0.99

/**
 * Of what depends on the speed of a machine: the share of machines on which the verdict is the same. Their speed is taken
 * to be normally distributed in doublings about this server's, with a standard deviation of one doubling: two machines in
 * three compute between half and double as fast. 0.5 at the limit, 0.84 at one doubling, 0.98 at two.
 */
export function machineConfidence(measured: number, limit: number): number {
  return ratioConfidence(measured, limit, 1)
}

/**
 * Of a measurement with a known uncertainty: how likely the true value lies on the same side of the limit, as it is taken to
 * be normally distributed about what was measured (conformance probability, JCGM 106:2012, 7). `uncertainty`: one standard
 * deviation, in the unit of both. 0.5 at the limit, 0.84 at one deviation, 0.98 at two.
 */
export function measuredConfidence(measured: number, limit: number, uncertainty: number): number {
  return uncertainty > 0 ? likelihood(Math.abs(measured - limit) / uncertainty) : MOST
}

/** The same where the measurement is off by a factor; `uncertainty` in doublings. */
export function ratioConfidence(measured: number, limit: number, uncertainty: number): number {
  if (measured <= 0 || limit <= 0) return measured === limit ? 0.5 : MOST
  return measuredConfidence(Math.log2(measured), Math.log2(limit), uncertainty)
}

/**
 * Of what is found one by one: the verdict is wrong only where each of so many findings is, which are right with the
 * probability `each`, independently of each other. 0.8 for one, 0.96 for two.
 */
export function countConfidence(findings: number, each: number): number {
  return Math.min(MOST, rounded(1 - (1 - each) ** Math.max(0, findings)))
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

const likelihood = (deviations: number) => Math.min(MOST, rounded(normalShare(deviations)))

const rounded = (confidence: number) => Math.round(confidence * 100) / 100

/** Share of a normal distribution below so many standard deviations, 0 and more (Abramowitz and Stegun 26.2.17). */
function normalShare(deviations: number): number {
  const t = 1 / (1 + 0.2316419 * deviations)
  const series = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  return 1 - (Math.exp((-deviations * deviations) / 2) / Math.sqrt(2 * Math.PI)) * series
}
