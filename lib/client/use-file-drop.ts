'use client'

import { type ClipboardEvent, type DragEvent, useState } from 'react'

export interface DroppedFile {
  file: File
  /** Path inside a dropped folder, `Spring/300x250/a.png`; the bare name for single files. */
  relativePath: string
}

/** What systems put beside the files of people. */
const IGNORED = ['.DS_Store', 'Thumbs.db']

const named = (file: File): DroppedFile => ({ file, relativePath: file.webkitRelativePath || file.name })
const isWanted = ({ file }: DroppedFile) => !IGNORED.includes(file.name)

/** The files of an input, with their paths where a folder was chosen. */
export const chosenFiles = (input: HTMLInputElement): DroppedFile[] =>
  Array.from(input.files ?? [])
    .map(named)
    .filter(isWanted)

const holdsFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files')

/**
 * Makes an element a target for files and folders that are dropped or pasted into it: handlers for it, and whether files
 * are over it now. A target inside another takes what is dropped for itself.
 */
export function useFileDrop({
  onFiles,
  disabled = false,
}: {
  onFiles: (files: DroppedFile[]) => void
  disabled?: boolean
}) {
  const [isOver, setOver] = useState(false)
  const give = (files: DroppedFile[]) => {
    const wanted = files.filter(isWanted)
    if (wanted.length > 0) onFiles(wanted)
  }
  /** Whether the event is about files and for this element. */
  const isOurs = (event: DragEvent) => {
    if (disabled || !holdsFiles(event)) return false
    event.stopPropagation()
    return true
  }
  return {
    isOver: isOver && !disabled,
    handlers: {
      onDragEnter: (event: DragEvent) => {
        if (isOurs(event)) setOver(true)
      },
      // Without it a browser shows the dropped file instead of the page.
      onDragOver: (event: DragEvent) => {
        if (!isOurs(event)) return
        event.preventDefault()
        event.dataTransfer.dropEffect = 'copy'
      },
      onDragLeave: (event: DragEvent) => {
        const isInside = event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget)
        if (isOurs(event) && !isInside) setOver(false)
      },
      onDrop: (event: DragEvent) => {
        if (!isOurs(event)) return
        event.preventDefault()
        setOver(false)
        // The list is emptied when this handler ends.
        const entries = Array.from(event.dataTransfer.items).map((item) => item.webkitGetAsEntry())
        const files = Array.from(event.dataTransfer.files, named)
        const isPlain = entries.every((entry) => entry === null || entry.isFile)
        if (isPlain) give(files)
        else void filesOfEntries(entries.filter((entry) => entry !== null)).then(give)
      },
    },
    onPaste: (event: ClipboardEvent) => {
      const files = Array.from(event.clipboardData.files, named)
      if (disabled || files.length === 0) return
      event.preventDefault()
      give(files)
    },
  }
}

async function filesOfEntries(entries: readonly FileSystemEntry[]): Promise<DroppedFile[]> {
  return (await Promise.all(entries.map(filesOfEntry))).flat()
}

/** A file that cannot be read any more is left out, as the browser leaves it out of its own list. */
async function filesOfEntry(entry: FileSystemEntry): Promise<DroppedFile[]> {
  if (entry.isDirectory) return filesOfEntries(await entriesOf(entry as FileSystemDirectoryEntry))
  return new Promise((resolve) =>
    (entry as FileSystemFileEntry).file(
      (file) => resolve([{ file, relativePath: entry.fullPath.replace(/^\//, '') }]),
      () => resolve([]),
    ),
  )
}

/** All of a folder: a reader gives a part at a time, at the end an empty one. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve) => reader.readEntries(resolve, () => resolve([])))
    if (some.length === 0) return all
    all.push(...some)
  }
}
