import { isNotNull, sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  real,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { PLAYBACK_STATUSES, type PlaybackStatus } from '@/lib/vocabulary'
import { createdAt, id, isOneOf, updatedAt } from './columns'

export type StoredPair = { channels: readonly { track: number; name: string }[]; sha256: string; size: number }

/**
 * A copy of a video or audio file that browsers play: one of each content, however many files hold that. It goes with the
 * last of them. `kind`: what the copy is; of a video that browsers play, its audio alone is copied.
 */
export const playbackProxies = pgTable(
  'playback_proxies',
  {
    id: id(),
    /** Of the original. */
    sha256: text().notNull(),
    kind: text().$type<'video' | 'audio'>().notNull(),
    status: text().$type<PlaybackStatus>().notNull().default('queued'),
    /** How much is made, per cent. */
    progress: integer().notNull().default(0),
    /** Why there is none, as a sentence. */
    failure: text(),
    /** Of the copy, once it is there. */
    copySha256: text(),
    size: bigint({ mode: 'number' }),
    codec: text(),
    width: integer(),
    height: integer(),
    frameRate: doublePrecision(),
    frames: integer(),
    durationSeconds: doublePrecision(),
    hasAudio: boolean(),
    dynamicRange: text().$type<'sdr' | 'tone_mapped' | 'not_mapped'>(),
    isDeinterlaced: boolean(),
    /** Of its audio: the waveform, 0..1, and momentary loudness in LUFS, each of equal stretches of the time. */
    peaks: real().array(),
    loudness: real().array(),
    /** Where the original has more than two channels: each two of them as a file of their own; a file lies at `pairKey`. */
    pairs: jsonb().$type<readonly StoredPair[]>(),
    /** While it is made: what names the pieces of it that are stored (lib/domain/playback/pieces.ts), another at each attempt. */
    piecesId: uuid(),
    /** Seconds at which each of them begins. */
    pieceStarts: doublePrecision().array().notNull().default([]),
    /** Seconds at which the last of them ends, and how long the whole will be by what the original states. */
    piecesEnd: doublePrecision(),
    piecesWhole: doublePrecision(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('playback_proxies_sha256_key').on(t.sha256),
    // Those that are being made are few: the sweeper looks at them.
    index('playback_proxies_open_index').on(t.updatedAt).where(sql`status in ('queued', 'running')`),
    // Few have pieces: the sweeper asks for what names an object.
    index('playback_proxies_pieces_index').on(t.piecesId).where(isNotNull(t.piecesId)),
    check('playback_proxies_kind', sql`${t.kind} in ('video', 'audio')`),
    check('playback_proxies_status', isOneOf(t.status, PLAYBACK_STATUSES)),
  ],
)
