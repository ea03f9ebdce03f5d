import { eq } from 'drizzle-orm'
import { newId } from '@/db/schema/columns'
import { mediaCategories, type PreQcSettings, preQcProfiles, serviceSettings } from '@/db/schema/directory'
import { DEFAULT_CONFIDENCE_FLOOR } from '@/lib/checks/engine'
import { explainChecks } from '@/lib/checks/settings'
import { destinationErrors } from '../destinations/find'
import { refuseTaken } from '../kernel/database-errors'
import { type FieldError, invalid, quote } from '../kernel/errors'
import { changesBetween } from '../kernel/events'
import { command, type Tx } from '../kernel/operation'
import { parseTemplate } from '../naming/template'
import { onMediaCategory, presentMediaCategory, serviceSettingsOf } from './queries'
import {
  CreateMediaCategory,
  MediaCategory,
  ServiceSettings,
  UpdateMediaCategory,
  UpdateServiceSettings,
} from './schema'

export const createMediaCategory = command({
  name: 'createMediaCategory',
  summary: 'Add a media category',
  permission: 'directory.manage',
  input: CreateMediaCategory,
  output: MediaCategory,
  created: (category) => `/api/media-categories/${category.id}`,
  async run(tx, { input }) {
    const row = {
      id: newId(tx.now),
      name: input.name,
      namingTemplate: input.naming_template ?? null,
      mediaTypes: input.media_types ?? [],
      maxFileSize: input.max_file_size ?? null,
      destinations: input.destinations ?? [],
      preQc: input.pre_qc ?? { enabled: true, checks: {} },
      profileVersion: 1,
      createdAt: tx.now,
      updatedAt: tx.now,
    }
    assertEvaluable(row, await destinationErrors(tx, input.destinations))
    await refuseTaken(tx.db.insert(mediaCategories).values(row), nameTaken(input.name))
    await storeProfile(tx, row)
    await tx.record({
      type: 'media_category.created',
      subjectId: row.id,
      data: { name: input.name, profile_version: 1 },
    })
    return presentMediaCategory(row)
  },
})

export const updateMediaCategory = command({
  name: 'updateMediaCategory',
  summary: 'Change a media category: name, naming template, media types, largest file, destinations, Pre-QC settings',
  permission: 'directory.manage',
  resource: onMediaCategory,
  input: UpdateMediaCategory,
  output: MediaCategory,
  conditional: async (_tx, category) => presentMediaCategory(category),
  async run(tx, { resource: category, input }) {
    // What files are evaluated by. Results name its version, and the same file is evaluated again under a new one.
    const evaluatedBy = {
      namingTemplate: input.naming_template === undefined ? category.namingTemplate : input.naming_template,
      mediaTypes: input.media_types ?? category.mediaTypes,
      maxFileSize: input.max_file_size === undefined ? category.maxFileSize : input.max_file_size,
      preQc: {
        enabled: input.pre_qc?.enabled ?? category.preQc.enabled,
        ...depthOf(input.pre_qc?.depth ?? category.preQc.depth),
        ...floorOf(input.pre_qc?.confidence_floor ?? category.preQc.confidence_floor),
        checks: input.pre_qc?.checks ?? category.preQc.checks,
      },
    }
    const next = {
      name: input.name ?? category.name,
      destinations: input.destinations ?? category.destinations,
      ...evaluatedBy,
    }
    const changes = changesBetween(category, next)
    if (!changes) return presentMediaCategory(category)
    assertEvaluable(evaluatedBy, await destinationErrors(tx, input.destinations, category.destinations))
    const profileVersion = category.profileVersion + (changesBetween(category, evaluatedBy) ? 1 : 0)
    const changed = { ...category, ...next, profileVersion, updatedAt: tx.now }
    await refuseTaken(
      tx.db.update(mediaCategories).set(changed).where(eq(mediaCategories.id, category.id)),
      nameTaken(next.name),
    )
    if (profileVersion !== category.profileVersion) await storeProfile(tx, changed)
    await tx.record({
      type: 'media_category.updated',
      subjectId: category.id,
      data: { name: next.name, profile_version: profileVersion, ...changes },
    })
    return presentMediaCategory(changed)
  },
})

/** Every version of the settings stays, so that a result can always be read with the rules it was made by. */
async function storeProfile(tx: Tx, category: { id: string; preQc: PreQcSettings; profileVersion: number }) {
  await tx.db.insert(preQcProfiles).values({
    id: newId(tx.now),
    mediaCategoryId: category.id,
    version: category.profileVersion,
    settings: category.preQc,
    createdBy: tx.actor.type === 'user' ? tx.actor.id : null,
    createdAt: tx.now,
  })
}

/** Full is what is not said: a category that never was quick keeps the settings it had. */
const depthOf = (depth: PreQcSettings['depth']) => (depth === 'quick' ? { depth } : {})

/** The engine's own is what is not said. */
const floorOf = (floor: number | undefined) =>
  floor === undefined || floor === DEFAULT_CONFIDENCE_FLOOR ? {} : { confidence_floor: floor }

/** @throws `validation_failed` naming each wrong part of the template, each unknown check and each wrong threshold, and `others` */
function assertEvaluable(
  { namingTemplate, preQc }: { namingTemplate: string | null; preQc: PreQcSettings },
  others: readonly FieldError[],
) {
  const template = namingTemplate === null ? null : parseTemplate(namingTemplate)
  const errors: FieldError[] = [
    ...(template === null || template.ok ? [] : template.problems).map(({ message }) => ({
      path: 'naming_template',
      code: 'invalid_template',
      message,
    })),
    ...others,
    ...explainChecks(preQc.checks).map((error) => ({ ...error, path: `pre_qc.checks.${error.path}` })),
  ]
  if (errors.length > 0) throw invalid(errors)
}

const nameTaken = (name: string) => ({
  media_categories_name_key: {
    path: 'name',
    code: 'taken',
    message: `There is a media category named ${quote(name)} already. Change that one, or choose another name.`,
  },
})

export const updateServiceSettings = command({
  name: 'updateServiceSettings',
  summary: 'Switch Pre-QC on or off for the whole service, and whether waivers need a second person',
  permission: 'settings.manage',
  input: UpdateServiceSettings,
  output: ServiceSettings,
  conditional: (tx) => serviceSettingsOf(tx),
  async run(tx, { input }) {
    await tx.db.insert(serviceSettings).values({ id: 1 }).onConflictDoNothing()
    const [before] = await tx.db.select().from(serviceSettings).for('no key update')
    const held = {
      preQcEnabled: before?.preQcEnabled ?? true,
      waiversNeedSecond: before?.waiversNeedSecond ?? false,
    }
    const next = {
      preQcEnabled: input.pre_qc_enabled ?? held.preQcEnabled,
      waiversNeedSecond: input.waivers_need_second ?? held.waiversNeedSecond,
    }
    const changes = changesBetween(held, next)
    if (changes) {
      await tx.db.update(serviceSettings).set({ ...next, updatedAt: tx.now })
      await tx.record({ type: 'settings.updated', data: changes })
    }
    return serviceSettingsOf(tx)
  },
})
