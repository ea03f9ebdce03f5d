'use client'

import { Check, ChevronDown, ChevronUp, X } from 'lucide-react'
import { useId } from 'react'
import { Decision } from '@/components/files/decision'
import { Button } from '@/components/ui/button'
import { IconButton } from '@/components/ui/icon-button'
import { Kbd } from '@/components/ui/kbd'
import { RelativeTime } from '@/components/ui/relative-time'
import type { File } from '@/lib/domain/files/schema'
import { whyNotApprovable } from '@/lib/domain/files/states'
import { LABELS } from '@/lib/vocabulary'
import type { Reviewer } from './reviewer'
import type { Room } from './use-viewed-file'

/** What was decided on the file, and what can be. */
export function DecisionBar({
  file,
  room,
  me: { mayReview, whyNot },
  startRejecting,
}: {
  file: File
  room: Room
  me: Reviewer
  startRejecting: () => void
}) {
  const { review } = file
  const reasonId = useId()
  const whyNotApprove = whyNotApprovable(file)
  return (
    <div className="flex flex-col gap-2 border-t border-line bg-surface p-3">
      {review.decision !== 'pending' && (
        <div className="text-sm">
          <p className="flex flex-wrap items-center gap-x-2">
            <Decision decision={review.decision} />
            {review.reason && <span className="font-medium">{LABELS.rejectionReason[review.reason]}</span>}
            {review.reviewed_by && review.reviewed_at && (
              <span className="text-xs text-ink-subtle">
                {review.reviewed_by.name}, <RelativeTime value={review.reviewed_at} />
              </span>
            )}
          </p>
          {review.comment && (
            <p className="mt-1 max-h-24 overflow-y-auto text-ink-muted wrap-anywhere whitespace-pre-wrap">
              {review.comment}
            </p>
          )}
        </div>
      )}
      {mayReview && whyNotApprove && (
        <p id={reasonId} className="text-sm text-ink-muted wrap-anywhere">
          Cannot be approved: {whyNotApprove}
        </p>
      )}
      <div className="flex items-center gap-2">
        <IconButton label="Previous file" shortcut="k" side="top" icon={<ChevronUp />} onClick={() => room.move(-1)} />
        <IconButton label="Next file" shortcut="j" side="top" icon={<ChevronDown />} onClick={() => room.move(1)} />
        {mayReview ? (
          <div className="ml-auto flex flex-1 justify-end gap-2">
            <Button variant="secondary" className="max-w-36 flex-1" onClick={startRejecting}>
              <X />
              Reject
              <span aria-hidden="true" className="max-sm:hidden">
                <Kbd keys="r" />
              </span>
            </Button>
            <Button
              variant="primary"
              className="max-w-36 flex-1"
              disabled={whyNotApprove !== null}
              aria-describedby={whyNotApprove ? reasonId : undefined}
              onClick={() => room.decide({ decision: 'approve' })}
            >
              <Check />
              Approve
              <span aria-hidden="true" className="max-sm:hidden">
                <Kbd keys="a" />
              </span>
            </Button>
          </div>
        ) : (
          <p className="ml-auto text-right text-xs text-ink-muted">{whyNot}</p>
        )}
      </div>
    </div>
  )
}
