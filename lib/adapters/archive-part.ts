import yauzl from 'yauzl'

/** Larger parts of an ad are not shown: no ad server would load them either. */
const MAX_PART_BYTES = 50 * 1024 * 1024

/** The bytes of one file in a ZIP archive, or null where it has none of that name or the file is too large to be shown. */
export function readArchivePart(archive: string, name: string): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    yauzl.open(archive, { lazyEntries: true, autoClose: true }, (failure, zip) => {
      if (failure) return reject(failure)
      zip.on('error', reject)
      zip.on('end', () => resolve(null))
      zip.on('entry', (entry: yauzl.Entry) => {
        if (entry.fileName !== name) return zip.readEntry()
        if (entry.uncompressedSize > MAX_PART_BYTES) {
          zip.close()
          return resolve(null)
        }
        zip.openReadStream(entry, (error, stream) => {
          if (error) return reject(error)
          const chunks: Buffer[] = []
          stream.on('data', (chunk: Buffer) => chunks.push(chunk))
          stream.on('error', reject)
          stream.on('end', () => {
            zip.close()
            resolve(Buffer.concat(chunks))
          })
        })
      })
      zip.readEntry()
    })
  })
}
