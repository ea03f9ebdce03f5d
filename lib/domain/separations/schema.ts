import { z } from 'zod'

const PageNumber = z.coerce.number().int().min(1).max(1_000_000)

export const SeparationsQuery = z.object({ page: PageNumber.default(1).describe('Of the document, from 1') })
export const PlateQuery = SeparationsQuery.extend({
  plate: z.coerce.number().int().min(0).max(10_000).describe('Of the plates that are listed for the page, from 0'),
})

export const PageSeparations = z
  .object({
    plates: z
      .array(
        z.object({
          kind: z
            .enum(['process', 'spot', 'unconverted'])
            .describe('`unconverted`: what is RGB or Lab and on no plate; shown in black where it stands'),
          name: z.string().describe('Of the ink; empty for `unconverted`'),
        }),
      )
      .describe('Cyan, magenta, yellow, black, then spot colours; none: the page is empty'),
    notes: z
      .array(z.enum(['unconverted', 'profiled_cmyk', 'blended_in_rgb', 'blended_as_colours']))
      .describe('What is shown otherwise than it may be printed'),
    failure: z.string().nullable().describe('Why the page cannot be separated'),
  })
  .meta({ id: 'PageSeparations' })
export type PageSeparations = z.infer<typeof PageSeparations>
