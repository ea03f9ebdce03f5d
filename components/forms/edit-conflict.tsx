import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/callout'
import type { useEditForm } from '@/lib/client/use-edit-form'
import { isSame, theirChanges } from '@/lib/client/versions'

type FieldName = string | { label: string; show: (value: unknown) => string | null }
type Conflict<Values extends object> = NonNullable<ReturnType<typeof useEditForm<Values, unknown>>['conflict']>

/** Says who changed what since the form was filled. Nothing is overwritten until it was decided whose version stays. */
export function EditConflictNotice<Values extends object>({
  conflict: { changedBy, versions, fields, takeTheirs, overwrite },
}: {
  conflict: Conflict<Values>
}) {
  const changes = theirChanges(versions)
  return (
    <Callout
      tone="warn"
      title={whoChanged(changedBy)}
      actions={
        <>
          <Button size="sm" onClick={takeTheirs}>
            Take their changes
          </Button>
          <Button size="sm" onClick={overwrite}>
            Save mine over them
          </Button>
        </>
      }
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
    </Callout>
  )
}

/** The sentence above a conflict. */
export function whoChanged(by: { name: string; is_you: boolean } | null): string {
  if (by?.is_you) return 'You changed this in another window meanwhile'
  return by ? `${by.name} changed this meanwhile` : 'This was changed meanwhile'
}

/** A value as it stands; null for what has to be looked at in the form. */
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
