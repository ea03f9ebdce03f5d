/** Bytes as people read them. */
export function sizeOf(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return `${(bytes / 1000 ** step).toFixed(step === 0 ? 0 : 1)} ${units[step]}`
}

/** Prints how far it is, every two seconds. */
export function progressLine<T>(line: (progress: T) => string): (progress: T) => void {
  let last = Date.now()
  return (progress) => {
    if (Date.now() - last < 2000) return
    last = Date.now()
    console.log(line(progress))
  }
}
