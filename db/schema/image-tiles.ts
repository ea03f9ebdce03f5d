import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { PLAYBACK_STATUSES, type PlaybackStatus } from '@/lib/vocabulary'
import { createdAt, id, isOneOf, updatedAt } from './columns'

/**
 * A large image in tiles, every pixel of it: one of each content, however many files hold that. It goes with the last of
 * them.
 */
export const imageTiles = pgTable(
  'image_tiles',
  {
    id: id(),
    /** Of the original. */
    sha256: text().notNull(),
    status: text().$type<PlaybackStatus>().notNull().default('queued'),
    /** Why there are none, as a sentence. */
    failure: text(),
    /** Pixels, as seen. */
    width: integer(),
    height: integer(),
    hasAlpha: boolean(),
    /** Bytes of all tiles. */
    size: bigint({ mode: 'number' }),
    /** Where each tile begins in the object, in the order of `levelsOf`; and where the last one ends. */
    offsets: bigint({ mode: 'number' }).array(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('image_tiles_sha256_key').on(t.sha256),
    // Those that are being made are few: the sweeper looks at them.
    index('image_tiles_open_index').on(t.updatedAt).where(sql`status in ('queued', 'running')`),
    check('image_tiles_status', isOneOf(t.status, PLAYBACK_STATUSES)),
  ],
)
