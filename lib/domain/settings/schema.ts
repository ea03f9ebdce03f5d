import { z } from 'zod'
import { PRE_QC_DEPTHS } from '@/lib/vocabulary'
import { destinationIds } from '../destinations/schema'
import { MEDIA_TYPES } from '../files/media-types'
import { line, listOf, paging, text, timestamp, uuid } from '../kernel/shapes'

export const checks = z.record(
  z.string().regex(/^[a-z0-9_]+_check$/),
  z.strictObject({
    enabled: z.boolean().optional(),
    severity: z.enum(['warning', 'fail']).optional(),
    fails_from: z.iso
      .date('must be a day such as 2026-03-31')
      .optional()
      .describe('An announced rule: warns until this day (UTC), fails from it on, whatever the severity'),
    thresholds: z.record(z.string(), z.unknown()).optional(),
  }),
)

const depth = z
  .enum(PRE_QC_DEPTHS)
  .optional()
  .describe(
    'quick: video and audio by their packets and key frames; what needs every frame or sample is skipped. Not given: full',
  )

const confidenceFloor = z
  .number()
  .min(0)
  .max(1)
  .optional()
  .describe('Fails that the engine is less sure of than this are warnings that need eyes, 0 to 1. Not given: 0.8')

export const preQcSettings = z.object({ enabled: z.boolean(), depth, confidence_floor: confidenceFloor, checks })

const mediaTypes = z
  .array(z.enum(MEDIA_TYPES.map(({ mediaType }) => mediaType)))
  .max(MEDIA_TYPES.length)
  .transform((types) => [...new Set(types)])
const maxFileSize = z.int().min(1).nullable().describe("Bytes; null: the service's own limit")
const template = text(200).trim().min(1).nullable().describe('Null: any portable name')

export const MediaCategory = z
  .object({
    id: uuid,
    name: z.string(),
    naming_template: z.string().nullable().describe('Null: any portable name'),
    media_types: z.array(z.string()).describe('Empty: every type whose integrity the service can evaluate'),
    max_file_size: maxFileSize,
    destinations: z.array(z.string()).describe('Ids of the destinations its files are evaluated against'),
    pre_qc: preQcSettings,
    profile_version: z
      .int()
      .describe('Raised with every change that Pre-QC evaluates by; results name the one they were made with'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'MediaCategory' })
export type MediaCategory = z.infer<typeof MediaCategory>

export const MediaCategoryList = listOf('media_categories', MediaCategory).meta({ id: 'MediaCategoryList' })
export const ListMediaCategories = z.strictObject({ ...paging })

export const CreateMediaCategory = z.strictObject({
  name: line(200),
  naming_template: template.optional(),
  media_types: mediaTypes.optional(),
  max_file_size: maxFileSize.optional(),
  destinations: destinationIds.optional(),
  pre_qc: z
    .strictObject({
      enabled: z.boolean().default(true),
      depth,
      confidence_floor: confidenceFloor,
      checks: checks.default({}),
    })
    .optional(),
})

export const UpdateMediaCategory = z.strictObject({
  name: line(200).optional(),
  naming_template: template.optional(),
  media_types: mediaTypes.optional(),
  max_file_size: maxFileSize.optional(),
  destinations: destinationIds.optional(),
  pre_qc: z
    .strictObject({
      enabled: z.boolean().optional(),
      depth,
      confidence_floor: confidenceFloor,
      checks: checks.optional(),
    })
    .optional()
    .describe('What is given replaces what was; `checks` as a whole'),
})

export const ServiceSettings = z
  .object({
    pre_qc_enabled: z.boolean().describe('Off: no submit of any batch runs Pre-QC'),
    waivers_need_second: z
      .boolean()
      .describe('On: a waiver of a blocking finding holds once a second person has confirmed it'),
    updated_at: timestamp.nullable(),
  })
  .meta({ id: 'ServiceSettings' })
export type ServiceSettings = z.infer<typeof ServiceSettings>

export const UpdateServiceSettings = z.strictObject({
  pre_qc_enabled: z.boolean().optional(),
  waivers_need_second: z.boolean().optional(),
})

/** Bytes a logo may have as it is sent. */
export const LOGO_MAX_BYTES = 1_000_000
/** A week: by then the work has begun. */
export const UNDO_MINUTES_MAX = 7 * 24 * 60

export const Letterhead = z
  .object({
    name: z.string(),
    address: z.string(),
    tax_id: z.string(),
    terms: z.string(),
    undo_minutes: z.int(),
    logo: z.object({ png: z.string().describe('base64'), width: z.int(), height: z.int() }).nullable(),
    updated_at: timestamp.nullable(),
  })
  .meta({ id: 'Letterhead' })
export type Letterhead = z.infer<typeof Letterhead>
