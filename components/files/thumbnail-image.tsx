'use client'

import { useState } from 'react'

/** The image of a file; nothing where it cannot be had, so that what lies below is seen. */
export function ThumbnailImage({ src }: { src: string }) {
  const [failed, setFailed] = useState<string | null>(null)
  if (failed === src) return null
  return (
    // biome-ignore lint/performance/noImgElement: the worker made it in the right size already
    <img
      // It may have failed before there was a script to hear of it.
      ref={(image) => {
        if (image?.complete && image.naturalWidth === 0) setFailed(src)
      }}
      src={src}
      alt=""
      loading="lazy"
      decoding="async"
      onError={() => setFailed(src)}
      className="absolute inset-0 size-full bg-media object-contain"
    />
  )
}
