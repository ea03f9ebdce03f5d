'use client'

import { useQuery } from '@tanstack/react-query'
import { RotateCw, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { ownPath, Thumbnail } from '@/components/files/thumbnail'
import { Button } from '@/components/ui/button'
import { Spinner } from '@/components/ui/spinner'
import { api } from '@/lib/client/api'
import type { File } from '@/lib/domain/files/schema'
import type { Room } from './use-viewed-file'

/** An HTML5 ad, run where it can do nothing: a frame without an origin, that loads its own parts and nothing else. */
export function BannerStage({ file, batch }: { file: File; batch: Room['batch'] }) {
  const [runs, setRuns] = useState(0)
  const { data, error } = useQuery({
    queryKey: ['banner', file.id],
    queryFn: () =>
      api('GET /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/banner', {
        params: { ...batch, file_id: file.id },
      }),
    staleTime: 3_600_000,
    retry: false,
  })
  return (
    <>
      <div className="flex min-h-11 flex-wrap items-center gap-3 border-b border-line bg-surface print:hidden px-3 py-1 text-xs text-ink-muted">
        <span className="inline-flex items-center gap-1.5">
          <ShieldCheck aria-hidden="true" className="size-4 text-pass-ink" />
          Runs sandboxed: its own parts only, no other addresses, no windows
        </span>
        {data?.width && data.height && (
          <span className="tabular-nums">
            {data.width} × {data.height} px
          </span>
        )}
        {data && (
          <Button size="sm" variant="ghost" className="ml-auto" onClick={() => setRuns(runs + 1)}>
            <RotateCw />
            Play again
          </Button>
        )}
      </div>
      <div className="grid min-h-0 flex-1 place-items-center overflow-auto bg-media p-4">
        {data ? (
          <iframe
            key={`${file.id} ${runs}`}
            title={`The ad ${file.name}`}
            src={ownPath(data.url)}
            sandbox="allow-scripts"
            referrerPolicy="no-referrer"
            data-image-of={file.id}
            width={data.width ?? 640}
            height={data.height ?? 480}
            className="shrink-0 bg-white shadow-sm"
          />
        ) : error ? (
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
    </>
  )
}
