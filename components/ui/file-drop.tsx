'use client'

import { CloudUpload, FolderUp } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { useDropzone } from 'react-dropzone'
import { Button } from './button'
import { cn } from './cn'

export interface DroppedFile {
  file: File
  /** Path inside a dropped folder, `Spring/300x250/a.png`; the bare name for single files. */
  relativePath: string
}

/** Browsers and file-selector write `./a.png` and `/Spring/a.png`: neither prefix means anything. */
function toDropped(files: readonly (File & { path?: string })[]): DroppedFile[] {
  return files.map((file) => ({
    file,
    relativePath: (file.webkitRelativePath || file.path || file.name).replace(/^\.?\//, ''),
  }))
}

interface DropProps {
  onFiles: (files: DroppedFile[]) => void
  disabled?: boolean
}

// Files are not dropped by touch.
const DEFAULT_TITLE = (
  <>
    <span className="pointer-coarse:hidden">Drop files or folders here</span>
    <span className="not-pointer-coarse:hidden">Add your files</span>
  </>
)

/** The framed place for files: drop, paste, or choose with a button (files or a whole folder; WCAG 2.5.7). */
export function FileDrop({
  onFiles,
  disabled = false,
  title = DEFAULT_TITLE,
  hint,
  size = 'lg',
  className,
}: DropProps & { title?: ReactNode; hint?: ReactNode; size?: 'md' | 'lg'; className?: string }) {
  const zone = useDropzone({
    onDropAccepted: (files) => onFiles(toDropped(files)),
    disabled,
    noClick: true,
    noKeyboard: true,
    // Inside a PageDrop the files must arrive once.
    noDragEventsBubbling: true,
  })
  return (
    <div
      {...zone.getRootProps({ role: 'group', 'aria-label': 'Add files', tabIndex: -1 })}
      className={cn(
        'flex flex-col items-center justify-center rounded-xl border border-dashed border-line-control bg-surface px-6 text-center transition-colors outline-none',
        size === 'lg' ? 'gap-1 py-12' : 'gap-0.5 py-6',
        zone.isDragActive && 'border-accent bg-accent-soft',
        disabled && 'opacity-60',
        className,
      )}
    >
      <input {...zone.getInputProps({ 'aria-label': 'Choose files', tabIndex: -1 })} />
      <CloudUpload
        aria-hidden="true"
        className={cn(
          'mb-1.5 text-ink-subtle',
          size === 'lg' ? 'size-8' : 'size-6',
          zone.isDragActive && 'text-accent-ink',
        )}
        strokeWidth={1.5}
      />
      <p className="text-base font-semibold">{zone.isDragActive ? 'Let go to add them' : title}</p>
      {hint && <div className="max-w-lg text-sm text-balance text-ink-muted">{hint}</div>}
      <div className="mt-4 flex flex-wrap justify-center gap-2">
        <Button onClick={zone.open} disabled={disabled} size={size}>
          Choose files
        </Button>
        <FolderButton onFiles={onFiles} disabled={disabled} size={size} />
      </div>
    </div>
  )
}

/** Chooses a whole folder; hidden where there is no mouse, because phones have no folders to choose. */
function FolderButton({ onFiles, disabled, size }: DropProps & { size: 'md' | 'lg' }) {
  const inputRef = useRef<HTMLInputElement>(null)
  return (
    <span className="pointer-coarse:hidden">
      <input
        ref={inputRef}
        type="file"
        multiple
        hidden
        // React knows the attribute only in lower case, and its types not at all.
        {...{ webkitdirectory: '' }}
        onChange={(event) => {
          onFiles(toDropped(Array.from(event.currentTarget.files ?? [])))
          // The same folder may be chosen again after it was changed.
          event.currentTarget.value = ''
        }}
      />
      <Button variant="ghost" size={size} disabled={disabled} onClick={() => inputRef.current?.click()}>
        <FolderUp />
        Choose a folder
      </Button>
    </span>
  )
}

/** Makes everything inside it a target: while files are dragged over, a frame says where they go. */
export function PageDrop({
  onFiles,
  disabled = false,
  target,
  children,
}: DropProps & {
  /** Where files go: `Spring banners, batch 2`. */
  target: string
  children: ReactNode
}) {
  const zone = useDropzone({
    onDropAccepted: (files) => onFiles(toDropped(files)),
    disabled,
    noClick: true,
    noKeyboard: true,
    noPaste: true,
  })
  return (
    <div {...zone.getRootProps({ role: undefined, tabIndex: undefined })} className="contents">
      {children}
      {zone.isDragActive && (
        <div className="pointer-events-none fixed inset-0 z-50 grid place-items-center bg-scrim p-4">
          <div className="absolute inset-3 rounded-2xl border-2 border-dashed border-accent" />
          <div className="flex max-w-md flex-col items-center rounded-2xl border border-line-strong bg-raised px-10 py-8 text-center shadow-dialog">
            <CloudUpload aria-hidden="true" className="mb-2 size-9 text-accent-ink" strokeWidth={1.5} />
            <p className="text-lg font-semibold">Let go to add files</p>
            <p className="text-sm text-ink-muted wrap-anywhere">to {target}</p>
          </div>
        </div>
      )}
    </div>
  )
}
