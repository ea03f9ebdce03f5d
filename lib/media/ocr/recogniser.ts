import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { gunzipSync } from 'node:zlib'
import type { ReadWord } from '@/lib/media/measurements'

/** Letters in grey, rows from the top. */
export type GreyImage = { data: Uint8Array; width: number; height: number }

/** `whole`: one brightness parts ink from ground; `tiled`: each part of the image has its own. */
export type Separation = 'whole' | 'tiled'

/**
 * `page`: columns and lines are searched for; `sparse`: words wherever they stand, in no order but from top to bottom;
 * `block`: all of it is lines of one text.
 */
export type Layout = 'page' | 'sparse' | 'block'

/** What is used of Tesseract as its package brings it: WebAssembly with a file system in memory, and no network. */
type Tesseract = {
  FS: { writeFile(path: string, bytes: Uint8Array): void; unlink(path: string): void }
  TessBaseAPI: new () => {
    Init(folder: string, languages: string, engine: number): number
    SetVariable(name: string, value: string): boolean
    SetImageFile(orientation: number, angle: number): number
    Recognize(monitor: null): number
    GetJSONText(): string
    Clear(): void
    End(): void
  }
}
type Found = {
  blocks?: {
    paragraphs?: {
      lines?: {
        words?: {
          text: string
          confidence: number
          bbox: { x0: number; y0: number; x1: number; y1: number }
        }[]
      }[]
    }[]
  }[]
}

const NEURAL_ENGINE = 1
const PAGE_SEGMENTATION: Record<Layout, string> = { page: '3', sparse: '11', block: '6' }
const THRESHOLDING: Record<Separation, string> = { whole: '0', tiled: '1' }

/** Languages whose models come with the product; each brings the letters its own writing has. */
const LANGUAGES: Readonly<Record<string, RegExp>> = {
  deu: /[äöüß]/i,
  fra: /[àâæçèéêëîïôœùûÿ]/i,
  spa: /[ñáíóú¿¡]/i,
}

/** The models a text asks for: English, and those that know its letters beyond. Each more takes time. */
export function languagesFor(copy: readonly string[]): string[] {
  const text = copy.join(' ').normalize('NFC')
  return ['eng', ...Object.keys(LANGUAGES).filter((language) => LANGUAGES[language]?.test(text))]
}

// An add with vectors, as the fast build is made of: (module (func (result v128) i32.const 0 i8x16.splat)).
const VECTORS = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11,
])

const require = createRequire(import.meta.url)
let loading: Promise<Tesseract> | undefined
const held = new Set<string>()
let opened: { languages: string; api: InstanceType<Tesseract['TessBaseAPI']> } | undefined

/** Reads words. Programs and models are files of npm packages: nothing is fetched. Rejects with the reason why it cannot. */
export async function recognise(
  image: GreyImage,
  languages: readonly string[],
  { separation, layout }: { separation: Separation; layout: Layout },
): Promise<ReadWord[]> {
  loading ??= load()
  const tesseract = await loading
  const api = await openFor(tesseract, languages)
  const head = Buffer.from(`P5\n${image.width} ${image.height}\n255\n`)
  tesseract.FS.writeFile('/input', Buffer.concat([head, image.data]))
  api.SetVariable('tessedit_pageseg_mode', PAGE_SEGMENTATION[layout])
  api.SetVariable('thresholding_method', THRESHOLDING[separation])
  // The images state none that means anything after they were scaled for reading.
  api.SetVariable('user_defined_dpi', '200')
  try {
    if (api.SetImageFile(1, 0) === 1) throw new Error('the reader does not take the image')
    if (api.Recognize(null) !== 0) throw new Error('the reader gave up')
    return wordsOf(JSON.parse(api.GetJSONText()))
  } finally {
    api.Clear()
    tesseract.FS.unlink('/input')
  }
}

function wordsOf({ blocks = [] }: Found): ReadWord[] {
  return blocks
    .flatMap(({ paragraphs = [] }) => paragraphs)
    .flatMap(({ lines = [] }) => lines)
    .flatMap(({ words = [] }) => words)
    .filter(({ text }) => /[\p{L}\p{N}]/u.test(text) || /[%€$£¥+&@#§°]/u.test(text))
    .map(({ text, confidence, bbox: { x0, y0, x1, y1 } }) => ({
      text,
      confidence: Math.round(confidence) / 100,
      region: { x: x0, y: y0, width: x1 - x0, height: y1 - y0 },
    }))
}

async function load(): Promise<Tesseract> {
  const build = WebAssembly.validate(VECTORS) ? 'tesseract-core-simd-lstm' : 'tesseract-core-lstm'
  const start: (options: object) => Promise<Tesseract> = require(`tesseract.js-core/${build}`)
  const silent = () => undefined
  return start({ TesseractProgress: silent, print: silent, printErr: silent })
}

async function openFor(tesseract: Tesseract, wanted: readonly string[]) {
  const languages = wanted.join('+')
  if (opened?.languages === languages) return opened.api
  opened?.api.End()
  opened = undefined
  for (const language of wanted) {
    if (held.has(language)) continue
    const packed = await readFile(
      require.resolve(`@tesseract.js-data/${language}/4.0.0_best_int/${language}.traineddata.gz`),
    )
    tesseract.FS.writeFile(`/${language}.traineddata`, gunzipSync(packed))
    held.add(language)
  }
  const api = new tesseract.TessBaseAPI()
  if (api.Init('/', languages, NEURAL_ENGINE) !== 0) throw new Error(`the models of ${languages} do not load`)
  opened = { languages, api }
  return api
}
