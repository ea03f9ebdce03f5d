import { eq } from 'drizzle-orm'
import { newId } from '@/db/schema/columns'
import { agencies, campaigns, mediaCategories } from '@/db/schema/directory'
import { projects } from '@/db/schema/projects'
import { recountStored } from '../directory/storage'
import { type FieldError, invalid, quote } from '../kernel/errors'
import { changesBetween } from '../kernel/events'
import { command, type Tx } from '../kernel/operation'
import { onProject } from './find'
import { assertMayLeaveAgency } from './holds'
import { changePeople } from './members'
import { serializeProject } from './queries'
import { CreateProject, Project, UpdateProject } from './schema'

export const createProject = command({
  name: 'createProject',
  summary: 'Create a project for an agency',
  permission: 'projects.create',
  input: CreateProject,
  output: Project,
  created: (project) => `/api/projects/${project.id}`,
  async run(tx, { input }) {
    if (tx.actor.type !== 'user') throw new Error('Projects are created by people.')
    await assertReferences(tx, {
      agencyId: input.agency_id,
      campaignId: input.campaign_id ?? null,
      mediaCategoryId: input.media_category_id ?? null,
    })
    const id = newId(tx.now)
    await tx.db.insert(projects).values({
      id,
      name: input.name,
      agencyId: input.agency_id,
      campaignId: input.campaign_id ?? null,
      mediaCategoryId: input.media_category_id ?? null,
      createdBy: tx.actor.id,
      createdAt: tx.now,
      updatedAt: tx.now,
    })
    await changePeople(tx, id, { joining: [tx.actor.id] })
    await tx.record({ type: 'project.created', projectId: id, subjectId: id, data: { name: input.name } })
    return serializeProject(tx, id)
  },
})

export const updateProject = command({
  name: 'updateProject',
  summary: 'Change a project: name, status, agency, campaign, media category',
  permission: 'projects.update',
  resource: onProject,
  input: UpdateProject,
  output: Project,
  conditional: (tx, project) => serializeProject(tx, project.id),
  async run(tx, { resource: project, input }) {
    const next = {
      name: input.name ?? project.name,
      status: input.status ?? project.status,
      agencyId: input.agency_id ?? project.agencyId,
      campaignId: input.campaign_id === undefined ? project.campaignId : input.campaign_id,
      mediaCategoryId: input.media_category_id === undefined ? project.mediaCategoryId : input.media_category_id,
    }
    await assertReferences(tx, next)
    if (next.agencyId !== project.agencyId) await assertMayLeaveAgency(tx, project)
    const changes = changesBetween(project, next)
    if (changes) {
      await tx.db
        .update(projects)
        .set({ ...next, updatedAt: tx.now })
        .where(eq(projects.id, project.id))
      // What it stores counts for the agency that it is of now.
      if (next.agencyId !== project.agencyId)
        for (const id of [project.agencyId, next.agencyId].sort()) await recountStored(tx, id)
      await tx.record({
        type: 'project.updated',
        projectId: project.id,
        subjectId: project.id,
        data: { name: next.name, ...changes },
      })
    }
    return serializeProject(tx, project.id)
  },
})

/** @throws `validation_failed` naming each reference that does not exist or does not belong together */
async function assertReferences(
  tx: Tx,
  refs: { agencyId: string; campaignId: string | null; mediaCategoryId: string | null },
) {
  const errors: FieldError[] = []
  const [agency] = await tx.db.select({ name: agencies.name }).from(agencies).where(eq(agencies.id, refs.agencyId))
  if (!agency) errors.push(unknown('agency_id', 'agency', refs.agencyId))
  if (refs.campaignId) {
    const [campaign] = await tx.db.select().from(campaigns).where(eq(campaigns.id, refs.campaignId))
    if (!campaign) errors.push(unknown('campaign_id', 'campaign', refs.campaignId))
    else if (agency && campaign.agencyId !== refs.agencyId) {
      errors.push({
        path: 'campaign_id',
        code: 'campaign_of_other_agency',
        message: `The campaign ${quote(campaign.name)} does not belong to the agency ${quote(agency.name)}. Choose one of its own campaigns, or none.`,
      })
    }
  }
  if (refs.mediaCategoryId) {
    const [category] = await tx.db
      .select({ id: mediaCategories.id })
      .from(mediaCategories)
      .where(eq(mediaCategories.id, refs.mediaCategoryId))
    if (!category) errors.push(unknown('media_category_id', 'media category', refs.mediaCategoryId))
  }
  if (errors.length > 0) throw invalid(errors)
}

const unknown = (path: string, what: string, value: string): FieldError => ({
  path,
  code: 'unknown_reference',
  message: `There is no ${what} ${quote(value)}. Use the id of an existing one.`,
})
