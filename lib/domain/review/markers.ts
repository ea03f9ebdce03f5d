import { asc, eq, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import { fileComments } from '@/db/schema/comments'
import { users } from '@/db/schema/directory'
import { reviewLinks } from '@/db/schema/review-links'
import { onFile } from '../files/find'
import type { FileRow } from '../files/present'
import { query } from '../kernel/operation'
import { text } from '../kernel/shapes'
import type { Anchor, Shape } from './schema'

/** What was said about a version of a file, for the tools it was made with. */

export const MARKER_FORMATS = ['json', 'edl', 'fcpxml', 'csv', 'avid', 'xfdf', 'pdf'] as const
export type MarkerFormat = (typeof MARKER_FORMATS)[number]

export const ExportMarkers = z.strictObject({
  format: text(20)
    .default('json')
    .meta({ enum: [...MARKER_FORMATS] })
    .describe(
      'edl: CMX 3600 with locators; fcpxml: Final Cut Pro and Resolve; csv: Premiere; avid: Media Composer; xfdf: comments of a PDF; pdf: the PDF itself, with the comments in it as annotations',
    ),
  internal: z
    .enum(['include', 'exclude'])
    .default('exclude')
    .describe('Whether comments for the team only are among them'),
})

/** A thread: what was said first, where, and the replies to it. */
export type Marker = {
  id: string
  number: number
  body: string
  author: string
  at: Date
  anchor: Anchor | null
  shapes: Shape[]
  isInternal: boolean
  isResolved: boolean
  replies: { id: string; body: string; author: string; at: Date }[]
}

const authors = alias(users, 'authors')

export const openMarkers = query({
  name: 'openMarkers',
  summary: 'The comments on one version of a file, as markers for editing tools and as comments of a PDF',
  permission: 'projects.read',
  resource: onFile,
  async run(tx, { resource: { file } }): Promise<{ file: FileRow; markers: Marker[] }> {
    const rows = await tx.db
      .select({ comment: fileComments, author: sql<string>`coalesce(${authors.name}, ${reviewLinks.name}, '')` })
      .from(fileComments)
      .leftJoin(authors, eq(authors.id, fileComments.createdBy))
      .leftJoin(reviewLinks, eq(reviewLinks.id, fileComments.reviewLinkId))
      .where(eq(fileComments.fileId, file.id))
      .orderBy(asc(fileComments.id))
    const threads = rows.filter(({ comment }) => comment.parentId === null)
    const markers = threads.map(({ comment, author }, index) => ({
      id: comment.id,
      number: index + 1,
      body: comment.body,
      author,
      at: comment.createdAt,
      anchor: comment.anchor as Anchor | null,
      shapes: (comment.shapes ?? []) as Shape[],
      isInternal: comment.isInternal,
      isResolved: comment.resolvedAt !== null,
      replies: rows.flatMap((reply) =>
        reply.comment.parentId === comment.id
          ? [{ id: reply.comment.id, body: reply.comment.body, author: reply.author, at: reply.comment.createdAt }]
          : [],
      ),
    }))
    return { file, markers }
  },
})
