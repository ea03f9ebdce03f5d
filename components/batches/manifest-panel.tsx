'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { EditConflictNotice } from '@/components/forms/edit-conflict'
import { StatusText, type Tone } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/callout'
import { Dialog, DialogBody, DialogClose, DialogFooter } from '@/components/ui/dialog'
import { Field } from '@/components/ui/field'
import { Section } from '@/components/ui/page-header'
import { Skeleton } from '@/components/ui/skeleton'
import { Textarea } from '@/components/ui/textarea'
import { type ApiProblem, api, apiRequest } from '@/lib/client/api'
import { readVersion, useEditForm } from '@/lib/client/use-edit-form'
import type { Batch, Manifest, ManifestInShort } from '@/lib/domain/batches/schema'
import { formatCount } from '@/lib/format'
import { parseManifest } from './manifest-lines'

type Line = { name: string; note: string | null; status: Manifest['files'][number]['status'] | 'unexpected' }

const STATES: Record<Line['status'], { tone: Tone; word: string }> = {
  received: { tone: 'pass', word: 'Received' },
  missing: { tone: 'warn', word: 'Missing' },
  rejected: { tone: 'fail', word: 'Rejected' },
  unexpected: { tone: 'info', word: 'Unexpected' },
}

/** So many are added at a time. */
const MORE_LINES = 200

const asUnexpected = (files: readonly { name: string }[]): Line[] =>
  files.map(({ name }) => ({ name, note: null, status: 'unexpected' }))
const paramsOf = (batch: Batch) => ({ project_id: batch.project_id, batch_id: batch.id })

/** What the delivery is meant to hold, against what came. */
export function ManifestPanel({
  batch,
  manifest,
  mayUpdate,
}: {
  batch: Batch
  manifest: ManifestInShort
  mayUpdate: boolean
}) {
  const { counts } = manifest
  const [most, setMost] = useState(0)
  const { data: whole, isError } = useQuery({
    // Another version of what is shown here is another list.
    queryKey: ['manifest', batch.id, manifest],
    queryFn: () => api('GET /api/projects/{project_id}/batches/{batch_id}/manifest', { params: paramsOf(batch) }),
    enabled: most > 0,
    placeholderData: keepPreviousData,
  })
  const lines = [...(whole?.files ?? manifest.lines), ...asUnexpected(whole?.unexpected ?? manifest.unexpected)]
  const shown = whole ? lines.slice(0, most) : lines
  const left = counts.expected + counts.unexpected - shown.length
  return (
    <Section title="Manifest" actions={mayUpdate && <ManifestDialog batch={batch} hasLines={counts.expected > 0} />}>
      {counts.expected > 0 && (
        <p className="text-sm text-ink-muted tabular-nums">
          {counts.received} of {counts.expected} received, {counts.missing} missing, {counts.unexpected} unexpected
        </p>
      )}
      {counts.expected === 0 ? (
        <p className="text-sm text-ink-muted">
          None. List the files you expect, and the upload page shows what is still missing and refuses files that are
          not on it.
        </p>
      ) : (
        <ul className="divide-y divide-line rounded-xl border border-line bg-surface">
          {shown.map((file) => (
            <li key={file.name} className="flex items-center gap-3 px-4 py-2 text-sm">
              <span className="min-w-0 flex-1">
                <span className="block wrap-anywhere">{file.name}</span>
                {file.note && <span className="block text-xs text-ink-subtle">{file.note}</span>}
              </span>
              <StatusText tone={STATES[file.status].tone}>{STATES[file.status].word}</StatusText>
            </li>
          ))}
          {left > 0 && (
            <li className="flex flex-col items-start gap-1 px-4 py-2">
              <Button size="sm" variant="ghost" onClick={() => setMost(shown.length + MORE_LINES)}>
                Show more ({left})
              </Button>
              {isError && most > 0 && (
                <span className="text-sm text-fail-ink">They could not be loaded. Try again.</span>
              )}
            </li>
          )}
        </ul>
      )}
    </Section>
  )
}

const MOST_SHOWN = 8

function ManifestProblem({ problem }: { problem: ApiProblem }) {
  const errors = problem.errors.map(({ message }) => message)
  return (
    <Callout tone="fail" title={errors.length > 1 ? `${errors.length} lines cannot stay as they are` : undefined}>
      {errors.length === 0 ? (
        problem.detail
      ) : (
        <ul className="flex flex-col gap-1">
          {errors.slice(0, MOST_SHOWN).map((message) => (
            <li key={message} className="wrap-anywhere">
              {message}
            </li>
          ))}
          {errors.length > MOST_SHOWN && <li>And {errors.length - MOST_SHOWN} more.</li>}
        </ul>
      )}
    </Callout>
  )
}

const textOf = (manifest: Manifest) => ({
  files: manifest.files.map(({ name, note }) => (note ? `${name}\t${note}` : name)).join('\n'),
})

function ManifestDialog({ batch, hasLines }: { batch: Batch; hasLines: boolean }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Dialog
      open={isOpen}
      onOpenChange={setOpen}
      size="lg"
      title="Delivery manifest"
      description="One file name a line, with a note after a tab, comma or semicolon. Paste it from a spreadsheet."
      trigger={
        <Button variant="secondary" size="sm">
          {hasLines ? 'Edit manifest' : 'Add a manifest'}
        </Button>
      }
    >
      <LoadedForm batch={batch} close={() => setOpen(false)} />
    </Dialog>
  )
}

/** The form with the manifest as it is when it opens, which may be long. */
function LoadedForm({ batch, close }: { batch: Batch; close: () => void }) {
  const { data, isError, refetch } = useQuery({
    queryKey: ['manifest to edit', batch.id],
    queryFn: () =>
      readVersion(
        apiRequest('GET /api/projects/{project_id}/batches/{batch_id}/manifest', { params: paramsOf(batch) }),
      ),
    // What was read when it was open before is not what is there now.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
  if (data) return <ManifestForm batch={batch} manifest={data.body} etag={data.etag} close={close} />
  return (
    <DialogBody>
      {isError ? (
        <Callout
          tone="fail"
          actions={
            <Button size="sm" onClick={() => void refetch()}>
              Try again
            </Button>
          }
        >
          The manifest could not be loaded.
        </Callout>
      ) : (
        <Skeleton className="h-64 w-full" />
      )}
    </DialogBody>
  )
}

function ManifestForm({
  batch,
  manifest,
  etag,
  close,
}: {
  batch: Batch
  manifest: Manifest
  etag: string
  close: () => void
}) {
  const { form, save, submit, conflict } = useEditForm({
    edited: {
      resource: manifest,
      etag,
      valuesOf: textOf,
      fields: {
        files: { label: 'Expected files', show: (text) => formatCount(parseManifest(text).length, 'file') },
      },
    },
    request: ({ files }: { files: string }) =>
      apiRequest('PUT /api/projects/{project_id}/batches/{batch_id}/manifest', {
        params: paramsOf(batch),
        body: { files: parseManifest(files) },
      }),
    success: ({ counts }) =>
      counts.expected > 0 ? `${formatCount(counts.expected, 'file')} expected` : 'Manifest removed',
    onSuccess: close,
  })
  const count = parseManifest(form.watch('files')).length
  return (
    <form className="contents" onSubmit={submit}>
      <DialogBody className="flex flex-col gap-4">
        {conflict && <EditConflictNotice conflict={conflict} />}
        {/* Beside the lines it is about, and gone with the next attempt. */}
        {save.problem && <ManifestProblem problem={save.problem} />}
        <Field label="Expected files" name="files" hint={formatCount(count, 'file')}>
          <Textarea {...form.register('files')} rows={12} spellCheck={false} className="font-mono" />
        </Field>
      </DialogBody>
      <DialogFooter>
        <DialogClose>
          <Button variant="ghost">Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" loading={save.isPending}>
          Save manifest
        </Button>
      </DialogFooter>
    </form>
  )
}
