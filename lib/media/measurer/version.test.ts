import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { MEASURE_VERSION } from './version'

/** What decides a measurement: everything between the bytes of a file and what is stored of them. */
const MEASURING = ['ads', 'decode', 'formats', 'inspect', 'measure', 'measurer', 'ocr'].map(
  (folder) => `lib/media/${folder}`,
)

const sources = MEASURING.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => path.posix.join(folder, file.replaceAll(path.sep, '/')))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && file !== 'lib/media/measurer/version.ts'),
)
  .concat('lib/k-weighting.ts')
  .sort()

/** Packages that these name, in the version that is installed. */
function decodersOf(texts: readonly string[]): string[] {
  const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'))
  const { dependencies }: { dependencies: Record<string, string> } = read('package.json')
  const { packages }: { packages: Record<string, { version: string }> } = read('package-lock.json')
  const quoted = new Set(texts.flatMap((text) => text.match(/(?<=['"`])(@[\w.-]+\/)?[\w.-]+/g) ?? []))
  // Of a scope whose rest is put in: all of it.
  const scopes = new Set(texts.flatMap((text) => text.match(/(?<=`)@[\w.-]+\/(?=\$\{)/g) ?? []))
  return Object.keys(dependencies)
    .filter((name) => quoted.has(name) || scopes.has(`${name.split('/')[0]}/`))
    .sort()
    .map((name) => `${name}@${packages[`node_modules/${name}`]?.version}`)
}

test('the version of what measures changes with it', () => {
  const texts = sources.map((file) => readFileSync(file, 'utf8'))
  const decoders = decodersOf(texts)
  expect(sources.length).toBeGreaterThan(50)
  for (const name of ['sharp', 'node-av', 'pdfjs-dist', 'tesseract.js-core', '@tesseract.js-data/eng'])
    expect(decoders).toContainEqual(expect.stringMatching(new RegExp(`^${name}@\\d`)))
  const hash = createHash('sha256')
  for (const part of [...decoders, ...sources.flatMap((file, index) => [file, texts[index] ?? ''])])
    hash.update(`${part.length} ${part}\n`)
  const version = hash.digest('hex').slice(0, 16)
  expect(MEASURE_VERSION, `Write '${version}' into lib/media/measurer/version.ts.`).toBe(version)
})
