import { matchName, type NameMatch } from './match'
import { checkPortableName, suggestPortableName } from './portable-name'
import { parseTemplate } from './template'
import type { KnownFacts, NamingContext } from './tokens'
import type { NamingViolation } from './violation'

export type NameValidation = Omit<NameMatch, 'steps'>

export type NameQuestion = {
  /** Null: any portable name with an allowed extension will do. */
  template: string | null
  /** As the file is called, without a folder. */
  name: string
  context: NamingContext
  /** What was measured in the file, so that the proposed name can hold the truth. */
  knownFacts?: KnownFacts
}

/** Validates one file name: what every name must keep, and the template. The server and the browser ask here. Never throws. */
export function validateName({ template: source, name, context, knownFacts = {} }: NameQuestion): NameValidation {
  if (source === null) return validatePortable(name, context)
  const parsed = parseTemplate(source)
  if (!parsed.ok) return refuseTemplate(name, parsed.problems[0]?.message ?? '')
  const { steps: _steps, ...match } = matchName(parsed.template, name, context, knownFacts)
  const portable = checkPortableName(name, null)
  const suggestion =
    match.suggestion !== null && checkPortableName(match.suggestion, null).length === 0 ? match.suggestion : null
  const violations = [...portable, ...match.violations.filter(({ code }) => code !== 'name_too_long')]
  return {
    ...match,
    accepted: match.accepted && portable.length === 0,
    violations: withSuggestion(violations, suggestion),
    suggestion,
  }
}

function validatePortable(name: string, context: NamingContext): NameValidation {
  const violations = checkPortableName(name, context.extensions)
  const accepted = violations.length === 0
  const suggestion = accepted ? null : suggestPortableName(name, context.extensions)
  const message = violations.map((violation) => violation.message).join(' ')
  return {
    accepted,
    parts: [
      {
        kind: accepted ? 'literal' : 'unexpected',
        text: name,
        token: null,
        ok: accepted,
        expected: null,
        message: accepted ? null : message,
        suggestion,
        optional: false,
      },
    ],
    values: {},
    violations: withSuggestion(violations, suggestion),
    suggestion,
  }
}

/** A stored template was parsed when it was saved; if one cannot be read all the same, the uploader must hear why. */
function refuseTemplate(name: string, problem: string): NameValidation {
  const message = `The naming template of this batch cannot be read, so no name can be validated. Contact the coordinator. ${problem}`
  return {
    accepted: false,
    parts: [
      {
        kind: 'unexpected',
        text: name,
        token: null,
        ok: false,
        expected: null,
        message,
        suggestion: null,
        optional: false,
      },
    ],
    values: {},
    violations: [{ rule: 'naming_convention', code: 'invalid_template', message }],
    suggestion: null,
  }
}

function withSuggestion(violations: readonly NamingViolation[], suggestion: string | null): NamingViolation[] {
  return violations.map(({ suggestion: _other, ...violation }) =>
    suggestion === null ? violation : { ...violation, suggestion },
  )
}
