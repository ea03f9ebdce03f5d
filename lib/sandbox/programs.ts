import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Profile } from './limits'

export type Program = {
  name: string
  source: string
  /** How tightly it is held (limits.ts). */
  profile: Profile
}

/** The programs that run sandboxed. */
export const SANDBOXED_PROGRAMS = {
  inspector: { name: 'inspector', source: 'lib/media/inspect/child.ts', profile: 'decoder' },
  measurer: { name: 'measurer', source: 'lib/media/measurer/child.ts', profile: 'decoder' },
  printer: { name: 'printer', source: 'lib/adapters/printer/child.ts', profile: 'decoder' },
  repairer: { name: 'repairer', source: 'lib/media/repair/child.ts', profile: 'writer' },
  annotator: { name: 'annotator', source: 'lib/media/annotate/child.ts', profile: 'writer' },
  separator: { name: 'separator', source: 'lib/media/separations/child.ts', profile: 'writer' },
  copier: { name: 'copier', source: 'lib/media/playback/child.ts', profile: 'writer' },
  tiler: { name: 'tiler', source: 'lib/media/tiles/child.ts', profile: 'writer' },
  browser: { name: 'browser', source: 'lib/media/ads/child.ts', profile: 'browser' },
} as const satisfies Record<string, Program>

/** Where a build leaves them (server/build/bundle.ts). */
export const BUNDLED_CHILDREN = path.join('.next', 'children')

/** The folder of the product, from which every process is started: a bundled server has no file beside this module to start. */
export const productRoot = () => process.cwd()

/**
 * What Node is given to run one of them: as built in production, its source in development. Tests bundle them for their
 * run and say where (fixtures/cluster.ts): they start hundreds.
 */
export function nodeArguments({ name, source }: Program): string[] {
  const root = productRoot()
  // No settings: NODE_ENV is Node's, and the other is of tests.
  const { GREENROOM_CHILDREN, NODE_ENV } = process.env
  const folder = GREENROOM_CHILDREN ?? (NODE_ENV === 'production' ? BUNDLED_CHILDREN : null)
  const built = folder && path.resolve(/*turbopackIgnore: true*/ root, folder, `${name}.mjs`)
  return built && existsSync(/*turbopackIgnore: true*/ built) ? [built] : ['--import', 'tsx', path.join(root, source)]
}
