import type { ProjectStatus } from '@/lib/vocabulary'
import { DomainError, quote } from '../kernel/errors'

/** In these nothing below the project changes any more. */
const CLOSED: readonly ProjectStatus[] = ['completed', 'cancelled', 'archived']

export const isClosed = (status: ProjectStatus) => CLOSED.includes(status)

/** @throws `project_closed` */
export function assertNotClosed(project: { name: string; status: ProjectStatus }) {
  if (!isClosed(project.status)) return
  throw new DomainError(
    'project_closed',
    `The project ${quote(project.name)} is ${project.status}; nothing in it can change. Set it to active to go on.`,
  )
}

/** What `on_hold` pauses: uploads by link, and submitting. @throws `project_closed`, `project_on_hold` */
export function assertRunning(project: { name: string; status: ProjectStatus }) {
  assertNotClosed(project)
  if (project.status !== 'on_hold') return
  throw new DomainError(
    'project_on_hold',
    `The project ${quote(project.name)} is on hold. Uploads by link and submitting are paused until it is active again.`,
  )
}
