import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { build, type Plugin } from 'esbuild'
import { BUNDLED_CHILDREN, SANDBOXED_PROGRAMS } from '@/lib/sandbox/programs'
import { fingerprintPrograms } from './sources.mjs'

/** What `npm start` and the commands of package.json run (programs.mjs); sources are compiled once, not at each run. */
const PROGRAMS = {
  'analytics-rebuild': 'scripts/analytics-rebuild.ts',
  'audit-verify': 'scripts/audit-verify.ts',
  backup: 'scripts/backup.ts',
  doctor: 'scripts/doctor.ts',
  'export-agency': 'scripts/export-agency.ts',
  greenroom: 'scripts/greenroom.ts',
  migrate: 'scripts/migrate.ts',
  restore: 'scripts/restore.ts',
  'sample-files': 'scripts/sample-files.ts',
  seed: 'scripts/seed.ts',
  'storage-migrate': 'scripts/storage-migrate.ts',
  supervisor: 'server/supervisor/supervise.ts',
  token: 'scripts/token.ts',
  user: 'scripts/user.ts',
  verify: 'scripts/verify.ts',
  web: 'server/supervisor/web.ts',
  worker: 'server/worker.ts',
}

/**
 * sharp is CommonJS: imported, Node would search all of its files for what they export, which takes longer than loading
 * them. Required, nothing is searched. Its default export is what all of our code uses.
 */
const requireSharp: Plugin = {
  name: 'require-sharp',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^sharp$/ }, () => ({ path: 'sharp', namespace: 'required' }))
    onLoad({ filter: /^sharp$/, namespace: 'required' }, () => ({
      contents: "import { createRequire } from 'node:module'\nexport default createRequire(import.meta.url)('sharp')",
    }))
  },
}

/** Packages stay outside; they carry native parts and find files beside their own code. */
const bundle = (root: string, folder: string, programs: Record<string, string>) =>
  build({
    absWorkingDir: root,
    entryPoints: Object.entries(programs).map(([out, source]) => ({ in: source, out })),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    packages: 'external',
    plugins: [requireSharp],
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
    metafile: true,
  })

/**
 * Bundles the programs of the sandboxed processes: started once a file, most of their time would go into compiling
 * TypeScript. And the worker, which would keep the compiler beside it for as long as it lives.
 */
export async function bundleChildren(root: string, folder = BUNDLED_CHILDREN) {
  const sandboxed = Object.values(SANDBOXED_PROGRAMS).map(({ name, source }) => [name, source])
  return bundle(root, folder, { ...Object.fromEntries(sandboxed), worker: PROGRAMS.worker })
}

export async function bundlePrograms(root: string, folder = path.join('.next', 'programs')) {
  const fingerprint = fingerprintPrograms(root)
  const result = await bundle(root, folder, PROGRAMS)
  writeFileSync(path.resolve(root, folder, 'fingerprint'), fingerprint)
  return result
}

if (process.argv[1] === import.meta.filename) {
  const root = process.cwd()
  await bundlePrograms(root)
  if (process.argv[2] !== 'programs') await bundleChildren(root)
}
