'use client'

import dynamic from 'next/dynamic'
import { useState } from 'react'
import { useShortcuts } from '@/lib/client/shortcuts'
import { isProblem } from '@/lib/domain/pre-qc/rules'
import type { Reviewer } from './reviewer'
import { isGone } from './room-file'
import { useComparing } from './use-comparing'
import { useNamedPlace } from './use-named-place'
import { useView } from './use-view'
import type { Room } from './use-viewed-file'

const RejectionForm = dynamic(() => import('@/components/files/reject-dialog').then((module) => module.RejectionForm), {
  loading: () => null,
})

/**
 * How a file is reviewed, by the same keys in the review room and in the drawer of the batch page.
 * @param showDetails called when the address names a comment or a finding: on a phone these are not in sight
 */
export function useReviewing(room: Room, me: Reviewer, showDetails?: () => void) {
  const [isRejecting, setRejecting] = useState(false)
  const { file, versions } = room
  const view = useView(file, room.comments)
  useNamedPlace(room, view, showDetails)
  const comparable = versions.filter((version) => !isGone(version))
  const hasVersions = comparable.length > 1 && comparable.some(({ id }) => id === file?.id)
  const comparing = useComparing(room, comparable)
  const isViewable = comparable.some(({ id }) => id === file?.id)

  useShortcuts([
    { keys: 'j', label: 'Next file', group: 'Review', run: () => room.move(1) },
    { keys: 'k', label: 'Previous file', group: 'Review', run: () => room.move(-1) },
  ])
  useShortcuts(
    [
      {
        keys: 'a',
        label: 'Approve, and on to the next',
        group: 'Review',
        run: () => room.decide({ decision: 'approve' }),
      },
      { keys: 'r', label: 'Reject with a reason', group: 'Review', run: () => setRejecting(true) },
      { keys: 'u', label: 'Take the last decision back (one minute)', group: 'Review', run: room.undoLast },
    ],
    me.mayReview,
  )
  useShortcuts(
    [{ keys: 'x', label: 'Compare with versions and other files', group: 'Viewing', run: comparing.toggle }],
    isViewable,
  )

  return {
    view,
    /** Versions that can be viewed. */
    comparable,
    hasVersions,
    /** Whether it can be viewed beside others. */
    isViewable,
    comparing,
    isComparing: comparing.isComparing,
    startRejecting: () => setRejecting(true),
    /** The form in which a file is rejected, while it is open. */
    rejection: isRejecting && file && (
      <RejectionForm
        what={`“${file.name}”`}
        findings={(room.result?.checks ?? []).filter((check) => isProblem(check.status))}
        close={() => setRejecting(false)}
        reject={(rejection) => {
          setRejecting(false)
          room.decide({ decision: 'reject', ...rejection })
        }}
      />
    ),
  }
}

export type Reviewing = ReturnType<typeof useReviewing>
