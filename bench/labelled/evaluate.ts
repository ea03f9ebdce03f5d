import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { cacheFolder } from '@/e2e/support/chromium'
import { isFailure, type Neighbour, type Subject } from '@/lib/checks/check'
import { runChecks } from '@/lib/checks/engine'
import { hashDistance } from '@/lib/checks/hash-distance'
import { sharedFrames } from '@/lib/checks/shared-frames'
import { extensionOf, findMediaType, findTypeByExtension, MEDIA_TYPES } from '@/lib/domain/files/media-types'
import { nameClaims } from '@/lib/domain/naming/claims'
import { validateName } from '@/lib/domain/naming/validate-name'
import { nextNamesOf } from '@/lib/domain/pre-qc/next-names'
import { bannerWatcher } from '@/lib/media/ads/watch-ad'
import { inspectFile } from '@/lib/media/inspect/inspect'
import { measureFile } from '@/lib/media/measurer/measure-file'
import type { Labelled } from '.'

export type Evaluated = {
  /** `unevaluated`: the check said nothing of a file that was made for it. */
  verdict: 'right' | 'miss' | 'false alarm' | 'unevaluated'
  /** How sure the check was. */
  confidence: number
  report: string
}

/** Nothing is started before an ad is run. */
const watchBanner = bannerWatcher({ named: process.env.GREENROOM_CHROMIUM, cacheFolder: cacheFolder() })

/** Makes a labelled file, sends it the way of an upload (inspector, measurer, engine) and compares. */
export async function evaluate(labelled: Labelled): Promise<Evaluated> {
  const folder = mkdtempSync(path.join(tmpdir(), 'labelled-'))
  try {
    const file = path.join(folder, labelled.name)
    await labelled.write(file)
    const subject = await subjectOf(file, labelled)
    const neighbours = labelled.beside && (await neighboursOf(folder, subject, labelled))
    const { check, isFaulty, thresholds = {} } = labelled
    const settings = { checks: { [check]: { enabled: true, severity: 'fail' as const, thresholds } } }
    const { checks } = runChecks({ ...subject, ...(neighbours && { neighbours }) }, settings)
    const line = checks.find(({ check_id }) => check_id === check)
    if (!line) throw new Error(`${check} does not inspect ${labelled.name}.`)
    const isAccused = line.status === 'fail' || line.status === 'warning'
    const report = `${labelled.name}: ${line.status}, ${line.details}`
    const says = { confidence: line.confidence, report }
    if (!isAccused && line.status !== 'pass') return { verdict: 'unevaluated', ...says }
    if (isAccused === isFaulty) return { verdict: 'right', ...says }
    return { verdict: isFaulty ? 'miss' : 'false alarm', ...says }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** What is found out about a file, as its checks are given it. */
export async function subjectOf(
  file: string,
  { template, expects, content, runs }: Pick<Labelled, 'template' | 'expects' | 'content' | 'runs'>,
): Promise<Subject> {
  const name = path.basename(file)
  const type = content === undefined ? findTypeByExtension(extensionOf(name)) : findMediaType(content)
  if (!type) throw new Error(`${name} has no type.`)
  const stored = { name, kind: type.kind, mediaType: type.mediaType }
  const how = { copy: expects?.requiredCopy ?? [] }
  const measured = await measureFile(inspectFile, file, stored, how, runs ? watchBanner : undefined)
  const context = { agencyCode: 'AGY', campaignCodes: [], extensions: MEDIA_TYPES.flatMap((one) => one.extensions) }
  const naming = template === undefined ? null : { template, context }
  const { values } = naming ? validateName({ ...naming, name }) : { values: {} }
  const expectations = { mediaTypes: [], maxFileBytes: null, ...expects }
  return {
    ...stored,
    ...measured,
    ...(naming && !isFailure(measured.media) && { nextNames: nextNamesOf(naming, name, values, measured.media) }),
    bytes: statSync(file).size,
    claims: naming ? nameClaims(values) : {},
    expectations,
  }
}

/** As the index of the project finds them: by the hashes of both files. */
async function neighboursOf(folder: string, subject: Subject, labelled: Labelled): Promise<Neighbour[] | undefined> {
  const other = path.join(folder, 'beside', labelled.name)
  mkdirSync(path.dirname(other))
  await labelled.beside?.(other)
  const both = [subject, await subjectOf(other, labelled)]
  const beside = { fileId: 'beside', name: `other-${labelled.name}` }
  const [frames, otherFrames] = both.map(({ measures: { keyFrames } }) =>
    keyFrames && !isFailure(keyFrames) ? keyFrames.frames : [],
  )
  if (subject.kind === 'video') {
    if (!frames?.length || !otherFrames?.length) return undefined
    const shared = sharedFrames(frames, otherFrames, MOST_BITS)
    return shared ? [{ ...beside, distance: shared.distance, video: { ...shared, isOtherSize: false } }] : []
  }
  const [one, two] = both.map(({ measures: { pixels } }) =>
    pixels && !isFailure(pixels) ? pixels.perceptualHash : null,
  )
  return one && two ? [{ ...beside, distance: hashDistance(one, two) }] : undefined
}

/** Differing bits up to which frames of videos are taken for the same, as the service has it. */
const MOST_BITS = 6
