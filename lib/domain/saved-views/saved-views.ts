import { and, asc, count, eq, ne, or, sql } from 'drizzle-orm'
import { newId } from '@/db/schema/columns'
import { users } from '@/db/schema/directory'
import { savedViews } from '@/db/schema/saved-views'
import type { SavedViewPlace } from '@/lib/vocabulary'
import { forbidden, invalidField, quote } from '../kernel/errors'
import { command, type Finder, query, type Tx } from '../kernel/operation'
import { allow, can, type UserActor } from '../kernel/permissions'
import { findRow } from '../kernel/rows'
import { iso } from '../kernel/shapes'
import { CreateSavedView, ListSavedViews, SavedView, SavedViewList, UpdateSavedView } from './schema'

/** So many a user keeps of one list, and so many of others are shown. */
const MOST_OWN = 50
const MOST_SHOWN = 200

type Row = typeof savedViews.$inferSelect

function userOf(tx: Tx): UserActor {
  if (tx.actor.type !== 'user') throw new Error('Views are saved by people.')
  return tx.actor
}

const seenBy = (tx: Tx) => or(eq(savedViews.ownerId, userOf(tx).id), eq(savedViews.isShared, true))

/** Its owner, and of shared ones an administrator. */
const mayEdit = (tx: Tx, view: Row) => view.ownerId === userOf(tx).id || can(tx.actor, 'settings.manage')

const onSavedView: Finder<'view_id', Row> = {
  params: ['view_id'],
  find: (tx, { view_id }, lock) => findRow(tx, savedViews, 'saved view', view_id, lock, seenBy(tx)),
}

const present = (tx: Tx, view: Row, ownerName: string): SavedView => ({
  id: view.id,
  place: view.place,
  name: view.name,
  query: view.query,
  is_shared: view.isShared,
  owner: { id: view.ownerId, name: ownerName },
  may_edit: mayEdit(tx, view),
  created_at: iso(view.createdAt),
  updated_at: iso(view.updatedAt),
})

async function serialize(tx: Tx, view: Row): Promise<SavedView> {
  const [owner] = await tx.db.select({ name: users.name }).from(users).where(eq(users.id, view.ownerId))
  return present(tx, view, owner?.name ?? '')
}

export const listSavedViews = query({
  name: 'listSavedViews',
  summary: 'Your saved views of a list, and those that others share, by name',
  permission: 'views.own',
  input: ListSavedViews,
  output: SavedViewList,
  async run(tx, { input }) {
    const rows = await tx.db
      .select({ view: savedViews, owner: users.name })
      .from(savedViews)
      .innerJoin(users, eq(users.id, savedViews.ownerId))
      .where(and(eq(savedViews.place, input.place), seenBy(tx)))
      .orderBy(sql`${savedViews.ownerId} <> ${userOf(tx).id}`, asc(sql`lower(${savedViews.name})`), asc(savedViews.id))
      .limit(MOST_SHOWN)
    return { saved_views: rows.map(({ view, owner }) => present(tx, view, owner)) }
  },
})

export const getSavedView = query({
  name: 'getSavedView',
  summary: 'One saved view: your own, or one that is shared',
  permission: 'views.own',
  resource: onSavedView,
  isVersioned: true,
  output: SavedView,
  run: (tx, { resource }) => serialize(tx, resource),
})

/** @throws `validation_failed` where the owner has another view of that name */
async function assertNameFree(tx: Tx, ownerId: string, place: SavedViewPlace, name: string, except?: string) {
  const [twin] = await tx.db
    .select({ id: savedViews.id })
    .from(savedViews)
    .where(
      and(
        eq(savedViews.ownerId, ownerId),
        eq(savedViews.place, place),
        sql`lower(${savedViews.name}) = lower(${name})`,
        except ? ne(savedViews.id, except) : undefined,
      ),
    )
  if (twin) throw invalidField('name', 'duplicate', `There is a view ${quote(name)} already. Choose another name.`)
}

export const createSavedView = command({
  name: 'createSavedView',
  summary: 'Save the filters, order and form of a list under a name, for yourself or for everybody',
  permission: 'views.own',
  input: CreateSavedView,
  output: SavedView,
  created: (view) => `/api/saved-views/${view.id}`,
  async run(tx, { input }) {
    const ownerId = userOf(tx).id
    if (input.is_shared) allow(tx.actor, 'views.share')
    // One after the other for one user: the name is free and the number right until the commit.
    await tx.db.select({ id: users.id }).from(users).where(eq(users.id, ownerId)).for('no key update')
    await assertNameFree(tx, ownerId, input.place, input.name)
    const [held] = await tx.db
      .select({ views: count() })
      .from(savedViews)
      .where(and(eq(savedViews.ownerId, ownerId), eq(savedViews.place, input.place)))
    if (held && held.views >= MOST_OWN) {
      throw invalidField(
        'name',
        'too_many',
        `You have ${held.views} saved views of this list, and at most ${MOST_OWN} are kept. Delete one that you no longer use.`,
      )
    }
    const [view] = await tx.db
      .insert(savedViews)
      .values({
        id: newId(tx.now),
        ownerId,
        place: input.place,
        name: input.name,
        query: input.query,
        isShared: input.is_shared ?? false,
        createdAt: tx.now,
        updatedAt: tx.now,
      })
      .returning()
    if (!view) throw new Error('The view was not stored.')
    return serialize(tx, view)
  },
})

function assertMayEdit(tx: Tx, view: Row) {
  if (!mayEdit(tx, view))
    throw forbidden(`The view ${quote(view.name)} is another user's. Save it under a name of your own instead.`)
}

export const updateSavedView = command({
  name: 'updateSavedView',
  summary: 'Rename a saved view, change what it shows, share it or stop sharing it',
  permission: 'views.own',
  resource: onSavedView,
  input: UpdateSavedView,
  output: SavedView,
  conditional: serialize,
  async run(tx, { resource: view, input }) {
    assertMayEdit(tx, view)
    if (input.is_shared && !view.isShared) allow(tx.actor, 'views.share')
    if (input.name !== undefined) {
      await tx.db.select({ id: users.id }).from(users).where(eq(users.id, view.ownerId)).for('no key update')
      await assertNameFree(tx, view.ownerId, view.place, input.name, view.id)
    }
    const [changed] = await tx.db
      .update(savedViews)
      .set({
        name: input.name ?? view.name,
        query: input.query ?? view.query,
        isShared: input.is_shared ?? view.isShared,
        updatedAt: tx.now,
      })
      .where(eq(savedViews.id, view.id))
      .returning()
    return serialize(tx, changed ?? view)
  },
})

export const deleteSavedView = command({
  name: 'deleteSavedView',
  summary: 'Delete a saved view',
  permission: 'views.own',
  resource: onSavedView,
  output: SavedView,
  async run(tx, { resource: view }) {
    assertMayEdit(tx, view)
    const shown = await serialize(tx, view)
    await tx.db.delete(savedViews).where(eq(savedViews.id, view.id))
    return shown
  },
})
