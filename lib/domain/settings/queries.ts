import { mediaCategories, serviceSettings } from '@/db/schema/directory'
import { type Finder, query, type Tx } from '../kernel/operation'
import { findRow, listNewest } from '../kernel/rows'
import { iso, isoOrNull } from '../kernel/shapes'
import { ListMediaCategories, MediaCategory, MediaCategoryList, ServiceSettings } from './schema'

export type MediaCategoryRow = typeof mediaCategories.$inferSelect

export const onMediaCategory: Finder<'media_category_id', MediaCategoryRow> = {
  params: ['media_category_id'],
  find: (tx, { media_category_id }, lock) => findRow(tx, mediaCategories, 'media category', media_category_id, lock),
}

export const presentMediaCategory = (row: MediaCategoryRow): MediaCategory => ({
  id: row.id,
  name: row.name,
  naming_template: row.namingTemplate,
  media_types: row.mediaTypes,
  max_file_size: row.maxFileSize,
  destinations: row.destinations,
  pre_qc: row.preQc,
  profile_version: row.profileVersion,
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
})

export const listMediaCategories = query({
  name: 'listMediaCategories',
  summary: 'The media categories with their naming template, limits and Pre-QC settings, newest first',
  permission: 'directory.read',
  input: ListMediaCategories,
  output: MediaCategoryList,
  async run(tx, { input }) {
    const found = await listNewest(tx, mediaCategories, input)
    return { media_categories: found.rows.map(presentMediaCategory), next_cursor: found.next_cursor }
  },
})

export const getMediaCategory = query({
  name: 'getMediaCategory',
  summary: 'One media category',
  permission: 'directory.read',
  resource: onMediaCategory,
  isVersioned: true,
  output: MediaCategory,
  run: async (_tx, { resource }) => presentMediaCategory(resource),
})

/** What holds for the whole service; before anybody changed anything, Pre-QC is on. */
export async function serviceSettingsOf(tx: Tx): Promise<ServiceSettings> {
  const [row] = await tx.db.select().from(serviceSettings)
  return {
    pre_qc_enabled: row?.preQcEnabled ?? true,
    waivers_need_second: row?.waiversNeedSecond ?? false,
    updated_at: isoOrNull(row?.updatedAt ?? null),
  }
}

export const getServiceSettings = query({
  name: 'getServiceSettings',
  summary: 'What holds for the whole service',
  permission: 'settings.manage',
  isVersioned: true,
  output: ServiceSettings,
  run: (tx) => serviceSettingsOf(tx),
})
