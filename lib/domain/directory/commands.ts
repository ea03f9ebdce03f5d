import { and, eq, ne, or, sql } from 'drizzle-orm'
import { newId } from '@/db/schema/columns'
import { agencies, campaigns } from '@/db/schema/directory'
import { refuseTaken } from '../kernel/database-errors'
import { type FieldError, invalid, invalidField, quote } from '../kernel/errors'
import { changesBetween } from '../kernel/events'
import { command, type Tx } from '../kernel/operation'
import { onAgency, onCampaign } from './find'
import { presentAgency, serializeCampaign } from './queries'
import { Agency, Campaign, CreateAgency, CreateCampaign, UpdateAgency, UpdateCampaign } from './schema'
import { recountStored } from './storage'

export const createAgency = command({
  name: 'createAgency',
  summary: 'Add an agency',
  permission: 'directory.manage',
  input: CreateAgency,
  output: Agency,
  created: (agency) => `/api/agencies/${agency.id}`,
  async run(tx, { input }) {
    await assertAgencyFree(tx, input)
    const { name, code, storage_quota: storageQuota = null } = input
    const row = { id: newId(tx.now), name, code, storageQuota, createdAt: tx.now, updatedAt: tx.now }
    await refuseTaken(tx.db.insert(agencies).values(row), agencyTaken(input))
    await tx.record({ type: 'agency.created', subjectId: row.id, data: { ...input } })
    return presentAgency(row)
  },
})

export const updateAgency = command({
  name: 'updateAgency',
  summary: 'Change the name, the code or the storage quota of an agency',
  permission: 'directory.manage',
  resource: onAgency,
  input: UpdateAgency,
  output: Agency,
  conditional: async (_tx, agency) => presentAgency(agency),
  async run(tx, { resource: agency, input }) {
    const next = {
      name: input.name ?? agency.name,
      code: input.code ?? agency.code,
      storageQuota: input.storage_quota === undefined ? agency.storageQuota : input.storage_quota,
    }
    const changes = changesBetween(agency, next)
    if (!changes) return presentAgency(agency)
    await assertAgencyFree(tx, next, agency.id)
    const changed = { ...next, updatedAt: tx.now }
    await refuseTaken(tx.db.update(agencies).set(changed).where(eq(agencies.id, agency.id)), agencyTaken(next))
    if (next.storageQuota !== null && agency.storageQuota === null) await recountStored(tx, agency.id)
    await tx.record({ type: 'agency.updated', subjectId: agency.id, data: { name: next.name, ...changes } })
    return presentAgency({ ...agency, ...changed })
  },
})

type Named = { name: string; code: string }

const agencyTaken = ({ name, code }: Named) => ({
  agencies_name_key: taken('name', `There is an agency named ${quote(name)} already. Use that one, or another name.`),
  agencies_code_key: taken('code', `The code ${quote(code)} belongs to another agency. Choose a code of its own.`),
})

/** Names every field that is taken; the unique indexes decide for those who come at the same moment. */
async function assertAgencyFree(tx: Tx, wanted: Named, exceptId?: string) {
  const same = await tx.db
    .select()
    .from(agencies)
    .where(
      and(
        or(sql`lower(${agencies.name}) = lower(${wanted.name})`, sql`lower(${agencies.code}) = lower(${wanted.code})`),
        exceptId ? ne(agencies.id, exceptId) : undefined,
      ),
    )
  const errors: FieldError[] = []
  const { agencies_name_key: name, agencies_code_key: code } = agencyTaken(wanted)
  if (same.some((agency) => agency.name.toLowerCase() === wanted.name.toLowerCase())) errors.push(name)
  if (same.some((agency) => agency.code.toLowerCase() === wanted.code.toLowerCase())) errors.push(code)
  if (errors.length > 0) throw invalid(errors)
}

export const createCampaign = command({
  name: 'createCampaign',
  summary: 'Add a campaign of an agency',
  permission: 'directory.manage',
  input: CreateCampaign,
  output: Campaign,
  created: (campaign) => `/api/campaigns/${campaign.id}`,
  async run(tx, { input }) {
    const [agency] = await tx.db.select().from(agencies).where(eq(agencies.id, input.agency_id)).for('key share')
    if (!agency) {
      throw invalidField(
        'agency_id',
        'unknown_reference',
        `There is no agency ${quote(input.agency_id)}. Use the id of an existing one.`,
      )
    }
    const id = newId(tx.now)
    const { name, code } = input
    await refuseTaken(
      tx.db.insert(campaigns).values({ id, agencyId: agency.id, name, code, createdAt: tx.now, updatedAt: tx.now }),
      campaignTaken(code),
    )
    await tx.record({ type: 'campaign.created', subjectId: id, data: { name, code, agency: agency.name } })
    return serializeCampaign(tx, id)
  },
})

export const updateCampaign = command({
  name: 'updateCampaign',
  summary: 'Change the name or the code of a campaign',
  permission: 'directory.manage',
  resource: onCampaign,
  input: UpdateCampaign,
  output: Campaign,
  conditional: (tx, campaign) => serializeCampaign(tx, campaign.id),
  async run(tx, { resource: campaign, input }) {
    const next = { name: input.name ?? campaign.name, code: input.code ?? campaign.code }
    const changes = changesBetween(campaign, next)
    if (changes) {
      await refuseTaken(
        tx.db
          .update(campaigns)
          .set({ ...next, updatedAt: tx.now })
          .where(eq(campaigns.id, campaign.id)),
        campaignTaken(next.code),
      )
      await tx.record({ type: 'campaign.updated', subjectId: campaign.id, data: { name: next.name, ...changes } })
    }
    return serializeCampaign(tx, campaign.id)
  },
})

const campaignTaken = (code: string) => ({
  campaigns_agency_id_code_key: taken(
    'code',
    `The code ${quote(code)} belongs to another campaign of this agency. Choose a code of its own.`,
  ),
})

const taken = (path: string, message: string): FieldError => ({ path, code: 'taken', message })
