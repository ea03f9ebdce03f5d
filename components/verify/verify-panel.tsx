'use client'

import { CircleCheck, CircleHelp } from 'lucide-react'
import { useRef, useState } from 'react'
import { Callout } from '@/components/ui/callout'
import { type DroppedFile, FileDrop } from '@/components/ui/file-drop'
import { LinkButton } from '@/components/ui/link-button'
import { DateTime } from '@/components/ui/relative-time'
import { Spinner } from '@/components/ui/spinner'
import { ApiProblem, api } from '@/lib/client/api'
import { hashFile } from '@/lib/client/hash-file'
import type { FileVerification } from '@/lib/domain/certificates/schema'
import { formatBytes } from '@/lib/format'

type Asked = {
  id: number
  name: string
  size: number
  /** Whole percent of the file that is hashed. */
  percent: number
  sha256?: string
  verdict?: FileVerification
  problem?: string
}

/** Hashes dropped files here and asks about the hashes: no byte of a file leaves the browser. */
export function VerifyPanel() {
  const [asked, setAsked] = useState<Asked[]>([])
  const count = useRef(0)

  async function ask(dropped: readonly DroppedFile[]) {
    for (const { file } of dropped.slice(0, 50)) {
      count.current += 1
      const id = count.current
      const update = (news: Partial<Asked>) =>
        setAsked((all) => all.map((one) => (one.id === id ? { ...one, ...news } : one)))
      setAsked((all) => [{ id, name: file.name, size: file.size, percent: 0 }, ...all])
      try {
        let shownPercent = 0
        const sha256 = await hashFile(file, (share) => {
          const percent = Math.floor(share * 100)
          if (percent > shownPercent) update({ percent })
          shownPercent = percent
        })
        update({ sha256 })
        update({ verdict: await api('POST /api/public/verify', { body: { sha256 } }) })
      } catch (error) {
        update({ problem: sentenceOf(error) })
      }
    }
  }

  return (
    <div className="flex flex-col gap-6">
      <FileDrop
        onFiles={ask}
        title="Drop files here"
        hint="Your browser computes a fingerprint of each file. Only the fingerprint is sent, never the file."
      />
      <ul className="flex flex-col gap-4" aria-live="polite">
        {asked.map((one) => (
          <li key={one.id} className="flex flex-col gap-2 rounded-xl border border-line bg-surface p-4">
            <p className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm">
              <span className="font-medium text-ink wrap-anywhere">{one.name}</span>
              <span className="text-ink-subtle">{formatBytes(one.size)}</span>
            </p>
            <VerificationResult {...one} />
            {one.sha256 && <code className="text-xs break-all text-ink-subtle">{one.sha256}</code>}
          </li>
        ))}
      </ul>
    </div>
  )
}

function VerificationResult({ verdict, problem, percent }: Asked) {
  if (problem) return <Callout tone="fail">{problem}</Callout>
  if (!verdict)
    return (
      <p className="flex items-center gap-2 text-sm text-ink-muted">
        <Spinner />{' '}
        {percent < 100 ? (
          <>
            Reading it <span aria-hidden="true">{percent} %</span>
          </>
        ) : (
          'Checking it'
        )}
      </p>
    )
  if (!verdict.known)
    return (
      <p className="flex items-start gap-2 text-sm text-ink">
        <CircleHelp aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-ink-subtle" />
        Unknown. These bytes were not approved here; a file that was opened and saved again is another file.
      </p>
    )
  return (
    <ul className="flex flex-col gap-1.5">
      {verdict.approvals.map(({ batch, approved_at, certificate_id }) => (
        <li key={`${batch} ${approved_at}`} className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink">
          <span className="flex items-start gap-2">
            <CircleCheck aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-pass" />
            <span>
              Approved in <strong className="font-medium">{batch}</strong>, <DateTime value={approved_at} />
            </span>
          </span>
          {certificate_id && (
            <LinkButton href={`/verify/${certificate_id}`} size="sm">
              Certificate
            </LinkButton>
          )}
        </li>
      ))}
    </ul>
  )
}

function sentenceOf(error: unknown): string {
  if (error instanceof ApiProblem) return error.detail
  return 'This file could not be read. Choose it again.'
}
