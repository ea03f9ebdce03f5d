import { z } from 'zod'
import type { MediaKind } from '@/lib/media/facts'
import { CATALOGUE } from './catalogue'

/**
 * A threshold as a form shows it. `choice`: one of `choices`, `flags`: any of them; `maybe`: yes, no or not said;
 * `list` and `numbers`: several words or numbers; `map`: a number for each of several words.
 */
export type DescribedThreshold = {
  key: string
  title: string
  unit: string | null
  source: string | null
  shape: 'number' | 'choice' | 'flags' | 'switch' | 'maybe' | 'list' | 'numbers' | 'map' | 'text'
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
  type?: string | string[]
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
  const isNumber = ({ type }: Schema) => type === 'number' || type === 'integer'
  const plain = (shape: DescribedThreshold['shape']) => ({ shape, choices: [] })
  if (inner.enum) return { shape: 'choice', choices: inner.enum }
  if (isNumber(inner)) return plain('number')
  if (inner.type === 'boolean') return plain(inner === schema ? 'switch' : 'maybe')
  if (Array.isArray(inner.type) && inner.type.includes('boolean')) return plain('maybe')
  if (inner.type === 'array' && inner.items?.enum) return { shape: 'flags', choices: inner.items.enum }
  if (inner.type === 'array') return plain(inner.items && isNumber(inner.items) ? 'numbers' : 'list')
  return plain(inner.type === 'object' ? 'map' : 'text')
}
