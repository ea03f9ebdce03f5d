import { readFrameRate, readRatio } from './token-values'
import type { KnownFacts, TokenName } from './tokens'

/** The text of each token that a name filled properly. */
export type TokenValues = Partial<Record<TokenName, string>>

/** What a name says about the media it carries, in pixels and seconds. */
export type NameClaims = {
  width?: number
  height?: number
  durationSeconds?: number
  framesPerSecond?: number
  ratio?: { width: number; height: number }
}

/** Reads the measurable claims out of the values of an accepted name, to be compared with the file itself. */
export function nameClaims(values: TokenValues): NameClaims {
  const fps = values.fps === undefined ? null : readFrameRate(values.fps)
  const ratio = values.ratio === undefined ? null : readRatio(values.ratio)
  return {
    ...(values.width === undefined ? {} : { width: Number(values.width) }),
    ...(values.height === undefined ? {} : { height: Number(values.height) }),
    ...(values.duration === undefined ? {} : { durationSeconds: Number.parseFloat(values.duration) }),
    ...(fps === null ? {} : { framesPerSecond: fps }),
    ...(ratio === null ? {} : { ratio }),
  }
}

/** Names round: half a second, two hundredths of a frame, one per cent of a ratio is no contradiction. */
const TOLERANCE = { seconds: 0.5, fps: 0.02, ratio: 0.01 } as const

/** Does the file agree with what this token of its name says? Null when the file or the token does not say. */
export function isClaimTrue(token: TokenName, value: string, facts: KnownFacts): boolean | null {
  const claims = nameClaims({ [token]: value })
  if (claims.width !== undefined) return facts.width === undefined ? null : claims.width === facts.width
  if (claims.height !== undefined) return facts.height === undefined ? null : claims.height === facts.height
  if (claims.durationSeconds !== undefined) {
    if (facts.durationSeconds === undefined) return null
    return Math.abs(claims.durationSeconds - facts.durationSeconds) <= TOLERANCE.seconds
  }
  if (claims.framesPerSecond !== undefined) {
    return facts.fps === undefined ? null : Math.abs(claims.framesPerSecond - facts.fps) <= TOLERANCE.fps
  }
  if (claims.ratio !== undefined && facts.width !== undefined && facts.height !== undefined) {
    const claimed = claims.ratio.width / claims.ratio.height
    return Math.abs(claimed * (facts.height / facts.width) - 1) <= TOLERANCE.ratio
  }
  return null
}

/** The value of a token as the file itself gives it (`width` of a 300 pixel image: `300`); null when unknown. */
export function valueFromFacts(token: TokenName, facts: KnownFacts): string | null {
  switch (token) {
    case 'width':
      return wholePixels(facts.width)
    case 'height':
      return wholePixels(facts.height)
    case 'duration':
      return facts.durationSeconds === undefined ? null : writeSeconds(facts.durationSeconds)
    case 'fps':
      return facts.fps === undefined || facts.fps <= 0 ? null : String(Number(facts.fps.toFixed(3)))
    case 'ratio':
      return writeRatio(facts)
    default:
      return null
  }
}

function wholePixels(pixels: number | undefined): string | null {
  return pixels === undefined || !Number.isInteger(pixels) || pixels <= 0 ? null : String(pixels)
}

/** Spots are named by whole seconds; only what is far from a whole second keeps a decimal. */
function writeSeconds(seconds: number): string | null {
  const whole = Math.round(seconds)
  const written = Math.abs(seconds - whole) <= 0.2 ? whole : Number(seconds.toFixed(1))
  return written > 0 ? `${written}s` : null
}

const USUAL_RATIOS = [
  [16, 9],
  [9, 16],
  [1, 1],
  [4, 5],
  [5, 4],
  [4, 3],
  [3, 4],
  [3, 2],
  [2, 3],
  [21, 9],
  [9, 21],
] as const

function writeRatio({ width, height }: KnownFacts): string | null {
  if (wholePixels(width) === null || wholePixels(height) === null || width === undefined || height === undefined)
    return null
  const usual = USUAL_RATIOS.find(([w, h]) => Math.abs((w / h) * (height / width) - 1) <= TOLERANCE.ratio)
  if (usual) return `${usual[0]}x${usual[1]}`
  const divisor = greatestCommonDivisor(width, height)
  return `${width / divisor}x${height / divisor}`
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}
