'use client'

import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { OptionalContentConfig } from 'pdfjs-dist/types/src/display/optional_content_config'
import { useCallback, useState } from 'react'
import { drawsPages } from '@/components/review/room-file'
import { ownPath } from '@/lib/client/own-path'
import type { File } from '@/lib/domain/files/schema'

type Opened = {
  document: PDFDocumentProxy
  layers: OptionalContentConfig
  /** How often layers were shown or hidden since it was opened. */
  changes: number
}

/** A plate of a page, and its document once that is open. */
type Shown = { page: number; number: number; name: string; source: string; document: PDFDocumentProxy | null }

export type PdfState = ReturnType<typeof usePdf>

/**
 * A PDF that is drawn by the browser, once that is wanted: whether it is open, why it is not, and its layers.
 * @param page that is shown, from 1
 * @param isNeeded whether its page is larger than its image, or was, or has none
 */
export function usePdf(file: File, page: number, isNeeded: boolean) {
  const source = drawsPages(file) ? ownPath(file.download_url) : null
  const [isAsked, setAsked] = useState(false)
  const [opened, setOpened] = useState<Opened | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [attempt, setAttempt] = useState(0)
  const [chosen, setChosen] = useState<Shown | null>(null)
  const [plateFailure, setPlateFailure] = useState<string | null>(null)
  const isWanted = source !== null && (isAsked || isNeeded)
  return {
    source,
    attempt,
    opened,
    failure,
    isWanted,
    isBeingMade: isWanted && opened === null && failure === null,
    /** Whether other layers are shown than the file says. */
    isChanged: opened !== null && !opened.layers.hasInitialVisibility,
    /** The plate that is shown of the page; null: all of them, as colours. */
    plate: chosen?.page === page ? chosen : null,
    /** Why a plate that was chosen is not shown. */
    plateFailure,
    choosePlate(plate: { number: number; name: string } | null) {
      setAsked(true)
      setPlateFailure(null)
      const address = `${source?.replace(/\/download$/, '')}/separations/plate?page=${page}&plate=${plate?.number}`
      setChosen(plate && { ...plate, page, source: address, document: null })
    },
    openPlate: useCallback((document: PDFDocumentProxy) => setChosen((held) => held && { ...held, document }), []),
    failPlate: useCallback((reason: string) => {
      setPlateFailure(reason)
      setChosen(null)
    }, []),
    want: () => setAsked(true),
    open: useCallback(
      (document: PDFDocumentProxy, layers: OptionalContentConfig) => setOpened({ document, layers, changes: 0 }),
      [],
    ),
    fail: useCallback((reason: string) => setFailure(reason), []),
    makeAgain() {
      setOpened(null)
      setFailure(null)
      setAttempt(attempt + 1)
    },
    show(id: string, isShown: boolean) {
      opened?.layers.setVisibility(id, isShown)
      setOpened(opened && { ...opened, changes: opened.changes + 1 })
    },
    /** The layers as the file has them. */
    async restore() {
      if (!opened) return
      const layers = await opened.document.getOptionalContentConfig()
      setOpened({ ...opened, layers, changes: opened.changes + 1 })
    },
  }
}
