import { PublicFrame } from '@/components/layout/public-frame'
import { Loading, Skeleton } from '@/components/ui/skeleton'

export default function LoadingScorecard() {
  return (
    <PublicFrame>
      <Loading label="scorecard" className="flex flex-col gap-6">
        <Skeleton className="h-9 w-2/3" />
        <Skeleton className="h-28 w-full rounded-xl" />
        <Skeleton className="h-72 w-full rounded-xl" />
        <Skeleton className="h-52 w-full rounded-xl" />
      </Loading>
    </PublicFrame>
  )
}
