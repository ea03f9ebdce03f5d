import { z } from 'zod'

/** JSON Schema, draft 2020-12, as OpenAPI 3.1 embeds it; only the part of it that zod writes. */
export type JsonSchema = {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
  default?: unknown
  const?: unknown
  enum?: unknown[]
  pattern?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: boolean | JsonSchema
  propertyNames?: JsonSchema
  items?: JsonSchema
  anyOf?: JsonSchema[]
  allOf?: JsonSchema[]
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
}

/** Collects the shapes that have a name, so that each is described once and referred to elsewhere. */
export class Components {
  readonly schemas: Record<string, JsonSchema> = {}

  /** The schema of a shape; `input` as it is sent, `output` as it is returned. */
  of(shape: z.ZodType, io: 'input' | 'output'): JsonSchema {
    // Wrapped, because zod only refers to a named shape by its name when it stands inside another.
    const written = z.toJSONSchema(z.object({ it: shape }), {
      io,
      target: 'draft-2020-12',
      unrepresentable: 'any',
      override: ({ jsonSchema }) => tidy(jsonSchema as JsonSchema, io),
    }) as JsonSchema & { $defs?: Record<string, JsonSchema> }
    for (const [name, schema] of Object.entries(written.$defs ?? {})) this.schemas[name] = moved(schema)
    return moved(written.properties?.it ?? {})
  }
}

function tidy(schema: JsonSchema, io: 'input' | 'output') {
  // The format says it all; the patterns behind it are pages long.
  if (schema.format) delete schema.pattern
  // A response may gain fields; clients must not refuse them.
  if (io === 'output' && schema.additionalProperties === false) delete schema.additionalProperties
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
}

/** References from where zod keeps named shapes to where OpenAPI does. */
function moved(schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema, (key, value) =>
    key === '$schema' || (key === 'id' && typeof value === 'string') ? undefined : value,
  )
  return JSON.parse(text.replaceAll('"#/$defs/', '"#/components/schemas/'))
}

/** The schema a reference stands for. */
function resolved(schema: JsonSchema, schemas: Record<string, JsonSchema>): JsonSchema {
  const name = schema.$ref?.split('/').at(-1)
  return name ? resolved(schemas[name] ?? {}, schemas) : schema
}

const BY_FORMAT: Record<string, unknown> = {
  uuid: '01976a3e-5c2f-7d10-9b4e-3f8a2c6d7e10',
  'date-time': '2026-05-04T09:30:00.000Z',
  date: '2026-05-04',
  email: 'ada@example.com',
}

/** Values that say more than "text" where a field of this name is shown. */
const BY_NAME: Record<string, unknown> = {
  name: 'Spring launch',
  code: 'SPRING',
  label: 'Banners, first delivery',
  comment: 'The logo is cut off on the right.',
  reason: 'Agreed with the client on 4 May.',
  naming_template: '{agency}_{title}_{width}x{height}_v{version}.{ext}',
  required_copy: ['Terms and conditions apply.'],
  media_types: ['image/png', 'image/jpeg'],
  max_file_size: 157286400,
  max_uses: 5,
  password: 'a long sentence is best',
  current_password: 'what it was',
  new_password: 'what it shall be',
  file_name: 'NORTH_spring_300x250_v1.png',
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  checks: {},
  thresholds: {},
  next_cursor: null,
  note: null,
}

/** An instance of the schema, for examples: `onlyRequired` leaves out what may be left out. */
export function exampleOf(
  schema: JsonSchema,
  schemas: Record<string, JsonSchema>,
  options: { onlyRequired?: boolean; name?: string; depth?: number } = {},
): unknown {
  const { name = '', depth = 0 } = options
  const it = resolved(schema, schemas)
  if (it.properties) {
    const shown = Object.entries(it.properties).filter(
      ([key]) => !options.onlyRequired || (it.required ?? []).includes(key),
    )
    return Object.fromEntries(
      shown.map(([key, value]) => [key, exampleOf(value, schemas, { ...options, name: key, depth: depth + 1 })]),
    )
  }
  if (Object.hasOwn(BY_NAME, name)) return BY_NAME[name]
  if (it.const !== undefined) return it.const
  if (it.enum) return it.enum[0]
  if (it.default !== undefined) return it.default
  if (it.anyOf) return exampleOf(it.anyOf.find((one) => one.type !== 'null') ?? {}, schemas, options)
  if (it.format && it.format in BY_FORMAT) return BY_FORMAT[it.format]
  const type = Array.isArray(it.type) ? it.type.find((one) => one !== 'null') : it.type
  switch (type) {
    case 'array':
      return depth > 4 ? [] : [exampleOf(it.items ?? {}, schemas, { ...options, name: singular(name) })]
    case 'integer':
    case 'number':
      return Math.max(it.minimum ?? 1, 1)
    case 'boolean':
      return true
    case 'string':
      return 'text'
    case 'object':
      return {}
    default:
      return null
  }
}

const singular = (name: string) => name.replace(/_ids$/, '_id').replace(/s$/, '')
