import { PublicFrame } from '@/components/layout/public-frame'
import { Loading, Skeleton } from '@/components/ui/skeleton'

export default function LoadingLink() {
  return (
    <PublicFrame>
      <Loading label="upload link" className="flex flex-col gap-8">
        <Skeleton className="h-9 w-2/3" />
        <Skeleton className="h-24 w-full" />
        <Skeleton className="h-52 w-full" />
      </Loading>
    </PublicFrame>
  )
}
