/** One of two images that stand side by side, as a file and its repaired copy do. */
export function ComparedImage({ label, src }: { label: string; src: string }) {
  return (
    <figure className="flex min-w-0 flex-col gap-1">
      {/* biome-ignore lint/performance/noImgElement: it is drawn once, in the size it is shown in */}
      <img src={src} alt="" className="aspect-4/3 w-full rounded-md bg-sunken object-contain" />
      <figcaption className="text-xs text-ink-muted">{label}</figcaption>
    </figure>
  )
}
