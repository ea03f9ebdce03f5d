import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { productRoot } from '@/lib/sandbox/programs'

/** The parts of pdf.js that a browser loads while it draws a page, as the package has them. */
const FOLDERS: Readonly<Record<string, { folder: string; names: RegExp }>> = {
  build: { folder: 'legacy/build', names: /^pdf\.worker\.min\.mjs$/ },
  cmaps: { folder: 'cmaps', names: /^[\w-]+\.bcmap$/ },
  fonts: { folder: 'standard_fonts', names: /^[\w-]+\.(?:pfb|ttf)$/ },
  profiles: { folder: 'iccs', names: /^[\w-]+\.icc$/ },
  wasm: { folder: 'wasm', names: /^\w+\.(?:wasm|js)$/ },
}

const TYPES: Readonly<Record<string, string>> = {
  '.mjs': 'text/javascript',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
  '.ttf': 'font/ttf',
}

/** For the worker, which reads files of strangers: code of ours and the decoders only, no evaluated text (W3C CSP Level 3). */
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"

/** A file of pdf.js; 404 for all others. The address holds the version, so that a browser may keep it. */
export async function pdfjsFile({ folder, name }: { folder: string; name: string }): Promise<Response> {
  const known = Object.hasOwn(FOLDERS, folder) ? FOLDERS[folder] : undefined
  if (!known?.names.test(name)) return new Response(null, { status: 404 })
  const file = path.join(/*turbopackIgnore: true*/ productRoot(), 'node_modules', 'pdfjs-dist', known.folder, name)
  const bytes = await readFile(file).catch(() => null)
  if (bytes === null) return new Response(null, { status: 404 })
  return new Response(new Uint8Array(bytes), {
    headers: {
      'Content-Type': TYPES[path.extname(name)] ?? 'application/octet-stream',
      'Content-Security-Policy': POLICY,
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Cache-Control': 'public, max-age=31536000, immutable',
    },
  })
}
