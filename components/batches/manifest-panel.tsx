'use client'

import { ClipboardList } from 'lucide-react'
import { useState } from 'react'
import { EditConflictNotice } from '@/components/forms/edit-conflict'
import { StatusText, type Tone } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/callout'
import { Dialog, DialogBody, DialogClose, DialogFooter } from '@/components/ui/dialog'
import { EmptyState } from '@/components/ui/empty-state'
import { Field } from '@/components/ui/field'
import { Textarea } from '@/components/ui/textarea'
import { type ApiProblem, apiRequest } from '@/lib/client/api'
import { useEditForm } from '@/lib/client/use-edit-form'
import type { Batch, Manifest } from '@/lib/domain/batches/schema'
import { formatCount } from '@/lib/format'
import { parseManifest } from './manifest-lines'

const STATES: Record<Manifest['files'][number]['status'], { tone: Tone; word: string }> = {
  received: { tone: 'pass', word: 'Received' },
  missing: { tone: 'warn', word: 'Missing' },
  rejected: { tone: 'fail', word: 'Rejected' },
}

/** What the delivery is meant to hold, against what came. */
export function ManifestPanel({
  batch,
  manifest,
  etag,
  mayUpdate,
}: {
  batch: Batch
  manifest: Manifest
  etag: string
  mayUpdate: boolean
}) {
  const { counts } = manifest
  return (
    <div className="flex flex-col gap-3">
      {/* In one place with and without a manifest: the dialog must outlive what another user does to it. */}
      <div className="flex items-center justify-between gap-3 empty:hidden">
        {counts.expected > 0 && (
          <p className="text-sm text-ink-muted tabular-nums">
            {counts.received} of {counts.expected} received, {counts.missing} missing, {counts.unexpected} unexpected
          </p>
        )}
        {mayUpdate && (
          <span className="ml-auto">
            <ManifestDialog batch={batch} manifest={manifest} etag={etag} />
          </span>
        )}
      </div>
      {counts.expected === 0 ? (
        <EmptyState icon={<ClipboardList />} title="No delivery manifest">
          List the files you expect, and the upload page shows what is still missing and refuses files that are not on
          it.
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line rounded-xl border border-line bg-surface">
          {manifest.files.map((file) => (
            <li key={file.name} className="flex items-center gap-3 px-4 py-2 text-sm">
              <span className="min-w-0 flex-1">
                <span className="block wrap-anywhere">{file.name}</span>
                {file.note && <span className="block text-xs text-ink-subtle">{file.note}</span>}
              </span>
              <StatusText tone={STATES[file.status].tone}>{STATES[file.status].word}</StatusText>
            </li>
          ))}
          {manifest.unexpected.map((file) => (
            <li key={file.name} className="flex items-center gap-3 px-4 py-2 text-sm">
              <span className="min-w-0 flex-1 wrap-anywhere">{file.name}</span>
              <StatusText tone="info">Unexpected</StatusText>
            </li>
          ))}
        </ul>
      )}
    </div>
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

function ManifestDialog({ batch, manifest, etag }: { batch: Batch; manifest: Manifest; etag: string }) {
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
          {manifest.counts.expected > 0 ? 'Edit manifest' : 'Add a manifest'}
        </Button>
      }
    >
      <ManifestForm batch={batch} manifest={manifest} etag={etag} close={() => setOpen(false)} />
    </Dialog>
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
        params: { project_id: batch.project_id, batch_id: batch.id },
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
