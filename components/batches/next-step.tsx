'use client'

import { CircleCheck, Download, FilePlus2, Hourglass, Link2, PackageCheck, ScanEye, Send, UserPlus } from 'lucide-react'
import dynamic from 'next/dynamic'
import { type ReactNode, useState } from 'react'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { CopyTextButton } from '@/components/ui/copy-text-button'
import { AnchorButton, LinkButton } from '@/components/ui/link-button'
import { apiRequest } from '@/lib/client/api'
import { reviewScope } from '@/lib/client/review-scope'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { NextStep } from '@/lib/domain/batches/next-step'
import type { Batch } from '@/lib/domain/batches/schema'
import { formatCount } from '@/lib/format'
import type { BatchPowers } from './batch-actions'
import { CertificateButton } from './certificate-button'
import { EditBatch } from './edit-batch'
import type { Edited } from './edit-batch-dialog'
import { reminderOf, resupplyRequestOf } from './letters'
import { type Missing, submitLabel, useSubmitBatch } from './submit-batch'
import { TurnWords } from './turn'

const NewLinkDialog = dynamic(
  () => import('@/components/upload-links/link-dialog').then((module) => module.NewLinkDialog),
  { loading: () => null },
)

type Props = Edited & {
  step: NextStep
  projectName: string
  powers: BatchPowers
  mayManageLinks: boolean
  /** How many lines the manifest has. */
  expected: number
  missing: Missing
  /** An upload link that takes files. */
  link: { url: string; isUsed: boolean } | null
  /** Where the newest delivery of this round went, once all of it has arrived. */
  delivered: string | null
}

/** What comes next with the batch, whom it waits for, and the one button that does it. */
export function NextStepBar(props: Props) {
  const { step, powers, mayManageLinks, missing, expected, link, projectName, delivered, ...edited } = props
  const { batch } = edited
  const [dialog, setDialog] = useState<'link' | 'edit' | null>(null)
  const submission = useSubmitBatch(batch, missing)
  const complete = useApiMutation({
    request: () =>
      apiRequest('POST /api/projects/{project_id}/batches/{batch_id}/complete-review', {
        params: { project_id: batch.project_id, batch_id: batch.id },
      }),
    scope: reviewScope(batch.id),
    success:
      batch.counts.rejected > 0
        ? 'Review complete: the agency is asked for a resupply'
        : 'Review complete: the batch is approved',
  })
  const { title, detail } = wordsOf(props)
  const about = link && { batch, projectName, url: link.url }
  const room = `/projects/${batch.project_id}/batches/${batch.id}/review`

  const buttons: Record<NextStep, ReactNode> = {
    create_link: mayManageLinks && (
      <Button variant="primary" onClick={() => setDialog('link')}>
        <Link2 />
        Create upload link
      </Button>
    ),
    await_files:
      about && mayManageLinks && batch.counts.files > 0 && expected > 0 ? (
        <CopyTextButton
          size="md"
          variant="primary"
          label="Copy reminder"
          text={() => reminderOf(about, expected, missing)}
        />
      ) : (
        about &&
        mayManageLinks && <CopyTextButton size="md" variant="primary" label="Copy upload link" text={about.url} />
      ),
    assign_operator: powers.mayUpdate && (
      <Button variant="primary" onClick={() => setDialog('edit')}>
        <UserPlus />
        Assign an operator
      </Button>
    ),
    submit: powers.maySubmit && <SubmitButton batch={batch} submission={submission} />,
    submit_again: powers.maySubmit && <SubmitButton batch={batch} submission={submission} />,
    review: (
      <LinkButton href={room} variant={powers.mayReview ? 'primary' : 'secondary'}>
        <ScanEye />
        {powers.mayReview ? 'Review' : 'Review closely'}
      </LinkButton>
    ),
    complete_review: powers.mayReview && (
      <Button variant="primary" loading={complete.isPending} onClick={() => complete.mutate()}>
        Complete review
      </Button>
    ),
    await_new_versions: about && mayManageLinks && (
      <CopyTextButton size="md" variant="primary" label="Copy request" text={() => resupplyRequestOf(about)} />
    ),
    deliver: (
      <>
        {powers.mayCertify && <CertificateButton batch={batch} />}
        <AnchorButton
          href={`/api/projects/${batch.project_id}/batches/${batch.id}/archive`}
          variant={powers.mayDeliver ? 'secondary' : 'primary'}
          download
        >
          <Download />
          Download all
        </AnchorButton>
        {powers.mayDeliver && (
          <LinkButton href={`/projects/${batch.project_id}/batches/${batch.id}/deliveries`} variant="primary">
            <PackageCheck />
            {delivered ? 'Deliveries' : 'Deliver'}
          </LinkButton>
        )}
      </>
    ),
  }
  const Icon = ICONS[step]

  return (
    <section
      aria-label="Next step"
      className={cn(
        'flex flex-wrap items-center gap-x-4 gap-y-3 rounded-xl border px-4 py-3 shadow-xs',
        step === 'deliver' ? 'border-pass-line bg-pass-soft' : 'border-line bg-surface',
      )}
    >
      <span
        className={cn(
          'grid size-9 shrink-0 place-items-center rounded-full [&_svg]:size-4.5',
          step === 'deliver'
            ? 'text-pass-ink'
            : WAITS.includes(step)
              ? 'bg-sunken text-ink-muted'
              : 'bg-accent-soft text-accent-ink',
        )}
      >
        <Icon aria-hidden="true" />
      </span>
      <div className="min-w-0 flex-1 basis-64">
        <h2 className="text-base font-semibold wrap-anywhere">{title}</h2>
        <p className="text-sm text-ink-muted wrap-anywhere">{detail}</p>
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <TurnWords turn={batch.turn} due={batch.due} />
        {buttons[step]}
      </div>
      {submission.dialog}
      {/* Always here: what it shows of the new link must outlive the step that led to it. */}
      {mayManageLinks && (
        <NewLinkDialog
          batchId={batch.id}
          open={dialog === 'link'}
          onOpenChange={(isOpen) => setDialog(isOpen ? 'link' : null)}
        />
      )}
      {powers.mayUpdate && (
        <EditBatch {...edited} open={dialog === 'edit'} onOpenChange={(isOpen) => setDialog(isOpen ? 'edit' : null)} />
      )}
    </section>
  )
}

function SubmitButton({ batch, submission }: { batch: Batch; submission: ReturnType<typeof useSubmitBatch> }) {
  return (
    <Button variant="primary" loading={submission.isPending} onClick={submission.submit}>
      <Send />
      {submitLabel(batch)}
    </Button>
  )
}

/** Steps that another person has to take. */
const WAITS: readonly NextStep[] = ['await_files', 'await_new_versions']

const ICONS: Record<NextStep, typeof Send> = {
  create_link: Link2,
  await_files: Hourglass,
  assign_operator: UserPlus,
  submit: Send,
  review: ScanEye,
  complete_review: CircleCheck,
  await_new_versions: FilePlus2,
  submit_again: Send,
  deliver: CircleCheck,
}

/** What comes next, in words. */
function wordsOf({ step, batch, expected, missing, link, mayManageLinks, powers, delivered }: Props): {
  title: string
  detail: string
} {
  const { files, pending, approved, rejected } = batch.counts
  const operator = batch.operator?.name ?? 'The operator'
  const arrived = expected > 0 ? `${expected - missing.count} of ${formatCount(expected, 'file')}` : null
  const coordinator = batch.coordinator?.name ?? 'the coordinator'
  switch (step) {
    case 'create_link':
      return {
        title:
          batch.status === 'awaiting_resupply'
            ? `${formatCount(rejected, 'new version')} to come, and no link to send ${rejected === 1 ? 'it' : 'them'} by`
            : files > 0 && arrived
              ? `${arrived} arrived, and no link for the rest`
              : 'Send the agency an upload link',
        detail: mayManageLinks
          ? 'The agency uploads by it without an account. You can also add the files here yourself.'
          : `Waiting for ${coordinator}, who can create one. Files can also be added here.`,
      }
    case 'await_files':
      if (files > 0 && arrived) return { title: `${arrived} arrived`, detail: `Not here yet: ${namesOf(missing)}.` }
      return link && !link.isUsed
        ? {
            title: 'Waiting for the first file',
            detail: 'The upload link was not opened yet. Make sure that the agency has it.',
          }
        : { title: 'Waiting for the first file', detail: 'The upload link takes files now.' }
    case 'assign_operator':
      return {
        title: 'Assign an operator',
        detail: powers.mayUpdate
          ? 'The files are here; an operator has to review them.'
          : `The files are here. Waiting for ${coordinator}, who can say who reviews them.`,
      }
    case 'submit':
      return {
        title: expected > 0 ? `All ${formatCount(expected, 'file')} arrived` : `${formatCount(files, 'file')} arrived`,
        detail:
          expected > 0
            ? `Submitting runs the checks and notifies ${operator}.`
            : `Submit when none is missing: the checks run, and ${operator} is notified.`,
      }
    case 'review': {
      const checking =
        batch.pre_qc.status === 'queued' || batch.pre_qc.status === 'running' ? ' The checks are still running.' : ''
      return {
        title:
          pending === files
            ? `${formatCount(files, 'file')} to review`
            : `${pending} of ${formatCount(files, 'file')} to review`,
        detail: `${operator} reviews round ${batch.round}.${checking}`,
      }
    }
    case 'complete_review':
      return {
        title: files === 0 ? 'No file is left to review' : 'Every file is decided',
        detail:
          rejected > 0
            ? `${approved} approved, ${rejected} rejected: the agency is asked for ${formatCount(rejected, 'new version')}.`
            : `${approved} approved: completing approves the batch.`,
      }
    case 'await_new_versions':
      return {
        title:
          pending > 0
            ? `${pending} of ${formatCount(pending + rejected, 'new version')} arrived`
            : `${formatCount(rejected, 'file')} rejected: ask for ${rejected === 1 ? 'a new version' : 'new versions'}`,
        detail: 'The upload link shows the agency what to send again, and why.',
      }
    case 'submit_again':
      return {
        title: 'All new versions have arrived',
        detail: `Submitting begins round ${batch.round + 1} and notifies ${operator}.`,
      }
    case 'deliver':
      if (delivered)
        return {
          title: `Delivered to “${delivered}”`,
          detail: `${formatCount(approved, 'file')} approved in round ${batch.round}. The receipt says where each is, and how it was verified.`,
        }
      return {
        title: 'Approved',
        detail: `${formatCount(approved, 'file')} approved in round ${batch.round}. The ZIP holds them with their SHA-256, and the certificate once it was issued.`,
      }
  }
}

/** `a.jpg, b.png and 3 more`. */
function namesOf({ count, names }: Missing): string {
  const shown = names.slice(0, 3)
  return count > shown.length ? `${shown.join(', ')} and ${count - shown.length} more` : shown.join(', ')
}
