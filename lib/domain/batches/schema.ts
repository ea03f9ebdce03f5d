import { z } from 'zod'
import {
  ACTIVITY_KINDS,
  BATCH_PRE_QC_STATUSES,
  BATCH_STATUSES,
  type BatchStatus,
  DUE_STATES,
  HOLDERS,
  WORK_TASKS,
} from '@/lib/vocabulary'
import { destinationIds } from '../destinations/schema'
import { line, listOf, paging, prose, ref, text, timestamp, uuid } from '../kernel/shapes'

const count = z.int().min(0)
const day = z.iso.date().describe('YYYY-MM-DD')

export const Turn = z
  .object({
    holder: z.enum(HOLDERS).nullable().describe('Who has to act next; null when no side has'),
    since: timestamp.nullable(),
    paused_since: timestamp.nullable().describe('Both clocks stand since then: the project is not active'),
    agency_seconds: count.describe('How long the agency held the batch, up to as_of'),
    service_seconds: count.describe('How long we held it, up to as_of'),
    as_of: timestamp.nullable().describe("From then on the holder's clock runs, unless it is paused"),
  })
  .meta({ id: 'Turn' })
export type Turn = z.infer<typeof Turn>

export const Batch = z
  .object({
    id: uuid,
    project_id: uuid,
    name: z.string(),
    status: z.enum(BATCH_STATUSES),
    media_category: ref,
    operator: ref.nullable(),
    coordinator: ref.nullable(),
    naming_template: z.string().nullable().describe("Null: the media category's"),
    required_copy: z
      .array(z.string())
      .describe('Phrases that every image, video and document has to show; read and compared by required_text_check'),
    destinations: z
      .array(z.string())
      .nullable()
      .describe("Ids of the destinations its files are evaluated against; null: the media category's"),
    round: count.describe('0 before the first submit'),
    counts: z.object({
      files: count,
      total_size: count.describe('Bytes'),
      approved: count,
      rejected: count,
      pending: count,
    }),
    pre_qc: z.object({ status: z.enum(BATCH_PRE_QC_STATUSES), pass: count, warning: count, fail: count }),
    turn: Turn,
    due: z
      .object({ on: day, state: z.enum(DUE_STATES) })
      .nullable()
      .describe('By the end of which day, UTC, it should be approved'),
    submitted_at: timestamp.nullable(),
    reviewed_at: timestamp.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Batch' })
export type Batch = z.infer<typeof Batch>

export const BatchList = listOf('batches', Batch).meta({ id: 'BatchList' })
export const ListBatches = z.strictObject({ ...paging, status: z.enum(BATCH_STATUSES).optional() })

/** A batch in a list over several projects, with images that stand for it. */
export const BrowsedBatch = Batch.extend({
  project: ref,
  agency: ref,
  covers: z.array(z.string()).describe('Addresses of small images of its newest files, at most 4'),
}).meta({ id: 'BrowsedBatch' })
export type BrowsedBatch = z.infer<typeof BrowsedBatch>
/** More batches of one status than these are not counted. */
export const MOST_COUNTED = 1000
export const BrowsedBatches = listOf('batches', BrowsedBatch)
  .extend({
    counts: z
      .object(Object.fromEntries(BATCH_STATUSES.map((status) => [status, count])) as Record<BatchStatus, typeof count>)
      .describe(`How many the other filters leave in each status; ${MOST_COUNTED} stands for that many or more`),
  })
  .meta({ id: 'BrowsedBatches' })
export type BrowsedBatches = z.infer<typeof BrowsedBatches>
export const BrowseBatches = z.strictObject({
  ...paging,
  q: text(200).trim().optional().describe('Part of the name of the batch or of its project'),
  status: z.enum(BATCH_STATUSES).optional(),
  project_id: uuid.optional().describe('Without it, batches of closed projects are left out'),
  agency_id: uuid.optional(),
  media_category_id: uuid.optional(),
  mine: z.enum(['true']).optional().describe('Only those you are operator or coordinator of'),
  due_from: day.optional(),
  due_to: day.optional(),
})

/** As many of each status as `limit` says, of what is asked for. */
export const BrowseBoard = BrowseBatches.omit({ status: true, cursor: true }).extend({
  limit: BrowseBatches.shape.limit.unwrap(),
})

/** How far the batches of a project are, for lists of projects. */
const ProjectProgress = z
  .object({
    id: uuid,
    batches: count,
    open_batches: count.describe('Those that are neither approved nor cancelled'),
    files: count,
    approved: count,
    rejected: count,
    pending: count,
    due: Batch.shape.due.describe('The next day on which one that is not finished is due'),
    covers: z.array(z.string()).describe('Addresses of small images of its newest files, at most 4'),
  })
  .meta({ id: 'ProjectProgress' })
export const ProjectProgressList = z.object({ projects: z.array(ProjectProgress) }).meta({ id: 'ProjectProgressList' })
export const ProgressOf = z.strictObject({
  project_ids: text(20_000)
    .regex(/^[0-9a-f-]{36}(,[0-9a-f-]{36})*$/i, 'must be ids of projects, with commas between them')
    .refine((ids) => ids.split(',').length <= 500, 'must be at most 500 ids')
    .describe('Ids of projects, with commas between them'),
})

const template = text(200).trim().min(1)
const requiredCopy = z.array(line(300)).max(50)

const expectedFiles = z.array(z.strictObject({ name: line(200), note: prose(500).nullish() })).max(5000)

export const CreateBatch = z.strictObject({
  name: line(200),
  media_category_id: uuid.nullish(),
  operator_id: uuid.nullish(),
  coordinator_id: uuid.nullish(),
  naming_template: template.nullish(),
  required_copy: requiredCopy.optional(),
  destinations: destinationIds.nullish(),
  due_on: day.nullish(),
  manifest: expectedFiles.optional().describe('The files it is meant to receive; as the manifest of an existing batch'),
})

export const TableOfBatches = z.strictObject({
  table: text(300_000).describe(
    'A line of headings (name, category, due, operator, coordinator, expected files), then a line for each batch, at most 100; comma, semicolon or tab between the cells. People by name or e-mail address, days as 2026-12-31, names of files with semicolons or line breaks between them',
  ),
  defaults: CreateBatch.omit({ name: true, manifest: true }).optional().describe('For what a line leaves empty'),
})

export const BatchesOfTable = z.object({
  line: z.int().describe('As a spreadsheet counts: the headings are line 1'),
  name: z.string(),
  media_category: ref,
  operator: ref.nullable(),
  coordinator: ref.nullable(),
  due_on: day.nullable(),
  expected_files: count,
})
export const CheckedTable = z
  .object({
    batches: z.array(BatchesOfTable).describe('What each line would become'),
    mistakes: z.array(
      z.object({ line: z.int(), column: z.string().nullable().describe('Its heading'), message: z.string() }),
    ),
  })
  .meta({ id: 'CheckedTable' })
export type CheckedTable = z.infer<typeof CheckedTable>
export const CreatedBatches = z.object({ batches: z.array(ref) }).meta({ id: 'CreatedBatches' })

export const UpdateBatch = z.strictObject({
  name: line(200).optional(),
  operator_id: uuid.nullable().optional(),
  coordinator_id: uuid.nullable().optional(),
  naming_template: template.nullable().optional(),
  required_copy: requiredCopy.optional(),
  destinations: destinationIds.nullable().optional(),
  due_on: day.nullable().optional(),
})

const assignment = z.strictObject({
  operator_id: uuid.nullable().optional(),
  coordinator_id: uuid.nullable().optional(),
  due_on: day.nullable().optional(),
})
export type Assignment = z.infer<typeof assignment>
export const AssignBatches = z.strictObject({
  batches: z
    .array(
      z.strictObject({
        id: uuid,
        seen: assignment.optional().describe('As they were when this was decided; a batch that differs by now stays'),
        to: assignment.describe('What is set; the others stay as they are'),
      }),
    )
    .min(1)
    .max(200),
})
export const AssignedBatches = z
  .object({
    changed: z.array(ref).describe('Those that are so now, whether or not they were before'),
    left: z.array(z.object({ batch: z.object({ id: uuid, name: z.string().nullable() }), reason: z.string() })),
  })
  .meta({ id: 'AssignedBatches' })

export const CompleteReview = z.strictObject({ comment: prose(2000).optional() })

export const Manifest = z
  .object({
    files: z.array(
      z.object({ name: z.string(), note: z.string().nullable(), status: z.enum(['received', 'missing', 'rejected']) }),
    ),
    unexpected: z.array(z.object({ name: z.string() })),
    counts: z.object({ expected: count, received: count, missing: count, unexpected: count }),
  })
  .meta({ id: 'Manifest' })
export type Manifest = z.infer<typeof Manifest>

/** The first lines of a manifest, and the first names that came unasked. */
export type ManifestInShort = Omit<Manifest, 'files'> & { lines: Manifest['files'] }

export const ReplaceManifest = z.strictObject({ files: expectedFiles })
export type ReplaceManifest = z.infer<typeof ReplaceManifest>

/** A batch that concerns a user, with what they have to do about it. */
export const WorkItem = Batch.extend({
  project: ref,
  agency: ref,
  task: z.enum(WORK_TASKS),
  covers: z.array(z.string()).describe('Addresses of small images of its newest files, at most 4'),
}).meta({ id: 'WorkItem' })
export type WorkItem = z.infer<typeof WorkItem>
export const ListMyWork = z.strictObject(paging)
export const MyWork = z
  .object({
    batches: z.array(WorkItem),
    counts: z
      .object({ late: count, review: count, submit: count, wait: count })
      .describe('How many there are in all: those that wait for you and are late, and the others by their task'),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'MyWork' })

export const FindNextWork = z.strictObject({ after: uuid })
export const NextWork = z.object({ batch: WorkItem.nullable() })

export const ListActivity = z.strictObject({
  kind: z.enum(ACTIVITY_KINDS).optional().describe('Only what is of this kind'),
  ...paging,
})

export const Activity = z
  .object({
    id: uuid,
    type: z.string().describe('`file.received`, as on the audit trail'),
    kind: z.enum(ACTIVITY_KINDS),
    actor: z.object({
      type: z.enum(['user', 'upload_link', 'client', 'guest', 'system', 'anonymous']),
      id: uuid.nullable(),
      name: z.string(),
    }),
    file: z.object({ id: uuid.nullable(), name: z.string() }).nullable(),
    note: z.string().nullable().describe('What was said: a reason, a comment, why a file was refused'),
    details: z
      .record(z.string(), z.union([z.string(), z.number(), z.null()]))
      .describe(
        'What is known besides: `version`, `after`, `outcome`, `round`, `pass`, `warning`, `fail`, `label`, `to`',
      ),
    created_at: timestamp,
  })
  .meta({ id: 'Activity' })
export type Activity = z.infer<typeof Activity>
export const ActivityList = listOf('activities', Activity).meta({ id: 'ActivityList' })
