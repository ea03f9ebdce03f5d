import { ClientFrame } from '@/components/estimate-client/frame'
import { PublicTitle } from '@/components/layout/public-frame'

export default function NoSuchEstimate() {
  return (
    <ClientFrame>
      <PublicTitle title="There is no estimate at this address">
        Check that you copied the whole address. If it worked before, it was withdrawn: ask its sender.
      </PublicTitle>
    </ClientFrame>
  )
}
