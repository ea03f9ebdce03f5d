import { z } from 'zod'
import { ref } from '../kernel/shapes'

/** Where something about a person is. */
const ERASED_PLACES = [
  'account',
  'link',
  'tokens',
  'own_notifications',
  'others_notifications',
  'webhook_deliveries',
  'estimates',
  'audit_events',
] as const
/** What an erasure leaves: signed or sealed as it stands, or part of what was said of a file. */
const KEPT_PLACES = ['earlier_audit_events', 'certificates', 'attachments'] as const

const places = <Places extends readonly [string, ...string[]]>(of: Places) =>
  z.array(z.object({ place: z.enum(of), count: z.int() }))

export const Erasure = z
  .object({
    person: z.object({ id: z.uuid(), name: z.string() }),
    erased: places(ERASED_PLACES).describe('Where name, address and what else is personal goes, and in how many rows'),
    kept: places(KEPT_PLACES).describe(
      'What stays: audit events an earlier version sealed in clear text, signed certificates, and files that comments of this person carry, which stay with the comments. Screens show “Erased person” for the first',
    ),
    held_projects: z
      .array(ref)
      .describe('Under legal hold, with this person in them: while there are any, no person is erased'),
  })
  .meta({ id: 'Erasure' })
export type Erasure = z.infer<typeof Erasure>
