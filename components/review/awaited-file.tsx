import { Callout } from '@/components/ui/callout'
import { Loading, Skeleton } from '@/components/ui/skeleton'
import { ApiProblem } from '@/lib/client/api'

/** In place of a file: it is on its way, or why it cannot be shown. */
export function AwaitedFile({ error }: { error: Error | null }) {
  if (error) {
    return (
      <Callout tone="fail" title="The file cannot be shown" className="m-4 self-start">
        {error instanceof ApiProblem && error.status === 404
          ? 'It is no longer in this batch. Choose another.'
          : 'Greenroom did not respond. Choose the file again.'}
      </Callout>
    )
  }
  return (
    <Loading label="the file" className="flex flex-1 flex-col gap-3 p-3">
      <Skeleton className="w-1/3" />
      <Skeleton className="h-auto flex-1" />
    </Loading>
  )
}
