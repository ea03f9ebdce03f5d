'use client'

import { useQueryClient } from '@tanstack/react-query'
import { Check, Download, MapPin, PenLine, X } from 'lucide-react'
import { type RefObject, useRef, useState } from 'react'
import { toast } from 'sonner'
import { AttachButton, attachingProps, ChosenFiles } from '@/components/attachments/attach-field'
import { useAttaching } from '@/components/attachments/use-attaching'
import { type Drawing, useDrawing } from '@/components/drawing/use-drawing'
import { playedSource } from '@/components/files/played-source'
import { timecode } from '@/components/pre-qc/occurrences'
import { placeWords } from '@/components/review/place-words'
import { StatusBadge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { AnchorButton } from '@/components/ui/link-button'
import { Textarea } from '@/components/ui/textarea'
import { apiRequest } from '@/lib/client/api'
import { ownPath } from '@/lib/client/own-path'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import { useUnsavedGuard } from '@/lib/client/use-unsaved-guard'
import type { Anchor } from '@/lib/domain/review/schema'
import type { ReviewRoom, RoomFile } from '@/lib/domain/review-links/schema'
import { formatBytes } from '@/lib/format'
import { toMillisecond } from '@/lib/timecode'
import { LABELS } from '@/lib/vocabulary'
import { guestAttachPath, newestOwn } from './guest-attachments'
import { GuestComments } from './guest-comments'
import { GuestStage } from './guest-stage'
import { roomKey } from './use-room-live'

/** One file of a review: seen, spoken of and decided in one place. */
export function GuestFile({ token, room, file }: { token: string; room: ReviewRoom; file: RoomFile }) {
  const [page, setPage] = useState(1)
  const [pinned, setDraft] = useState<Anchor | null>(null)
  const drawing = useDrawing()
  const words = useRef<HTMLTextAreaElement>(null)
  const draft = drawing.anchor ?? pinned
  const player = useRef<HTMLVideoElement | HTMLAudioElement>(null)
  const isPlayed = playedSource(file) !== null || Boolean(file.playback?.pieces)

  function show(anchor: Anchor) {
    if ('page' in anchor && anchor.page !== undefined) setPage(Math.min(anchor.page, Math.max(1, file.pages)))
    if ('time' in anchor && anchor.time !== undefined && player.current) {
      player.current.pause()
      player.current.currentTime = anchor.time
      player.current.scrollIntoView({ block: 'nearest' })
    }
  }

  return (
    <article className="overflow-hidden rounded-xl border border-line bg-surface shadow-xs" aria-label={file.name}>
      <header className="flex items-start justify-between gap-3 px-4 py-3">
        <div className="min-w-0">
          <h2 className="font-semibold wrap-anywhere">{file.name}</h2>
          <p className="text-xs text-ink-subtle tabular-nums">{factsOf(file)}</p>
        </div>
        {file.decision ? (
          <StatusBadge tone={file.decision.decision === 'approved' ? 'pass' : 'fail'}>
            {LABELS.reviewDecision[file.decision.decision]}
          </StatusBadge>
        ) : (
          file.is_current && room.may_decide && <StatusBadge tone="neutral">To decide</StatusBadge>
        )}
      </header>
      <GuestStage
        token={token}
        file={file}
        watermark={room.watermark}
        page={page}
        onPage={setPage}
        player={player}
        draft={draft}
        onPlace={setDraft}
        drawing={drawing}
        write={() => words.current?.focus()}
      />
      <div className="flex flex-col gap-5 px-4 py-4">
        {!file.is_current && (
          <p className="text-sm text-ink-muted">A newer version replaced this one; this one is not decided any more.</p>
        )}
        {room.may_decide && file.is_current && <Decision token={token} file={file} />}
        <GuestComments token={token} file={file} show={show} />
        <Composer
          token={token}
          file={file}
          draft={draft}
          setDraft={setDraft}
          drawing={drawing}
          words={words}
          timeNow={isPlayed ? () => player.current?.currentTime ?? 0 : null}
        />
        {file.download_url && (
          <div>
            <AnchorButton href={ownPath(file.download_url)} download size="sm">
              <Download />
              Download, {formatBytes(file.size)}
            </AnchorButton>
          </div>
        )}
      </div>
    </article>
  )
}

const factsOf = (file: RoomFile) =>
  [
    `Version ${file.version}`,
    file.width && file.height && `${file.width} × ${file.height}`,
    file.duration_seconds !== null && timecode(file.duration_seconds),
    file.kind === 'document' &&
      file.pages_in_file &&
      `${file.pages_in_file} ${file.pages_in_file === 1 ? 'page' : 'pages'}`,
    formatBytes(file.size),
  ]
    .filter(Boolean)
    .join(' · ')

/** Approve by one press; a rejection says what should change. */
function Decision({ token, file }: { token: string; file: RoomFile }) {
  const [isRejecting, setRejecting] = useState(false)
  const [comment, setComment] = useState('')
  const [missing, setMissing] = useState(false)
  useUnsavedGuard(isRejecting && comment.trim() !== '')
  const decide = useApiMutation({
    request: (decision: 'approve' | 'reject') =>
      apiRequest('POST /api/public/review-links/{token}/files/{file_id}/decision', {
        params: { token, file_id: file.id },
        body: { decision, sha256: file.sha256, ...(decision === 'reject' && { comment }) },
      }),
    success: (_, decision) => (decision === 'approve' ? `${file.name} approved` : `${file.name} rejected`),
    onSuccess: () => setRejecting(false),
    invalidate: [roomKey(token)],
  })
  const current = file.decision?.decision
  return (
    <div className="flex flex-col gap-3">
      {file.decision?.comment && (
        <p className="text-sm wrap-anywhere whitespace-pre-wrap text-ink-muted">You wrote: {file.decision.comment}</p>
      )}
      {isRejecting ? (
        <form
          noValidate
          className="flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault()
            setMissing(comment.trim() === '')
            if (comment.trim() !== '' && !decide.isPending) decide.mutate('reject')
          }}
        >
          <Field
            label="What should change?"
            name={`reject-${file.id}`}
            error={missing ? 'Say in a sentence what should change, so that it can be fixed.' : undefined}
          >
            <Textarea value={comment} rows={3} maxLength={4000} onChange={(event) => setComment(event.target.value)} />
          </Field>
          <div className="flex flex-wrap gap-2">
            <Button type="submit" variant="danger" size="lg" loading={decide.isPending} className="max-sm:flex-1">
              Reject
            </Button>
            <Button size="lg" variant="ghost" onClick={() => setRejecting(false)}>
              Cancel
            </Button>
          </div>
        </form>
      ) : (
        <div className="flex flex-wrap gap-2">
          {current !== 'approved' && (
            <Button
              variant="primary"
              size="lg"
              loading={decide.isPending}
              onClick={() => decide.mutate('approve')}
              className="max-sm:flex-1"
            >
              <Check />
              {current ? 'Approve instead' : 'Approve'}
            </Button>
          )}
          {current !== 'rejected' && (
            <Button size="lg" onClick={() => setRejecting(true)} className="max-sm:flex-1">
              <X />
              {current ? 'Reject instead' : 'Reject'}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

function Composer({
  token,
  file,
  draft,
  setDraft,
  drawing,
  words,
  timeNow,
}: {
  token: string
  file: RoomFile
  draft: Anchor | null
  setDraft: (anchor: Anchor | null) => void
  drawing: Drawing
  words: RefObject<HTMLTextAreaElement | null>
  /** The time at which the player stands; null where nothing plays. */
  timeNow: (() => number) | null
}) {
  const [body, setBody] = useState('')
  const isDrawn = drawing.shapes.length > 0
  const attaching = useAttaching(file.id)
  useUnsavedGuard(body.trim() !== '' || isDrawn || attaching.chosen.length > 0)
  const queryClient = useQueryClient()
  const refetch = () => queryClient.invalidateQueries({ queryKey: roomKey(token) })
  const send = useApiMutation({
    request: () =>
      apiRequest('POST /api/public/review-links/{token}/files/{file_id}/comments', {
        params: { token, file_id: file.id },
        body: { body, ...(draft && { anchor: draft }), ...(isDrawn && { shapes: [...drawing.shapes] }) },
      }),
    success: 'Comment sent',
    onSuccess: async (seen) => {
      setBody('')
      setDraft(null)
      drawing.clear()
      const path = attaching.chosen.length > 0 ? guestAttachPath(token, seen, newestOwn(seen.comments)) : null
      if (path) await attaching.send(path)
      await refetch()
    },
  })
  if (!file.is_current) return null
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (body.trim() && !send.isPending) send.mutate()
      }}
      {...attachingProps(attaching)}
    >
      <Field
        label="Comment"
        name={`comment-${file.id}`}
        hint={
          timeNow
            ? 'It is pinned to where the player stands.'
            : file.pages > 0 && !file.has_banner
              ? 'Tap the image first to pin it to a place, or draw on it.'
              : undefined
        }
      >
        <Textarea
          ref={words}
          value={body}
          rows={2}
          maxLength={4000}
          onFocus={() => {
            if (timeNow && body === '' && !isDrawn && !(draft?.kind === 'time' && draft.end !== undefined))
              setDraft({ kind: 'time', time: toMillisecond(timeNow()) })
          }}
          onChange={(event) => setBody(event.target.value)}
        />
      </Field>
      <ChosenFiles attaching={attaching} settle={() => void refetch()} />
      <div className="flex flex-wrap items-center gap-2">
        {draft ? (
          <span className="flex items-center gap-1 text-xs text-ink-muted">
            {isDrawn ? (
              <PenLine aria-hidden="true" className="size-3.5" />
            ) : (
              <MapPin aria-hidden="true" className="size-3.5" />
            )}
            {placeWords(draft, isDrawn)}
            <Button
              size="sm"
              variant="ghost"
              onClick={() => {
                setDraft(null)
                drawing.clear()
              }}
            >
              {isDrawn ? 'Remove drawing' : 'Unpin'}
            </Button>
            {timeNow && draft.kind === 'time' && (
              <Button
                size="sm"
                variant="ghost"
                onClick={() => {
                  const end = toMillisecond(timeNow())
                  if (end > draft.time) setDraft({ ...draft, end })
                  else toast.info('Play on to where it ends, then press “Until here”.')
                }}
              >
                Until here
              </Button>
            )}
          </span>
        ) : null}
        <span className="flex-1" />
        <AttachButton attaching={attaching} />
        <Button type="submit" disabled={body.trim() === ''} loading={send.isPending}>
          Send comment
        </Button>
      </div>
    </form>
  )
}
