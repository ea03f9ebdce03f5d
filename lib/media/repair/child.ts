import sharp from 'sharp'
import { serve } from '@/lib/sandbox/serve'
import type { RepairerJobs } from './protocol'
import { beginsWith, partsOf, repairFile } from './repair-file'

/** The program that writes repaired copies (protocol.ts). */
sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Svg', 'Heif'].map((loader) => `VipsForeignLoad${loader}`),
})

await serve<RepairerJobs>({
  jobs: {
    async repair(request) {
      const { path, into, mediaType, kind } = request
      const before = await partsOf(path, request)
      const { mediaType: as } = await repairFile(request)
      const after = await partsOf(into, { mediaType: as, kind })
      // An update of a PDF stands behind the original, which is then a part of it that was not touched.
      if (kind !== 'document' || !beginsWith(into, path)) return { mediaType: as, before, after }
      const original = before.map((part) => ({ ...part, name: 'the original, in front' }))
      return { mediaType: mediaType, before: original, after: original }
    },
  },
})
