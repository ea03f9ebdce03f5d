import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/callout'
import { Loading, Skeleton } from '@/components/ui/skeleton'
import { ApiProblem } from '@/lib/client/api'

/** In place of a file: it is on its way, or why it cannot be shown. */
export function AwaitedFile({ error, retry }: { error: Error | null; retry: () => void }) {
  if (error) {
    const isGone = error instanceof ApiProblem && error.status === 404
    return (
      <Callout
        tone="fail"
        title="The file cannot be shown"
        className="m-4 self-start"
        actions={
          !isGone && (
            <Button size="sm" onClick={retry}>
              Try again
            </Button>
          )
        }
      >
        {isGone ? 'It is no longer in this batch. Choose another.' : 'Greenroom did not respond.'}
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
