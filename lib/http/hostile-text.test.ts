import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { database } from '@/db/client'
import { makeUser } from '@/fixtures/factories'
import { type AnyOperation, reading } from '@/lib/domain/kernel/operation'
import { as, expectRefusal } from '@/lib/domain/testing'
import { INTERFACE } from './interface'

/** Text that PostgreSQL cannot hold, and what it does to every input that takes text. */
const HOSTILE = ['a\0b', '\0', 'a\ud800b', '\udfff']

/** Evaluated later: names of files by the naming rule, which has a violation for it, thresholds by the checks' own list. */
const EVALUATED_LATER = [
  'checkFiles files.name',
  'checkNewFiles files.name',
  'receiveFileByLink name',
  'beginUpload name',
  'beginUploadByLink name',
  'createMediaCategory pre_qc.checks.(value).thresholds.(key)',
  'updateMediaCategory pre_qc.checks.(value).thresholds.(key)',
]

type Def = {
  type: string
  shape?: Record<string, z.ZodType>
  element?: z.ZodType
  innerType?: z.ZodType
  options?: z.ZodType[]
  in?: z.ZodType
  keyType?: z.ZodType
  valueType?: z.ZodType
}

/** Every shape of an input that takes text, with where it stands. */
function texts(shape: z.ZodType, path: string[] = []): [path: string, shape: z.ZodType][] {
  const def = shape.def as unknown as Def
  if (def.type === 'string' || (def.type === 'pipe' && isText(def.in))) return [[path.join('.'), shape]]
  const inner: [string[], z.ZodType | undefined][] = [
    ...Object.entries(def.shape ?? {}).map(([key, at]): [string[], z.ZodType] => [[...path, key], at]),
    ...(def.options ?? []).map((option): [string[], z.ZodType] => [path, option]),
    [path, def.element],
    [path, def.innerType],
    [path, def.in],
    [[...path, '(key)'], def.keyType],
    [[...path, '(value)'], def.valueType],
  ]
  return inner.flatMap(([at, part]) => (part ? texts(part, at) : []))
}

const isText = (shape: z.ZodType | undefined) => (shape?.def as Def | undefined)?.type === 'string'

const operations = INTERFACE.flatMap(({ paths }) =>
  Object.values(paths).flatMap((served) =>
    Object.values(served).filter((each): each is AnyOperation => each.kind !== 'described'),
  ),
)

const all = operations.flatMap((operation) =>
  operation.input ? texts(operation.input).map(([path, shape]) => ({ at: `${operation.name} ${path}`, shape })) : [],
)

describe('text that no database can hold', () => {
  test('is searched for in every text input of every operation', () => {
    expect(all.length).toBeGreaterThan(100)
  })

  test.each(all.filter(({ at }) => !EVALUATED_LATER.includes(at)))('is refused by $at', ({ shape }) => {
    for (const text of HOSTILE) expect(shape.safeParse(text).success, JSON.stringify(text)).toBe(false)
  })

  test('is refused in a search by the name of the parameter, before the database is asked', async () => {
    const ctx = as(await makeUser({ role: 'administrator' }))
    expect(reading(ctx).pool).toBe(database().db)
    // They find their batch first; their text is tried above.
    const ofBatch = ['browseFiles', 'browseDestinations', 'listBatchPeople']
    const searchable = operations.filter(
      ({ name, input }) => !ofBatch.includes(name) && input && texts(input).some(([path]) => path === 'q'),
    )
    expect(searchable.map(({ name }) => name).sort()).toEqual([
      'browseBatches',
      'listAgencies',
      'listAgencyStorage',
      'listCampaigns',
      'listProjects',
      'listUsers',
      'search',
    ])
    for (const list of searchable) {
      for (const q of HOSTILE) await expectRefusal(list.execute(ctx, {}, { q }), 'invalid_query', ['q'])
    }
  })
})
