'use client'

import { ClipboardList } from 'lucide-react'
import { useState } from 'react'
import { StatusText, type Tone } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/callout'
import { Dialog, DialogBody, DialogClose, DialogFooter } from '@/components/ui/dialog'
import { EmptyState } from '@/components/ui/empty-state'
import { Field } from '@/components/ui/field'
import { Textarea } from '@/components/ui/textarea'
import type { ApiProblem } from '@/lib/client/api'
import { formatCount } from '@/lib/client/format'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { Batch, Manifest } from '@/lib/domain/batches/schema'
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
  mayUpdate,
}: {
  batch: Batch
  manifest: Manifest
  mayUpdate: boolean
}) {
  const { counts } = manifest
  if (counts.expected === 0) {
    return (
      <EmptyState
        icon={<ClipboardList />}
        title="No delivery manifest"
        action={mayUpdate && <ManifestDialog batch={batch} manifest={manifest} />}
      >
        List the files you expect, and the upload page shows what is still missing and refuses what nobody asked for.
      </EmptyState>
    )
  }
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center justify-between gap-3">
        <p className="text-sm text-ink-muted tabular-nums">
          {counts.received} of {counts.expected} received, {counts.missing} missing, {counts.unexpected} unexpected
        </p>
        {mayUpdate && <ManifestDialog batch={batch} manifest={manifest} />}
      </div>
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

function ManifestDialog({ batch, manifest }: { batch: Batch; manifest: Manifest }) {
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState(
    manifest.files.map(({ name, note }) => (note ? `${name}\t${note}` : name)).join('\n'),
  )
  const files = parseManifest(text)
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const save = useApiMutation({
    request: () => ({
      path: `/api/projects/${batch.project_id}/batches/${batch.id}/manifest` as const,
      method: 'PUT' as const,
      body: { files },
    }),
    success: files.length > 0 ? `${formatCount(files.length, 'file')} expected` : 'Manifest removed',
    onSuccess: () => setOpen(false),
    // Beside the lines it is about, and gone with the next attempt.
    onProblem: setProblem,
  })
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
      <form
        className="contents"
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          setProblem(null)
          save.mutate(undefined)
        }}
      >
        <DialogBody className="flex flex-col gap-4">
          {problem && <ManifestProblem problem={problem} />}
          <Field label="Expected files" name="files" hint={`${files.length} ${files.length === 1 ? 'file' : 'files'}`}>
            <Textarea
              value={text}
              onChange={(event) => setText(event.target.value)}
              rows={12}
              spellCheck={false}
              className="font-mono"
            />
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
    </Dialog>
  )
}
