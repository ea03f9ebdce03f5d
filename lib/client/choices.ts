import { type BatchStatus, LABELS, type ProjectStatus, ROLES, type Role } from '@/lib/vocabulary'
import { isAtLeast } from '../domain/kernel/permissions'
import { formatCount } from '../format'
import { api } from './api'

/** What a form lets people choose from, asked for as they type: a workspace has thousands of projects. */
export type Choice = { value: string; label: string; description?: string }

export type ChoiceSource = {
  /** Names the source in the browser's memory. */
  key: readonly string[]
  /** The newest that contain the text. */
  find: (text: string | undefined) => Promise<Choice[]>
}

const names = new Map<string, string>()

/** What was seen here under an id: forms hold ids, and say names of what another user chose meanwhile. */
export const nameOf = (id: string | null) => (id && names.get(id)) || ''
export const noteName = ({ id, name }: { id: string; name: string }) => void names.set(id, name)

/** As many are shown at once; typing finds the others. */
const LIMIT = 50

export const AGENCIES: ChoiceSource = {
  key: ['agencies'],
  find: async (q) =>
    (await api('GET /api/agencies', { query: { q, limit: LIMIT } })).agencies.map(({ id, name, code }) => ({
      value: id,
      label: name,
      description: code,
    })),
}

/** The campaigns of an agency; of every agency for null. */
export const campaignsOf = (agencyId: string | null): ChoiceSource => ({
  key: ['campaigns', agencyId ?? ''],
  find: async (q) =>
    (
      await api('GET /api/campaigns', { query: { q, limit: LIMIT, ...(agencyId && { agency_id: agencyId }) } })
    ).campaigns.map(({ id, name, code }) => ({ value: id, label: name, description: code })),
})

/** Few: all of them are asked for. */
export const MEDIA_CATEGORIES: ChoiceSource = {
  key: ['media categories'],
  find: async (q = '') =>
    (await api('GET /api/media-categories', { query: { limit: 500 } })).media_categories
      .filter(({ name }) => name.toLowerCase().includes(q.toLowerCase()))
      .map(({ id, name }) => ({ value: id, label: name })),
}

const projectsOf = async (q: string | undefined, status?: ProjectStatus) =>
  (await api('GET /api/projects', { query: { q, status, limit: LIMIT } })).projects

const asChoice = ({ id, name, agency }: Awaited<ReturnType<typeof projectsOf>>[number]): Choice => ({
  value: id,
  label: name,
  description: agency.name,
})

export const PROJECTS: ChoiceSource = {
  key: ['projects'],
  find: async (q) => (await projectsOf(q)).map(asChoice),
}

/** Those in which something may still change. */
export const OPEN_PROJECTS: ChoiceSource = {
  key: ['open projects'],
  find: async (q) => {
    const lists = await Promise.all([projectsOf(q, 'active'), projectsOf(q, 'on_hold')])
    return lists.flat().map(asChoice)
  },
}

/** The batches of a project, in any status or in one. */
export const batchesOf = (projectId: string, status?: BatchStatus): ChoiceSource => ({
  key: ['batches', projectId, status ?? ''],
  find: async (q) =>
    (await api('GET /api/batches', { query: { q, project_id: projectId, status, limit: LIMIT } })).batches.map(
      ({ id, name, counts, media_category }) => ({
        value: id,
        label: name,
        description: `${media_category.name}, ${formatCount(counts.files, 'file')}`,
      }),
    ),
})

/** People whose account is open, by name. */
export const peopleWho = (least: Role): ChoiceSource => ({
  key: ['people', least],
  find: async (q) => {
    const lists = await Promise.all(
      ROLES.filter((role) => isAtLeast(role, least)).map((role) =>
        api('GET /api/users', { query: { q, role, limit: LIMIT } }),
      ),
    )
    return lists
      .flatMap(({ users }) => users)
      .filter(({ disabled_at }) => !disabled_at)
      .sort((one, other) => one.name.localeCompare(other.name))
      .map(({ id, name, role }) => ({ value: id, label: name, description: LABELS.role[role] }))
  },
})

export const EVERYBODY = peopleWho('viewer')
