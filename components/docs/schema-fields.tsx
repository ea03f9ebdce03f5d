import type { ReactNode } from 'react'
import type { JsonSchema } from '@/lib/http/json-schema'
import { Inline } from './inline'

/** The fields of an object: name, type, whether it must be given, what it means. Objects inside are described in place. */
export function SchemaFields({ schema, marksRequired = false }: { schema: JsonSchema; marksRequired?: boolean }) {
  return (
    <dl className="divide-y divide-line text-sm">
      {rowsOf(schema).map(({ path, field, isRequired }) => (
        <div key={path} className="grid gap-x-4 gap-y-0.5 py-2 sm:grid-cols-[minmax(8rem,12rem)_minmax(0,1fr)]">
          <dt className="min-w-0">
            <code className="text-xs text-ink">{path}</code>
          </dt>
          <dd className="min-w-0 text-ink-muted">
            <TypeOf schema={field} />
            {marksRequired && isRequired && <span className="ml-2 text-xs font-medium text-accent-ink">required</span>}
            {field.description && (
              <p>
                <Inline text={`${field.description.replace(/\.$/, '')}.`} />
              </p>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

type Row = { path: string; field: JsonSchema; isRequired: boolean }

function rowsOf(schema: JsonSchema, prefix = ''): Row[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`
    const row = { path, field, isRequired: (schema.required ?? []).includes(name) }
    const inside = [field, field.items, ...(field.anyOf ?? [])].find((one) => one?.properties)
    const isReference = inside?.properties && Object.keys(inside.properties).join() === 'id,name'
    return inside && !isReference ? [row, ...rowsOf(inside, `${path}${field.items ? '[]' : ''}.`)] : [row]
  })
}

/** A type in words: `text, at most 200 characters`, `time or null`, `list of File`. */
export function TypeOf({ schema }: { schema: JsonSchema }): ReactNode {
  const name = schema.$ref?.split('/').at(-1)
  if (name) {
    return (
      <a href={`/docs/api/responses#schema-${name}`} className="link">
        {name}
      </a>
    )
  }
  if (schema.anyOf) {
    return schema.anyOf.map((one, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the alternatives of a type never change places
      <span key={index}>
        {index > 0 && ' or '}
        <TypeOf schema={one} />
      </span>
    ))
  }
  if (schema.enum) return <Inline text={schema.enum.map((value) => `\`${value}\``).join(' ')} />
  if (schema.const !== undefined) return <Inline text={`\`${JSON.stringify(schema.const)}\``} />
  if (schema.items) {
    return (
      <>
        list of <TypeOf schema={schema.items} />
        {bounds(schema.minItems, schema.maxItems, 'entries')}
      </>
    )
  }
  return wordsFor(schema)
}

const FORMATS: Record<string, string> = {
  uuid: 'id (UUID)',
  'date-time': 'time',
  date: 'date',
  email: 'e-mail address',
  binary: 'file',
  uri: 'address',
}

function wordsFor(schema: JsonSchema): string {
  if (Array.isArray(schema.type)) return schema.type.map((type) => wordsFor({ ...schema, type })).join(' or ')
  if (schema.type === 'null') return 'null'
  if (schema.format) return FORMATS[schema.format] ?? schema.format
  switch (schema.type) {
    case 'string':
      return `text${bounds(schema.minLength, schema.maxLength, 'characters')}`
    case 'integer':
      return `whole number${bounds(schema.minimum, schema.maximum)}`
    case 'number':
      return `number${bounds(schema.minimum, schema.maximum)}`
    case 'boolean':
      return 'true or false'
    case 'object':
      return schema.properties && Object.keys(schema.properties).join() === 'id,name' ? 'id and name' : 'object'
    default:
      return 'any value'
  }
}

function bounds(least: number | undefined, most: number | undefined, unit = ''): string {
  const end = unit && ` ${unit}`
  if (least && most !== undefined) return `, ${least} to ${most}${end}`
  if (most !== undefined) return `, at most ${most}${end}`
  return least ? `, at least ${least}${end}` : ''
}
