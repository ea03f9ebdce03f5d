import { ClientFrame } from '@/components/estimate-client/frame'
import { Loading, Skeleton } from '@/components/ui/skeleton'

export default function LoadingEstimate() {
  return (
    <ClientFrame>
      <Loading label="estimate" className="flex flex-col gap-8">
        <div className="flex justify-between">
          <Skeleton className="h-12 w-44" />
          <Skeleton className="h-12 w-32" />
        </div>
        <Skeleton className="mt-4 h-10 w-3/4" />
        <Skeleton className="h-20 w-full" />
        <Skeleton className="h-64 w-full" />
        <Skeleton className="ml-auto h-24 w-72" />
      </Loading>
    </ClientFrame>
  )
}
