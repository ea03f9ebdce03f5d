'use client'

import { useQuery } from '@tanstack/react-query'
import { Thumbnail } from '@/components/files/thumbnail'
import { AdFrame } from '@/components/media/ad-frame'
import { Spinner } from '@/components/ui/spinner'
import { api } from '@/lib/client/api'
import { ownPath } from '@/lib/client/own-path'
import type { File } from '@/lib/domain/files/schema'
import type { Room } from './use-viewed-file'

/** An HTML5 ad, run where it can do nothing: a frame without an origin, that loads its own parts and nothing else. */
export function BannerStage({ file, batch }: { file: File; batch: Room['batch'] }) {
  const { data, error } = useQuery({
    queryKey: ['banner', file.id],
    queryFn: () =>
      api('GET /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/banner', {
        params: { ...batch, file_id: file.id },
      }),
    staleTime: 3_600_000,
    retry: false,
  })
  if (data)
    return (
      <AdFrame
        id={file.id}
        name={file.name}
        ad={{ url: ownPath(data.url), width: data.width ?? 640, height: data.height ?? 480 }}
      />
    )
  return (
    <div className="grid min-h-0 flex-1 place-items-center overflow-auto bg-media p-4">
      {error ? (
        <div className="flex max-w-sm flex-col items-center gap-3 text-center">
          <Thumbnail file={file} className="size-24" />
          <p className="text-sm text-ink-muted">
            This archive holds no HTML page to run. Its files are listed among the findings, and it can be downloaded.
          </p>
        </div>
      ) : (
        <p className="flex items-center gap-2 text-sm text-ink-muted">
          <Spinner /> Opening the ad
        </p>
      )}
    </div>
  )
}
