import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import sharp from 'sharp'
import { decodePicture } from '../decode/image'
import { examine } from '../formats/examine'
import { lookAt, lookAtPicture } from '../measure/measure-image'
import type { Raster } from '../measure/pixels'
import type { Answer, Answers, Request } from './protocol'

/**
 * The process that decodes pictures for the measurer: one request at a time on stdin, its answer on descriptor 3. What a
 * task needs is loaded with the first of its kind.
 */
const ANSWER = 3

sharp.cache(false)
sharp.concurrency(1)
// Only the loaders of the formats the service takes: no ImageMagick, no OpenSlide, no PDF by libvips.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Svg', 'Heif'].map((loader) => `VipsForeignLoad${loader}`),
})

/** The picture of the request before, for one that reads it: it is decoded once. */
let kept: { path: string; picture: Raster } | undefined

async function work(request: Request): Promise<Answer> {
  const { task, path, kind, mediaType, page, wanted = [] } = request
  if (task === 'read') return { done: await read(request) }
  kept = undefined
  if (task === 'examine') return { done: await examinePicture(request) }
  if (task === 'look') return { done: await lookAt(path, kind, mediaType) }
  if (task === 'evidence') {
    const { drawEvidence } = await import('../previews/draw-evidence')
    const drawn: (string | null)[] = []
    for (const each of wanted) {
      const picture = await drawEvidence(path, kind, mediaType, each).catch(() => null)
      drawn.push(picture?.toString('base64') ?? null)
    }
    return { done: drawn }
  }
  const { makePictures } = await import('../previews/preview')
  const pictures = await makePictures(path, kind, mediaType, page)
  if (!pictures) return { done: null }
  return {
    done: { thumbnail: pictures.thumbnail.toString('base64'), preview: pictures.preview.toString('base64') },
  }
}

/** The picture that is decoded for its integrity is the one that is looked at: nothing is decoded twice. */
async function examinePicture({ path, mediaType, extension = '', keeps }: Request): Promise<Answers['examine']> {
  let picture: Raster | undefined
  const inspection = await examine(path, {
    extension,
    decodeUntil: Number.POSITIVE_INFINITY,
    keepPicture: (decoded) => {
      picture = decoded
    },
  })
  if (picture && keeps) kept = { path, picture }
  return { inspection, looked: picture ? await lookAtPicture(picture, path) : await lookAt(path, 'image', mediaType) }
}

async function read({ path, kind, mediaType, copy = [] }: Request): Promise<Answers['read']> {
  const held = kept
  kept = undefined
  const { readDocument, readFilm, readPicture } = await import('../ocr/read-text')
  if (kind === 'document') return readDocument(path, copy)
  if (kind === 'video') return readFilm(path, mediaType, copy)
  return readPicture(held?.path === path ? held.picture : await decodePicture(path, mediaType), copy)
}

function answer(message: Answer): void {
  const bytes = Buffer.from(`${JSON.stringify(message)}\n`)
  for (let sent = 0; sent < bytes.length; ) {
    try {
      sent += writeSync(ANSWER, bytes, sent)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error
    }
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const request: Request = JSON.parse(line)
  try {
    answer(await work(request))
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const reason = (message.split('\n')[0] ?? '').replaceAll(request.path, 'the file').slice(0, 200)
    answer({
      failed: `${request.task === 'read' ? 'its text could not be read' : 'the file could not be decoded'} (${reason})`,
    })
  }
}
