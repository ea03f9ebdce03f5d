import { z } from 'zod'
import {
  BATCH_STATUSES,
  ESTIMATE_STATUSES,
  PROJECT_STATUSES,
  REVIEW_DECISIONS,
  SEARCH_KINDS,
  SEARCH_MATCHES,
  type SearchKind,
} from '@/lib/vocabulary'
import { line, timestamp, uuid } from '../kernel/shapes'

/** The statuses that things of a kind can have; kinds that are left out have none. */
export const SEARCH_STATUSES: Partial<Record<SearchKind, readonly string[]>> = {
  project: PROJECT_STATUSES,
  batch: BATCH_STATUSES,
  file: REVIEW_DECISIONS,
  estimate: ESTIMATE_STATUSES,
  comment: REVIEW_DECISIONS,
  text: REVIEW_DECISIONS,
  finding: REVIEW_DECISIONS,
}

const day = z.iso.date()

export const Search = z.strictObject({
  q: line(200).describe(
    'Part of a name, of two letters the beginning of a word where the name is old; several words need not stand beside each other. Of an estimate its number too, of an agency its code, of a project the name and code of its campaign, of a person the e-mail address. Of comments, text and findings whole words, of the last one its beginning',
  ),
  kind: z.enum(SEARCH_KINDS).optional().describe('Only these; without it up to `limit` of each kind'),
  agency_id: uuid.optional().describe('Only what belongs to projects of this agency'),
  project_id: uuid.optional().describe('Only what belongs to this project'),
  status: z
    .enum([...new Set([...PROJECT_STATUSES, ...BATCH_STATUSES, ...REVIEW_DECISIONS, ...ESTIMATE_STATUSES])])
    .optional()
    .describe(
      'Of a project, a batch or an estimate its status, of a file, its comments, text and findings its decision. Kinds that cannot have it are left out',
    ),
  from: day.optional().describe('First day of creation, UTC'),
  to: day.optional().describe('Last day of creation, UTC'),
  limit: z.coerce.number().int().min(1).max(100).optional().describe('Results of each kind; 5 unless said otherwise'),
})

export const SearchResults = z
  .object({
    results: z.array(
      z.object({
        kind: z.enum(SEARCH_KINDS),
        id: uuid.describe('Of the project, the batch, …; of text and findings that of the file'),
        name: z.string().describe('Of comments, text and findings the name of the file'),
        hint: z.string().describe('Where it belongs: its project, its agency'),
        project_id: uuid.nullable(),
        batch_id: uuid.nullable(),
        file_id: uuid.nullable(),
        check_id: z.string().nullable().describe('Of a finding: the check'),
        status: z.string().nullable(),
        excerpt: z.string().nullable().describe('Of a comment, of text or a finding: what stands around the words'),
        match: z
          .enum(SEARCH_MATCHES)
          .describe('`close`: nothing has the word itself, and this is one or two keys away from it'),
        created_at: timestamp,
      }),
    ),
    partial: z
      .array(z.enum(SEARCH_KINDS))
      .describe('Kinds of which more may fit than were put in order: those shown are the best among the newest'),
  })
  .meta({ id: 'SearchResults' })
export type SearchResult = z.infer<typeof SearchResults>['results'][number]
