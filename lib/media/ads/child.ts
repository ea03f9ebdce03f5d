import { writeSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import sharp from 'sharp'
import { readAd } from './ad-files'
import type { BannerAnswer, BannerRequestToRun } from './protocol'
import { runBanner } from './run-ad'

/** The process that runs one ad in a browser and ends. It is told which on stdin and answers on descriptor 3. */
const ANSWER = 3

sharp.cache(false)
sharp.concurrency(1)

async function work({ path, ...run }: BannerRequestToRun): Promise<BannerAnswer> {
  const files = await readAd(path)
  const { facts, strip, still } = await runBanner({ ...run, files })
  const sent = (picture: Buffer) => picture.toString('base64')
  return {
    done: {
      facts,
      strip: strip && sent(strip),
      still: still && { thumbnail: sent(still.thumbnail), preview: sent(still.preview) },
    },
  }
}

function answer(message: BannerAnswer): void {
  const bytes = Buffer.from(`${JSON.stringify(message)}\n`)
  for (let sent = 0; sent < bytes.length; ) {
    try {
      sent += writeSync(ANSWER, bytes, sent)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error
    }
  }
}

const request: BannerRequestToRun = JSON.parse(await text(process.stdin))
try {
  answer(await work(request))
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  answer({ failed: `the ad could not be run (${message.replaceAll(request.path, 'the file').slice(0, 400)})` })
}
process.exit(0)
