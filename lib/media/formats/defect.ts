import type { InspectionViolation, ViolationCode } from '../inspection'

/** Why a file is damaged. Thrown by the readers of the formats, turned into a violation where a file enters. */
export class Defect extends Error {
  constructor(
    readonly code: ViolationCode,
    message: string,
    readonly expected?: string,
  ) {
    super(message)
    this.name = 'Defect'
  }

  toViolation(): InspectionViolation {
    return {
      rule: this.code === 'unsupported_type' ? 'media_type' : 'integrity',
      code: this.code,
      message: this.message,
      ...(this.expected === undefined ? {} : { expected: this.expected }),
    }
  }
}

/** The machine lacks what a decoder needs (memory, disk, handles). Never a statement about the file. */
export class Shortage extends Error {
  override readonly name = 'Shortage'
}

/** Errors of the system and of V8 that come from want of something, whatever the bytes are (errno(3)). */
export function isShortage(error: unknown): boolean {
  if (error instanceof Shortage) return true
  if (!(error instanceof Error)) return false
  if ('code' in error && /^(ENOMEM|EMFILE|ENFILE|ENOSPC|EDQUOT|EIO|EAGAIN)$/.test(String(error.code))) return true
  return error.message === 'Array buffer allocation failed'
}

export function truncated(what: string): Defect {
  return new Defect('truncated', `The file ends early: ${what}. Send it again from the original.`)
}

export function corrupt(what: string): Defect {
  return new Defect('corrupt', `The file is damaged: ${what}. Export it again and send the new copy.`)
}

export function bomb(what: string): Defect {
  return new Defect('decompression_bomb', `The file would unpack to far more than it can hold: ${what}.`)
}

export function encrypted(what: string): Defect {
  return new Defect('encrypted', `${what}, so it cannot be reviewed. Save it without a password and send it again.`)
}

export function malware(what: string): Defect {
  return new Defect('malware', `${what}. Remove it and export the file again.`)
}

/** Bytes as a person can read them in a message: printable ASCII, everything else as dots. */
export function printable(bytes: Uint8Array | string): string {
  const text = typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('latin1')
  return text.replace(/[^\x20-\x7e]/g, '.').slice(0, 80)
}
