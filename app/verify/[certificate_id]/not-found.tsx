import { PublicFrame, PublicTitle } from '@/components/layout/public-frame'

export default function NoSuchCertificate() {
  return (
    <PublicFrame>
      <PublicTitle title="There is no certificate at this address">
        Check that you copied the whole address. A certificate that names it did not come from this service.
      </PublicTitle>
    </PublicFrame>
  )
}
