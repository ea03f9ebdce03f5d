import { describe, expect, it } from 'vitest'
import { pdfjsFile } from './pdfjs-files'

describe('the files of pdf.js', () => {
  it.each([
    ['build', 'pdf.worker.min.mjs', 'text/javascript'],
    ['cmaps', 'UniJIS-UTF16-H.bcmap', 'application/octet-stream'],
    ['fonts', 'FoxitSymbol.pfb', 'application/octet-stream'],
    ['fonts', 'LiberationSans-Regular.ttf', 'font/ttf'],
    ['profiles', 'CGATS001Compat-v2-micro.icc', 'application/octet-stream'],
    ['wasm', 'openjpeg.wasm', 'application/wasm'],
  ])('has %s/%s', async (folder, name, type) => {
    const response = await pdfjsFile({ folder, name })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe(type)
    expect(response.headers.get('cache-control')).toContain('immutable')
    const policy = response.headers.get('content-security-policy')
    expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval'")
    expect(policy).not.toContain("'unsafe-eval'")
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(500)
  })

  it.each([
    ['build', 'pdf.worker.mjs'],
    ['build', '../../package.json'],
    ['cmaps', '..%2f..%2fpackage.json'],
    ['cmaps', 'LICENSE'],
    ['cmaps', 'none.bcmap'],
    ['constructor', 'name'],
    ['legacy', 'pdf.worker.min.mjs'],
  ])('has no %s/%s', async (folder, name) => {
    expect((await pdfjsFile({ folder, name })).status).toBe(404)
  })
})
