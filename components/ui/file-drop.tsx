'use client'

import { CloudUpload, FolderUp } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { Button } from './button'
import { cn } from './cn'
import { chosenFiles, type DroppedFile, useDrop } from './use-drop'

export type { DroppedFile } from './use-drop'

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
  const drop = useDrop({ onFiles, disabled, takesPaste: true })
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form
    <div
      {...drop.handlers}
      role="group"
      aria-label="Add files"
      tabIndex={-1}
      className={cn(
        'flex flex-col items-center justify-center rounded-xl border border-dashed border-line-control bg-surface px-6 text-center transition-colors outline-none',
        size === 'lg' ? 'gap-1 py-12' : 'gap-0.5 py-6',
        drop.isOver && 'border-accent bg-accent-soft',
        disabled && 'opacity-60',
        className,
      )}
    >
      <CloudUpload
        aria-hidden="true"
        className={cn('mb-1.5 text-ink-subtle', size === 'lg' ? 'size-8' : 'size-6', drop.isOver && 'text-accent-ink')}
        strokeWidth={1.5}
      />
      <p className="text-base font-semibold">{drop.isOver ? 'Let go to add them' : title}</p>
      {hint && <div className="max-w-lg text-sm text-balance text-ink-muted">{hint}</div>}
      <div className="mt-4 flex flex-wrap justify-center gap-2">
        <ChooseButton onFiles={onFiles} disabled={disabled} size={size} />
        <ChooseButton onFiles={onFiles} disabled={disabled} size={size} folder />
      </div>
    </div>
  )
}

/** Chooses files, or a whole folder; that one is hidden where there is no mouse, because phones have no folders to choose. */
function ChooseButton({
  onFiles,
  disabled,
  size,
  folder = false,
}: DropProps & { size: 'md' | 'lg'; folder?: boolean }) {
  const inputRef = useRef<HTMLInputElement>(null)
  return (
    <span className={folder ? 'pointer-coarse:hidden' : undefined}>
      <input
        ref={inputRef}
        type="file"
        multiple
        hidden
        aria-label={folder ? undefined : 'Choose files'}
        disabled={disabled}
        // React knows the attribute only in lower case, and its types not at all.
        {...(folder && { webkitdirectory: '' })}
        onChange={(event) => {
          const files = chosenFiles(event.currentTarget.files)
          // The same may be chosen again after it was changed.
          event.currentTarget.value = ''
          if (files.length > 0) onFiles(files)
        }}
      />
      <Button
        variant={folder ? 'ghost' : undefined}
        size={size}
        disabled={disabled}
        onClick={() => inputRef.current?.click()}
      >
        {folder && <FolderUp />}
        {folder ? 'Choose a folder' : 'Choose files'}
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
  const drop = useDrop({ onFiles, disabled })
  return (
    <div {...drop.handlers} className="contents">
      {children}
      {drop.isOver && (
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
