import { MapPin, PenLine, X } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { AttachButton, attachingProps, ChosenFiles } from '@/components/attachments/attach-field'
import { useAttaching } from '@/components/attachments/use-attaching'
import { Button } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/checkbox'
import { apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import { useUnsavedGuard } from '@/lib/client/use-unsaved-guard'
import type { File } from '@/lib/domain/files/schema'
import { attachPath } from './comment-attachments'
import { CommentField, NOTHING_SAID, type Said, sentOf } from './comment-field'
import { placeWords } from './place-words'
import type { View } from './use-view'
import type { Room } from './use-viewed-file'

/** What was begun for a file and not sent is there when the file is viewed again. */
const begun = new Map<string, Said>()

/** Writes a comment on the place that is marked in the file, or on the file as a whole. */
export function CommentComposer({ room, view, file }: { room: Room; view: View; file: File }) {
  const [said, setSaid] = useState(() => begun.get(file.id) ?? NOTHING_SAID)
  const say = (next: Said) => {
    if (next.body.trim()) begun.set(file.id, next)
    else begun.delete(file.id)
    setSaid(next)
  }
  const isEmpty = said.body.trim() === ''
  const { draft, drawing, isWriting, setWriting } = view
  const isDrawn = drawing.shapes.length > 0
  const attaching = useAttaching(file.id)
  useUnsavedGuard(!isEmpty || isDrawn || attaching.chosen.length > 0)
  const [isInternal, setInternal] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const isPlaced = draft !== null && !isDrawn
  useEffect(() => {
    if (isPlaced) field.current?.focus({ preventScroll: true })
  }, [isPlaced])
  useEffect(() => {
    if (!isWriting) return
    setWriting(false)
    // Once the panel is open, which lies over the file on a narrow screen.
    requestAnimationFrame(() => field.current?.focus())
  }, [isWriting, setWriting])
  const add = useApiMutation({
    request: () =>
      apiRequest('POST /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/comments', {
        params: { ...room.batch, file_id: file.id },
        body: {
          ...sentOf(said),
          anchor: draft,
          ...(isDrawn && { shapes: [...drawing.shapes] }),
          is_internal: isInternal,
        },
      }),
    refresh: false,
    onSuccess: async (comment) => {
      say(NOTHING_SAID)
      view.setTool('move')
      view.setDraft(null)
      if (attaching.chosen.length > 0) await attaching.send(attachPath(room, comment))
      await room.refetch()
      view.select(comment.id)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isEmpty && !add.isPending) add.mutate()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-2 print:hidden" {...attachingProps(attaching)}>
      {draft && (
        <p className="flex items-center gap-1.5 self-start rounded-full border border-accent-line bg-accent-soft py-0.5 pr-1 pl-2 text-xs text-accent-ink">
          {isDrawn ? (
            <PenLine aria-hidden="true" className="size-3.5" />
          ) : (
            <MapPin aria-hidden="true" className="size-3.5" />
          )}
          {placeWords(draft, isDrawn, view.clock)}
          <button
            type="button"
            aria-label={isDrawn ? 'Remove the drawing' : 'Comment on the whole file instead'}
            onClick={() => view.setDraft(null)}
            className="grid size-6 place-items-center rounded-full hover:bg-hover"
          >
            <X className="size-3" />
          </button>
        </p>
      )}
      <CommentField
        batch={room.batch}
        label="Comment"
        placeholder={
          isDrawn ? 'What about what is drawn?' : draft ? 'What about this place?' : 'Comment on the whole file'
        }
        said={said}
        say={say}
        field={field}
      />
      <ChosenFiles attaching={attaching} settle={() => void room.refetch()} />
      <div className="flex items-center gap-2">
        <Checkbox label="Team only" checked={isInternal} onCheckedChange={(checked) => setInternal(checked === true)} />
        <span className="flex-1" />
        <AttachButton attaching={attaching} />
        <Button type="submit" size="sm" disabled={isEmpty} loading={add.isPending}>
          Comment
        </Button>
      </div>
    </form>
  )
}
