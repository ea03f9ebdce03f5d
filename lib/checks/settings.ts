import type { FieldError } from '@/lib/domain/kernel/errors'
import { quote } from '@/lib/domain/kernel/errors'
import { fieldErrors } from '@/lib/domain/kernel/shapes'
import { CATALOGUE } from './catalogue'
import type { Check } from './check'
import type { CheckSettings } from './engine'

/**
 * What is wrong with the settings of checks, as an administrator may have typed them: a check that does not exist, a
 * threshold that the check does not have, a value it cannot use. Empty when every check can run with them.
 */
export function explainChecks(
  checks: Readonly<Record<string, CheckSettings>>,
  catalogue: readonly Check[] = CATALOGUE,
): FieldError[] {
  return Object.entries(checks).flatMap(([id, settings]) => {
    const check = catalogue.find((check) => check.id === id)
    if (!check) return [unknownCheck(id, catalogue)]
    // Strict, because a misspelt threshold would silently leave the default in force.
    const errors = fieldErrors(check.thresholds.strict(), settings.thresholds ?? {})
    return errors.map((error) => ({
      ...error,
      path: `${id}.thresholds${error.path && `.${error.path}`}`,
      message: `${check.label}: ${error.message}`,
    }))
  })
}

const unknownCheck = (id: string, catalogue: readonly Check[]): FieldError => ({
  path: id,
  code: 'unknown_check',
  message: `There is no check ${quote(id)}. The checks are ${catalogue.map((check) => check.id).join(', ')}.`,
})
