import { inArray } from 'drizzle-orm'
import { users } from '@/db/schema/directory'
import { CATALOGUE } from '@/lib/checks/catalogue'
import { compareSpecifications, type SpecificationChanges } from '@/lib/destinations/compare'
import type { Specification } from '@/lib/destinations/specification'
import { notFound } from '../kernel/errors'
import { query, type Tx } from '../kernel/operation'
import { iso } from '../kernel/shapes'
import { type FoundDestination, findDestinations, onDestination, specificationOf, summariseDestination } from './find'
import { CompareVersions, Destination, DestinationChanges, DestinationList, ReadDestination } from './schema'

export const listDestinations = query({
  name: 'listDestinations',
  summary: 'Where files are delivered to: the specifications that come with Greenroom and those that were imported',
  permission: 'directory.read',
  output: DestinationList,
  run: async (tx) => ({ destinations: (await findDestinations(tx)).map(summariseDestination), next_cursor: null }),
})

export const getDestination = query({
  name: 'getDestination',
  summary: 'One destination with its requirements, as they are or as a version had them',
  permission: 'directory.read',
  resource: onDestination,
  input: ReadDestination,
  output: Destination,
  run: (tx, { resource, input }) => presentDestination(tx, resource, input.version),
})

export const compareVersions = query({
  name: 'compareVersions',
  summary: 'What changed from one version of a destination to another',
  permission: 'directory.read',
  resource: onDestination,
  input: CompareVersions,
  output: DestinationChanges,
  async run(_tx, { resource, input }): Promise<DestinationChanges> {
    const [before, after] = [versionOf(resource, input.from), versionOf(resource, input.to)]
    return {
      destination_id: before.id,
      from: before.version,
      to: after.version,
      ...presentChanges(compareSpecifications(before, after)),
    }
  },
})

export const presentChanges = ({ fields, requirements }: SpecificationChanges) => ({
  fields,
  requirements: requirements.map(({ before, after }) => {
    const check = (after ?? before)?.check ?? ''
    return { check, label: LABELS.get(check) ?? check, before, after }
  }),
})

/** @throws `not_found` for a version there never was */
function versionOf({ specification, rows }: FoundDestination, version = specification.version): Specification {
  const row = rows.find((one) => one.version === version)
  if (row) return specificationOf(row)
  if (specification.version !== version) throw notFound('version', String(version))
  return specification
}

const LABELS = new Map(CATALOGUE.map(({ id, label }) => [id as string, label]))

/** @throws `not_found` for a version there never was */
export async function presentDestination(tx: Tx, found: FoundDestination, version?: number): Promise<Destination> {
  const specification = versionOf(found, version)
  const importers = found.rows.map(({ createdBy }) => createdBy)
  const people = importers.length
    ? await tx.db.select({ id: users.id, name: users.name }).from(users).where(inArray(users.id, importers))
    : []
  return {
    ...summariseDestination({ ...found, specification }),
    requirements: specification.requirements.map((requirement) => ({
      ...requirement,
      label: LABELS.get(requirement.check) ?? requirement.check,
    })),
    not_checked: specification.not_checked,
    versions:
      found.rows.length === 0
        ? [{ version: specification.version, imported_by: null, imported_at: null }]
        : found.rows.map(({ version, createdBy, createdAt }) => ({
            version,
            imported_by: people.find(({ id }) => id === createdBy) ?? null,
            imported_at: iso(createdAt),
          })),
  }
}
