import { desc, eq, inArray } from 'drizzle-orm'
import { destinations } from '@/db/schema/destinations'
import { LIBRARY } from '@/lib/destinations/library'
import { parseSpecification, type Specification } from '@/lib/destinations/specification'
import { type FieldError, invalid, invalidField, notFound, quote } from '../kernel/errors'
import type { Finder, Tx } from '../kernel/operation'
import { isoOrNull, isStorable } from '../kernel/shapes'
import type { DestinationSummary } from './schema'

type Row = typeof destinations.$inferSelect

/** A destination as it holds: its newest version. `rows`: every imported version, the newest first. */
export type FoundDestination = { specification: Specification; withdrawnAt: Date | null; rows: Row[] }

const SHIPPED: ReadonlyMap<string, Specification> = new Map(LIBRARY.map((one) => [one.id, one]))
export const specificationOf = (row: Row) => row.specification as unknown as Specification

export const onDestination: Finder<'destination_id', FoundDestination> = {
  params: ['destination_id'],
  async find(tx, { destination_id }, lock) {
    const select = tx.db.select().from(destinations).where(eq(destinations.key, destination_id))
    const ordered = select.orderBy(desc(destinations.version))
    const rows = isStorable(destination_id) ? await (lock ? ordered.for('no key update') : ordered) : []
    const found = foundIn(destination_id, rows)
    if (!found) throw notFound('destination', destination_id)
    return found
  },
}

/**
 * The specification that a document holds, and what was imported under its id before, the newest first.
 * @throws `validation_failed` with the line of each mistake, or where the id is one of the library
 */
export async function readSpecification(
  tx: Tx,
  document: string,
): Promise<{ specification: Specification; rows: Row[] }> {
  const parsed = parseSpecification(document)
  if (!parsed.ok) {
    throw invalid(
      parsed.faults.slice(0, 50).map(
        ({ line, path, message }): FieldError => ({
          path: path ? `document.${path}` : 'document',
          code: 'invalid_specification',
          message: `Line ${line}: ${message}`,
        }),
      ),
    )
  }
  const { specification } = parsed
  const rows = await tx.db
    .select()
    .from(destinations)
    .where(eq(destinations.key, specification.id))
    .orderBy(desc(destinations.version))
  if (rows.length === 0 && SHIPPED.has(specification.id)) {
    const message = `${quote(specification.id)} comes with Greenroom. Give your own specification another id.`
    throw invalidField('document.id', 'taken', message)
  }
  return { specification, rows }
}

/** An imported destination is the one its administrators mean, should a later library have one of the same id. */
function foundIn(id: string, rows: Row[]): FoundDestination | null {
  const [newest] = rows
  if (newest) return { specification: specificationOf(newest), withdrawnAt: newest.withdrawnAt, rows }
  const shipped = SHIPPED.get(id)
  return shipped ? { specification: shipped, withdrawnAt: null, rows: [] } : null
}

/** The newest version of every destination, imported ones first, by title; of `ids` only, in their order, where they are given. */
export async function findDestinations(tx: Tx, ids?: readonly string[]): Promise<FoundDestination[]> {
  if (ids?.length === 0) return []
  const rows = await tx.db
    .select()
    .from(destinations)
    .where(ids ? inArray(destinations.key, [...ids]) : undefined)
    .orderBy(destinations.key, desc(destinations.version))
  const byKey = new Map<string, Row[]>()
  for (const row of rows) byKey.set(row.key, [...(byKey.get(row.key) ?? []), row])
  const find = (id: string) => foundIn(id, byKey.get(id) ?? [])
  if (ids) return ids.flatMap((id) => find(id) ?? [])
  const found = [...new Set([...byKey.keys(), ...SHIPPED.keys()])].flatMap((id) => find(id) ?? [])
  return found.sort(
    (a, b) =>
      Number(a.rows.length === 0) - Number(b.rows.length === 0) ||
      a.specification.title.localeCompare(b.specification.title, 'en'),
  )
}

/** What is wrong with the ids of a request: one there is not, or one that was withdrawn and not named before. */
export async function destinationErrors(
  tx: Tx,
  ids: readonly string[] | null | undefined,
  named: readonly string[] = [],
): Promise<FieldError[]> {
  if (!ids) return []
  const found = new Map((await findDestinations(tx, ids)).map((one) => [one.specification.id, one]))
  return ids.flatMap((id, index) => {
    const one = found.get(id)
    const path = `destinations.${index}`
    if (!one) {
      const message = `There is no destination ${quote(id)}. GET /api/destinations lists those there are.`
      return [{ path, code: 'unknown_reference', message }]
    }
    if (one.withdrawnAt && !named.includes(id)) {
      const message = `The destination ${quote(id)} was withdrawn. Leave it out, or import a new version of it.`
      return [{ path, code: 'withdrawn', message }]
    }
    return []
  })
}

export const summariseDestination = ({ specification, withdrawnAt, rows }: FoundDestination): DestinationSummary => ({
  id: specification.id,
  version: specification.version,
  title: specification.title,
  family: specification.family,
  kinds: specification.kinds,
  source: specification.source,
  maintained_by: specification.maintained_by,
  origin: rows.length > 0 ? 'imported' : 'library',
  withdrawn_at: isoOrNull(withdrawnAt),
})
