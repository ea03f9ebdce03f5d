import { type ReactNode, useState } from 'react'
import { Button } from '@/components/ui/button'
import { ApiProblem, api } from '@/lib/client/api'
import type { RejectedFileList } from '@/lib/domain/upload-links/schema'

/** Asks for what helps to fix those behind `cursor`. */
export function MoreRejected({
  token,
  cursor,
  onMore,
  children,
}: {
  token: string
  cursor: string
  onMore: (more: RejectedFileList) => void
  children: ReactNode
}) {
  const [isAsking, setAsking] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const ask = async () => {
    setAsking(true)
    setProblem(null)
    try {
      onMore(await api('GET /api/public/upload-links/{token}/rejected-files', { params: { token }, query: { cursor } }))
    } catch (error) {
      setProblem(error instanceof ApiProblem ? error.detail : 'The next files could not be shown. Try again.')
    }
    setAsking(false)
  }
  return (
    <div className="mt-3">
      <Button variant="secondary" loading={isAsking} onClick={ask}>
        {children}
      </Button>
      <p role="alert" className="mt-2 text-sm text-fail-ink wrap-anywhere empty:hidden">
        {problem}
      </p>
    </div>
  )
}
