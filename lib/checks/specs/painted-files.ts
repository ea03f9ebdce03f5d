import { writeFileSync } from 'node:fs'
import {
  cmyk,
  PDFDocument,
  type PDFFont,
  type PDFPage,
  popGraphicsState,
  pushGraphicsState,
  StandardFonts,
  setGraphicsState,
} from '@cantoo/pdf-lib'

export { cmyk }

type Canvas = {
  page: PDFPage
  font: PDFFont
  /** Paints under a graphics state, e.g. with overprint. */
  under: (state: Record<string, number | boolean | string>, paint: () => void) => void
}

/** A page of 600 × 600 pt that another library than ours writes. */
export const painted = (paint: (canvas: Canvas) => void) => async (file: string) => {
  const document = await PDFDocument.create()
  const page = document.addPage([600, 600])
  const font = await document.embedFont(StandardFonts.Helvetica)
  const under: Canvas['under'] = (state, inner) => {
    const name = page.node.newExtGState('GS', document.context.obj({ Type: 'ExtGState', ...state }))
    page.pushOperators(pushGraphicsState(), setGraphicsState(name))
    inner()
    page.pushOperators(popGraphicsState())
  }
  paint({ page, font, under })
  writeFileSync(file, await document.save())
}
