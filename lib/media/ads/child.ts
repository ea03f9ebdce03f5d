import sharp from 'sharp'
import { serve } from '@/lib/sandbox/serve'
import { readAd } from './ad-files'
import type { BrowserJobs } from './protocol'
import { runBanner } from './run-ad'

/** The program that runs ads in a browser (protocol.ts). */
sharp.cache(false)
sharp.concurrency(1)

const sent = (image: Buffer) => image.toString('base64')

await serve<BrowserJobs>({
  jobs: {
    async run({ path, ...run }) {
      const { facts, strip, still } = await runBanner({ ...run, files: await readAd(path) })
      return {
        facts,
        strip: strip && sent(strip),
        still: still && { thumbnail: sent(still.thumbnail), preview: sent(still.preview) },
      }
    },
  },
})
