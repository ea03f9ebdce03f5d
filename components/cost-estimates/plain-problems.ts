import type { FieldProblem } from '@/lib/client/api'

/** What was wrong, without the name of the field in the interface: it stands at the field. */
export function plainly({ path, message }: FieldProblem): string {
  if (path === 'line_items') return message.startsWith('line_items must have at least') ? NO_LINES : rest(message, path)
  return message.startsWith(path) ? rest(message, path) : message
}

const NO_LINES = 'Price at least one line: a description, and a unit price.'

function rest(message: string, path: string): string {
  const text = message.slice(path.length).replace(/^:? */, '')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** What was wrong with the field of this path of the request. */
export function plainlyAt(problems: readonly FieldProblem[], path: string): string | undefined {
  const problem = problems.find((each) => each.path === path)
  return problem && plainly(problem)
}
