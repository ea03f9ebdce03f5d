import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/callout'
import type { EditConflict, useEditForm } from '@/lib/client/use-edit-form'
import { isSame, theirChanges } from '@/lib/client/versions'

type FieldName = string | { label: string; show: (value: unknown) => string | null }
export type ChangedBy = EditConflict<unknown>['changedBy']
type Conflict<Values extends object> = NonNullable<ReturnType<typeof useEditForm<Values, unknown>>['conflict']>

/** Says who changed what since the form was filled. Nothing is overwritten until it was decided whose version stays. */
export function EditConflictNotice<Values extends object>({
  conflict: { changedBy, versions, fields, takeTheirs, overwrite },
}: {
  conflict: Conflict<Values>
}) {
  const changes = theirChanges(versions)
  return (
    <ChangedMeanwhile
      by={changedBy}
      take={{ label: 'Take their changes', run: takeTheirs }}
      overwrite={{ label: 'Save mine over them', run: overwrite }}
    >
      <p>What you typed is still here, and nothing was overwritten.</p>
      <dl className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1">
        {changes.map((field) => {
          const named = (fields as Record<string, FieldName | undefined>)[field]
          const { label, show } = typeof named === 'object' ? named : { label: named ?? field, show: asText }
          const theirs = show(versions.theirs[field])
          const isMineToo = !isSame(versions.mine[field], versions.filled[field])
          return (
            <div key={field} className="contents">
              <dt className="font-medium text-ink">{label}</dt>
              <dd>
                {theirs === null ? 'changed' : theirs || 'nothing'}
                {isMineToo && theirs !== null && <> (you: {show(versions.mine[field]) || 'nothing'})</>}
              </dd>
            </div>
          )
        })}
      </dl>
    </ChangedMeanwhile>
  )
}

/** A notice that another user saved first, with the two ways on. */
export function ChangedMeanwhile({
  by,
  take,
  overwrite,
  children,
}: {
  by: ChangedBy
  take: { label: string; run: () => void }
  overwrite: { label: string; run: () => void; isRunning?: boolean }
  children: ReactNode
}) {
  return (
    <Callout
      tone="warn"
      title={whoChanged(by)}
      actions={
        <>
          <Button size="sm" onClick={take.run}>
            {take.label}
          </Button>
          <Button size="sm" loading={overwrite.isRunning} onClick={overwrite.run}>
            {overwrite.label}
          </Button>
        </>
      }
    >
      {children}
    </Callout>
  )
}

function whoChanged(by: ChangedBy): string {
  if (by?.is_you) return 'You changed this in another window meanwhile'
  return by ? `${by.name} changed this meanwhile` : 'This was changed meanwhile'
}

/** A value as it stands; null for what has to be viewed in the form. */
const asText = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number'
    ? String(value)
    : value === null || value === undefined
      ? ''
      : typeof value === 'boolean'
        ? value
          ? 'on'
          : 'off'
        : null
