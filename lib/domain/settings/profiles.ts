import { and, desc, eq } from 'drizzle-orm'
import { z } from 'zod'
import { preQcProfiles, users } from '@/db/schema/directory'
import { events } from '@/db/schema/events'
import { query } from '../kernel/operation'
import { iso, ref, timestamp, uuid } from '../kernel/shapes'
import { onMediaCategory } from './queries'
import { compareSettings, type SettingChange } from './rules'
import { preQcSettings } from './schema'

const change = z.object({
  check_id: z.string().nullable(),
  setting: z.string(),
  before: z.unknown(),
  after: z.unknown(),
}) satisfies z.ZodType<SettingChange>

export const Profile = z.object({
  id: uuid,
  version: z.int(),
  settings: preQcSettings,
  changes: z.array(change).describe('Against the version before; empty for the first'),
  created_by: ref.nullable().describe('Null: made with the service, or by a program'),
  created_at: timestamp,
})
export type Profile = z.infer<typeof Profile>

/** What a category is evaluated by besides its checks, as the trail names it. */
const EVALUATED_BY = ['naming_template', 'media_types', 'max_file_size'] as const

export const listProfiles = query({
  name: 'listProfiles',
  summary: 'Every version of a media category’s settings, newest first, and what each changed',
  permission: 'directory.manage',
  resource: onMediaCategory,
  output: z.object({ profiles: z.array(Profile) }),
  async run(tx, { resource: category }) {
    const [rows, changes] = await Promise.all([
      tx.db
        .select({ profile: preQcProfiles, by: { id: users.id, name: users.name } })
        .from(preQcProfiles)
        .leftJoin(users, eq(users.id, preQcProfiles.createdBy))
        .where(eq(preQcProfiles.mediaCategoryId, category.id))
        .orderBy(desc(preQcProfiles.version)),
      tx.db
        .select({ data: events.data })
        .from(events)
        .where(and(eq(events.type, 'media_category.updated'), eq(events.subjectId, category.id))),
    ])
    const others = new Map(changes.map(({ data }) => [Number(data.profile_version), otherChanges(data)]))
    return {
      profiles: rows.map(({ profile, by }, index) => {
        const before = rows[index + 1]?.profile
        return {
          id: profile.id,
          version: profile.version,
          settings: profile.settings,
          changes: before
            ? [...(others.get(profile.version) ?? []), ...compareSettings(before.settings, profile.settings)]
            : [],
          created_by: by,
          created_at: iso(profile.createdAt),
        }
      }),
    }
  },
})

function otherChanges(data: Record<string, unknown>): SettingChange[] {
  const { before = {}, after = {} } = data as { before?: Record<string, unknown>; after?: Record<string, unknown> }
  return EVALUATED_BY.filter((key) => key in after).map((setting) => ({
    check_id: null,
    setting,
    before: before[setting],
    after: after[setting],
  }))
}
