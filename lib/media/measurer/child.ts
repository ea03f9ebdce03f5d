import sharp from 'sharp'
import type { EvidenceWanted } from '@/lib/checks/check'
import { serve } from '@/lib/sandbox/serve'
import { decodeImage } from '../decode/image'
import { examine } from '../formats/examine'
import { inspectPixels, inspectRaster } from '../measure/measure-image'
import type { Raster } from '../measure/pixels'
import type { Previews } from '../previews/shrink'
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
let stored: { path: string; image: Raster } | undefined

function takeStored() {
  const taken = stored
  stored = undefined
  return taken
}

const inBase64 = (previews: Previews | null) =>
  previews && { thumbnail: previews.thumbnail.toString('base64'), preview: previews.preview.toString('base64') }

await serve<MeasurerJobs>({
  jobs: {
    inspect({ path, kind, mediaType }) {
      takeStored()
      return inspectPixels(path, kind, mediaType)
    },

    /** The image that is decoded for its integrity is the one that is inspected: nothing is decoded twice. */
    async examine({ path, mediaType, extension, stores, draws }) {
      takeStored()
      let image: Raster | undefined
      const inspection = await examine(path, {
        extension,
        decodeUntil: Number.POSITIVE_INFINITY,
        storeImage: (decoded) => {
          image = decoded
        },
      })
      if (image && stores) stored = { path, image }
      const inspected = image ? await inspectRaster(image, path) : await inspectPixels(path, 'image', mediaType)
      if (!draws || inspection.violations.length > 0) return { inspection, inspected }
      const { makePreviews, previewsOf } = await import('../previews/preview')
      const previews = image ? previewsOf(image) : makePreviews(path, 'image', mediaType)
      return { inspection, inspected, drawn: inBase64(await previews.catch(() => null)) }
    },

    async read({ path, kind, mediaType, copy }) {
      const held = takeStored()
      const { readDocument, readVideo, readImage } = await import('../ocr/read-text')
      if (kind === 'document') return readDocument(path, copy)
      if (kind === 'video') return readVideo(path, mediaType, copy)
      return readImage(held?.path === path ? held.image : await decodeImage(path, mediaType), copy)
    },

    async evidence({ path, kind, mediaType, wanted }) {
      takeStored()
      const { drawEvidence } = await import('../previews/draw-evidence')
      const draw = async (each: EvidenceWanted) =>
        (await drawEvidence(path, kind, mediaType, each).catch(() => null))?.toString('base64') ?? null
      // Frames are small: one is encoded while the next is decoded. Images and pages may fill the memory, and come one by one.
      if (kind === 'video') return Promise.all(wanted.map(draw))
      const drawn: (string | null)[] = []
      for (const each of wanted) drawn.push(await draw(each))
      return drawn
    },

    async logo({ path, kind, mediaType, largest }) {
      takeStored()
      const { makePreviews } = await import('../previews/preview')
      const previews = await makePreviews(path, kind, mediaType)
      if (!previews) return null
      const { data, info } = await sharp(previews.preview)
        .trim({ threshold: 4 })
        .resize({ ...largest, fit: 'inside', withoutEnlargement: true })
        .png({ compressionLevel: 9 })
        .toBuffer({ resolveWithObject: true })
      return { png: data.toString('base64'), width: info.width, height: info.height }
    },

    async previews({ path, kind, mediaType, page }) {
      takeStored()
      const { makePreviews } = await import('../previews/preview')
      return inBase64(await makePreviews(path, kind, mediaType, page))
    },
  },
})
