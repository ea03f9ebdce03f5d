import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { create } from 'fontkit'

/**
 * The typefaces of a printed page. All lie in npm packages under the SIL Open Font License; only the glyphs a document
 * uses are embedded in it. One face of a script is opened when a text needs it, and then stays open.
 */

export type Weight = 400 | 700

type Family = { family: string; folder: string; file: string; serves: RegExp }

const LATIN = 'Noto Sans'
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

/** From the folder of the product, not from this file: a bundler would take the fonts for modules of its own. */
const fileOf = ({ folder, file }: Family, weight: Weight) =>
  createRequire(path.join(process.cwd(), 'package.json')).resolve(
    `@expo-google-fonts/${folder}/${WEIGHTS[weight]}/${file}_${WEIGHTS[weight]}.ttf`,
  )

/** What is read of an opened font file (fontkit). */
export type OpenFont = {
  characterSet: number[]
  unitsPerEm: number
  postscriptName: string
  layout(text: string, features?: unknown, script?: string, language?: string, direction?: 'ltr' | 'rtl'): GlyphRun
  hasGlyphForCodePoint(codePoint: number): boolean
  glyphForCodePoint(codePoint: number): Glyph
  glyphsForString(text: string): Glyph[]
}

type Glyph = { codePoints: number[]; advanceWidth: number }
type Position = { xAdvance: number; yAdvance: number; xOffset: number; yOffset: number }
type GlyphRun = { glyphs: Glyph[]; positions: Position[]; readonly advanceWidth: number }

const DIGITS = /^[\d.,-]+ ?$/

/** Otherwise Noto Sans takes Vietnamese letters apart, and text copied out of the page lacks their marks. */
const WHOLE_LETTERS = { ccmp: 0 }

/** Words come again, in a document and in the next one. So many of a face are remembered, a few megabytes. */
const REMEMBERED = 20_000

/** pdfkit names features for what it is to lay out from right to left (see pen.ts), and else none. */
function layAsAsked(font: OpenFont, family: string) {
  const layout = font.layout.bind(font)
  const features = family === LATIN ? WHOLE_LETTERS : undefined
  const known = new Map<string, GlyphRun>()
  // A glyph is the same object in every run.
  const turned = new WeakSet<Glyph>()
  font.layout = (text, isRightToLeft) => {
    // Digits stand below each other digit by digit: nothing of them is joined or kerned, and few of them come again.
    // The comma between two words of Hebrew is no digit: it is laid from right to left as they are.
    if (!isRightToLeft && DIGITS.test(text)) return sideBySide(font.glyphsForString(text))
    const direction = isRightToLeft ? 'rtl' : 'ltr'
    const key = direction + text
    let run = known.get(key)
    if (!run) {
      run = layout(text, features, undefined, undefined, direction)
      for (const glyph of run.glyphs) {
        // Readers (poppler, pdf.js, PDFium) turn a line round letter by letter, also those of a ligature, which is one glyph.
        if (isRightToLeft && glyph.codePoints.length > 1 && !turned.has(glyph)) {
          glyph.codePoints.reverse()
          turned.add(glyph)
        }
      }
      if (known.size >= REMEMBERED) known.clear()
      known.set(key, run)
    }
    return sideBySide(run.glyphs, run.positions)
  }
}

/** pdfkit scales the positions it is given, and asks for the width after that: each time they are new ones. */
function sideBySide(glyphs: Glyph[], laid?: readonly Position[]): GlyphRun {
  const positions = laid
    ? laid.map((position) => ({ ...position }))
    : glyphs.map(({ advanceWidth }) => ({ xAdvance: advanceWidth, yAdvance: 0, xOffset: 0, yOffset: 0 }))
  return {
    glyphs,
    positions,
    get advanceWidth() {
      return positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0)
    },
  }
}

/** A typeface in one weight: which characters it has and how wide they are, in ems. */
export class Face {
  private readonly advances = new Map<number, number | null>()

  private constructor(
    readonly name: string,
    readonly font: OpenFont,
  ) {}

  static async open(family: Family, weight: Weight): Promise<Face> {
    const font = create(await readFile(fileOf(family, weight)))
    layAsAsked(font, family.family)
    return new Face(font.postscriptName, font)
  }

  has(character: string): boolean {
    return this.advance(character.codePointAt(0) ?? 0) !== null
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

  /** Of a run as it is drawn, with its letters joined and its pairs kerned. */
  width(text: string, isRightToLeft: boolean): number {
    return this.font.layout(text, isRightToLeft ? [] : undefined).advanceWidth / this.font.unitsPerEm
  }
}

const opened = new Map<string, Promise<Face>>()

/** The faces that these characters need, in the order they are asked. */
export function openFaces(characters: string, weight: Weight): Promise<Face[]> {
  return Promise.all(
    FAMILIES.filter(({ serves }) => serves.test(characters)).map((family) => {
      const key = `${family.family} ${weight}`
      const face = opened.get(key) ?? Face.open(family, weight)
      opened.set(key, face)
      return face
    }),
  )
}

/** Every character that some typeface has and would be asked for. */
export async function coveredCodePoints(): Promise<Set<number>> {
  const covered = new Set<number>()
  for (const family of FAMILIES) {
    const { characterSet } = create(await readFile(fileOf(family, 400)))
    for (const codePoint of characterSet) {
      if (family.serves.test(String.fromCodePoint(codePoint))) covered.add(codePoint)
    }
  }
  return covered
}
