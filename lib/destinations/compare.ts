import { isDeepStrictEqual } from 'node:util'
import type { Requirement, Specification } from './specification'

/** What a specification asks for differently than another. Null: it is not there. */
type RequirementChange = { before: Requirement | null; after: Requirement | null }

export type SpecificationChanges = {
  /** Fields besides the requirements whose values differ, in the order of the format. */
  fields: { field: Exclude<keyof Specification, 'id' | 'version' | 'requirements'>; before: string; after: string }[]
  /** In the order of the newer one; what is gone comes last. */
  requirements: RequirementChange[]
}

const FIELDS = ['title', 'family', 'kinds', 'source', 'maintained_by', 'not_checked'] as const

/**
 * What changed from one version of a specification to another. A requirement is the same one where check and clause are;
 * else those of one check are paired in their order. The order itself decides nothing, so that it is no change.
 */
export function compareSpecifications(before: Specification, after: Specification): SpecificationChanges {
  const left = [...before.requirements]
  const take = (isIt: (one: Requirement) => boolean): Requirement | null => {
    const index = left.findIndex(isIt)
    return index < 0 ? null : (left.splice(index, 1)[0] ?? null)
  }
  const named = after.requirements.map((one) => ({
    after: one,
    before:
      take((other) => isDeepStrictEqual(other, one)) ??
      take((other) => other.check === one.check && other.clause === one.clause),
  }))
  const paired = named.map((pair) => ({
    ...pair,
    before: pair.before ?? take((other) => other.check === pair.after.check),
  }))
  return {
    fields: FIELDS.filter((field) => !isDeepStrictEqual(before[field], after[field])).map((field) => ({
      field,
      before: said(before[field]),
      after: said(after[field]),
    })),
    requirements: [
      ...paired.filter((pair) => !isDeepStrictEqual(pair.before, pair.after)),
      ...left.map((one) => ({ before: one, after: null })),
    ],
  }
}

const said = (value: Specification[(typeof FIELDS)[number]]): string =>
  Array.isArray(value)
    ? value.join('; ')
    : typeof value === 'object'
      ? [value.publisher, value.document, value.date, value.url].join(', ')
      : value
