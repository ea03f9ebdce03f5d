// `npm run bench:machines -- [--files 60] [--core-share 0.7]`: two web machines and N workers that share PostgreSQL and a bucket and nothing
// else (bench/namespaces.ts). How many files a second two one-core workers check, against one; wanted: 1.8 times.
// And whether the verdicts are those of one machine with a disk (`npm start`). Timed is the batch alone, from the first
// check's beginning to the last one's end: the uploads and their previews are done before. The web machines, PostgreSQL
// and the bucket have no cores of their own: on a machine of two they take from the second worker what they need. With
// `--core-share` each worker is held to that part of its core, one as well as two, and the others have the rest.
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import { type Design, still } from '@/fixtures/artwork'
import { advertisement, clip, tune } from '@/fixtures/deliveries'
import { build, openOneMachine, openSite, requireNamespaces } from './namespaces'
import { ask, makeOperator, type Product } from './product'

const { values } = parseArgs({
  options: { files: { type: 'string', default: '60' }, 'core-share': { type: 'string' } },
})
const FILES = Number(values.files)
const share = values['core-share'] === undefined ? undefined : Number(values['core-share'])
const LEAST_RATIO = 1.8
const DESIGN: Design = {
  brand: 'Fjord & Field',
  headline: 'Spring starts here',
  colours: ['#0f3d2c', '#6fbf8f', '#f4f7f2'],
  shape: 'peaks',
}

type Delivered = { name: string; type: string; bytes: Buffer }
type Result = { file_name: string; started_at: string; completed_at: string; status: string }
type Run = { seconds: number; verdicts: string[] }

requireNamespaces()
build()
const files = await draw()
const alone = await measure(await openOneMachine(1))
const one = await measure(await openSite({ webs: 2, workers: 1, slots: 1, checksAlone: true, share }))
const two = await measure(await openSite({ webs: 2, workers: 2, slots: 1, checksAlone: true, share }))

const ratio = one.seconds / two.seconds
const isRepeated = same(alone, one, 'one worker') && same(alone, two, 'two workers')
console.log(
  `${files.length} files, ${availableParallelism()} cores; ${share === undefined ? 'web, PostgreSQL and bucket share them with the workers' : `each worker has ${share * 100} % of one`}`,
)
console.log(`one worker    ${one.seconds.toFixed(1)} s, ${(files.length / one.seconds).toFixed(2)} checks/s`)
console.log(`two workers   ${two.seconds.toFixed(1)} s, ${(files.length / two.seconds).toFixed(2)} checks/s`)
console.log(`ratio         ${ratio.toFixed(2)} (at least ${LEAST_RATIO}) ${ratio >= LEAST_RATIO ? 'kept' : 'missed'}`)
console.log(`verdicts      ${isRepeated ? `${alone.verdicts.length} identical to those of one machine` : 'differ'}`)
process.exit(ratio >= LEAST_RATIO && isRepeated ? 0 : 1)

/**
 * Of twenty files one is a video, one audio, one a PDF, and the others are photographs. No HTML5 ads: what is measured of
 * them is time, which no two runs share.
 */
async function draw(): Promise<Delivered[]> {
  const drawn: Delivered[] = []
  for (let number = 0; number < FILES; number++) {
    const design = { ...DESIGN, headline: `Spring starts on day ${number}` }
    const name = `file-${String(number).padStart(4, '0')}`
    if (number % 20 === 3)
      drawn.push({ name: `${name}.mp4`, type: 'video/mp4', bytes: await clip(design, 640, 360, 4, 25) })
    else if (number % 20 === 8)
      drawn.push({ name: `${name}.wav`, type: 'audio/wav', bytes: tune([392 + number, 523, 659], 2) })
    else if (number % 20 === 13)
      drawn.push({ name: `${name}.pdf`, type: 'application/pdf', bytes: await advertisement(design, 2, true) })
    else drawn.push({ name: `${name}.jpg`, type: 'image/jpeg', bytes: await photo(design, number) })
  }
  return drawn
}

async function photo(design: Design, number: number): Promise<Buffer> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 30 }
  const grain = sharp({ create: { width: 500 + number, height: 375, channels: 3, background: '#888', noise } })
  const ground = await sharp(await grain.png().toBuffer())
    .resize(3000, 2000, { fit: 'fill' })
    .toBuffer()
  const motif = await still(design, 600, 400, 'png')
  return sharp(ground)
    .composite([{ input: motif }])
    .jpeg({ quality: 85 })
    .toBuffer()
}

async function measure({ products, close }: { products: Product[]; close: () => Promise<void> }): Promise<Run> {
  const product = products[0] as Product
  try {
    const make = async (path: string, body: object) => (await ask<{ id: string }>(product, 'POST', path, body)).id
    const agency = await make('/api/agencies', { name: 'Fjord & Field', code: 'FJORD' })
    const category = await make('/api/media-categories', { name: 'All kinds' })
    const operator = await makeOperator(product, 'operator@bench.test', 'a password of the bench')
    const project = await make('/api/projects', { name: 'Spring', agency_id: agency, media_category_id: category })
    const id = await make(`/api/projects/${project}/batches`, { name: 'First', operator_id: operator })
    const batch = `/api/projects/${project}/batches/${id}`
    for (const [index, { name, type, bytes }] of files.entries()) {
      const at = products[index % products.length] as Product
      const form = new FormData()
      form.append('file', new Blob([new Uint8Array(bytes)], { type }), name)
      const response = await fetch(`${at.url}${batch}/files`, { method: 'POST', headers: at.headers, body: form })
      if (!response.ok) throw new Error(`${name} got ${response.status}: ${await response.text()}`)
    }
    await product.untilIdle()
    await ask(product, 'POST', `${batch}/submit`, {})
    await product.untilIdle()
    const { results } = await ask<{ results: Result[] }>(
      products.at(-1) as Product,
      'GET',
      `/api/pre-qc/results?batchId=${id}`,
    )
    const unfinished = results.filter(({ status }) => status !== 'completed')
    if (results.length !== files.length || unfinished.length > 0)
      throw new Error(`${results.length} results for ${files.length} files, ${unfinished.length} not completed.`)
    const began = Math.min(...results.map(({ started_at }) => Date.parse(started_at)))
    const ended = Math.max(...results.map(({ completed_at }) => Date.parse(completed_at)))
    const verdicts = results
      .map((result) => `${result.file_name} ${JSON.stringify(withoutPlaceAndTime(result))}`)
      .sort()
    return { seconds: (ended - began) / 1000, verdicts }
  } finally {
    await close()
  }
}

/** The document without identifiers, addresses made of them, and times. */
function withoutPlaceAndTime(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPlaceAndTime)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([key]) => key === 'check_id' || !/^(?:id|url)$|_(?:id|at)$/.test(key))
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutPlaceAndTime(inner)]))
}

function same(expected: Run, found: Run, name: string): boolean {
  const at = expected.verdicts.findIndex((verdict, index) => verdict !== found.verdicts[index])
  if (at < 0 && expected.verdicts.length === found.verdicts.length) return true
  console.error(
    `${name} came to another verdict:\n  ${found.verdicts[at]}\nwhere one machine said\n  ${expected.verdicts[at]}`,
  )
  return false
}
