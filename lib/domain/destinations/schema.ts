import { z } from 'zod'
import { DESTINATION_FAMILIES, DESTINATION_VERDICTS, MEDIA_KINDS, REVIEW_DECISIONS } from '@/lib/vocabulary'
import { ref, text, timestamp, uuid } from '../kernel/shapes'

/** Destinations that a media category or a batch may name. */
const DESTINATIONS_MAX = 100

/** How a media category or a batch names destinations: each once. */
export const destinationIds = z
  .array(text(60))
  .max(DESTINATIONS_MAX)
  .transform((ids) => [...new Set(ids)])

const quantity = z.union([z.number(), z.string(), z.boolean()])
const source = z.object({
  publisher: z.string(),
  document: z.string(),
  date: z.string().describe('2026, 2026-03 or 2026-03-31'),
  url: z.string(),
})
const level = z.enum(['required', 'recommended'])

const summary = {
  id: z.string(),
  version: z.int(),
  title: z.string(),
  family: z.enum(DESTINATION_FAMILIES),
  kinds: z.array(z.enum(MEDIA_KINDS)),
  source,
  maintained_by: z.string(),
  origin: z.enum(['library', 'imported']).describe('library: comes with Greenroom'),
  withdrawn_at: timestamp
    .nullable()
    .describe('Since then it can no longer be chosen; where it was, it is still evaluated'),
}

export const DestinationSummary = z.object(summary).meta({ id: 'DestinationSummary' })
export type DestinationSummary = z.infer<typeof DestinationSummary>
export const DestinationList = z
  .object({ destinations: z.array(DestinationSummary), next_cursor: z.null() })
  .meta({ id: 'DestinationList' })

export const Destination = z
  .object({
    ...summary,
    requirements: z.array(
      z.object({
        check: z.string(),
        label: z.string(),
        thresholds: z.record(z.string(), z.unknown()),
        level,
        clause: z.string(),
      }),
    ),
    not_checked: z.array(z.string()).describe('What the document asks besides and is not measured'),
    versions: z
      .array(z.object({ version: z.int(), imported_by: ref.nullable(), imported_at: timestamp.nullable() }))
      .describe('The newest first; null: it comes with Greenroom'),
  })
  .meta({ id: 'Destination' })
export type Destination = z.infer<typeof Destination>

export const ReadDestination = z.strictObject({
  version: z.coerce.number().int().min(1).max(1_000_000).optional().describe('By default the newest'),
})
export const ImportDestination = z.strictObject({
  document: text(200_000).describe('The text of the JSON document, so that mistakes are named by their line'),
})

const version = z.coerce.number().int().min(1).max(1_000_000)
export const CompareVersions = z.strictObject({
  from: version.describe('A version there is'),
  to: version.optional().describe('By default the newest'),
})

const Requirement = z.object({ thresholds: z.record(z.string(), z.unknown()), level, clause: z.string() })
const changes = {
  fields: z.array(z.object({ field: z.string(), before: z.string(), after: z.string() })),
  requirements: z
    .array(
      z.object({
        check: z.string(),
        label: z.string(),
        before: Requirement.nullable().describe('Null: it was not asked for'),
        after: Requirement.nullable().describe('Null: it is no longer asked for'),
      }),
    )
    .describe('Those that differ'),
}
export const DestinationChanges = z
  .object({ destination_id: z.string(), from: z.int(), to: z.int(), ...changes })
  .meta({ id: 'DestinationChanges' })
export type DestinationChanges = z.infer<typeof DestinationChanges>

export const TryDestination = z.strictObject({
  document: text(200_000).describe('The text of the JSON document, as it would be imported'),
  last: z.int().min(1).max(500).default(100).describe('How many of the newest files are evaluated'),
})
const tally = z.object({ fits: z.int(), fits_after_repair: z.int(), does_not_fit: z.int(), unknown: z.int() })
export const DestinationTrial = z
  .object({
    destination_id: z.string(),
    before_version: z.int().nullable().describe('The version that holds; null: the destination would be new'),
    changes: z.object(changes).nullable().describe('Against the version that holds'),
    files: z.int().describe('Files evaluated: the newest of batches that name the destination and have measurements'),
    unmeasured: z
      .int()
      .describe('Newer files that were left out, because they were checked before measurements were kept'),
    before: tally,
    after: tally,
    turned: z.array(
      z.object({
        file: z.object({ id: uuid, name: z.string(), batch_id: uuid, project_id: uuid }),
        decision: z.enum(REVIEW_DECISIONS).describe('What its review decided'),
        before: z.enum(DESTINATION_VERDICTS),
        after: z.enum(DESTINATION_VERDICTS),
        reasons: z
          .array(z.object({ label: z.string(), details: z.string(), clause: z.string() }))
          .describe('Required and not met, or unknown, in the version that is tried'),
      }),
    ),
  })
  .meta({ id: 'DestinationTrial' })
export type DestinationTrial = z.infer<typeof DestinationTrial>

const RequirementResult = z.object({
  check_id: z.string().nullable().describe('Null: the kind of the file, or that it was not measured'),
  label: z.string(),
  level,
  clause: z.string().describe('Where the document says it'),
  outcome: z.enum(['met', 'not_met', 'unknown', 'not_applicable']),
  details: z.string(),
  measured: quantity.optional(),
  expected: quantity.optional(),
  unit: z.string().optional(),
})
export type RequirementResult = z.infer<typeof RequirementResult>

const DestinationVerdicts = z
  .array(
    z.object({
      destination_id: z.string(),
      version: z.int(),
      verdict: z.enum(DESTINATION_VERDICTS),
      requirements: z.array(RequirementResult),
      repair: z
        .string()
        .optional()
        .describe('What would be changed in a repaired copy, in one sentence; where the verdict is fits_after_repair'),
    }),
  )
  .describe('In the order of `destinations`')

const file = {
  id: uuid,
  name: z.string(),
  kind: z.enum(MEDIA_KINDS),
  is_measured: z.boolean().describe('False: every verdict is unknown, and its reason says what to do'),
  verdicts: DestinationVerdicts,
}

export const DestinationMatrix = z
  .object({
    destinations: z.array(DestinationSummary).describe("The batch's own, else those of its media category"),
    files: z.array(z.object(file)).describe('Of the requirements only those that are not met or unknown'),
    total: z.int().describe('Files in all'),
  })
  .meta({ id: 'DestinationMatrix' })
export type DestinationMatrix = z.infer<typeof DestinationMatrix>

export const FileDestinations = z
  .object({ destinations: z.array(DestinationSummary), file: z.object(file) })
  .meta({ id: 'FileDestinations' })
export type FileDestinations = z.infer<typeof FileDestinations>

export const BrowseDestinations = z.strictObject({
  q: text(255).optional().describe('Part of the name'),
  offset: z.coerce.number().int().min(0).max(1_000_000).default(0).describe('How many files stand before the first'),
  limit: z.coerce.number().int().min(1).max(50).default(25),
})
