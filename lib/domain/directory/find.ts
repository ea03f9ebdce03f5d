import { agencies, campaigns, users } from '@/db/schema/directory'
import type { Finder, Tx } from '../kernel/operation'
import { findRow } from '../kernel/rows'

export type AgencyRow = typeof agencies.$inferSelect
export type CampaignRow = typeof campaigns.$inferSelect
export type UserRow = typeof users.$inferSelect

/** @throws `not_found` */
const findAgency = (tx: Tx, id: string, lock = false): Promise<AgencyRow> => findRow(tx, agencies, 'agency', id, lock)

export const onAgency: Finder<'agency_id', AgencyRow> = {
  params: ['agency_id'],
  find: (tx, { agency_id }, lock) => findAgency(tx, agency_id, lock),
}

export const onCampaign: Finder<'campaign_id', CampaignRow> = {
  params: ['campaign_id'],
  find: (tx, { campaign_id }, lock) => findRow(tx, campaigns, 'campaign', campaign_id, lock),
}

export const onUser: Finder<'user_id', UserRow> = {
  params: ['user_id'],
  find: (tx, { user_id }, lock) => findRow(tx, users, 'user', user_id, lock),
}

/** The user who acts. */
export const onSelf: Finder<never, UserRow> = {
  params: [],
  find(tx, _params, lock) {
    if (tx.actor.type !== 'user') throw new Error('Only people have an account of their own.')
    return onUser.find(tx, { user_id: tx.actor.id }, lock)
  },
}
