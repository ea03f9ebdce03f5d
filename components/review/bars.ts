/**
 * The bars of a waveform in a box of 1000 × 100, side by side over its whole width however many there are: audio of less
 * than ten seconds has fewer.
 *
 * @param peaks each 0..1
 */
export function barsOf(peaks: readonly number[]) {
  const step = 1000 / peaks.length
  return peaks.map((peak, at) => {
    const height = Math.max(0.6, peak * 96)
    return { x: at * step, y: 50 - height / 2, width: step * 0.7, height }
  })
}
