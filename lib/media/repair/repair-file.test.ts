import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { wav } from '@/fixtures/audio'
import { exif, exifSegment, profile, withSegment, xmpSegment } from '@/fixtures/images'
import { movieBox, withMovieBox } from '@/fixtures/movie-boxes'
import { pdf } from '@/fixtures/pdf'
import { tiff } from '@/fixtures/tiff'
import { withTimecodeSamples } from '@/fixtures/timecode'
import { writeMedia } from '@/fixtures/video'
import { zip } from '@/fixtures/zip'
import { CATALOGUE } from '@/lib/checks/catalogue'
import type { Subject } from '@/lib/checks/check'
import { runChecks } from '@/lib/checks/engine'
import { extensionOf, findTypeByExtension } from '@/lib/domain/files/media-types'
import { planRepair, type Wanted } from '@/lib/repairs/plan'
import { closeInspector, inspectFile } from '../inspect/inspect'
import { measureFile } from '../measurer/measure-file'
import { closeMeasurer } from '../measurer/measurer'
import { closeRepairer, repairFile } from './repairer'

const folder = mkdtempSync(path.join(tmpdir(), 'repair-file-'))
afterAll(() => {
  closeInspector()
  closeMeasurer()
  closeRepairer()
  rmSync(folder, { recursive: true })
})

async function measured(name: string, file = path.join(folder, name), mediaType?: string): Promise<Subject> {
  const type = findTypeByExtension(extensionOf(name))
  if (!type) throw new Error(`${name} has no type.`)
  const known = { name, kind: type.kind, mediaType: mediaType ?? type.mediaType }
  const facts = await measureFile(inspectFile, file, known)
  return { ...known, ...facts, bytes: 1000, claims: {}, expectations: { mediaTypes: [], maxFileBytes: null } }
}

const wantedOf = (thresholds: Record<string, Record<string, unknown>>): Wanted[] =>
  Object.entries(thresholds).map(([id, given]) => {
    const check = CATALOGUE.find((each) => each.id === id)
    if (!check) throw new Error(`There is no ${id}.`)
    return { check, thresholds: given }
  })

const statusOf = (subject: Subject, thresholds: Record<string, Record<string, unknown>>) =>
  Object.fromEntries(
    runChecks(subject, {
      checks: Object.fromEntries(
        CATALOGUE.map(({ id }) => [
          id,
          { enabled: id in thresholds, severity: 'fail' as const, thresholds: thresholds[id] ?? {} },
        ]),
      ),
    }).checks.map(({ check_id, status }) => [check_id, status]),
  )

/** Measures a file, plans its repair, repairs it, and measures the copy: before and after by the same checks. */
async function repaired(name: string, thresholds: Record<string, Record<string, unknown>>) {
  const before = await measured(name)
  const plan = planRepair(before, wantedOf(thresholds))
  const newName = plan.steps.flatMap((step) => (step.do === 'rename' ? [step.name] : []))[0] ?? name
  const made = await repairFile(
    path.join(folder, name),
    { mediaType: before.mediaType, kind: before.kind, steps: plan.steps },
    async ({ parts, sentence, mediaType, read }) => {
      const chunks: Buffer[] = []
      for await (const chunk of read()) chunks.push(chunk)
      const into = path.join(folder, `copy-${newName}`)
      await writeFile(into, Buffer.concat(chunks))
      return { parts, sentence, mediaType, into }
    },
  )
  if ('failed' in made) throw new Error(made.failed)
  const after = await measured(newName, made.into, made.mediaType)
  return { plan, ...made, before: statusOf(before, thresholds), after: statusOf(after, thresholds), subject: after }
}

describe('a repaired copy', () => {
  test('of a video starts at once and is quieter; its frames are the very same', async () => {
    const loud = (time: number) => 0.7 * Math.sin(2 * Math.PI * 440 * time)
    writeMedia(path.join(folder, 'loud.mp4'), {
      video: { frames: 100 },
      audio: [{ seconds: 4, sample: loud }],
    })
    const { before, after, parts, sentence, subject } = await repaired('loud.mp4', {
      loudness_check: { target_lufs: -23, max_true_peak_dbtp: -1 },
      fast_start_check: {},
    })
    expect(before).toEqual({ loudness_check: 'fail', fast_start_check: 'fail' })
    expect(after).toEqual({ loudness_check: 'pass', fast_start_check: 'pass' })
    expect(parts.map(({ is_untouched }) => is_untouched)).toEqual([true, false])
    expect(sentence).toMatch(/^In the repaired copy audio track 1 is quieter by \d+\.\d dB and the index lies/)
    expect(subject.media).toMatchObject({ frameCount: 100, durationSeconds: expect.closeTo(4, 1) })
  })

  test('of a video whose index only moved holds every stream as it was', async () => {
    writeMedia(path.join(folder, 'late.mov'), {
      video: { codec: 'prores', pixels: 'yuv422p10', frames: 25 },
      audio: [{ codec: 'pcm', seconds: 1 }],
    })
    const { before, after, parts } = await repaired('late.mov', { fast_start_check: {} })
    expect([before.fast_start_check, after.fast_start_check]).toEqual(['fail', 'pass'])
    expect(parts.every(({ is_untouched }) => is_untouched)).toBe(true)
  })

  test('of a QuickTime movie lies in an MP4, with the same streams', async () => {
    writeMedia(path.join(folder, 'spot.mov'), { video: { frames: 50 }, audio: [{ seconds: 2 }] })
    const { before, after, parts, plan } = await repaired('spot.mov', { file_type_check: { allowed: ['video/mp4'] } })
    expect([before.file_type_check, after.file_type_check]).toEqual(['fail', 'pass'])
    expect(plan.steps).toContainEqual({ do: 'rename', name: 'spot.mp4' })
    expect(parts.every(({ is_untouched }) => is_untouched)).toBe(true)
  })

  test('of audio is louder by whole samples, and keeps what else the file says', async () => {
    const quiet = wav(5, (time) => 0.02 * Math.sin(2 * Math.PI * 1000 * time))
    writeFileSync(path.join(folder, 'quiet.wav'), quiet)
    const thresholds = { loudness_check: { target_lufs: -23, max_true_peak_dbtp: -1 } }
    const { before, after, into } = await repaired('quiet.wav', thresholds)
    expect([before.loudness_check, after.loudness_check]).toEqual(['fail', 'pass'])
    const copy = readFileSync(into)
    expect(copy.length).toBe(quiet.length)
    expect(copy.subarray(0, 44).equals(quiet.subarray(0, 44))).toBe(true)
  })

  test('is not made by gain where the peaks would be cut off', async () => {
    // A click in quiet audio: it needs a limiter, and an ear.
    const click = wav(5, (time) => (time < 0.001 ? 0.9 : 0.02 * Math.sin(2 * Math.PI * 1000 * time)))
    writeFileSync(path.join(folder, 'click.wav'), click)
    const subject = await measured('click.wav')
    const plan = planRepair(subject, wantedOf({ loudness_check: { target_lufs: -23, max_true_peak_dbtp: -1 } }))
    expect(plan.steps).toEqual([])
    expect(plan.left[0]?.why).toContain('limiter')
  })

  test.each(['jpeg', 'png', 'webp'] as const)(
    'of a %s does not say where it was taken; its samples are the same',
    async (format) => {
      const name = `taken.${format === 'jpeg' ? 'jpg' : format}`
      const noise = {
        create: {
          width: 64,
          height: 48,
          channels: 3 as const,
          noise: { type: 'gaussian' as const, mean: 128, sigma: 30 },
          background: '#888',
        },
      }
      await sharp(noise)
        .withExif({
          IFD0: { Copyright: 'A studio' },
          IFD3: {
            GPSLatitudeRef: 'N',
            GPSLatitude: '51/1 30/1 0/1',
            GPSLongitudeRef: 'W',
            GPSLongitude: '0/1 7/1 0/1',
          },
        })
        [format]()
        .toFile(path.join(folder, name))
      const { before, after, parts, into } = await repaired(name, { metadata_privacy_check: {} })
      expect([before.metadata_privacy_check, after.metadata_privacy_check]).toEqual(['fail', 'pass'])
      expect(parts).toMatchObject([{ is_untouched: true }])
      // What else its EXIF says is still there.
      const left = (await sharp(into).metadata()).exif?.toString('latin1') ?? readFileSync(into).toString('latin1')
      expect(left).toContain('A studio')
    },
  )

  test('of a TIFF does not say where it was taken; its samples are the same', async () => {
    const place = [
      { tag: 1, type: 'ascii', values: 'N' },
      { tag: 2, type: 'rational', values: [52, 31, 12] },
    ] as const
    writeFileSync(path.join(folder, 'taken.tif'), tiff({ entries: [] }, [...place]))
    const { before, after, parts } = await repaired('taken.tif', { metadata_privacy_check: {} })
    expect([before.metadata_privacy_check, after.metadata_privacy_check]).toEqual(['fail', 'pass'])
    expect(parts).toMatchObject([{ is_untouched: true }])
  })

  test('of an image says it in its XMP no more either', async () => {
    const plain = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#789' } })
      .jpeg()
      .toBuffer()
    const packet =
      '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:Description dc:title="A title" exif:GPSLatitude="51,30N" exif:GPSLongitude="0,7W"/></x:xmpmeta>'
    const withBoth = withSegment(withSegment(plain, 0xe1, exifSegment(exif([]))), 0xe1, xmpSegment(packet))
    writeFileSync(path.join(folder, 'xmp.jpg'), withBoth)
    const { before, after, into } = await repaired('xmp.jpg', { metadata_privacy_check: {} })
    expect([before.metadata_privacy_check, after.metadata_privacy_check]).toEqual(['fail', 'pass'])
    expect(readFileSync(into, 'latin1')).toContain('A title')
  })

  test('of a video does not say where it was taken, and is otherwise the same byte for byte', async () => {
    const place = Buffer.from('+51.5-0.12/', 'latin1')
    const text = Buffer.concat([Buffer.from([0, place.length, 0x15, 0xc7]), place])
    const write = (file: string) => writeMedia(file, { video: { frames: 25 } })
    withMovieBox(write, movieBox('udta', movieBox('\xa9xyz', text)))(path.join(folder, 'filmed.mp4'))
    const { before, after, parts, into } = await repaired('filmed.mp4', { metadata_privacy_check: {} })
    expect([before.metadata_privacy_check, after.metadata_privacy_check]).toEqual(['fail', 'pass'])
    expect(parts.every(({ is_untouched }) => is_untouched)).toBe(true)
    expect(readFileSync(into).length).toBe(readFileSync(path.join(folder, 'filmed.mp4')).length)
  })

  test.each(['jpg', 'png'] as const)('of a %s carries sRGB, and the same samples', async (extension) => {
    const image = sharp({ create: { width: 40, height: 30, channels: 3, background: '#d22' } })
    await image.toFile(path.join(folder, `bare.${extension}`))
    const { before, after, parts } = await repaired(`bare.${extension}`, {
      colour_space_check: { allowed: ['srgb'], require_profile: true },
    })
    expect([before.colour_space_check, after.colour_space_check]).toEqual(['fail', 'pass'])
    expect(parts).toMatchObject([{ is_untouched: true }])
  })

  test('of an image in Adobe RGB is in sRGB, in the same size and density', async () => {
    const icc = path.join(folder, 'adobe.icc')
    writeFileSync(icc, profile('Adobe RGB (1998)', 'adobe'))
    await sharp({ create: { width: 40, height: 30, channels: 3, background: '#2c4' } })
      .withIccProfile(icc)
      .withMetadata({ density: 300, icc })
      .jpeg({ quality: 95 })
      .toFile(path.join(folder, 'adobe.jpg'))
    const { before, after, subject } = await repaired('adobe.jpg', { colour_space_check: { allowed: ['srgb'] } })
    expect([before.colour_space_check, after.colour_space_check]).toEqual(['fail', 'pass'])
    expect(subject.media).toMatchObject({ width: 40, height: 30, densityDpi: 300, hasProfile: true })
  })

  test('of an archive has its page in the top folder and no litter; its files are packed as they were', async () => {
    const page = '<!doctype html><meta name="ad.size" content="width=300,height=250"><script>var clickTag=""</script>'
    const packed = zip([
      ['banner/index.html', page],
      ['banner/image.svg', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
      ['__MACOSX/banner/._index.html', 'litter'],
      ['banner/.DS_Store', 'litter'],
    ])
    writeFileSync(path.join(folder, 'ad.zip'), packed)
    const { before, after, parts } = await repaired('ad.zip', { archive_check: { entry_point: 'required' } })
    expect([before.archive_check, after.archive_check]).toEqual(['fail', 'pass'])
    expect(parts.map(({ name, is_untouched }) => [name, is_untouched])).toEqual([
      ['index.html', true],
      ['image.svg', true],
    ])
  })

  test('of a PDF states its trim box, behind the original that is still there byte for byte', async () => {
    const document = pdf({ pages: [{ content: '0 0 100 100 re f' }] })
    writeFileSync(path.join(folder, 'page.pdf'), document)
    const { before, after, parts, into } = await repaired('page.pdf', {
      page_size_check: { width_mm: 210, height_mm: 297, require_trim_box: true },
    })
    expect([before.page_size_check, after.page_size_check]).toEqual(['fail', 'pass'])
    expect(parts).toMatchObject([{ name: 'the original, in front', is_untouched: true }])
    expect(readFileSync(into).subarray(0, document.length).equals(document)).toBe(true)
  })

  test.each([
    ['film.mov', [25, 1], '01:00:00:00', '10:00:00:00'],
    ['film.mp4', [30_000, 1001], '00:58:30;00', '01:00:00;00'],
  ] as const)('of %s begins with the wanted timecode; every byte but its number is the same', async (...given) => {
    const [name, rate, timecode, start] = given
    writeMedia(path.join(folder, name), {
      video: { frames: 50, rate, metadata: { timecode } },
      audio: [{ seconds: 2 }],
    })
    const { before, after, parts, sentence, subject, into } = await repaired(name, { timecode_check: { start } })
    expect([before.timecode_check, after.timecode_check]).toEqual(['fail', 'pass'])
    expect(subject.media).toMatchObject({ timecode: start })
    expect(sentence).toContain(`the timecode starts at ${start}`)
    const touched = parts.filter(({ is_untouched }) => !is_untouched)
    expect(parts.length).toBeGreaterThan(2)
    expect(touched.map(({ name }) => name)).toEqual(['3: timecode'])
    const [was, is] = [readFileSync(path.join(folder, name)), readFileSync(into)]
    expect(is.length).toBe(was.length)
    const changed = [...was.keys()].filter((at) => was[at] !== is[at])
    expect((changed.at(-1) ?? 0) - (changed[0] ?? 0)).toBeLessThan(4)
  })

  test('of a film that states its timecode by parts keeps how they follow one another', async () => {
    const write = (file: string) => writeMedia(file, { video: { frames: 24, metadata: { timecode: '10:00:00:00' } } })
    const parts = (second: number) => [
      { number: 900_000, frames: 10 },
      { number: 900_000 + second, frames: 14 },
    ]
    const thresholds = { timecode_check: { start: '01:00:00:00' } }
    withTimecodeSamples(write, parts(10))(path.join(folder, 'parts.mov'))
    const { after, subject } = await repaired('parts.mov', thresholds)
    expect(after.timecode_check).toBe('pass')
    expect(subject.media).toMatchObject({ timecode: '01:00:00:00', timecodeJumps: { count: 0 } })
    // A jump is none of the start.
    withTimecodeSamples(write, parts(4000))(path.join(folder, 'jumps.mov'))
    const plan = planRepair(await measured('jumps.mov'), wantedOf(thresholds))
    expect([plan.steps, plan.left.length]).toEqual([[], 1])
  })

  test('of a film without a timecode, in another container, or with no start that is wanted, is not made', async () => {
    writeMedia(path.join(folder, 'none.mov'), { video: { frames: 10 } })
    writeMedia(path.join(folder, 'other.mkv'), { video: { frames: 10, metadata: { timecode: '01:00:00:00' } } })
    const why = async (name: string, thresholds: Record<string, unknown>) =>
      planRepair(await measured(name), wantedOf({ timecode_check: thresholds })).left.map(({ why }) => why)
    expect(await why('none.mov', { start: '10:00:00:00' })).toEqual([expect.stringContaining('no timecode')])
    expect(await why('other.mkv', { start: '10:00:00:00' })).toEqual([expect.stringContaining('MP4 and QuickTime')])
    expect(await why('none.mov', { required: true })).toEqual([expect.stringContaining('is not set')])
    const ended = await repairFile(
      path.join(folder, 'none.mov'),
      { mediaType: 'video/quicktime', kind: 'video', steps: [{ do: 'timecode', start: '10:00:00:00' }] },
      async () => 'used',
    )
    expect(ended).toEqual({ failed: expect.stringContaining('no timecode track') })
  })

  test('that cannot be made leaves nothing and says why', async () => {
    writeFileSync(path.join(folder, 'broken.mp4'), 'no movie at all')
    const ended = await repairFile(
      path.join(folder, 'broken.mp4'),
      { mediaType: 'video/mp4', kind: 'video', steps: [{ do: 'fast_start' }] },
      async () => 'used',
    )
    expect(ended).toEqual({ failed: expect.stringMatching(/^The copy could not be made: /) })
  })
})
