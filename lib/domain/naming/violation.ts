import type { TokenName } from './tokens'

/** Everything that can be wrong with a name. Codes are part of the interface: none changes its meaning. */
export const NAMING_CODES = [
  // against the template
  'missing_token',
  'invalid_token',
  'misplaced_token',
  'wrong_case',
  'lookalike_character',
  'wrong_separator',
  'wrong_text',
  'missing_text',
  'unexpected_text',
  'copy_marker',
  'doubled_extension',
  'wrong_extension',
  'missing_extension',
  'invalid_template',
  // against what every name must be
  'empty_name',
  'name_too_long',
  'path_separator',
  'control_character',
  'bidirectional_control',
  'invisible_character',
  'ill_formed_unicode',
  'reserved_character',
  'reserved_name',
  'edge_space_or_dot',
] as const
export type NamingCode = (typeof NAMING_CODES)[number]

/** One fault of a name, as a refused upload reports it. */
export type NamingViolation = {
  rule: 'naming_convention'
  code: NamingCode
  /** For the person who names the file: what is wrong, what was expected, how to fix it. */
  message: string
  token?: TokenName
  /** What belongs at this place, in words. */
  expected?: string
  /** The whole file name, fixed; it is accepted as it stands. Absent when it cannot be known. */
  suggestion?: string
}
