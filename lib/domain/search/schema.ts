import { z } from 'zod'
import { line, uuid } from '../kernel/shapes'

const SEARCH_KINDS = ['project', 'batch', 'file', 'estimate', 'person', 'agency'] as const

export const Search = z.strictObject({
  q: line(200).describe('Part of a name; of an estimate its number or title, of a person the e-mail address too'),
})

export const SearchResults = z
  .object({
    results: z.array(
      z.object({
        kind: z.enum(SEARCH_KINDS),
        id: uuid,
        name: z.string(),
        hint: z.string().describe('Where it belongs: its project, its agency'),
        project_id: uuid.nullable(),
        batch_id: uuid.nullable(),
      }),
    ),
  })
  .meta({ id: 'SearchResults' })
export type SearchResult = z.infer<typeof SearchResults>['results'][number]
