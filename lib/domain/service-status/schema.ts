import { z } from 'zod'
import { timestamp } from '../kernel/shapes'

const TASKS = {
  check_file: 'Checks of a file',
  check_known: 'Checks of files that were measured before',
  make_pictures: 'Previews of a file',
  draw_pages: 'Pages of a document',
  measure_ahead: 'Measuring of a file before its batch is submitted',
  make_playback: 'Playback copy of a file',
  make_tiles: 'Tiles of a large image',
  finish_integrity: 'Full decode of a file',
  remove_objects: 'Removing a deleted file',
  remove_attachments: 'Removing attachments of a deleted comment',
  sweep: 'Sweeping',
  deliver_webhook: 'Webhook delivery',
  deliver_files: 'Delivery of files',
  send_mail: 'Mail',
  send_reset_link: 'Mail with a password link',
  settle_upload: 'Validation of a direct upload',
  apply_retention: 'Retention run',
  apply_scoped_waiver: 'Waiver of a batch or project',
  remove_expired: 'Removing what a rule removed',
} as Readonly<Record<string, string>>

/** What a task does, as a user reads it. */
export const taskLabel = (task: string) => TASKS[task] ?? task.replaceAll('_', ' ')

/** Of the jobs whose last attempt failed. */
export const SHOWN_JOBS = 100

const counts = {
  waiting: z.int().describe('Due, and not taken yet'),
  running: z.int(),
  scheduled: z.int().describe('Due later, those to be tried again included'),
  failed: z.int().describe('Out of tries'),
  oldest_waiting_seconds: z.number().nullable().describe('How long the first in line has been due; null: none waits'),
}

const subject = z
  .object({ file_name: z.string(), batch: z.string(), url: z.string().describe('Where the batch is shown') })
  .nullable()
  .describe('What it is for, where that is a file that is still there')

const Job = z.object({
  id: z.string(),
  task: z.string(),
  attempts: z.int(),
  max_attempts: z.int(),
  error: z.string().nullable().describe('First line of what the last attempt ended with'),
  next_attempt_at: timestamp.nullable().describe('Null: it is out of tries'),
  about: subject,
})
export type TroubledJob = z.infer<typeof Job>

const WorkerProcess = z.object({
  host: z.string(),
  pid: z.int(),
  started_at: timestamp,
  heartbeat_at: timestamp,
  is_alive: z.boolean().describe('It gave a sign of life within the last 30 seconds'),
  file_slots: z.int().describe('Files it can decode at once'),
  background_slots: z.int().describe('Other jobs it can run at once'),
  jobs: z.array(z.object({ id: z.string(), task: z.string(), since: timestamp, about: subject })),
})
export type WorkerProcess = z.infer<typeof WorkerProcess>

export const ServiceStatus = z
  .object({
    at: timestamp,
    versions: z.object({
      greenroom: z.string(),
      node: z.string(),
      postgresql: z.string(),
      check_engine: z.string(),
    }),
    queue: z.object({ ...counts, tasks: z.array(z.object({ task: z.string(), ...counts })) }),
    workers: z.array(WorkerProcess),
    troubled_jobs: z
      .array(Job)
      .describe(`Jobs whose last attempt failed, those out of tries first; at most ${SHOWN_JOBS}`),
    mail: z.object({
      is_set_up: z.boolean(),
      pending: z.int(),
      failed_last_day: z.int(),
      last_error: z.string().nullable(),
    }),
    webhooks: z.object({ active: z.int(), failing: z.int(), disabled: z.int(), pending_deliveries: z.int() }),
    files: z.object({ count: z.int(), bytes: z.int().describe('Of all versions') }),
  })
  .meta({ id: 'ServiceStatus' })
export type ServiceStatus = z.infer<typeof ServiceStatus>

export const RetriedJob = z.object({ id: z.string(), task: z.string() }).meta({ id: 'RetriedJob' })
