const colours = process.stdout.isTTY && !process.env.NO_COLOR
const paint = (code: number) => (text: string) => (colours ? `\u001b[${code}m${text}\u001b[0m` : text)
export const dim = paint(2)
export const bold = paint(1)
const yellow = paint(33)
const red = paint(31)

/** Writes to the terminal. A terminal that is gone (a closed window, a broken pipe) is no reason to fall over. */
export function say(text = '') {
  process.stdout.write(`${text}\n`)
}
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})

/**
 * What of a child's output belongs on the screen: in development all of it; in production its warnings and errors,
 * as a short line, while the log file has the whole event. Null: only for the file.
 */
export function forScreen(name: string, line: string, isError: boolean, dev: boolean): string | null {
  // A busy server writes thousands of these a second; the level comes first in the line.
  if (!dev && /^\{"level":[123]0,/.test(line)) return null
  const label = dim(name.padEnd(7))
  const event = line.startsWith('{') ? parse(line) : null
  if (!event) return (dev || isError) && line.trim() ? `${label} ${line}` : null
  if (event.level < 40 && !dev) return null
  const mark = event.level >= 50 ? red('error') : event.level >= 40 ? yellow('warn ') : dim('info ')
  const said = event.err?.message ?? event.reason
  const detail = said && said !== event.msg ? `: ${said}` : ''
  const request = event.request_id ?? event.requestId
  return `${label} ${mark} ${event.msg ?? ''}${detail}${request ? dim(` (request ${request})`) : ''}`
}

/** A line for the log file, which holds JSON lines only: what a process or Node printed by itself becomes an event, too. */
export function asEvent(line: string, isError: boolean): string {
  if (line.startsWith('{') && parse(line)) return line
  return JSON.stringify({ level: isError ? 40 : 30, time: new Date().toISOString(), msg: line })
}

type LogEvent = {
  level: number
  msg?: string
  err?: { message?: string }
  reason?: string
  request_id?: string
  requestId?: string
}

function parse(line: string): LogEvent | null {
  try {
    const event = JSON.parse(line)
    return typeof event?.level === 'number' ? event : null
  } catch {
    return null
  }
}
