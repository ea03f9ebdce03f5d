import { PassThrough, type Readable } from 'node:stream'

/** The same bytes, given up with an error when none come for `ms` although they are waited for. */
export function withIdleTimeout(bytes: Readable, ms: number): Readable {
  const out = new PassThrough()
  const give = () => bytes.destroy(new Error(`nothing came for ${ms / 1000} s`))
  const timer = setTimeout(give, ms)
  bytes.on('data', () => timer.refresh())
  bytes.once('close', () => clearTimeout(timer))
  bytes.once('error', (error) => out.destroy(error))
  out.once('close', () => bytes.destroy())
  return bytes.pipe(out)
}
