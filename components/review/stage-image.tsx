import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { Spinner } from '@/components/ui/spinner'
import { ownPath } from '@/lib/client/own-path'
import type { File } from '@/lib/domain/files/schema'

/** `page`: which of a document it shows. */
export const StageImage = ({
  src,
  file,
  isSharp,
  page,
}: {
  src: string
  file: File
  isSharp: boolean
  page?: number | undefined
}) => (
  // biome-ignore lint/performance/noImgElement: decoded beforehand, or made in the right size by the worker
  <img
    src={src}
    alt={page ? `Page ${page} of ${file.name}` : file.name}
    draggable={false}
    fetchPriority="high"
    decoding="sync"
    data-image-of={file.id}
    className={cn('block size-full object-fill', isSharp && '[image-rendering:pixelated]')}
  />
)

export const NotLoaded = ({ retry, why = 'The image could not be loaded.' }: { retry: () => void; why?: string }) => (
  <div role="alert" className="grid size-full place-content-center justify-items-center gap-3 bg-media p-4 text-center">
    <p className="text-sm text-ink-muted">{why}</p>
    {/* The stage takes what is pressed for itself. */}
    <Button size="sm" onPointerDown={(event) => event.stopPropagation()} onClick={retry}>
      Try again
    </Button>
  </div>
)

/** In place of a page of which there is no image, until the browser has drawn it. */
export const PageInDrawing = ({ page, failure, retry }: { page: number; failure: string | null; retry: () => void }) =>
  failure ? (
    <NotLoaded retry={retry} why={`Page ${page} cannot be shown. ${failure}`} />
  ) : (
    <p className="flex size-full items-center justify-center gap-2 bg-media p-4 text-sm text-ink-muted">
      <Spinner /> Drawing page {page}
    </p>
  )

/** What a check drew as its evidence, instead of the file. */
export const Evidence = ({ url, label }: { url: string; label: string }) => (
  <div className="absolute inset-0 grid place-items-center bg-media p-4">
    {/* biome-ignore lint/performance/noImgElement: drawn by the engine in the right size already */}
    <img
      src={url.startsWith('http') ? ownPath(url) : url}
      alt={`Evidence of ${label}`}
      className="max-h-full max-w-full"
    />
  </div>
)
