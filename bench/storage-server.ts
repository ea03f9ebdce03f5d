import { rmSync } from 'node:fs'
import { startS3Server } from '@/lib/adapters/blob-store/testing/s3-server'

/** The bucket of the storage bench. */
const server = await startS3Server({ bucket: 'bench', accessKeyId: 'BENCH', secretAccessKey: 'secret' })
process.on('message', () => {
  for (const { segments } of server.objects.values()) for (const { file } of segments) rmSync(file, { force: true })
  server.objects.clear()
})
process.on('disconnect', () => server.stop().then(() => process.exit()))
process.send?.(server.endpoint)
