import { parseTemplate, type Template } from './template'
import { type NamingContext, TOKENS, type TokenName } from './tokens'

export type NamingDescription = {
  /** As the coordinator wrote it; null when any portable name will do. */
  template: string | null
  /** A name that is accepted as it stands. */
  example: string
  /** In the order of the template, each once. */
  tokens: { token: TokenName; label: string; expected: string; example: string; optional: boolean }[]
}

/**
 * A naming convention for those who must keep it, with the codes of their project filled in.
 * @throws RangeError on a template that `parseTemplate` refuses
 */
export function describeTemplate(source: string | null, context: NamingContext): NamingDescription {
  if (source === null) return { template: null, example: `Spring-Hero.${context.extensions[0] ?? 'jpg'}`, tokens: [] }
  const parsed = parseTemplate(source)
  if (!parsed.ok) throw new RangeError(`Not a naming template: ${parsed.problems[0]?.message ?? source}`)
  const { template } = parsed
  const rules = template.fixedExtension === null ? context : { ...context, extensions: [template.fixedExtension] }
  return {
    template: source,
    example: template.parts
      .map((part) => (part.kind === 'literal' ? part.text : TOKENS[part.token].example(rules)))
      .join(''),
    tokens: listTokens(template, rules),
  }
}

function listTokens(template: Template, context: NamingContext): NamingDescription['tokens'] {
  return template.parts.flatMap((part) => {
    if (part.kind !== 'token' || (part.token === 'ext' && template.fixedExtension !== null)) return []
    const token = TOKENS[part.token]
    return [
      {
        token: part.token,
        label: token.label,
        expected: token.expected(context),
        example: token.example(context),
        optional: part.option !== null,
      },
    ]
  })
}
