import { isFailure, type Subject } from '@/lib/checks/check'
import type { PageBox } from '@/lib/media/facts'
import { Comparison, isIntact, run } from './compare'

/** PDF beside poppler (pdfinfo, pdffonts, pdfimages) and qpdf. */

export const PDF_PROGRAMS = ['pdfinfo', 'pdffonts', 'pdfimages', 'qpdf']

const MM_OF_POINT = 25.4 / 72

export async function comparePdf(file: string, { media, measures, integrity }: Subject): Promise<Comparison> {
  const comparison = new Comparison()
  const [info, fonts, images, checked] = await Promise.all([
    run('pdfinfo', ['-box', file]),
    run('pdffonts', [file]),
    run('pdfimages', ['-list', file]),
    run('qpdf', ['--check', file]),
  ])
  // Warnings end with 3: what it could read after a repair.
  comparison.same('is intact', isIntact(integrity), checked && checked.code === 0)
  const stated = info?.code === 0 ? fieldsOf(info.text) : null
  if (!stated || isFailure(media) || media.kind !== 'document') return comparison

  comparison.same('pages', media.pages, stated.Pages)
  comparison.same('version', media.pdfVersion, stated['PDF version'])
  comparison.same('is encrypted', media.encrypted, stated.Encrypted?.startsWith('yes'))
  comparison.same('has scripts', media.hasJavaScript, stated.JavaScript === 'yes')
  comparison.same('has forms', media.hasForms || media.hasXfa, stated.Form !== 'none')
  comparison.same('is tagged', media.isTagged, stated.Tagged === 'yes')
  const [page] = media.pageSizes
  for (const [name, ours] of [
    ['MediaBox', page?.mediaBox],
    ['TrimBox', page?.trimBox],
    ['BleedBox', page?.bleedBox],
  ] as const)
    compareBox(comparison, name, ours, stated[name])

  const listed = rowsOf(fonts?.text ?? '', /^name +type/)
  const isEmbedded = (row: string) => / (yes|no) +(yes|no) +(yes|no) +\d+ +\d+$/.exec(row)?.[1] === 'yes'
  comparison.same(
    'fonts not embedded',
    media.fonts.filter(({ embedded }) => !embedded).length > 0,
    listed.some((row) => !isEmbedded(row)),
  )
  const { placed } = measures
  if (!placed || isFailure(placed)) return comparison
  const theirs = rowsOf(images?.text ?? '', /^page +num/)
    .map((row) => row.trim().split(/ +/))
    .filter((cells) => cells[2] === 'image')
    .map((cells) => Math.min(Number(cells[12]), Number(cells[13])))
  const least = (all: readonly number[]) => (all.length > 0 ? Math.min(...all) : null)
  // pdfimages writes whole pixels an inch.
  comparison.near('least resolution, ppi', least(placed.images.map(({ dpi }) => dpi)), least(theirs), 1)
  return comparison
}

/** `Name:   value`, a line each. */
export function fieldsOf(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/^([^:\n]+): +(.*)$/gm)].map(([, name = '', value = '']) => [name, value.trim()]),
  )
}

/** The rows below a heading and its rule. */
export function rowsOf(text: string, heading: RegExp): string[] {
  const lines = text.split('\n')
  const at = lines.findIndex((line) => heading.test(line))
  return at < 0 ? [] : lines.slice(at + 2).filter(Boolean)
}

/** poppler gives a box that is not stated that of the page: only stated ones are compared. Left, bottom, right, top, points. */
function compareBox(comparison: Comparison, name: string, ours: PageBox | null | undefined, theirs?: string): void {
  if (!ours || !theirs) return
  const [left = 0, bottom = 0, right = 0, top = 0] = theirs.split(/ +/).map((each) => Number(each) * MM_OF_POINT)
  comparison.near(`${name} width, mm`, ours.widthMm, right - left, 0.01)
  comparison.near(`${name} height, mm`, ours.heightMm, top - bottom, 0.01)
}
