import { eq } from 'drizzle-orm'
import { agencies, campaigns, users } from '@/db/schema/directory'
import { notFound } from '../kernel/errors'
import type { Finder, Tx } from '../kernel/operation'
import { isUuid } from '../kernel/shapes'

export type AgencyRow = typeof agencies.$inferSelect
export type CampaignRow = typeof campaigns.$inferSelect
export type UserRow = typeof users.$inferSelect

/** @throws `not_found` */
export async function findAgency(tx: Tx, id: string, lock = false): Promise<AgencyRow> {
  if (!isUuid(id)) throw notFound('agency', id)
  const select = tx.db.select().from(agencies).where(eq(agencies.id, id))
  const [agency] = await (lock ? select.for('no key update') : select)
  if (!agency) throw notFound('agency', id)
  return agency
}

export const onAgency: Finder<'agency_id', AgencyRow> = {
  params: ['agency_id'],
  find: (tx, { agency_id }, lock) => findAgency(tx, agency_id, lock),
}

export const onCampaign: Finder<'campaign_id', CampaignRow> = {
  params: ['campaign_id'],
  async find(tx, { campaign_id: id }, lock) {
    if (!isUuid(id)) throw notFound('campaign', id)
    const select = tx.db.select().from(campaigns).where(eq(campaigns.id, id))
    const [campaign] = await (lock ? select.for('no key update') : select)
    if (!campaign) throw notFound('campaign', id)
    return campaign
  },
}

export const onUser: Finder<'user_id', UserRow> = {
  params: ['user_id'],
  async find(tx, { user_id: id }, lock) {
    if (!isUuid(id)) throw notFound('user', id)
    const select = tx.db.select().from(users).where(eq(users.id, id))
    const [user] = await (lock ? select.for('no key update') : select)
    if (!user) throw notFound('user', id)
    return user
  },
}

/** The user who acts. */
export const onSelf: Finder<never, UserRow> = {
  params: [],
  find(tx, _params, lock) {
    if (tx.actor.type !== 'user') throw new Error('Only people have an account of their own.')
    return onUser.find(tx, { user_id: tx.actor.id }, lock)
  },
}
