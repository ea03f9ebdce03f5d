import { z } from 'zod'
import { MEMBER_REASONS, PROJECT_STATUSES, ROLES } from '@/lib/vocabulary'
import { line, listOf, paging, ref, text, timestamp, uuid } from '../kernel/shapes'

export const ListedProject = z
  .object({
    id: uuid,
    name: z.string(),
    status: z.enum(PROJECT_STATUSES),
    agency: ref,
    campaign: ref.nullable(),
    media_category: ref.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'ListedProject' })
export type ListedProject = z.infer<typeof ListedProject>

export const Project = ListedProject.extend({
  created_by: ref,
  counts: z.object({ batches: z.int(), files: z.int(), open_batches: z.int(), estimates: z.int() }),
  members: z.array(ref.extend({ role: z.enum(ROLES) })),
}).meta({ id: 'Project' })
export type Project = z.infer<typeof Project>

export const Member = z
  .object({
    user: ref,
    role: z.enum(ROLES),
    reasons: z.array(z.enum(MEMBER_REASONS)).describe('Why they see the project'),
    since: timestamp,
  })
  .meta({ id: 'Member' })
export type Member = z.infer<typeof Member>

export const MemberList = z.object({ members: z.array(Member) }).meta({ id: 'MemberList' })

export const ProjectList = listOf('projects', ListedProject).meta({ id: 'ProjectList' })

export const ListProjects = z.strictObject({
  ...paging,
  status: z.enum(PROJECT_STATUSES).optional(),
  agency_id: uuid.optional(),
  q: text(200).trim().optional().describe('Part of the name of the project, its agency or its campaign'),
})

export const CreateProject = z.strictObject({
  name: line(200),
  agency_id: uuid,
  campaign_id: uuid.nullish(),
  media_category_id: uuid.nullish(),
})

export const UpdateProject = z.strictObject({
  name: line(200).optional(),
  status: z.enum(PROJECT_STATUSES).optional(),
  agency_id: uuid.optional(),
  campaign_id: uuid.nullable().optional(),
  media_category_id: uuid.nullable().optional(),
})
