import { z } from 'zod'
import { CATALOGUE } from './catalogue'
import type { MediaKind } from './facts'

/** A threshold as a form shows it. `list`: several words or numbers; `json`: anything with more structure. */
export type DescribedThreshold = {
  key: string
  title: string
  unit: string | null
  source: string | null
  shape: 'number' | 'list' | 'numbers' | 'choice' | 'switch' | 'text' | 'json'
  choices: string[]
  fallback: unknown
}

/** A check as plain data, for screens that must not load the engine. */
export type DescribedCheck = {
  id: string
  label: string
  describe: string
  kinds: readonly MediaKind[]
  isBlocking: boolean
  isEnabled: boolean
  thresholds: DescribedThreshold[]
}

type Schema = {
  type?: string
  enum?: string[]
  anyOf?: Schema[]
  items?: Schema
  title?: string
  unit?: string
  source?: string
  default?: unknown
}

/** The catalogue as plain data. */
export function describeChecks(): DescribedCheck[] {
  return CATALOGUE.map((check) => {
    const { properties = {} } = z.toJSONSchema(check.thresholds, { io: 'input' }) as {
      properties?: Record<string, Schema>
    }
    return {
      id: check.id,
      label: check.label,
      describe: check.describe,
      kinds: check.kinds,
      isBlocking: check.severity === 'blocking',
      isEnabled: check.enabledByDefault,
      thresholds: Object.entries(properties).map(([key, schema]) => ({
        key,
        title: schema.title ?? key,
        unit: schema.unit ?? null,
        source: schema.source ?? null,
        ...shapeOf(schema),
        fallback: schema.default ?? null,
      })),
    }
  })
}

function shapeOf(schema: Schema): Pick<DescribedThreshold, 'shape' | 'choices'> {
  const inner = schema.anyOf?.find((each) => each.type !== 'null') ?? schema
  const choices = inner.enum ?? []
  if (choices.length > 0) return { shape: 'choice', choices }
  if (inner.type === 'number' || inner.type === 'integer') return { shape: 'number', choices }
  if (inner.type === 'boolean') return { shape: 'switch', choices }
  if (inner.type === 'string') return { shape: 'text', choices }
  if (inner.type === 'array' && inner.items?.type === 'string')
    return { shape: 'list', choices: inner.items.enum ?? [] }
  if (inner.type === 'array' && (inner.items?.type === 'number' || inner.items?.type === 'integer'))
    return { shape: 'numbers', choices }
  return { shape: 'json', choices }
}
