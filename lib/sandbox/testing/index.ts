import type { ProcessOptions } from '../process'

/** How the program that misbehaves is started. */
export const MISBEHAVING: ProcessOptions = {
  program: { name: 'misbehaving', source: 'lib/sandbox/testing/misbehaving.ts', profile: 'decoder' },
  label: 'the program',
  maxBytes: 512 * 2 ** 20,
  maxResultBytes: 4 * 2 ** 20,
}
