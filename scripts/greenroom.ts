import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { explainChecks } from '@/lib/checks/settings'
import { checkFiles, type FileReport, type NamedFile, type Profile } from '@/lib/command-line/check-files'
import { asJson, asJunit, asSarif, asText, plain, totalsOf } from '@/lib/command-line/reports'
import { LIBRARY } from '@/lib/destinations/library'
import { readLocatedJson } from '@/lib/destinations/located-json'
import { parseSpecification, type Specification } from '@/lib/destinations/specification'
import { quote } from '@/lib/domain/kernel/errors'
import { dayOf, fieldErrors } from '@/lib/domain/kernel/shapes'
import { preQcSettings } from '@/lib/domain/settings/schema'
import { env } from '@/lib/env'
import { chromiumCache } from '@/lib/media/ads/chromium'
import { bannerWatcher } from '@/lib/media/ads/watch-ad'
import { closeInspector } from '@/lib/media/inspect/inspect'
import { closeMeasurer } from '@/lib/media/measurer/measurer'

const USAGE = `Usage:
  greenroom check FILE... [--destination ID|FILE.json]... [--profile FILE.json] [--json|--junit|--sarif]
  greenroom destinations

Exit codes: 0 every file passes, 1 a file fails, 2 wrong usage and nothing was checked, 3 none fails and something
could not be decided.`

/** What the person who typed the command has to put right. */
class UsageError extends Error {}

/** Names of files are read from the folder `from`. Sets the exit code of the process. */
export async function main(args: string[], from: string): Promise<void> {
  try {
    const [command, ...rest] = args
    if (command === 'check') await check(rest, from)
    else if (command === 'destinations' && rest.length === 0) listDestinations()
    else if (command === undefined || ['help', '--help', '-h'].includes(command)) process.stdout.write(`${USAGE}\n`)
    else throw new UsageError(`There is no command ${quote(args.join(' '))}.`)
  } catch (error) {
    // Whatever it is: 1 would say that a file fails.
    process.exitCode = 2
    if (!(error instanceof UsageError)) {
      process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
      return
    }
    process.stderr.write(`${error.message.split('\n').map(plain).join('\n')}\n\n${USAGE}\n`)
  }
}

async function check(args: string[], from: string) {
  const { values, positionals } = readArguments(args)
  if (values.help) {
    process.stdout.write(`${USAGE}\n`)
    return
  }
  const formats = (['json', 'junit', 'sarif'] as const).filter((format) => values[format])
  if (formats.length > 1) throw new UsageError(`One format at a time: --${formats.join(' and --')} were given.`)
  if (positionals.length === 0) throw new UsageError('Name at least one file.')
  const files = positionals.map((name) => ({ name, path: path.resolve(from, name) }))
  const faults = files.flatMap(whyNotAFile)
  if (faults.length > 0) throw new UsageError(faults.join('\n'))
  const destinations = [...new Set(values.destination)].map((named) => readDestination(named, from))
  // Without any wish, what the service checks unless a media category says otherwise.
  const profile = values.profile ? readProfile(values.profile, from) : destinations.length === 0 ? { checks: {} } : null
  const watchBanner = bannerWatcher({
    named: env.CHROMIUM_PATH,
    cacheFolder: chromiumCache(path.join(env.DATA_DIR, 'browser')),
  })
  try {
    const reports = await checkFiles(files, { profile, destinations, day: dayOf(new Date()) }, watchBanner)
    process.stdout.write(write(reports, formats[0], destinations))
    const { fails, undecided } = totalsOf(reports)
    process.exitCode = fails > 0 ? 1 : undecided > 0 ? 3 : 0
  } finally {
    closeInspector()
    closeMeasurer()
  }
}

function readArguments(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        destination: { type: 'string', multiple: true, default: [] },
        profile: { type: 'string' },
        json: { type: 'boolean' },
        junit: { type: 'boolean' },
        sarif: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function whyNotAFile({ name, path: file }: NamedFile): string[] {
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found) return [`There is no file ${quote(name)}.`]
  if (found.isDirectory()) return [`${quote(name)} is a folder. Name the files in it.`]
  return found.isFile() ? [] : [`${quote(name)} is not a file that can be read to its end.`]
}

function readText(name: string, from: string): string {
  try {
    return readFileSync(path.resolve(from, name), 'utf8')
  } catch (error) {
    throw new UsageError(`${quote(name)} could not be read: ${error instanceof Error ? error.message : error}`)
  }
}

/** One of the library by its id, or a specification of one's own by its file. */
function readDestination(named: string, from: string): Specification {
  if (!named.endsWith('.json')) {
    const shipped = LIBRARY.find(({ id }) => id === named)
    if (shipped) return shipped
    throw new UsageError(
      `There is no destination ${quote(named)}. \`greenroom destinations\` lists those of the library; one of your own is named by its file, which ends in .json.`,
    )
  }
  const parsed = parseSpecification(readText(named, from))
  if (parsed.ok) return parsed.specification
  const faults = parsed.faults.map(({ line, message }) => `${named}:${line}: ${message}`)
  throw new UsageError(faults.join('\n'))
}

const ProfileFile = preQcSettings.partial({ enabled: true }).strict()

/** The `pre_qc` of a media category, as `GET /api/media-categories/{id}` has it. */
function readProfile(name: string, from: string): Profile {
  const json = readLocatedJson(readText(name, from))
  if (!json.ok) throw new UsageError(`${name}:${json.line}: This is not JSON. ${json.message}`)
  const parsed = ProfileFile.safeParse(json.value)
  const faults = parsed.success
    ? explainChecks(parsed.data.checks).map((fault) => ({ ...fault, path: `checks.${fault.path}` }))
    : fieldErrors(ProfileFile, json.value)
  if (!parsed.success || faults.length > 0) {
    throw new UsageError(faults.map(({ path: at, message }) => `${name}:${json.lineOf(at)}: ${message}`).join('\n'))
  }
  return { depth: parsed.data.depth, checks: parsed.data.checks }
}

function write(reports: FileReport[], format: 'json' | 'junit' | 'sarif' | undefined, destinations: Specification[]) {
  if (format === 'json') return asJson(reports)
  if (format === 'junit') return asJunit(reports)
  if (format === 'sarif') return asSarif(reports)
  return asText(reports, new Map(destinations.map(({ id, title }) => [id, title])))
}

function listDestinations() {
  const width = Math.max(...LIBRARY.map(({ id }) => id.length))
  for (const { id, title } of LIBRARY) process.stdout.write(`${id.padEnd(width)}  ${title}\n`)
}
