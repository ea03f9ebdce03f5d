import sharp from 'sharp'
import { serve } from '@/lib/sandbox/serve'
import { decodePicture } from '../decode/image'
import { examine } from '../formats/examine'
import { lookAt, lookAtPicture } from '../measure/measure-image'
import type { Raster } from '../measure/pixels'
import type { MeasurerJobs } from './protocol'

/** The program that decodes images for the measurer (protocol.ts). What a job needs is loaded with the first of its kind. */
sharp.cache(false)
sharp.concurrency(1)
// Only the loaders of the formats the service takes: no ImageMagick, no OpenSlide, no PDF by libvips.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Svg', 'Heif'].map((loader) => `VipsForeignLoad${loader}`),
})

/** The image of the job before, for one that reads it: it is decoded once. */
let kept: { path: string; picture: Raster } | undefined

function takeStored() {
  const taken = kept
  kept = undefined
  return taken
}

await serve<MeasurerJobs>({
  jobs: {
    look({ path, kind, mediaType }) {
      takeStored()
      return lookAt(path, kind, mediaType)
    },

    /** The image that is decoded for its integrity is the one that is looked at: nothing is decoded twice. */
    async examine({ path, mediaType, extension, keeps }) {
      takeStored()
      let picture: Raster | undefined
      const inspection = await examine(path, {
        extension,
        decodeUntil: Number.POSITIVE_INFINITY,
        keepPicture: (decoded) => {
          picture = decoded
        },
      })
      if (picture && keeps) kept = { path, picture }
      const looked = picture ? await lookAtPicture(picture, path) : await lookAt(path, 'image', mediaType)
      return { inspection, looked }
    },

    async read({ path, kind, mediaType, copy }) {
      const held = takeStored()
      const { readDocument, readVideo, readPicture } = await import('../ocr/read-text')
      if (kind === 'document') return readDocument(path, copy)
      if (kind === 'video') return readVideo(path, mediaType, copy)
      return readPicture(held?.path === path ? held.picture : await decodePicture(path, mediaType), copy)
    },

    async evidence({ path, kind, mediaType, wanted }) {
      takeStored()
      const { drawEvidence } = await import('../previews/draw-evidence')
      const drawn: (string | null)[] = []
      for (const each of wanted) {
        const picture = await drawEvidence(path, kind, mediaType, each).catch(() => null)
        drawn.push(picture?.toString('base64') ?? null)
      }
      return drawn
    },

    async logo({ path, kind, mediaType, largest }) {
      takeStored()
      const { makePictures } = await import('../previews/preview')
      const pictures = await makePictures(path, kind, mediaType)
      if (!pictures) return null
      const { data, info } = await sharp(pictures.preview)
        .trim({ threshold: 4 })
        .resize({ ...largest, fit: 'inside', withoutEnlargement: true })
        .png({ compressionLevel: 9 })
        .toBuffer({ resolveWithObject: true })
      return { png: data.toString('base64'), width: info.width, height: info.height }
    },

    async pictures({ path, kind, mediaType, page }) {
      takeStored()
      const { makePictures } = await import('../previews/preview')
      const pictures = await makePictures(path, kind, mediaType, page)
      return (
        pictures && {
          thumbnail: pictures.thumbnail.toString('base64'),
          preview: pictures.preview.toString('base64'),
        }
      )
    },
  },
})
