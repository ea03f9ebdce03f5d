import pino from 'pino'

const FLUSH_MS = 200
const ERROR = 50

/** Lines are gathered for a moment: a system call a line costs more than the line. Faults are written at once. */
const output = pino.destination({ dest: 1, minLength: 8 * 1024, maxLength: 4 * 1024 * 1024, sync: true })
// A full disk or a closed pipe must not end what is only reported on; the lines stay in memory until they can be written.
output.on('error', () => undefined)
setInterval(flush, FLUSH_MS).unref()
process.once('exit', flush)

function flush() {
  try {
    output.flushSync()
  } catch {
    // Tried again with the next lines.
  }
}

/** One JSON line an event, to standard output. Secrets are never written. */
export const log = pino(
  {
    level: process.env.LOG_LEVEL ?? (process.env.NODE_ENV === 'test' ? 'silent' : 'info'),
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: ['authorization', 'cookie', 'password', 'token', '*.authorization', '*.cookie', '*.password', '*.token'],
      censor: '[hidden]',
    },
    hooks: {
      logMethod(args, method, level) {
        method.apply(this, args)
        if (level >= ERROR) flush()
      },
    },
  },
  output,
)
