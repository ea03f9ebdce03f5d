import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { files } from '@/db/schema/files'
import { invalidState, notFound, quote } from '../kernel/errors'
import { type Finder, query, type Tx } from '../kernel/operation'
import { isUuid, timestamp } from '../kernel/shapes'
import { assertBytes } from '../retention/rules'
import { onFile } from './find'
import type { FileRow } from './present'

/**
 * An HTML5 ad is a stranger's program. It is shown in a frame without an origin of its own: no cookie of ours is sent
 * with what it asks for, so the right to its parts lies in their address, for a while and for this one file.
 */

const HOURS = 2

export const OpenBanner = z
  .object({
    url: z.string().describe('Where the ad starts; for a sandboxed frame'),
    expires_at: timestamp,
    width: z.number().nullable().describe('As the ad says in its ad.size'),
    height: z.number().nullable(),
  })
  .meta({ id: 'Banner' })

type Pass = { file: string; until: number }

const isPass = (value: unknown): value is Pass =>
  typeof value === 'object' && value !== null && 'file' in value && 'until' in value

export const openBanner = query({
  name: 'openBanner',
  summary: 'Where an HTML5 ad can be viewed, in a sandboxed frame, for two hours',
  permission: 'projects.read',
  resource: onFile,
  output: OpenBanner,
  run: async (tx, { resource: { file } }) => bannerOf(tx, file),
})

/** Where the ad can be viewed, for two hours. @throws `not_found`, `invalid_state`, `removed` */
export function bannerOf(tx: Tx, file: FileRow): z.output<typeof OpenBanner> {
  const entry = startOf(file.media)
  if (file.kind !== 'archive' || !entry) throw notFound('HTML page in this file', file.name)
  if (file.integrity === 'quarantined')
    throw invalidState(`${quote(file.name)} is in quarantine and is not run.`, 'quarantined', ['sound'])
  assertBytes(file)
  const until = tx.now.getTime() + HOURS * 3_600_000
  const pass = tx.ports.secrets.encrypt(JSON.stringify({ file: file.id, until } satisfies Pass))
  const path = entry.split('/').map(encodeURIComponent).join('/')
  return {
    url: `${tx.ports.baseUrl}/api/banners/${pass}/${path}`,
    expires_at: new Date(until).toISOString(),
    ...sizeOf(file.media, entry),
  }
}

/** The page an ad server would open: index.html where there is one. */
function startOf(media: Record<string, unknown>): string | null {
  const entries = Array.isArray(media.entryPoints) ? media.entryPoints.filter((entry) => typeof entry === 'string') : []
  return entries.find((entry) => /(^|\/)index\.html?$/i.test(entry)) ?? entries[0] ?? null
}

/** IAB: `<meta name="ad.size" content="width=300,height=250">`. */
function sizeOf(media: Record<string, unknown>, entry: string) {
  const documents = Array.isArray(media.documents) ? (media.documents as { path: string; text: string }[]) : []
  const text = documents.find(({ path }) => path === entry)?.text ?? ''
  const tag = /<meta\b[^>]{0,200}\bad\.size\b[^>]{0,200}>/i.exec(text)?.[0] ?? ''
  const side = (name: string) => Number(new RegExp(`${name}\\s*=\\s*(\\d{1,5})`, 'i').exec(tag)?.[1] ?? 0) || null
  return { width: side('width'), height: side('height') }
}

type BannerPart = { file: FileRow; path: string }

const byPass: Finder<'token' | 'path', BannerPart> = {
  params: ['token', 'path'],
  async find(tx, { token, path }) {
    const pass = opened(tx.ports.secrets, token)
    const isValid = pass !== null && pass.until > tx.now.getTime() && isUuid(pass.file)
    const [file] = isValid ? await tx.db.select().from(files).where(eq(files.id, pass.file)) : []
    if (file?.kind !== 'archive' || file.integrity === 'quarantined') throw notFound('banner')
    assertBytes(file)
    return { file, path }
  },
}

function opened(secrets: { decrypt(sealed: string): string }, token: string): Pass | null {
  try {
    const pass: unknown = JSON.parse(secrets.decrypt(token))
    return isPass(pass) ? pass : null
  } catch {
    return null
  }
}

export const openBannerPart = query({
  name: 'openBannerPart',
  summary: 'One part of an HTML5 ad, for the frame that shows it; the address is the right to it',
  permission: 'anyone',
  resource: byPass,
  run: async (_tx, { resource }) => resource,
})
