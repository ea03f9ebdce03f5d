import { eq } from 'drizzle-orm'
import { newId } from '@/db/schema/columns'
import { destinations } from '@/db/schema/destinations'
import { refuseTaken } from '../kernel/database-errors'
import { type FieldError, invalid, invalidState, quote } from '../kernel/errors'
import { command } from '../kernel/operation'
import { onDestination, readSpecification, specificationOf } from './find'
import { presentDestination } from './queries'
import { Destination, ImportDestination } from './schema'

export const importDestination = command({
  name: 'importDestination',
  summary: 'Import a specification of your own, or a new version of one; mistakes are named by their line',
  permission: 'directory.manage',
  input: ImportDestination,
  output: Destination,
  created: (destination) => `/api/destinations/${destination.id}`,
  async run(tx, { input }) {
    const { specification, rows } = await readSpecification(tx, input.document)
    const { id: key, version, title } = specification
    const newest = rows[0]?.version ?? 0
    const taken = (): FieldError => ({
      path: 'document.version',
      code: 'taken',
      message: `${quote(key)} is here in version ${Math.max(newest, version)}; the document has version ${quote(version)}. Raise its version and import it again.`,
    })
    if (version <= newest) throw invalid([taken()])
    const row = { id: newId(tx.now), key, version, specification, createdBy: actorId(tx.actor), createdAt: tx.now }
    await refuseTaken(tx.db.insert(destinations).values(row), { destinations_key_version_key: taken() })
    await tx.record({
      type: 'destination.imported',
      subjectId: row.id,
      data: { name: title, destination_id: key, version, before: newest || null },
    })
    const stored = { ...row, withdrawnAt: null }
    return presentDestination(tx, {
      specification: specificationOf(stored),
      withdrawnAt: null,
      rows: [stored, ...rows],
    })
  },
})

export const withdrawDestination = command({
  name: 'withdrawDestination',
  summary: 'Withdraw an imported destination: it can no longer be chosen, and is still evaluated where it was',
  permission: 'directory.manage',
  resource: onDestination,
  output: Destination,
  async run(tx, { resource }) {
    const { specification, withdrawnAt, rows } = resource
    const [newest] = rows
    if (!newest) {
      throw invalidState(
        `${quote(specification.title)} comes with Greenroom and cannot be withdrawn. Leave it out of the media categories and batches that name it.`,
        'library',
        ['imported'],
      )
    }
    if (withdrawnAt) return presentDestination(tx, resource)
    await tx.db.update(destinations).set({ withdrawnAt: tx.now }).where(eq(destinations.id, newest.id))
    await tx.record({
      type: 'destination.withdrawn',
      subjectId: newest.id,
      data: { name: specification.title, destination_id: specification.id, version: newest.version },
    })
    return presentDestination(tx, { ...resource, withdrawnAt: tx.now })
  },
})

function actorId(actor: { type: string; id?: string }): string {
  if (actor.type !== 'user' || !actor.id) throw new Error('Specifications are imported by people.')
  return actor.id
}
