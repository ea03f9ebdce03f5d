import path from 'node:path'
import { build } from 'esbuild'
import { BUNDLED_CHILDREN, CHILDREN } from '@/lib/adapters/inspector/cage'

/**
 * Bundles the programs of the caged processes: started once a file, they would spend most of their life compiling
 * TypeScript. Packages stay outside; they carry native parts and find files beside their own code.
 */
export async function bundleChildren(root: string, folder = BUNDLED_CHILDREN) {
  await build({
    absWorkingDir: root,
    entryPoints: CHILDREN.map((child) => ({ in: path.join('lib', 'adapters', child, 'child.ts'), out: child })),
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
