import { createRequire } from 'node:module'
import path from 'node:path'
import { Font } from '@react-pdf/renderer'

/**
 * The typefaces of a printed page. All lie in npm packages under the SIL Open Font License; only the glyphs a document
 * uses are embedded in it. One face of a script is opened when a text needs it, and then stays open.
 */

export type Weight = 400 | 700

type Family = { family: string; folder: string; file: string; serves: RegExp }

export const LATIN = 'Noto Sans'
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u

/** In the order they are asked for a character. Noto Sans has Latin, Cyrillic and Greek, and is always open. */
const FAMILIES: readonly Family[] = [
  { family: LATIN, folder: 'noto-sans', file: 'NotoSans', serves: /(?:)/ },
  // Not Noto: its dots are marks of their own, so that text copied out of the page would lack them.
  {
    family: 'IBM Plex Sans Arabic',
    folder: 'ibm-plex-sans-arabic',
    file: 'IBMPlexSansArabic',
    serves: /\p{Script=Arabic}/u,
  },
  { family: 'Noto Sans Hebrew', folder: 'noto-sans-hebrew', file: 'NotoSansHebrew', serves: /\p{Script=Hebrew}/u },
  // Before the Chinese face: beside kana, characters that both share are written the Japanese way.
  { family: 'BIZ UDPGothic', folder: 'biz-udpgothic', file: 'BIZUDPGothic', serves: KANA },
  { family: 'Nanum Gothic', folder: 'nanum-gothic', file: 'NanumGothic', serves: /\p{Script=Hangul}/u },
  {
    family: 'Noto Sans SC',
    folder: 'noto-sans-sc',
    file: 'NotoSansSC',
    // Its symbols, arrows and dingbats serve all scripts.
    serves:
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\u2000-\u2bff\u3000-\u33ff\uff00-\uffef]/u,
  },
  {
    family: 'Noto Emoji',
    folder: 'noto-emoji',
    file: 'NotoEmoji',
    serves: /[\p{Extended_Pictographic}\p{RI}\p{EMod}]/u,
  },
]

const WEIGHTS = { 400: '400Regular', 700: '700Bold' } as const

let isRegistered = false

function register() {
  if (isRegistered) return
  isRegistered = true
  // From the folder of the product, not from this file: a bundler would take the fonts for modules of its own.
  const { resolve } = createRequire(path.join(process.env.GREENROOM_ROOT ?? process.cwd(), 'package.json'))
  for (const { family, folder, file } of FAMILIES) {
    Font.register({
      family,
      fonts: ([400, 700] as const).map((fontWeight) => ({
        fontWeight,
        src: resolve(`@expo-google-fonts/${folder}/${WEIGHTS[fontWeight]}/${file}_${WEIGHTS[fontWeight]}.ttf`),
      })),
    })
  }
  // Lines are broken before they get there (see typesetter.ts).
  Font.registerHyphenationCallback((word) => [word])
}

/** What is read of an opened font file (fontkit). */
type OpenFont = {
  unitsPerEm: number
  ascent: number
  postscriptName: string
  _tables: Record<string, unknown>
  layout(
    text: string,
    features?: unknown,
    script?: string,
    language?: string,
    direction?: string,
  ): { glyphs: { codePoints: number[] }[]; positions: unknown[] }
  hasGlyphForCodePoint(codePoint: number): boolean
  glyphForCodePoint(codePoint: number): { advanceWidth: number }
}

const LAM = 0x0644
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}]/u

/**
 * react-pdf asks for the glyphs of Arabic and Hebrew in reading order and turns them round itself, but leaves the marks
 * (harakat, niqqud) where they would be from left to right, a letter off. Asked from right to left and handed over in
 * reading order, they come out right.
 */
function layFromTheRight(font: OpenFont) {
  const layout = font.layout.bind(font)
  font.layout = (text, features, script, language, direction) => {
    if (!RIGHT_TO_LEFT.test(text)) return layout(text, features, script, language, direction)
    const run = layout(text, features, script, language, 'rtl')
    for (const glyph of run.glyphs) {
      // Readers (poppler, pdf.js, PDFium) turn a line round letter by letter, also the two of lam-alef, which is one glyph.
      if (glyph.codePoints.length > 1 && glyph.codePoints[0] === LAM) glyph.codePoints.reverse()
    }
    run.glyphs.reverse()
    run.positions.reverse()
    return run
  }
}

/** A typeface in one weight: which characters it has and how wide they are, in ems. */
export class Face {
  private readonly advances = new Map<number, number | null>()

  private constructor(
    readonly family: string,
    private readonly font: OpenFont,
  ) {}

  static async open(family: string, fontWeight: Weight): Promise<Face> {
    const descriptor = { fontFamily: family, fontWeight }
    await Font.load(descriptor)
    const font = Font.getFont(descriptor).data as unknown as OpenFont
    // pdfkit compares the name tables of two fonts again for every run of text, a tenth of the time of a long document.
    // A font that has told its name has no more use for the table, and without it the comparison is by checksum alone.
    Object.defineProperty(font, 'postscriptName', { value: font.postscriptName })
    delete font._tables.name
    layFromTheRight(font)
    return new Face(family, font)
  }

  /** From the baseline up, in ems. */
  get ascent(): number {
    return this.font.ascent / this.font.unitsPerEm
  }

  /** Null: the face does not have the character. */
  advance(codePoint: number): number | null {
    let advance = this.advances.get(codePoint)
    if (advance === undefined) {
      advance = this.font.hasGlyphForCodePoint(codePoint)
        ? this.font.glyphForCodePoint(codePoint).advanceWidth / this.font.unitsPerEm
        : null
      this.advances.set(codePoint, advance)
    }
    return advance
  }
}

const opened = new Map<string, Promise<Face>>()

/** The faces that these characters need, in the order they are asked. */
export function openFaces(characters: string, weight: Weight): Promise<Face[]> {
  register()
  return Promise.all(
    FAMILIES.filter(({ serves }) => serves.test(characters)).map(({ family }) => {
      const key = `${family} ${weight}`
      const face = opened.get(key) ?? Face.open(family, weight)
      opened.set(key, face)
      return face
    }),
  )
}
