// `npm run bench:provenance`: manifests of C2PA, written and read by a second engine (c2pa-rs as WebAssembly), beside what
// Greenroom says of the same files: valid, by an unknown signer, by an expired certificate, altered, with bytes after its end,
// stripped, edited, made of others, updated. Ends with 1 where the two disagree and no reason is known (docs/truth.md).
//
// --keep FOLDER   the files stay there
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import { holder } from '@/fixtures/certificates'
import { type Part, type SecondVerdict, secondVerdict, signed } from '@/fixtures/content-credentials'
import { pdf } from '@/fixtures/pdf'
import { scene, writeMedia } from '@/fixtures/video'
import type { ProvenanceFacts } from '@/lib/media/facts'
import { ByteSource } from '@/lib/media/formats/byte-source'
import { examinePdf } from '@/lib/media/formats/document/pdf'
import { readProvenance } from '@/lib/media/formats/provenance/provenance'

const { values: options } = parseArgs({ options: { keep: { type: 'string' } } })
const folder = options.keep ?? mkdtempSync(path.join(tmpdir(), 'greenroom-provenance-'))
mkdirSync(folder, { recursive: true })

const [trusted, unknown] = [holder('Trusted root'), holder('Unknown root')]
const SIGNERS = {
  known: holder('Signer', { issuer: trusted }),
  stranger: holder('Stranger', { issuer: unknown }),
  expired: holder('Signer of then', { issuer: trusted, from: '2019-01-01', until: '2021-01-01' }),
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/tiff': 'tiff',
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'application/pdf': 'pdf',
}

/** Where there is content, in a file that other things stand before or after: so many bytes from a mark. */
const CONTENT: Readonly<Record<string, readonly [mark: string, bytes: number]>> = {
  'video/mp4': ['mdat', 12],
  'video/quicktime': ['mdat', 12],
  // The width of the page.
  'application/pdf': ['595.2', 1],
}

/** Where the two say different things, and why that is known. */
const KNOWN: { file: RegExp; why: string }[] = []

type Ours = 'holds' | 'broken' | 'expired' | 'unverified' | 'none'

let disagreements = 0
try {
  console.log(`${'file'.padEnd(18)}${'second engine'.padEnd(16)}${'Greenroom'.padEnd(12)}what the second engine names`)
  for (const format of Object.keys(EXTENSIONS)) await compare(format)
  console.log(`\n${disagreements} disagreements without a known reason`)
} finally {
  if (!options.keep) rmSync(folder, { recursive: true, force: true })
}
process.exitCode = disagreements > 0 ? 1 : 0

async function compare(format: string) {
  const plain: Part = { format, bytes: await plainFile(format) }
  const part: Part = { format: 'image/png', bytes: await plainFile('image/png') }
  const valid = await signed(plain, SIGNERS.known)
  const files: Record<string, () => Promise<Buffer> | Buffer> = {
    valid: () => valid,
    stranger: () => signed(plain, SIGNERS.stranger),
    expired: () => signed(plain, SIGNERS.expired),
    altered: () => changed(valid, plain),
    appended: () => Buffer.concat([valid, Buffer.from('more bytes')]),
    stripped: () => plain.bytes,
    edited: () => signed({ format, bytes: valid }, SIGNERS.known, { intent: 'edit' }),
    composed: async () =>
      signed(plain, SIGNERS.known, {
        intent: 'edit',
        parts: [{ format: part.format, bytes: await signed(part, SIGNERS.stranger) }],
      }),
    updated: () => signed({ format, bytes: valid }, SIGNERS.known, { intent: 'update' }),
  }
  for (const [what, make] of Object.entries(files)) {
    const name = `${what}.${EXTENSIONS[format]}`
    try {
      await say(name, { format, bytes: await make() })
    } catch (error) {
      disagreements += 1
      console.log(`${name.padEnd(18)}was not compared: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}

async function say(name: string, file: Part) {
  const theirs = await secondVerdict(file, trusted)
  const ours = await ownVerdict(name, file)
  const known = KNOWN.find((each) => each.file.test(name))
  const isSame = agree(theirs, ours)
  if (!isSame && !known) disagreements += 1
  const note = isSame ? '' : known ? `  (${known.why})` : '  DISAGREE'
  console.log(
    `${name.padEnd(18)}${theirs.state.padEnd(16)}${ours.padEnd(12)}${theirs.failures.join(', ').slice(0, 90)}${note}`,
  )
}

/** Whether a signer is trusted is no question to Greenroom: what is trusted and what is valid are the same there. */
function agree({ state, failures }: SecondVerdict, ours: Ours): boolean {
  if (state === 'none') return ours === 'none'
  if (state === 'refused') return ours === 'broken'
  if (state !== 'Invalid') return ours === 'holds'
  return ours === (failures.includes('signingCredential.expired') ? 'expired' : 'broken')
}

async function ownVerdict(name: string, { format, bytes }: Part): Promise<Ours> {
  const file = path.join(folder, name)
  writeFileSync(file, bytes)
  const source = new ByteSource(file)
  try {
    const { manifest } = (await provenanceOf(source, format)) ?? { manifest: null }
    if (!manifest) return 'none'
    const states = [manifest.binding.state, manifest.signature.state]
    if (states.includes('broken')) return 'broken'
    if (states.includes('unverified')) return 'unverified'
    return manifest.certificate?.isExpired && !manifest.certificate.isStamped ? 'expired' : 'holds'
  } finally {
    source.close()
  }
}

async function provenanceOf(source: ByteSource, format: string): Promise<ProvenanceFacts | undefined> {
  if (format !== 'application/pdf') return readProvenance(source, format)
  const { media } = await examinePdf(source)
  return media.kind === 'document' ? media.provenance : undefined
}

/** One bit of what people see is another: in the middle of the plain file, or after the mark of its content. */
function changed(file: Buffer, { bytes, format }: Part): Buffer {
  const content = CONTENT[format]
  const middle = bytes.subarray(Math.floor(bytes.length * 0.6), Math.floor(bytes.length * 0.6) + 12)
  const at = content ? file.indexOf(content[0]) + content[1] : file.indexOf(middle) + 6
  const copy = Buffer.from(file)
  copy[at] = (copy[at] as number) ^ 1
  return copy
}

async function plainFile(format: string): Promise<Buffer> {
  const noise = sharp({
    create: {
      width: 48,
      height: 32,
      channels: 3,
      background: '#48a',
      noise: { type: 'gaussian', mean: 120, sigma: 40 },
    },
  })
  if (format === 'image/jpeg') return noise.jpeg().toBuffer()
  if (format === 'image/png') return noise.png().toBuffer()
  if (format === 'image/webp') return noise.webp().toBuffer()
  if (format === 'image/gif') return noise.gif().toBuffer()
  if (format === 'image/tiff') return noise.tiff({ compression: 'none' }).toBuffer()
  if (format === 'application/pdf') return pdf({ pages: [{}] })
  const file = path.join(folder, `plain.${EXTENSIONS[format]}`)
  writeMedia(file, { video: { width: 64, height: 48, frames: 10, paint: scene } })
  return readFileSync(file)
}
