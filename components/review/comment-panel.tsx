'use client'

import dynamic from 'next/dynamic'
import type { File } from '@/lib/domain/files/schema'
import { CommentComposer } from './comment-composer'
import { CommentThread } from './comment-thread'
import type { Commenter } from './remove-comment'
import type { View } from './use-view'
import type { Room } from './use-viewed-file'

const ExportComments = dynamic(() => import('./export-comments').then((module) => module.ExportComments), {
  loading: () => null,
})

type Props = {
  room: Room
  view: View
  file: File
  earlier: readonly File[]
  me: Commenter
}

/** What people say about the file that is viewed, and what is still open from its earlier versions. */
export function CommentPanel({ room, view, file, earlier, me }: Props) {
  const before = room.comments.filter(
    (comment) =>
      comment.parent_id === null && comment.resolved_at === null && earlier.some(({ id }) => id === comment.file_id),
  )
  return (
    <div className="flex flex-col gap-4 p-4">
      {me.mayComment && view.editedId === null && <CommentComposer key={file.id} room={room} view={view} file={file} />}
      {view.marks.length === 0 && before.length === 0 && (
        <p className="text-sm text-ink-muted">
          {me.mayComment ? 'No comments yet. Press c and point at a place, or drag over an area.' : 'No comments yet.'}
        </p>
      )}
      {view.marks.length > 0 && (
        <div className="-mb-2 flex justify-end">
          <ExportComments file={file} />
        </div>
      )}
      <ol className="flex flex-col gap-3">
        {view.marks.map(({ number, comment }) => (
          <CommentThread key={comment.id} room={room} view={view} number={number} comment={comment} me={me} />
        ))}
      </ol>
      {before.length > 0 && (
        <section className="flex flex-col gap-3 border-t border-line pt-4">
          <h3 className="text-sm font-semibold">Still open from earlier versions</h3>
          <ol className="flex flex-col gap-3">
            {before.map((comment) => (
              <CommentThread key={comment.id} room={room} view={view} comment={comment} me={me} />
            ))}
          </ol>
        </section>
      )}
    </div>
  )
}
