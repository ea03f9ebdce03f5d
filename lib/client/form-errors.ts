import type { FieldErrors, FieldValues, Path, UseFormReturn } from 'react-hook-form'
import type { ApiProblem } from './api'

/** Every message of a form's errors with its path (`line_items.0.quantity`), for the error summary. */
export function listFormErrors(errors: FieldErrors<FieldValues>): { path: string; message: string }[] {
  const found: { path: string; message: string }[] = []
  collect(errors, '', found)
  return found
}

function collect(node: unknown, path: string, found: { path: string; message: string }[]) {
  if (node === null || typeof node !== 'object') return
  const { message, type } = node as { message?: unknown; type?: unknown }
  // An error has a `type`; a field that happens to be called "message" has an object there.
  if (typeof message === 'string' && message !== '' && typeof type !== 'object') {
    const isAboutTheWhole = path === 'root' || path.startsWith('root.')
    found.push({ path: isAboutTheWhole ? '' : path.replace(/\.root$/, ''), message })
    return
  }
  for (const [key, child] of Object.entries(node)) {
    // `ref` holds DOM elements: walking into one never ends.
    if (key !== 'ref') collect(child, path ? `${path}.${key}` : key, found)
  }
}

/**
 * Puts the server's response to a form where the person can fix it: each field's message at its field, everything else
 * on the form as a whole (`root.server`), a line each.
 */
export function showProblem<Values extends FieldValues>(
  form: Pick<UseFormReturn<Values>, 'setError' | 'getValues'>,
  problem: ApiProblem,
): void {
  const values = form.getValues()
  const elsewhere: string[] = []
  for (const error of problem.errors) {
    if (error.path && hasPath(values, error.path)) {
      form.setError(error.path as Path<Values>, { type: error.code, message: error.message })
    } else {
      elsewhere.push(error.message)
    }
  }
  if (problem.errors.length === 0) elsewhere.push(problem.detail)
  if (elsewhere.length > 0) form.setError('root.server', { type: problem.code, message: elsewhere.join('\n') })
}

function hasPath(values: unknown, path: string): boolean {
  const [head, ...rest] = path.split('.')
  if (values === null || typeof values !== 'object' || head === undefined || !Object.hasOwn(values, head)) return false
  return rest.length === 0 || hasPath((values as Record<string, unknown>)[head], rest.join('.'))
}
