import { and, desc, eq, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { newId } from '@/db/schema/columns'
import { agencies, users } from '@/db/schema/directory'
import { projects } from '@/db/schema/projects'
import { legalHolds } from '@/db/schema/retention'
import { onAgency } from '../directory/find'
import { invalidField, invalidState, quote } from '../kernel/errors'
import { command, type Finder, query, type Tx } from '../kernel/operation'
import { findRow } from '../kernel/rows'
import { dayOf, decodeCursor, iso, page, upTo } from '../kernel/shapes'
import { findProject } from '../projects/find'
import type { HoldRow } from '../projects/holds'
import { LegalHold, LegalHoldList, LiftLegalHold, ListLegalHolds, SetLegalHold } from './schema'

const setters = alias(users, 'setters')
const lifters = alias(users, 'lifters')

const selectHolds = (tx: Tx) =>
  tx.db
    .select({
      id: legalHolds.id,
      hold: legalHolds,
      projectName: projects.name,
      agencyName: agencies.name,
      setterName: setters.name,
      lifterName: lifters.name,
    })
    .from(legalHolds)
    .leftJoin(projects, eq(projects.id, legalHolds.projectId))
    .leftJoin(agencies, eq(agencies.id, legalHolds.agencyId))
    .innerJoin(setters, eq(setters.id, legalHolds.setBy))
    .leftJoin(lifters, eq(lifters.id, legalHolds.liftedBy))

const refOf = (id: string | null, name: string | null) => (id !== null && name !== null ? { id, name } : null)

function present(row: Awaited<ReturnType<typeof selectHolds>>[number]): LegalHold {
  const { hold } = row
  const by = refOf(hold.liftedBy, row.lifterName)
  return {
    id: hold.id,
    project: refOf(hold.projectId, row.projectName),
    agency: refOf(hold.agencyId, row.agencyName),
    reason: hold.reason,
    set_by: { id: hold.setBy, name: row.setterName },
    set_at: iso(hold.createdAt),
    lifted: hold.liftedAt && by ? { at: iso(hold.liftedAt), by, reason: hold.liftReason ?? '' } : null,
  }
}

async function serializeHold(tx: Tx, id: string): Promise<LegalHold> {
  const [row] = await selectHolds(tx).where(eq(legalHolds.id, id))
  if (!row) throw new Error(`Legal hold ${id} vanished while it was read.`)
  return present(row)
}

const STATES: Record<'active' | 'lifted', SQL> = {
  active: isNull(legalHolds.liftedAt),
  lifted: isNotNull(legalHolds.liftedAt),
}

export const listLegalHolds = query({
  name: 'listLegalHolds',
  summary: 'The legal holds, newest first, those that were lifted, too',
  permission: 'retention.manage',
  input: ListLegalHolds,
  output: LegalHoldList,
  async run(tx, { input }) {
    const ofProject = sql`select ${projects.agencyId} from ${projects} where ${projects.id} = ${input.project_id}`
    const rows = await selectHolds(tx)
      .where(
        and(
          input.state && STATES[input.state],
          input.project_id
            ? or(eq(legalHolds.projectId, input.project_id), sql`${legalHolds.agencyId} = (${ofProject})`)
            : undefined,
          input.cursor ? lt(legalHolds.id, decodeCursor(input.cursor)) : undefined,
        ),
      )
      .orderBy(desc(legalHolds.id))
      .limit(upTo(input.limit))
    const { rows: shown, next_cursor } = page(rows, input.limit)
    return { legal_holds: shown.map(present), next_cursor }
  },
})

export const setLegalHold = command({
  name: 'setLegalHold',
  summary: 'Put a project, or an agency with all its projects, under legal hold: nothing of it is deleted any more',
  permission: 'retention.manage',
  input: SetLegalHold,
  output: LegalHold,
  created: (hold) => `/api/legal-holds/${hold.id}`,
  async run(tx, { input }) {
    const { project_id, agency_id, reason } = input
    const actor = person(tx)
    if ((project_id === undefined) === (agency_id === undefined))
      throw invalidField('project_id', 'one_of', 'Name either a project (project_id) or an agency (agency_id).')
    // Locked: what deletes something of it ends before, or sees the hold.
    const project = project_id === undefined ? null : await findProject(tx, project_id, 'update')
    const agency = agency_id === undefined ? null : await onAgency.find(tx, { agency_id }, true)
    const subject = project ?? agency
    if (!subject) throw new Error('A hold is on a project or on an agency.')
    const what = project ? ('project' as const) : ('agency' as const)
    const [before] = await tx.db
      .select()
      .from(legalHolds)
      .where(
        and(
          isNull(legalHolds.liftedAt),
          eq(what === 'project' ? legalHolds.projectId : legalHolds.agencyId, subject.id),
        ),
      )
    if (before) {
      throw invalidState(
        `The ${what} ${quote(subject.name)} is under legal hold already, since ${dayOf(before.createdAt)}.`,
        'held',
        ['free'],
      )
    }
    const id = newId(tx.now)
    await tx.db.insert(legalHolds).values({
      id,
      projectId: project?.id ?? null,
      agencyId: agency?.id ?? null,
      reason,
      setBy: actor.id,
      createdAt: tx.now,
    })
    await tx.record({
      type: 'legal_hold.set',
      projectId: project?.id ?? null,
      subjectId: subject.id,
      data: { [what]: subject.name, hold: id, reason },
    })
    return serializeHold(tx, id)
  },
})

const onHold: Finder<'hold_id', HoldRow> = {
  params: ['hold_id'],
  find: (tx, { hold_id }, lock) => findRow(tx, legalHolds, 'legal hold', hold_id, lock),
}

export const getLegalHold = query({
  name: 'getLegalHold',
  summary: 'One legal hold',
  permission: 'retention.manage',
  resource: onHold,
  output: LegalHold,
  run: (tx, { resource }) => serializeHold(tx, resource.id),
})

export const liftLegalHold = command({
  name: 'liftLegalHold',
  summary: 'Lift a legal hold: what is under no other may be deleted again',
  permission: 'retention.manage',
  resource: onHold,
  input: LiftLegalHold,
  output: LegalHold,
  async run(tx, { resource: hold, input }) {
    const actor = person(tx)
    if (hold.liftedAt)
      throw invalidState(`This legal hold was lifted on ${dayOf(hold.liftedAt)}.`, 'lifted', ['active'])
    await tx.db
      .update(legalHolds)
      .set({ liftedAt: tx.now, liftedBy: actor.id, liftReason: input.reason })
      .where(eq(legalHolds.id, hold.id))
    const lifted = await serializeHold(tx, hold.id)
    const subject = lifted.project ?? lifted.agency
    await tx.record({
      type: 'legal_hold.lifted',
      projectId: hold.projectId,
      subjectId: subject?.id ?? hold.id,
      data: { [lifted.project ? 'project' : 'agency']: subject?.name, hold: hold.id, reason: input.reason },
    })
    return lifted
  },
})

function person({ actor }: Tx) {
  if (actor.type !== 'user') throw new Error('Legal holds are set and lifted by people.')
  return actor
}
