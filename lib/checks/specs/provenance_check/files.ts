import { X509Certificate } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import sharp from 'sharp'
import { type Holder, holder } from '@/fixtures/certificates'
import { signed } from '@/fixtures/content-credentials'
import { stream } from '@/fixtures/pdf'
import { signedJpeg, signedPng } from '@/fixtures/provenance'
import { scene, writeMedia } from '@/fixtures/video'
import { write } from '../document-files'
import { bad, good } from '../files'
import { photoJpeg } from '../image-files'
import { image } from '../whole-files'

const bytes = (make: () => Buffer | Promise<Buffer>) => async (file: string) => writeFileSync(file, await make())
const packet = (value: string, attributes = '', inside = '') =>
  `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/" xmlns:stEvt="http://ns.adobe.com/xap/1.0/sType/ResourceEvent#" Iptc4xmpExt:DigitalSourceType="http://cv.iptc.org/newscodes/digitalsourcetype/${value}" ${attributes}>${inside}</rdf:Description></rdf:RDF></x:xmpmeta>`
const HISTORY =
  '<xmpMM:History><rdf:Seq><rdf:li stEvt:action="created" stEvt:when="2026-03-01T09:00:00+01:00" stEvt:softwareAgent="A retouching tool 7"/><rdf:li rdf:parseType="Resource"><stEvt:action>saved</stEvt:action><stEvt:softwareAgent>A layout tool</stEvt:softwareAgent><stEvt:when>2026-03-02T09:00:00Z</stEvt:when></rdf:li></rdf:Seq></xmpMM:History>'
const INSIDE = 'dcterms:provenance="self#jumbf=/c2pa/urn:uuid:4d5b0f2e-0b4e-4f0d-9c8e-3f6f0e3c5a11"'
const ELSEWHERE = 'dcterms:provenance="https://manifests.example.com/4d5b0f2e.c2pa"'

/** The same image after a tool that knows nothing of manifests changed its last line, which a decoder does not mind. */
const altered = () => {
  const file = Buffer.from(signedJpeg())
  const end = file.lastIndexOf(Buffer.from([0xff, 0xd9]))
  return Buffer.concat([file.subarray(0, 2), COMMENT, file.subarray(2, end), file.subarray(end)])
}
const COMMENT = Buffer.concat([Buffer.from([0xff, 0xfe, 0, 9]), Buffer.from('altered')])

const labelled = (value: string, ...more: string[]) =>
  bytes(async () =>
    sharp(await photoJpeg(64, 48))
      .withXmp(packet(value, ...more))
      .jpeg()
      .toBuffer(),
  )
const labelledPdf = (value: string, ...more: string[]) =>
  write({
    pages: [{}],
    catalogue: '/Metadata 10 0 R',
    objects: { 10: stream('/Type /Metadata /Subtype /XML', packet(value, ...more)) },
  })
const AI = 'trainedAlgorithmicMedia'

const root = holder('Root')
const signer = holder('Signer', { issuer: root })
const expired = holder('Signer of then', { issuer: root, from: '2019-01-01', until: '2021-01-01' })

/** A video of one second, with a manifest that binds it by its boxes. */
const video = async (file: string) => {
  writeMedia(file, { video: { width: 64, height: 48, frames: 25, paint: scene } })
  return signed({ bytes: readFileSync(file), format: 'video/mp4' }, signer)
}
const updated = async () => {
  const made = await signed({ bytes: await photoJpeg(64, 48), format: 'image/jpeg' }, signer)
  return signed({ bytes: made, format: 'image/jpeg' }, signer, { intent: 'update' })
}
const fingerprint = ({ certificate }: Holder) => new X509Certificate(certificate).fingerprint256
/** A certificate that its neighbour in the manifest did not issue. */
const stranger = holder('Another root')
const issued = (...issuers: Holder[]) =>
  bytes(async () => signed({ bytes: await photoJpeg(64, 48), format: 'image/jpeg' }, signer, { issuers }))
const trusting = (...holders: Holder[]) => ({ thresholds: { trusted: holders.map(fingerprint) } })
const generated = { thresholds: { source_type: 'generated' } }
const photo = { thresholds: { source_type: 'not_generated' } }

export const FILES = [
  good('signed.jpg', bytes(signedJpeg)),
  good('signed.png', bytes(signedPng), { thresholds: { manifest: 'required' } }),
  good('signed-generated.jpg', bytes(signedJpeg), generated),
  good('signed-photo.png', bytes(signedPng), photo),
  good('labelled.jpg', labelled(AI), generated),
  good('worked-on.jpg', labelled(AI, '', HISTORY), generated),
  good('worked-on.pdf', labelledPdf('digitalCapture', '', HISTORY), photo),
  good('manifest-elsewhere.jpg', labelled('digitalCapture', ELSEWHERE), photo),
  good('labelled-in-part.pdf', labelledPdf('compositeWithTrainedAlgorithmicMedia'), generated),
  good('signed.mp4', async (file) => writeFileSync(file, await video(file))),
  good('updated.jpg', bytes(updated)),
  good('signer-trusted.jpg', issued(), trusting(stranger, signer)),
  good('issuer-trusted.jpg', issued(root), trusting(root)),
  bad('issuer-absent.jpg', issued(), trusting(root)),
  bad('issuer-of-others.jpg', issued(stranger), trusting(stranger)),
  bad('none-trusted.jpg', issued(root), trusting(stranger)),
  bad('altered.mp4', async (file) => {
    const copy = await video(file)
    const at = copy.lastIndexOf('mdhd') + 12
    copy[at] = (copy[at] as number) ^ 1
    writeFileSync(file, copy)
  }),
  bad(
    'expired.png',
    bytes(async () => signed({ bytes: await image(), format: 'image/png' }, expired)),
  ),
  bad('altered.jpg', bytes(altered)),
  bad('taken-out.jpg', labelled('digitalCapture', INSIDE, HISTORY)),
  bad('taken-out.pdf', labelledPdf('digitalCapture', INSIDE)),
  bad(
    'without.png',
    bytes(() => image()),
    { thresholds: { manifest: 'required' } },
  ),
  bad('signed-generated-instead.jpg', bytes(signedJpeg), photo),
  bad('photo-instead.jpg', labelled('digitalCapture'), generated),
  bad(
    'says-nothing.jpg',
    bytes(() => photoJpeg(64, 48)),
    { thresholds: { source_type: 'stated' } },
  ),
  bad('labelled.pdf', labelledPdf(AI), photo),
]
