'use client'

import { useQuery } from '@tanstack/react-query'
import { MoveRight, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { Badge, StatusText } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/callout'
import { RelativeTime } from '@/components/ui/relative-time'
import { Skeleton } from '@/components/ui/skeleton'
import { api, apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { Attempt, AttemptComparison, PreQcResult } from '@/lib/domain/pre-qc/schema'
import { formatCount } from '@/lib/format'
import { LABELS } from '@/lib/vocabulary'
import { CHECK_TONES, ResultBadge } from './result-badge'

/** Every run of the checks of a file: by which version of the profile, with what verdict, and what it says differently. */
export function Attempts({
  result,
  projectId,
  mayRerun,
}: {
  result: PreQcResult
  projectId: string
  mayRerun: boolean
}) {
  const params = { project_id: projectId, batch_id: result.batch_id, file_id: result.file_id }
  const { data, error } = useQuery({
    queryKey: ['attempts', result.file_id, result.id, result.status, result.summary],
    queryFn: () => api('GET /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/attempts', { params }),
    enabled: result.attempt > 1,
  })
  if (result.attempt === 1) return null
  return (
    <section>
      <h3 className="mb-2 text-base font-semibold">Attempts</h3>
      {error ? (
        <Callout tone="fail">The attempts could not be loaded: {error.message}</Callout>
      ) : !data ? (
        <Skeleton className="h-20 w-full" />
      ) : (
        <ul className="divide-y divide-line border-y border-line">
          {data.attempts.map((attempt) => (
            <Row key={attempt.result_id} attempt={attempt} current={result} mayRerun={mayRerun} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Row({ attempt, current, mayRerun }: { attempt: Attempt; current: PreQcResult; mayRerun: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const isBusy = current.status === 'queued' || current.status === 'running'
  const rerun = useApiMutation({
    request: () =>
      apiRequest('POST /api/pre-qc/results/{result_id}/rerun', {
        params: { result_id: current.id },
        body: { profile_of: attempt.result_id },
      }),
    success: `Queued to be checked again, with version ${attempt.profile.version} of the profile`,
  })
  return (
    <li className="flex flex-col gap-2 py-2 text-sm">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium">Attempt {attempt.attempt}</span>
        {attempt.is_current && <Badge>Newest</Badge>}
        <ResultBadge quiet result={attempt} />
        <span className="w-full text-xs text-ink-subtle">
          Version {attempt.profile.version} of the profile
          {attempt.engine_version && `, engine ${attempt.engine_version}`}, {formatCount(attempt.findings, 'finding')},{' '}
          <RelativeTime value={attempt.completed_at ?? attempt.created_at} />
        </span>
      </div>
      {!attempt.is_current && (
        <div className="flex flex-wrap gap-1">
          <Button
            variant="ghost"
            size="sm"
            className="-ml-2"
            disabled={isBusy}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? 'Hide the difference' : 'Compare with the newest'}
          </Button>
          {mayRerun && (
            <Button
              variant="ghost"
              size="sm"
              disabled={isBusy}
              loading={rerun.isPending}
              onClick={() => rerun.mutate()}
            >
              <RotateCw />
              Run again with its profile
            </Button>
          )}
        </div>
      )}
      {isOpen && !isBusy && <Difference resultId={attempt.result_id} current={current} />}
    </li>
  )
}

function Difference({ resultId, current }: { resultId: string; current: PreQcResult }) {
  const { data, error } = useQuery({
    queryKey: ['attempts', 'difference', resultId, current.id, current.status, current.summary],
    queryFn: () =>
      api('GET /api/pre-qc/results/{result_id}/comparison', {
        params: { result_id: resultId },
        query: { with: current.id },
      }),
  })
  if (error) return <Callout tone="fail">The attempts could not be compared: {error.message}</Callout>
  if (!data) return <Skeleton className="h-10 w-full" />
  if (data.checks.length === 0) return <p className="text-ink-muted">Both say the same.</p>
  return (
    <ul className="flex flex-col gap-2">
      {data.checks.map(({ check_id, label, before, after }) => (
        <li key={check_id} className="flex flex-col gap-0.5 rounded-md bg-sunken px-3 py-2">
          <span className="flex flex-wrap items-center gap-2 font-medium">
            {label}
            <Said line={before} />
            <MoveRight aria-label="then" className="size-3.5 text-ink-subtle" />
            <Said line={after} />
          </span>
          {before && <span className="text-ink-muted wrap-anywhere">Before: {before.details}</span>}
          {after && <span className="text-ink-muted wrap-anywhere">Now: {after.details}</span>}
        </li>
      ))}
    </ul>
  )
}

function Said({ line }: { line: AttemptComparison['checks'][number]['before'] }) {
  if (!line) return <span className="font-normal text-ink-subtle">Did not run</span>
  return <StatusText tone={CHECK_TONES[line.status]}>{LABELS.checkStatus[line.status]}</StatusText>
}
