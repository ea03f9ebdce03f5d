'use client'

import { ScreenError } from '@/components/layout/screen-error'

export default function RoomError(props: { error: Error & { digest?: string }; reset: () => void }) {
  return <ScreenError {...props} />
}
