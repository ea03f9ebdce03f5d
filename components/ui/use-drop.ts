import { type ClipboardEvent, type DragEvent, useEffect, useRef, useState } from 'react'

export interface DroppedFile {
  file: File
  /** Path inside a dropped folder, `Spring/300x250/a.png`; the bare name for single files. */
  relativePath: string
}

/** What file managers leave in folders that are dropped; it was not meant. */
const LITTER = ['.DS_Store', 'Thumbs.db']

const single = (file: File): DroppedFile => ({ file, relativePath: file.name })
const isMeant = ({ file }: DroppedFile) => !LITTER.includes(file.name)

/** What was chosen with an input: of a folder, each file with its path. */
export const chosenFiles = (files: FileList | null): DroppedFile[] =>
  Array.from(files ?? [], (file) => ({ file, relativePath: file.webkitRelativePath || file.name }))

/** What a drop or a paste holds, folders to their ends. Only to be called within its event: afterwards it is empty. */
export async function filesIn(transfer: DataTransfer): Promise<DroppedFile[]> {
  const found = Array.from(transfer.items)
    .filter(({ kind }) => kind === 'file')
    .map((item) => {
      const entry = item.webkitGetAsEntry?.()
      if (entry?.isDirectory) return filesBelow(entry)
      const file = item.getAsFile()
      return file ? [single(file)] : []
    })
  if (found.length === 0) return Array.from(transfer.files, single).filter(isMeant)
  return (await Promise.all(found)).flat().filter(isMeant)
}

async function filesBelow(entry: FileSystemEntry): Promise<DroppedFile[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((done, failed) => (entry as FileSystemFileEntry).file(done, failed))
    return [{ file, relativePath: entry.fullPath.replace(/^\//, '') }]
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const all: DroppedFile[] = []
  // It gives some at a time, and none at the end.
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed))
    if (part.length === 0) return all
    for (const each of part) all.push(...(await filesBelow(each)))
  }
}

const hasFiles = ({ types }: DataTransfer) => types.includes('Files')

/** Files that miss the place are not opened by the browser in place of the page. */
function useNoDropElsewhere() {
  useEffect(() => {
    const refuse = (event: Event) => event.preventDefault()
    document.addEventListener('dragover', refuse)
    document.addEventListener('drop', refuse)
    return () => {
      document.removeEventListener('dragover', refuse)
      document.removeEventListener('drop', refuse)
    }
  }, [])
}

/** Handlers for an element on which files are dropped, and, with `takesPaste`, pasted. */
export function useDrop({
  onFiles,
  disabled,
  takesPaste = false,
}: {
  onFiles: (files: DroppedFile[]) => void
  disabled: boolean
  takesPaste?: boolean
}) {
  const [isOver, setIsOver] = useState(false)
  /** Elements are entered before those around them are left. */
  const entered = useRef<EventTarget[]>([])
  useNoDropElsewhere()
  const end = () => {
    entered.current = []
    setIsOver(false)
  }
  const take = (event: { preventDefault(): void; stopPropagation(): void }, transfer: DataTransfer) => {
    event.preventDefault()
    // Of two places one inside the other, the inner one takes them.
    event.stopPropagation()
    filesIn(transfer).then(
      (files) => files.length > 0 && onFiles(files),
      // A folder that cannot be read is none that can be added.
      () => {},
    )
  }
  const dragging = {
    onDragEnter(event: DragEvent) {
      if (!hasFiles(event.dataTransfer)) return
      event.preventDefault()
      event.stopPropagation()
      entered.current.push(event.target)
      setIsOver(true)
    },
    onDragOver(event: DragEvent) {
      if (!hasFiles(event.dataTransfer)) return
      event.preventDefault()
      event.stopPropagation()
      event.dataTransfer.dropEffect = 'copy'
    },
    onDragLeave(event: DragEvent) {
      const root = event.currentTarget
      // Some may have been removed meanwhile.
      entered.current = entered.current.filter((each) => each !== event.target && root.contains(each as Node))
      if (entered.current.length === 0) setIsOver(false)
    },
    onDrop(event: DragEvent) {
      end()
      if (hasFiles(event.dataTransfer)) take(event, event.dataTransfer)
    },
  }
  const onPaste = (event: ClipboardEvent) => {
    if (hasFiles(event.clipboardData)) take(event, event.clipboardData)
  }
  return { isOver: isOver && !disabled, handlers: disabled ? {} : { ...dragging, ...(takesPaste && { onPaste }) } }
}
