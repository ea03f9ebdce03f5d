import { createHash } from 'node:crypto'
import { copyFileSync, renameSync } from 'node:fs'
import type { RepairStep } from '@/lib/repairs/steps'
import { decodeImage } from '../decode/image'
import type { MediaKind } from '../facts'
import { readDirectory } from '../formats/archive/zip-directory'
import { ByteSource } from '../formats/byte-source'
import { readBoxes } from '../formats/video/iso-boxes'
import type { FilePart, FileToRepair } from './protocol'

/** Carries out the steps of a repair, one after the other, each on what the one before left. Runs in the sandboxed child. */
export async function repairFile({ path, into, mediaType, kind, steps }: FileToRepair): Promise<{ mediaType: string }> {
  let from = path
  let type = mediaType
  const gains = new Map(steps.flatMap((step) => (step.do === 'gain' ? [[step.track, step.gain_db] as const] : [])))
  const work = steps.filter(
    ({ do: what }, index) => what !== 'rename' && steps.findIndex((each) => each.do === what) === index,
  )
  for (const [index, step] of work.entries()) {
    const next = `${into}.${index}`
    type = await carryOut(step, { from, into: next, mediaType: type, kind, gains })
    from = next
  }
  if (from === path) copyFileSync(path, into)
  else renameSync(from, into)
  return { mediaType: type }
}

type Work = { from: string; into: string; mediaType: string; kind: MediaKind; gains: ReadonlyMap<number, number> }

/** Writes the file as it is after the step. @returns its type */
async function carryOut(step: RepairStep, { from, into, mediaType, kind, gains }: Work): Promise<string> {
  switch (step.do) {
    case 'gain': {
      const { gainWav } = await import('./wav')
      if (mediaType === 'audio/wav' && gainWav(from, into, gains.get(0) ?? 0)) return mediaType
      const { rewrite } = await import('./streams')
      rewrite(from, into, { mediaType, as: mediaType }, { gains, indexFirst: beginsWithIndex(from, mediaType) })
      return mediaType
    }
    case 'rewrap': {
      const { rewrite } = await import('./streams')
      const as = step.container === 'mp4' ? 'video/mp4' : 'video/quicktime'
      rewrite(from, into, { mediaType, as }, { indexFirst: true })
      return as
    }
    case 'fast_start':
      ;(await import('./movie')).moveIndexForward(from, into)
      return mediaType
    case 'remove_position':
      if (kind === 'image') (await import('./image')).blankImagePosition(from, into, mediaType)
      else (await import('./movie')).blankMoviePosition(from, into)
      return mediaType
    case 'timecode':
      ;(await import('./timecode')).setTimecodeStart(from, into, step.start)
      return mediaType
    case 'embed_profile':
      await (await import('./image')).embedSrgb(from, into, mediaType)
      return mediaType
    case 'convert_profile':
      await (await import('./image')).convertToSrgb(from, into, mediaType)
      return mediaType
    case 'trim_boxes':
      await (await import('./pages')).stateTrimBoxes(from, into)
      return mediaType
    case 'repack':
      ;(await import('./archive')).repack(from, into, step.drop, step.move)
      return mediaType
    case 'rename':
      return mediaType
  }
}

function beginsWithIndex(path: string, mediaType: string): boolean {
  if (!/^(video\/(mp4|quicktime)|audio\/mp4)$/.test(mediaType)) return false
  const source = new ByteSource(path)
  try {
    const boxes = readBoxes(source, 0, source.size, true)
    const place = (type: string) => boxes.findIndex((box) => box.type === type)
    return place('moov') < place('mdat')
  } finally {
    source.close()
  }
}

/**
 * What a file is made of, each part by its hash: streams of video and audio by their packets, an image by its decoded
 * samples, an archive by its entries, anything else as a whole.
 */
export async function partsOf(
  path: string,
  { mediaType, kind }: { mediaType: string; kind: MediaKind },
): Promise<FilePart[]> {
  if (kind === 'video' || kind === 'audio') return (await import('./streams')).hashStreams(path, mediaType)
  if (kind === 'image' && mediaType !== 'application/postscript') {
    const { data } = await decodeImage(path, mediaType)
    return [{ name: 'samples', sha256: createHash('sha256').update(data).digest('hex') }]
  }
  const source = new ByteSource(path)
  try {
    if (kind !== 'archive') return [{ name: 'bytes', sha256: hashOf(source, 0, source.size) }]
    return readDirectory(source)
      .entries.filter((entry) => !entry.path.endsWith('/'))
      .map((entry) => ({
        name: entry.path,
        sha256: hashOf(source, entry.dataStart, entry.dataStart + entry.compressedSize),
      }))
  } finally {
    source.close()
  }
}

/** Whether the file begins with exactly these bytes: what an incremental update of a PDF has to leave alone. */
export function beginsWith(path: string, original: string): boolean {
  const [source, before] = [new ByteSource(path), new ByteSource(original)]
  try {
    return source.size >= before.size && hashOf(source, 0, before.size) === hashOf(before, 0, before.size)
  } finally {
    source.close()
    before.close()
  }
}

function hashOf(source: ByteSource, start: number, end: number): string {
  const hash = createHash('sha256')
  for (const piece of source.pieces(start, end)) hash.update(piece)
  return hash.digest('hex')
}
