import { z } from 'zod'
import { SAVED_VIEW_PLACES } from '@/lib/vocabulary'
import { line, ref, text, timestamp, uuid } from '../kernel/shapes'

/** What stands in the address of a list. What the list does not know, or no longer knows, it leaves out. */
const query = z
  .record(z.string().regex(/^[a-z_]{1,40}$/, 'must be the name of a parameter: lower case letters and _'), text(300))
  .refine((given) => Object.keys(given).length <= 20, 'must have at most 20 parameters')
  .describe('Parameters of the address of the list, such as {"verdict": "fail"}')

export const SavedView = z
  .object({
    id: uuid,
    place: z.enum(SAVED_VIEW_PLACES).describe('The list it is a view of'),
    name: z.string(),
    query: z.record(z.string(), z.string()),
    is_shared: z.boolean().describe('Whether everybody has it, or its owner alone'),
    owner: ref,
    may_edit: z.boolean(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'SavedView' })
export type SavedView = z.infer<typeof SavedView>

export const SavedViewList = z.object({ saved_views: z.array(SavedView) }).meta({ id: 'SavedViewList' })
export const ListSavedViews = z.strictObject({ place: z.enum(SAVED_VIEW_PLACES) })

export const CreateSavedView = z.strictObject({
  place: z.enum(SAVED_VIEW_PLACES),
  name: line(80),
  query,
  is_shared: z.boolean().optional(),
})

export const UpdateSavedView = z.strictObject({
  name: line(80).optional(),
  query: query.optional(),
  is_shared: z.boolean().optional(),
})
