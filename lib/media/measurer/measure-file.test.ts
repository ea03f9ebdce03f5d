import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PDFDocument } from '@cantoo/pdf-lib'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeMedia } from '@/fixtures/video'
import type { Subject } from '@/lib/checks/check'
import { runChecks } from '@/lib/checks/engine'
import { extensionOf, findTypeByExtension } from '@/lib/domain/files/media-types'
import { closeInspector, inspectFile } from '../inspect/inspect'
import { measureFile } from './measure-file'
import { closeMeasurer } from './measurer'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'measure-file-'))
})
afterAll(async () => {
  closeInspector()
  closeMeasurer()
  await rm(folder, { recursive: true })
})

/** From a file on disk to its verdict, by the inspector, the measurer and the engine as they are. */
async function verdictOf(name: string, claims: Subject['claims'] = {}, checks = {}) {
  const type = findTypeByExtension(extensionOf(name))
  if (!type) throw new Error(`${name} has no type.`)
  const file = { name, kind: type.kind, mediaType: type.mediaType }
  const measured = await measureFile(inspectFile, path.join(folder, name), file)
  const expectations = { mediaTypes: [], maxFileBytes: null }
  const verdict = runChecks({ ...file, ...measured, bytes: 1000, claims, expectations }, { checks })
  return { verdict, line: (id: string) => verdict.checks.find((check) => check.check_id === id) }
}

const drawing = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="298" height="250"><rect width="298" height="250" fill="#eee"/><path d="M20 20h120v90H20zM160 40l100 160H60z" fill="#024"/></svg>',
)

describe('a file on its way from the disk to its verdict', () => {
  test('an image of another size than its name says fails by it, and by nothing else', async () => {
    await sharp(drawing).removeAlpha().png().toFile(path.join(folder, 'sale_300x250.png'))
    const { verdict, line } = await verdictOf('sale_300x250.png', { width: 300, height: 250 })
    expect(verdict.summary).toBe('fail')
    expect(line('dimension_check')?.details).toBe('The image is 298 × 250 px; the name says 300 × 250 px.')
    const faults = verdict.checks.filter(({ status }) => status !== 'pass' && status !== 'skipped')
    expect(faults.map(({ check_id }) => check_id)).toEqual(['name_matches_media_check', 'dimension_check'])
  })

  test('a truncated image fails its integrity and is not measured', async () => {
    const whole = await sharp(drawing).png().toBuffer()
    await writeFile(path.join(folder, 'cut.png'), whole.subarray(0, whole.length - 400))
    const { verdict, line } = await verdictOf('cut.png')
    expect(verdict.summary).toBe('fail')
    expect(line('integrity_check')?.status).toBe('fail')
    expect(line('dimension_check')?.status).toBe('error')
  })

  test('a video is measured frame by frame, and reported with how to start faster', async () => {
    writeMedia(path.join(folder, 'spot_2s.mp4'), {
      video: { frames: 50, paint: (frame, x) => 30 + ((x + frame) % 180) },
    })
    const { line } = await verdictOf(
      'spot_2s.mp4',
      { durationSeconds: 2 },
      { frame_rate_check: { thresholds: { rates: [25] } } },
    )
    expect(line('duration_check')).toMatchObject({ status: 'pass', measured: 2 })
    expect(line('frame_rate_check')).toMatchObject({ status: 'pass', measured: 25 })
    expect(line('fast_start_check')).toMatchObject({
      status: 'warning',
      fix: 'ffmpeg -i "spot_2s.mp4" -c copy -movflags +faststart "fixed-spot_2s.mp4"',
    })
  })

  test('a page without a trim box is not taken for one that has it', async () => {
    const pdf = await PDFDocument.create()
    pdf.addPage([595.28, 841.89])
    await writeFile(path.join(folder, 'page.pdf'), await pdf.save())
    const a4 = { page_size_check: { thresholds: { width_mm: 210, height_mm: 297 } } }
    expect((await verdictOf('page.pdf', {}, a4)).line('page_size_check')?.status).toBe('pass')
    const strict = { page_size_check: { thresholds: { require_trim_box: true } } }
    expect((await verdictOf('page.pdf', {}, strict)).line('page_size_check')).toMatchObject({
      status: 'fail',
      measured: 'no trim box',
    })
  })

  test('an inspector that cannot start is an error of every check that needs it, and never a pass', async () => {
    await writeFile(path.join(folder, 'audio.wav'), 'RIFF')
    const file = { name: 'audio.wav', kind: 'audio', mediaType: 'audio/wav' } as const
    const broken = async () => {
      throw new Error('The file inspector cannot start.')
    }
    const measured = await measureFile(broken, path.join(folder, 'audio.wav'), file)
    const subject = { ...file, ...measured, bytes: 1, claims: {}, expectations: { mediaTypes: [], maxFileBytes: null } }
    const verdict = runChecks(subject, { checks: {} })
    expect(verdict.summary).toBe('warning')
    expect(verdict.checks.find(({ check_id }) => check_id === 'integrity_check')?.status).toBe('error')
  })
})
