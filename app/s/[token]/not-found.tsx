import { PublicFrame, PublicTitle } from '@/components/layout/public-frame'

export default function NoSuchScorecard() {
  return (
    <PublicFrame>
      <PublicTitle title="There is no scorecard at this address">
        Check that you copied the whole address. If it still does not open, ask its sender for a new one.
      </PublicTitle>
    </PublicFrame>
  )
}
