import pino from 'pino'
import { LogOutput } from './log-output'
import { sendLine, traceIds } from './tracing'

const FLUSH_MS = 200
const ERROR = 50

/** Lines are gathered for a moment: a system call a line costs more than the line. Faults are written at once. */
const output = new LogOutput(1)
setInterval(() => output.flush(), FLUSH_MS).unref()
process.once('exit', () => output.flush())

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
    mixin: traceIds,
    hooks: {
      logMethod(args, method, level) {
        method.apply(this, args)
        if (level >= ERROR) output.flush()
      },
    },
  },
  {
    write(line: string) {
      output.write(line)
      sendLine(line)
    },
  },
)
