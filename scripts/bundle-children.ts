import { build } from 'esbuild'
import { BUNDLED_CHILDREN, CHILDREN } from '@/lib/sandbox/command'

/**
 * Bundles the programs of the sandboxed processes: started once a file, they would spend most of their life compiling
 * TypeScript. And the worker, which would keep the compiler beside it for as long as it lives. Packages stay outside; they carry native parts and find files beside their own code.
 */
export async function bundleChildren(root: string, folder = BUNDLED_CHILDREN) {
  await build({
    absWorkingDir: root,
    entryPoints: [
      ...Object.entries(CHILDREN).map(([out, source]) => ({ in: source, out })),
      { in: 'scripts/worker.ts', out: 'worker' },
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
