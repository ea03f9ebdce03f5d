import { writeFileSync } from 'node:fs'
import { PDFDocument } from '@cantoo/pdf-lib'
import sharp from 'sharp'
import { bad, good } from '../files'
import { bytes, codeDrawing } from '../image-files'

const poster = (text: string | null, side = 180) =>
  bytes(() =>
    sharp({ create: { width: 800, height: 600, channels: 3, background: '#b9c7d5' } })
      .composite(text === null ? [] : [{ input: codeDrawing(text, side), left: 100, top: 80 }])
      .png()
      .toBuffer(),
  )
const required = { thresholds: { required: true } }

const withImage = (make: () => Promise<Buffer>) => async (file: string) => {
  const document = await PDFDocument.create()
  const image = await document.embedPng(await make())
  document.addPage([420, 595]).drawImage(image, { x: 60, y: 200, width: 300, height: 300 })
  writeFileSync(file, await document.save())
}
const code = (text: string) => withImage(() => sharp(codeDrawing(text, 600)).png().toBuffer())

export const FILES = [
  good('https.png', poster('https://example.com/a')),
  good('https-query.png', poster('https://example.com/offer?id=1')),
  good('upper-case.png', poster('HTTPS://EXAMPLE.COM/A')),
  good('mail.png', poster('mailto:office@example.com')),
  good('small.png', poster('https://example.com/a', 87), required),
  bad('http.png', poster('http://example.com/a')),
  bad('bare.png', poster('www.example.com')),
  bad('ftp.png', poster('ftp://example.com/file')),
  bad('none.png', poster(null), required),
  good('code-https.pdf', code('https://example.com/print')),
  bad('code-http.pdf', code('http://example.com/print')),
]
