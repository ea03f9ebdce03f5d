/** A limit belongs to what is allowed: what was measured may be equal to it. */

/** What computing with binary fractions may add or take: 30.1 - 30 is a little more than 0.1. */
const ROUNDING = 1e-9

const rounding = (limit: number) => ROUNDING * Math.max(1, Math.abs(limit))

export const isAtMost = (value: number, limit: number): boolean => value <= limit + rounding(limit)

export const isAtLeast = (value: number, limit: number): boolean => value >= limit - rounding(limit)
