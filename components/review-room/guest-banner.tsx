'use client'

import { useQuery } from '@tanstack/react-query'
import { AdFrame } from '@/components/media/ad-frame'
import { api } from '@/lib/client/api'
import { ownPath } from '@/lib/client/own-path'
import type { RoomFile } from '@/lib/domain/review-links/schema'
import { Watermark } from './guest-overlay'

/** An HTML5 ad, with the viewer's name over it. */
export function GuestBanner({ token, file, watermark }: { token: string; file: RoomFile; watermark: string | null }) {
  const { data, error } = useQuery({
    queryKey: ['room-banner', file.id],
    queryFn: () =>
      api('GET /api/public/review-links/{token}/files/{file_id}/banner', { params: { token, file_id: file.id } }),
    staleTime: 3_600_000,
    retry: false,
  })
  if (!data)
    return (
      <p className="bg-media py-10 text-center text-sm text-ink-muted">
        {error ? 'The ad cannot be run here.' : 'Opening the ad'}
      </p>
    )
  return (
    <AdFrame
      id={file.id}
      name={file.name}
      ad={{ url: ownPath(data.url), width: data.width ?? 300, height: data.height ?? 250 }}
      over={<Watermark text={watermark} />}
    />
  )
}
