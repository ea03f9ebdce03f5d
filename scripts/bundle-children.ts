import path from 'node:path'
import { build } from 'esbuild'
import { BUNDLED_CHILDREN, CHILDREN } from '@/lib/adapters/inspector/cage'

/**
 * Bundles the programs of the sandboxed processes: started once a file, they would spend most of their life compiling
 * TypeScript. And the worker, which would keep the compiler beside it for as long as it lives. Packages stay outside; they carry native parts and find files beside their own code.
 */
export async function bundleChildren(root: string, folder = BUNDLED_CHILDREN) {
  await build({
    absWorkingDir: root,
    entryPoints: [
      ...CHILDREN.map((child) => ({ in: path.join('lib', 'adapters', child, 'child.ts'), out: child })),
      { in: path.join('scripts', 'worker.ts'), out: 'worker' },
    ],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
  })
}

if (process.argv[1] === import.meta.filename) await bundleChildren(process.cwd())
