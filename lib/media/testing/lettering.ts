import { createRequire } from 'node:module'
import sharp from 'sharp'

const require = createRequire(import.meta.url)
const FACES = {
  sans: ['Noto Sans', '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf'],
  bold: ['Noto Sans Bold', '@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf'],
  italic: ['Noto Sans Italic', '@expo-google-fonts/noto-sans/400Regular_Italic/NotoSans_400Regular_Italic.ttf'],
  gothic: ['BIZ UDPGothic', '@expo-google-fonts/biz-udpgothic/400Regular/BIZUDPGothic_400Regular.ttf'],
} as const

/** A line of text in a picture: its upper left corner, the size of its letters in pixels. */
export type Lettering = {
  text: string
  x: number
  y: number
  size: number
  colour?: string
  face?: keyof typeof FACES
  /** Clockwise. */
  degrees?: number
}

/** A picture with text in it, PNG, drawn with typefaces from packages: the machine may have none of its own. */
export async function drawLettering(
  width: number,
  height: number,
  lines: readonly Lettering[],
  ground = '#ffffff',
  shapes = '',
): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" fill="${ground}"/>${shapes}</svg>`
  const drawn = await Promise.all(lines.map(drawLine))
  return sharp(Buffer.from(svg)).composite(drawn).removeAlpha().png().toBuffer()
}

async function drawLine({ text, x, y, size, colour = '#111111', face = 'sans', degrees = 0 }: Lettering) {
  const [font, file] = FACES[face]
  const markup = `<span foreground="${colour}">${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</span>`
  const input = await sharp({
    text: { text: markup, font: `${font} ${size}`, fontfile: require.resolve(file), dpi: 72, rgba: true },
  })
    .png()
    .toBuffer()
  const turned = degrees === 0 ? input : await sharp(input).rotate(degrees, { background: '#00000000' }).toBuffer()
  return { input: turned, left: x, top: y }
}
