import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { z } from 'zod'
import { agencies, agencyStorage, campaigns, users } from '@/db/schema/directory'
import { notifications } from '@/db/schema/events'
import { query, type Tx } from '../kernel/operation'
import { listNewest, matches, namesById } from '../kernel/rows'
import { iso, isoOrNull } from '../kernel/shapes'
import { type AgencyRow, onAgency, onCampaign, onSelf, onUser, type UserRow } from './find'
import {
  Agency,
  AgencyList,
  AgencyStorageList,
  Campaign,
  CampaignList,
  ListAgencies,
  ListCampaigns,
  ListUsers,
  Me,
  User,
  UserList,
} from './schema'

export const presentAgency = (row: AgencyRow): Agency => ({
  id: row.id,
  name: row.name,
  code: row.code,
  storage_quota: row.storageQuota,
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
})

const findAgencies = (tx: Tx, input: z.output<typeof ListAgencies>) =>
  listNewest(tx, agencies, input, matches(input.q, agencies.name, agencies.code))

export const listAgencies = query({
  name: 'listAgencies',
  summary: 'The agencies, newest first',
  permission: 'directory.read',
  input: ListAgencies,
  output: AgencyList,
  async run(tx, { input }) {
    const found = await findAgencies(tx, input)
    return { agencies: found.rows.map(presentAgency), next_cursor: found.next_cursor }
  },
})

export const listAgencyStorage = query({
  name: 'listAgencyStorage',
  summary: 'What the files of each agency and the attachments of comments take, in the order of the list of agencies',
  permission: 'directory.manage',
  input: ListAgencies,
  output: AgencyStorageList,
  async run(tx, { input }) {
    const found = await findAgencies(tx, input)
    const ids = found.rows.map(({ id }) => id)
    const stored = await tx.db.select().from(agencyStorage).where(inArray(agencyStorage.agencyId, ids))
    const bytes = new Map(stored.map((row) => [row.agencyId, row.bytes]))
    return {
      agency_storage: found.rows.map(({ id, name, storageQuota }) => ({
        agency: { id, name },
        stored_bytes: bytes.get(id) ?? 0,
        storage_quota: storageQuota,
      })),
      next_cursor: found.next_cursor,
    }
  },
})

export const getAgency = query({
  name: 'getAgency',
  summary: 'One agency',
  permission: 'directory.read',
  resource: onAgency,
  isVersioned: true,
  output: Agency,
  run: async (_tx, { resource }) => presentAgency(resource),
})

const campaignsWithAgency = (tx: Tx) =>
  tx.db
    .select({ campaign: campaigns, agencyName: agencies.name })
    .from(campaigns)
    .innerJoin(agencies, eq(agencies.id, campaigns.agencyId))

const presentCampaign = ({
  campaign,
  agencyName,
}: {
  campaign: typeof campaigns.$inferSelect
  agencyName: string
}): Campaign => ({
  id: campaign.id,
  agency: { id: campaign.agencyId, name: agencyName },
  name: campaign.name,
  code: campaign.code,
  created_at: iso(campaign.createdAt),
  updated_at: iso(campaign.updatedAt),
})

export const listCampaigns = query({
  name: 'listCampaigns',
  summary: 'The campaigns, newest first',
  permission: 'directory.read',
  input: ListCampaigns,
  output: CampaignList,
  async run(tx, { input }) {
    const ofAgency = input.agency_id ? eq(campaigns.agencyId, input.agency_id) : undefined
    const isSought = matches(input.q, campaigns.name, campaigns.code)
    const { rows, next_cursor } = await listNewest(tx, campaigns, input, ofAgency, isSought)
    const agencyOf = await namesById(
      tx,
      agencies,
      rows.map(({ agencyId }) => agencyId),
    )
    const found = rows.map((campaign) =>
      presentCampaign({ campaign, agencyName: agencyOf.get(campaign.agencyId)?.name ?? '' }),
    )
    return { campaigns: found, next_cursor }
  },
})

/** The campaign as the interface shows it. */
export async function serializeCampaign(tx: Tx, id: string): Promise<Campaign> {
  const [row] = await campaignsWithAgency(tx).where(eq(campaigns.id, id))
  if (!row) throw new Error(`Campaign ${id} vanished while it was read.`)
  return presentCampaign(row)
}

export const getCampaign = query({
  name: 'getCampaign',
  summary: 'One campaign',
  permission: 'directory.read',
  resource: onCampaign,
  isVersioned: true,
  output: Campaign,
  run: (tx, { resource }) => serializeCampaign(tx, resource.id),
})

export const presentUser = (row: UserRow): User => ({
  id: row.id,
  name: row.name,
  email: row.email,
  role: row.role,
  disabled_at: isoOrNull(row.disabledAt),
  erased_at: isoOrNull(row.erasedAt),
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
})

export const listUsers = query({
  name: 'listUsers',
  summary: 'The people who work here, newest first',
  permission: 'directory.read',
  input: ListUsers,
  output: UserList,
  async run(tx, { input }) {
    const ofRole = input.role && eq(users.role, input.role)
    const found = await listNewest(tx, users, input, ofRole, matches(input.q, users.name, users.email))
    return { users: found.rows.map(presentUser), next_cursor: found.next_cursor }
  },
})

export const getUser = query({
  name: 'getUser',
  summary: 'One person',
  permission: 'directory.read',
  resource: onUser,
  isVersioned: true,
  output: User,
  run: async (_tx, { resource }) => presentUser(resource),
})

/** The acting user as they see themselves. */
export async function presentMe(tx: Tx, row: UserRow): Promise<Me> {
  const { disabled_at: _, erased_at: __, ...user } = presentUser(row)
  const unread = await tx.db.$count(notifications, and(eq(notifications.userId, row.id), isNull(notifications.readAt)))
  return {
    ...user,
    scope: tx.actor.type === 'user' ? tx.actor.scope : 'write',
    unread_notifications: unread,
  }
}

export const getMe = query({
  name: 'getMe',
  summary: 'Who you are: role, and what your session or token may do',
  permission: 'directory.read',
  resource: onSelf,
  output: Me,
  run: (tx, { resource }) => presentMe(tx, resource),
})
