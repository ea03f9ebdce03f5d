import { PublicFrame, PublicTitle } from '@/components/layout/public-frame'

export default function NoSuchLink() {
  return (
    <PublicFrame>
      <PublicTitle title="There is no such share link">
        Check that you copied the whole address. If it still does not open, ask its sender for a new one.
      </PublicTitle>
    </PublicFrame>
  )
}
