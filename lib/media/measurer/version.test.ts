import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import path from 'node:path'
import { expect, test } from 'vitest'
import { MEASURE_VERSION } from './version'

/** What decides a measurement: everything between the bytes of a file and what is stored of them. */
const MEASURING = ['decode', 'formats', 'inspect', 'measure', 'measurer', 'ocr'].map((folder) => `lib/media/${folder}`)

const sources = MEASURING.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => path.posix.join(folder, file.replaceAll(path.sep, '/')))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && file !== 'lib/media/measurer/version.ts'),
).sort()

/** Packages that these name, in the version that is installed. */
function decodersOf(texts: readonly string[]): string[] {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { version?: string }>
  }
  const named = texts.flatMap((text) =>
    [...text.matchAll(/(?:from|import\()\s*'((?:@[^/']+\/)?[^/'.@][^/']*)/g)].map((match) => match[1] ?? ''),
  )
  return [...new Set(named)]
    .filter((name) => !name.startsWith('node:') && !builtinModules.includes(name))
    .sort()
    .map((name) => `${name}@${packages[`node_modules/${name}`]?.version ?? 'none'}`)
}

test('the version of what measures changes with it', () => {
  const texts = sources.map((file) => readFileSync(file, 'utf8'))
  const decoders = decodersOf(texts)
  expect(sources.length).toBeGreaterThan(50)
  expect(decoders).toContainEqual(expect.stringMatching(/^sharp@\d/))
  expect(decoders).not.toContainEqual(expect.stringContaining('@none'))
  const hash = createHash('sha256')
  for (const part of [...decoders, ...sources.flatMap((file, index) => [file, texts[index] ?? ''])])
    hash.update(`${part.length} ${part}\n`)
  const version = hash.digest('hex').slice(0, 16)
  expect(MEASURE_VERSION, `Write '${version}' into lib/media/measurer/version.ts.`).toBe(version)
})
