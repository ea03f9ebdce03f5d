import { rmSync } from 'node:fs'
import { type S3Fault, startS3Server } from '@/lib/adapters/blob-store/testing/s3-server'

/** `empty` forgets every object; `lose` the newest piece of a resumable upload; the others fail from now on, half of all requests. */
export type Order = 'empty' | 'lose' | 'well' | Extract<S3Fault, 'error' | 'hang' | 'cut' | 'full'>

/** The bucket of a bench. Its argument, if any, is how many bytes of an object it sends in a second at most. */
const bytesPerSecond = process.argv[2] ? Number(process.argv[2]) : undefined
const server = await startS3Server({ bucket: 'bench', accessKeyId: 'BENCH', secretAccessKey: 'secret', bytesPerSecond })
process.on('message', (order: Order) => {
  if (order === 'empty') empty()
  else if (order === 'lose') lose()
  else server.breaks(order === 'well' ? undefined : () => (Math.random() < 0.5 ? order : undefined))
})

function empty() {
  for (const { segments } of server.objects.values()) for (const { file } of segments) rmSync(file, { force: true })
  server.objects.clear()
}

function lose() {
  const parts = [...server.objects.keys()].filter((key) => key.startsWith('staged/'))
  server.objects.delete(parts.at(-1) ?? '')
}

process.on('disconnect', () => server.stop().then(() => process.exit()))
process.send?.(server.endpoint)
