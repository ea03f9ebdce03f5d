import { z } from 'zod'
import { LINK_STATUSES, MEDIA_KINDS } from '@/lib/vocabulary'
import { FileChoice } from '../deliveries/schema'
import { line, listOf, paging, prose, ref, text, timestamp, uuid } from '../kernel/shapes'
import { Playback } from '../playback/schema'
import { WITHHELD } from './rules'

const status = z.enum(LINK_STATUSES).exclude(['used_up'])

const counts = z.object({
  files: z.int().describe('That were shared'),
  offered: z.int().describe('Of them those that can be had now'),
  size: z.number().describe('Bytes of those that can be had now'),
})

export const ShareLink = z
  .object({
    id: uuid,
    batch_id: uuid,
    name: z.string().describe('Who receives the files'),
    url: z.string(),
    status,
    note: z.string().nullable(),
    expires_at: timestamp.nullable(),
    has_password: z.boolean(),
    may_download: z.boolean(),
    counts,
    opens: z.int().describe('Visits; those of one person within half an hour are one'),
    downloads: z.int().describe('Downloads that were begun, of a file or of all'),
    last_opened_at: timestamp.nullable(),
    last_downloaded_at: timestamp.nullable(),
    created_by: ref,
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'ShareLink' })
export type ShareLink = z.infer<typeof ShareLink>

export const ShareLinkList = listOf('share_links', ShareLink).meta({ id: 'ShareLinkList' })
export const ListShareLinks = z.strictObject({ ...paging, batch_id: uuid })

const terms = {
  name: line(120).describe('Who receives the files; shown on the page'),
  note: prose(2000).nullish().describe('Shown on the page'),
  expires_at: z.iso.datetime({ offset: true }).nullish(),
  may_download: z.boolean().optional(),
}

export const CreateShareLink = z.strictObject({
  batch_id: uuid,
  ...terms,
  password: text(200).min(4).nullish(),
  may_download: terms.may_download.describe('True unless said otherwise; false: previews only'),
  file_ids: FileChoice.describe('Exactly these files; left out: every file that is approved now'),
})

export const UpdateShareLink = z.strictObject({ ...terms, name: terms.name.optional() })

/** What the receiver of shared files may know. */
export const OpenShare = z
  .object({
    status: z.literal('active'),
    password_required: z.literal(false),
    name: z.string(),
    note: z.string().nullable(),
    may_download: z.boolean(),
    expires_at: timestamp.nullable(),
    project: z.object({ name: z.string() }),
    batch: z.object({ name: z.string() }),
    contact: z.object({ name: z.string() }).describe('Who shared the files'),
    counts,
    archive_url: z.string().nullable().describe('All files as one ZIP; null: downloads are not allowed'),
    has_certificate: z.boolean().describe('The ZIP holds the certificate of the batch'),
  })
  .meta({ id: 'OpenShare' })
export type OpenShare = z.infer<typeof OpenShare>

export const ShareForReceiver = z
  .union([
    OpenShare,
    z.strictObject({ status: z.literal('active'), password_required: z.literal(true) }).meta({ id: 'LockedShare' }),
    z.strictObject({ status: z.enum(['expired', 'deactivated']) }).meta({ id: 'ClosedShare' }),
  ])
  .meta({ id: 'ShareForReceiver' })
export type ShareForReceiver = z.infer<typeof ShareForReceiver>

export const SharedFile = z
  .object({
    id: uuid.nullable().describe('Null: it was deleted since'),
    name: z.string(),
    version: z.int(),
    size: z.int(),
    sha256: z.string().describe('Of the bytes that were shared'),
    withheld: z.enum(WITHHELD).nullable().describe('Why it is not offered any more; null: it is'),
    is_current: z.boolean().describe('False: there is a newer version of it, which is not shared by this link'),
    kind: z.enum(MEDIA_KINDS),
    media_type: z.string(),
    width: z.number().nullable(),
    height: z.number().nullable(),
    duration_seconds: z.number().nullable(),
    pages: z.int().min(0).describe('How many images there are, by ?page= of preview_url'),
    pages_in_file: z.int().nullable().describe('How many pages a document has; of a long one the first have images'),
    thumbnail_url: z.string().nullable(),
    preview_url: z.string().nullable(),
    tiles_url: z
      .string()
      .nullable()
      .describe('Where the tiles of a large image are asked for; null: it has none, or downloads are not allowed'),
    media_url: z.string().nullable().describe('What a player plays, of video and audio'),
    playback: Playback.nullable().describe('Of video and audio: the copy that browsers play, where they need one'),
    download_url: z.string().nullable().describe('Null: downloads are not allowed, or it is not offered'),
  })
  .meta({ id: 'SharedFile' })
export type SharedFile = z.infer<typeof SharedFile>

export const SharedFileList = listOf('files', SharedFile).meta({ id: 'SharedFileList' })
export const ListSharedFiles = z.strictObject({
  ...paging,
  limit: z.coerce.number().int().min(1).max(200).optional().describe('60 unless said otherwise'),
})
