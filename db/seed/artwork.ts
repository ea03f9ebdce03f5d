import sharp from 'sharp'

/** Pictures of the demo workspace: drawn here, so that they are real files and nobody else's work. */

export type Look = {
  brand: string
  headline: string
  colours: readonly [string, string, string]
  shape: 'rings' | 'waves' | 'bottle' | 'peaks'
}

const escaped = (text: string) => text.replace(/[<&>"]/g, (letter) => `&#${letter.charCodeAt(0)};`)

/** An advertisement of the size given: ground, one motif, a headline that fits, the brand. */
export function drawing(
  { brand, headline, colours: [ground, motif, ink], shape }: Look,
  width: number,
  height: number,
  phase = 0,
): string {
  const short = Math.min(width, height)
  const isWide = width / height > 2
  const size = Math.max(
    9,
    Math.min(short * (isWide ? 0.3 : 0.13), (width * (isWide ? 0.55 : 0.86)) / (headline.length * 0.56)),
  )
  const motifs = {
    rings: [0.2, 0.32, 0.44, 0.58]
      .map(
        (r, i) =>
          `<circle cx="${width * 0.74 + Math.sin(phase) * short * 0.1}" cy="${height * 0.42}" r="${short * r}" fill="none" stroke="${motif}" stroke-width="${short * 0.045}" opacity="${0.9 - i * 0.2}"/>`,
      )
      .join(''),
    waves: [0.55, 0.66, 0.78]
      .map(
        (y, i) =>
          `<path d="M0 ${height * y} C ${width * 0.3} ${height * (y - 0.2 + 0.05 * Math.sin(phase + i))} ${width * 0.6} ${height * (y + 0.18)} ${width} ${height * (y - 0.08)} V ${height} H 0 Z" fill="${motif}" opacity="${0.35 + i * 0.25}"/>`,
      )
      .join(''),
    bottle: `<g transform="translate(${width * 0.72} ${height * 0.5 + Math.sin(phase) * short * 0.03}) scale(${short / 200})"><path d="M-14 -78h28v34c0 14 20 18 20 44v64c0 10-8 16-18 16h-32c-10 0-18-6-18-16v-64c0-26 20-30 20-44z" fill="${motif}"/><rect x="-16" y="-92" width="32" height="16" rx="4" fill="${ink}"/><rect x="-34" y="14" width="68" height="36" fill="${ink}" opacity="0.85"/></g>`,
    peaks: `<path d="M0 ${height} L ${width * 0.22} ${height * 0.45} L ${width * 0.4} ${height * 0.72} L ${width * 0.66} ${height * (0.24 + 0.03 * Math.sin(phase))} L ${width} ${height * 0.8} V ${height} Z" fill="${motif}"/><circle cx="${width * 0.8}" cy="${height * 0.22}" r="${short * 0.09}" fill="${ink}" opacity="0.85"/>`,
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="${ground}"/><stop offset="1" stop-color="${motif}" stop-opacity="0.55"/></linearGradient></defs>
<rect width="${width}" height="${height}" fill="${ground}"/><rect width="${width}" height="${height}" fill="url(#g)"/>
${motifs[shape]}
<text x="${width * 0.06}" y="${isWide ? height * 0.58 : height * 0.24}" font-family="Inter, Helvetica, Arial, sans-serif" font-weight="700" font-size="${size}" fill="${ink}">${escaped(headline)}</text>
<text x="${width * 0.06}" y="${height * (isWide ? 0.84 : 0.93)}" font-family="Inter, Helvetica, Arial, sans-serif" font-weight="600" font-size="${Math.max(8, size * 0.5)}" letter-spacing="1" fill="${ink}">${escaped(brand.toUpperCase())}</text>
</svg>`
}

export const picture = (look: Look, width: number, height: number, phase = 0) =>
  sharp(Buffer.from(drawing(look, width, height, phase))).removeAlpha()

/** A still whose file format the extension says; with an sRGB profile unless left out. */
export async function still(
  look: Look,
  width: number,
  height: number,
  extension: string,
  options: { quality?: number; blur?: number; dpi?: number; gps?: boolean } = {},
): Promise<Buffer> {
  let image = picture(look, width, height)
  if (options.blur) image = image.blur(options.blur)
  if (options.dpi) image = image.withMetadata({ density: options.dpi })
  if (options.gps)
    image = image.withExif({
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '59/1 19/1 30/1', GPSLongitudeRef: 'E', GPSLongitude: '18/1 4/1 7/1' },
    })
  image = image.withIccProfile('srgb')
  if (extension === 'jpg') return image.jpeg({ quality: options.quality ?? 88, mozjpeg: false }).toBuffer()
  if (extension === 'webp') return image.webp({ quality: 84 }).toBuffer()
  if (extension === 'tif')
    return image.toColourspace('cmyk').withIccProfile('cmyk').tiff({ compression: 'lzw' }).toBuffer()
  return image.png({ compressionLevel: 9 }).toBuffer()
}

/** An animated GIF of so many frames, `delayMs` each; `loops` 0: for ever. */
export async function animation(
  look: Look,
  width: number,
  height: number,
  frames: number,
  delayMs: number,
  loops: number,
): Promise<Buffer> {
  const rows = await Promise.all(
    Array.from({ length: frames }, (_, i) =>
      picture(look, width, height, (i / frames) * Math.PI * 2)
        .raw()
        .toBuffer(),
    ),
  )
  return sharp(Buffer.concat(rows), { raw: { width, height: height * frames, channels: 3, pageHeight: height } })
    .gif({ loop: loops, delay: Array.from({ length: frames }, () => delayMs) })
    .toBuffer()
}
