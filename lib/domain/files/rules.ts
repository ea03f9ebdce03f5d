import { formatBytes, formatNumber } from '@/lib/format'
import type { BatchStatus, IntegrityState, RejectionReason, ReviewDecision } from '@/lib/vocabulary'
import { DomainError, invalidState, quote, type Violation } from '../kernel/errors'
import { listWords } from '../naming/characters'
import { isClaimTrue, type TokenValues, valueFromFacts } from '../naming/claims'
import { type Naming, type NextVersions, nextVersions } from '../naming/next-version'
import { nameKey } from '../naming/portable-name'
import type { KnownFacts, TokenName } from '../naming/tokens'
import { validateName } from '../naming/validate-name'
import { allowedExtensions, describeMediaType, extensionOf, findTypeByExtension, isExtensionFor } from './media-types'
import { whyNotApprovable } from './states'

export { directionOf } from './states'

/** A file that is there already, as far as validating a new one needs it. */
export type CurrentFile = {
  id: string
  name: string
  nameKey: string
  version: number
  decision: ReviewDecision
  sha256: string
  /** Name keys of its earlier versions. */
  formerKeys: readonly string[]
  /** What the name of its next version may change; empty unless it was rejected. */
  changes: NameChanges
}

/** What the reasons of a rejection mean for the name of the next version. */
export type NameChanges = {
  /** Tokens that may hold another value, besides the version. */
  changeable: readonly TokenName[]
  /** What was measured where the name says otherwise. */
  corrections: TokenValues
  /** Those of the corrections that are proposed: the name is at fault, not the file. */
  proposed: TokenValues
  /** The proposed name, where the server has sent it. */
  suggested?: string
}

export const NO_CHANGES: NameChanges = { changeable: [], corrections: {}, proposed: {} }

const SIZE: readonly TokenName[] = ['width', 'height', 'ratio']
const TIME: readonly TokenName[] = ['duration', 'fps']
const CHANGED_BY_REASON: Partial<Record<RejectionReason, readonly TokenName[]>> = {
  wrong_size: SIZE,
  wrong_format: ['ext'],
  timing: TIME,
}
const CHANGED_BY_CHECK: Readonly<Record<string, readonly TokenName[]>> = {
  dimension_check: SIZE,
  aspect_ratio_check: SIZE,
  page_size_check: SIZE,
  duration_check: ['duration'],
  frame_rate_check: ['fps'],
  file_type_check: ['ext'],
}
const NAME_CHECK = 'name_matches_media_check'

/** Checks whose findings bear on the name of the next version. */
export const CHECKS_OF_NAMES: readonly string[] = [NAME_CHECK, ...Object.keys(CHANGED_BY_CHECK)]

/**
 * What the name of the next version may change: values that the file was rejected for, and values of the name that the
 * name check found untrue.
 * @param found ids of the checks that found something and were not waived
 * @param values the tokens of the present name
 */
export function nameChanges(
  reason: RejectionReason | null,
  found: readonly string[],
  values: TokenValues,
  facts: KnownFacts,
): NameChanges {
  const wrong = new Set([
    ...((reason && CHANGED_BY_REASON[reason]) ?? []),
    ...found.flatMap((check) => CHANGED_BY_CHECK[check] ?? []),
  ])
  const corrections: TokenValues = {}
  const proposed: TokenValues = {}
  if (found.includes(NAME_CHECK)) {
    for (const [token, value] of Object.entries(values) as [TokenName, string][]) {
      const measured = valueFromFacts(token, facts)
      if (measured === null || isClaimTrue(token, value, facts) !== false) continue
      corrections[token] = measured
      if (!wrong.has(token)) proposed[token] = measured
    }
  }
  const changeable = new Set([...wrong, ...(Object.keys(corrections) as TokenName[])])
  return { changeable: [...changeable].sort(), corrections, proposed }
}

/** What a batch asks of a new file, whatever it holds. */
export type BatchRules = {
  by: 'user' | 'upload_link'
  template: string | null
  agencyCode: string | null
  campaignCodes: string[]
  /** Empty: everything whose integrity the service can validate. */
  mediaTypes: readonly string[]
  /** Bytes. */
  maxFileSize: number
  /** What the file has to fit into, besides; empty: nothing. */
  quotas: readonly Quota[]
}

/**
 * Everything `validate…` needs to know of a batch: its rules, and what other uploads and reviews change at any time. Of
 * the current files and the manifest at least what bears on the names that are asked about (`heldFor`).
 */
export type Expectations = BatchRules & {
  batchStatus: BatchStatus
  current: readonly CurrentFile[]
  /** Name keys of the delivery manifest; empty: no manifest. */
  manifest: ReadonlySet<string>
}

/** How many bytes all files of an agency, or all that come through a link, may take together, and how many they take. */
export type Quota = { of: 'agency' | 'link'; limit: number; used: number }

/** Bytes that still fit into all of the quotas; null without one. */
export const bytesLeft = (quotas: readonly Quota[]): number | null =>
  quotas.length === 0 ? null : Math.max(0, Math.min(...quotas.map(({ limit, used }) => limit - used)))

/** The quotas once a file of this size is counted. */
export const withMore = (quotas: readonly Quota[], bytes: number): Quota[] =>
  quotas.map((quota) => ({ ...quota, used: quota.used + bytes }))

export const namingOf = ({
  template,
  agencyCode,
  campaignCodes,
  mediaTypes,
}: Pick<Expectations, 'template' | 'agencyCode' | 'campaignCodes' | 'mediaTypes'>): Naming => ({
  template,
  context: { agencyCode, campaignCodes, extensions: allowedExtensions(mediaTypes) },
})

type Rejected = CurrentFile & Omit<NameChanges, 'corrections'>

// By the current files: the same for every file that is validated by one reading of the batch.
const resupplies = new WeakMap<readonly CurrentFile[], NextVersions<Rejected>>()

/** What the rejected files of the batch may be replaced by. */
function resupplyOf(expectations: Expectations): NextVersions<Rejected> {
  const { current, manifest } = expectations
  const known = resupplies.get(current)
  if (known) return known
  const rejected = current
    .filter(({ decision }) => decision === 'rejected')
    .map((file): Rejected => ({ ...file, ...file.changes }))
  const byId = new Map(rejected.map((file) => [file.id, file]))
  const taken = new Map<string, Rejected | null>([...missingOf(current, manifest)].map((key) => [key, null]))
  for (const file of current) {
    const owner = byId.get(file.id) ?? null
    for (const key of file.formerKeys) taken.set(key, owner)
    if (!owner) taken.set(file.nameKey, null)
  }
  const made = nextVersions(namingOf(expectations), rejected, taken)
  resupplies.set(current, made)
  return made
}

/** Keys of the manifest for which nothing ever came. */
function missingOf(current: readonly Pick<CurrentFile, 'nameKey' | 'formerKeys'>[], manifest: ReadonlySet<string>) {
  const arrived = new Set(current.flatMap((file) => [file.nameKey, ...file.formerKeys]))
  return new Set([...manifest].filter((key) => !arrived.has(key)))
}

/** Whether a file of this name is awaited: the next version of a rejected one, or one of the manifest that never came. */
export const isAwaited = (expectations: Expectations, name: string): boolean =>
  supersededBy(expectations, name) !== undefined ||
  missingOf(expectations.current, expectations.manifest).has(nameKey(name))

/** The name key of the first version, where the next one has another; versions are one file by it. */
export function seriesKeyAfter(previous: CurrentFile, name: string): string | null {
  const first = previous.formerKeys.at(-1) ?? previous.nameKey
  return first === nameKey(name) ? null : first
}

/** The rejected file this one is the next version of. */
export function supersededBy(expectations: Expectations, name: string): CurrentFile | undefined {
  const result = resupplyOf(expectations).matchOf(name)
  return result.kind === 'one' ? result.file : undefined
}

const existing = (file: Pick<CurrentFile, 'id' | 'name' | 'version'>, by: Expectations['by']) => ({
  ...(by === 'user' && { id: file.id }),
  name: file.name,
  version: file.version,
})

/** The verdict on a name; one that was taken before needs no other, whatever the convention has become since. */
export function validateExpectedName(expectations: Expectations, name: string) {
  const { template, context } = namingOf(expectations)
  const key = nameKey(name)
  const isKnown = expectations.current.some((file) => file.decision === 'rejected' && file.nameKey === key)
  return validateName({ template: isKnown ? null : template, name, context })
}

/** Everything that can be said of a file by its name and size alone, before a byte of it is read. */
export function validateBeforeBytes(expectations: Expectations, file: { name: string; size?: number }): Violation[] {
  const { by, current } = expectations
  const violations: Violation[] = [...validateExpectedName(expectations, file.name).violations]

  const extension = extensionOf(file.name)
  const type = findTypeByExtension(extension)
  const saidByName = violations.some((violation) => violation.token === 'ext')
  if (
    !saidByName &&
    extension &&
    expectations.mediaTypes.length > 0 &&
    !expectations.mediaTypes.some((allowed) => isExtensionFor(extension, allowed))
  ) {
    violations.push(mediaTypeViolation(type ? type.label : `.${extension}`, expectations.mediaTypes))
  }
  if (file.size !== undefined && file.size > expectations.maxFileSize)
    violations.push(sizeViolation(file.size, expectations.maxFileSize))
  if (file.size !== undefined) violations.push(...quotaViolations(file.size, expectations.quotas, by))

  const key = nameKey(file.name)
  const result = resupplyOf(expectations).matchOf(file.name)
  const twin = current.find((other) => other.nameKey === key && other.decision !== 'rejected')
  const former = current.find((other) => other.formerKeys.includes(key))
  if (twin) {
    violations.push({
      rule: 'duplicate',
      code: 'duplicate_name',
      message:
        twin.decision === 'approved'
          ? `${quote(twin.name)} is approved and locked. If this is another file, give it another name.`
          : `The batch already holds a file named ${quote(twin.name)}. Give this one another name; it becomes a new version only once the first was rejected in review.`,
      existing_file: existing(twin, by),
    })
  } else if (former && result.kind !== 'one') {
    violations.push({
      rule: 'duplicate',
      code: 'duplicate_name',
      message: `An earlier version of ${quote(former.name)} had the name ${quote(file.name)}. Give this file another name.`,
      existing_file: existing(former, by),
    })
  }
  violations.push(...unexpected(expectations, file.name))
  return violations
}

/** While a resupply is awaited, and where there is a manifest, a link takes only what is expected. */
function unexpected(expectations: Expectations, name: string): Violation[] {
  const { batchStatus, by, current, manifest } = expectations
  const { matchOf, suggestedName } = resupplyOf(expectations)
  const result = matchOf(name)
  if (result.kind === 'one') return []
  if (result.kind === 'several') {
    const names = result.files.map(suggestedName)
    return [
      {
        rule: 'resupply',
        code: 'ambiguous',
        message: `${quote(name)} could be the next version of ${listNames(
          result.files.map((file) => file.name),
          'or',
        )}. Name it ${listNames(names, 'or')}, so that it is clear which.`,
        expected: names.join(', '),
      },
    ]
  }
  if (by === 'user') return []
  const key = nameKey(name)
  if (batchStatus === 'awaiting_resupply') {
    if (missingOf(current, manifest).has(key)) return []
    const rejected = current.filter((file) => file.decision === 'rejected')
    const names = [...suggestedNames(expectations).values()]
    const only = rejected.length === 1 && extensionOf(rejected[0]?.name ?? '') === extensionOf(name) ? names[0] : null
    const suggestion = result.kind === 'not_newer' ? suggestedName(result.file) : only
    return [
      {
        rule: 'resupply',
        code: 'not_expected',
        message:
          result.kind === 'not_newer'
            ? `${quote(name)} is no newer version than ${quote(result.file.name)}, which was rejected. Name it ${quote(suggestedName(result.file))}.`
            : `Only new versions of what was rejected are expected now, and ${quote(name)} is none. Expected: ${listNames(names, 'or')}.`,
        expected: names.join(', '),
        ...(suggestion && { suggestion }),
      },
    ]
  }
  if (manifest.size > 0 && !manifest.has(key)) {
    return [
      {
        rule: 'resupply',
        code: 'not_expected',
        message: `${quote(name)} is not on the list of expected files. Check the name against the list, or ask who sent you the link.`,
      },
    ]
  }
  return []
}

/** The names to propose for the next versions of all that was rejected, by the id of each file. */
export function suggestedNames(expectations: Expectations): Map<string, string> {
  const { matchOf, suggestedName } = resupplyOf(expectations)
  const rejected = expectations.current.filter((file) => file.decision === 'rejected')
  return new Map(
    rejected.map((file) => {
      const result = matchOf(file.name)
      return [file.id, result.kind === 'one' ? suggestedName(result.file) : file.name]
    }),
  )
}

const MOST_LISTED = 5

function listNames(names: readonly string[], joint: 'or' | 'and'): string {
  const shown = names.slice(0, MOST_LISTED).map(quote)
  const more = names.length - shown.length
  return listWords(more > 0 ? [...shown, `${more} more`] : shown, joint)
}

/** What the bytes add: type, integrity, the same content elsewhere. */
export function validateBytes(
  expectations: Expectations,
  file: { name: string; sha256: string; inspection: { mediaType: string; violations: Violation[] } },
  sameContent: SameContent | null,
): Violation[] {
  const { mediaTypes } = expectations
  const violations = [...file.inspection.violations]
  const isIntact = violations.length === 0
  const isAllowed =
    mediaTypes.length === 0 ||
    mediaTypes.includes(file.inspection.mediaType) ||
    mediaTypes.some((allowed) => isExtensionFor(extensionOf(file.name), allowed))
  if (isIntact && !isAllowed)
    violations.push(mediaTypeViolation(describeMediaType(file.inspection.mediaType), mediaTypes))
  violations.push(...validateContent(expectations, file, sameContent))
  return violations
}

export type SameContent = Pick<CurrentFile, 'id' | 'name' | 'version'> & {
  batch: { id: string; name: string }
  isSameBatch: boolean
}

/** What is wrong with content that the project holds already. Where the name alone was at fault, it may come again. */
export function validateContent(
  expectations: Expectations,
  file: { name: string; sha256: string },
  sameContent: SameContent | null,
): Violation[] {
  if (!sameContent) return []
  const { by } = expectations
  const predecessor = supersededBy(expectations, file.name)
  const isUnchanged = predecessor !== undefined && predecessor.sha256 === file.sha256
  if (isUnchanged && sameContent.id === predecessor.id && isCorrected(expectations, predecessor, file.name)) return []
  const violations: Violation[] = []
  if (isUnchanged) {
    violations.push({
      rule: 'resupply',
      code: 'unchanged',
      message: `This is byte for byte the version of ${quote(predecessor.name)} that was rejected. Fix what the review asked for and export it again.`,
      existing_file: existing(predecessor, by),
    })
  }
  // Someone with a link learns of no file outside the batch the link is for.
  const isShown = by === 'user' || sameContent.isSameBatch
  violations.push({
    rule: 'duplicate',
    code: 'duplicate_content',
    message: isShown
      ? `The same bytes are already here as ${quote(sameContent.name)}, version ${sameContent.version}${by === 'user' ? `, in the batch ${quote(sameContent.batch.name)}` : ''}. Leave this one out, or check that you exported the right file.`
      : 'The same bytes were already delivered for this project. Leave this one out, or check that you exported the right file.',
    ...(isShown && {
      existing_file: { ...existing(sameContent, by), ...(by === 'user' && { batch: sameContent.batch }) },
    }),
  })
  return violations
}

/** The name says at last what the file is, in everything it said wrong before. */
function isCorrected(expectations: Expectations, { changes }: CurrentFile, name: string): boolean {
  const corrections = Object.entries(changes.corrections) as [TokenName, string][]
  if (corrections.length === 0) return false
  const { values } = validateExpectedName(expectations, name)
  return corrections.every(([token, value]) => values[token] === value)
}

function mediaTypeViolation(found: string, mediaTypes: readonly string[]): Violation {
  const expected = mediaTypes.map(describeMediaType).join(', ')
  return {
    rule: 'media_type',
    code: 'media_type_not_allowed',
    message: `${found} is not taken here. Send one of: ${expected}.`,
    expected,
  }
}

function sizeViolation(size: number, max: number): Violation {
  const expected = `at most ${formatNumber(max)} bytes`
  return {
    rule: 'size',
    code: 'too_large',
    message: `The file has ${formatNumber(size)} bytes; ${expected} are allowed. Export it smaller, or ask for the limit to be raised.`,
    expected,
  }
}

/** What is wrong with a file of so many bytes by the quotas that it has to fit into. */
export const quotaViolations = (size: number, quotas: readonly Quota[], by: Expectations['by'] | 'guest') =>
  quotas.filter(({ used, limit }) => used + size > limit).map((quota) => quotaViolation(size, quota, by))

function quotaViolation(size: number, { of, limit, used }: Quota, by: Expectations['by'] | 'guest'): Violation {
  const left = formatBytes(Math.max(0, limit - used))
  const where = of === 'link' ? ' through this link' : by === 'upload_link' ? ' from your agency' : ''
  const message =
    by === 'user'
      ? `All files of the agency together may take ${formatBytes(limit)}, of which ${left} are left; this one has ${formatBytes(size)}. Ask an administrator to raise the storage quota of the agency, or remove files that are not needed.`
      : `There is room for ${left} more${where}; this file has ${formatBytes(size)}. Ask the person who sent you the link for more room.`
  return {
    rule: 'size',
    code: of === 'link' ? 'link_quota' : 'agency_quota',
    message,
    expected: `at most ${left}`,
  }
}

/** A file is decided while its batch is in review, and only its current version. @throws `invalid_state` */
export function assertReviewable(batch: { status: BatchStatus }, file: { name: string; isCurrent: boolean }) {
  if (batch.status !== 'in_review') {
    throw invalidState(`Files are decided while their batch is in review; this one is ${batch.status}.`, batch.status, [
      'in_review',
    ])
  }
  if (!file.isCurrent) {
    throw invalidState(`${quote(file.name)} was replaced by a newer version. Decide on that one.`, 'superseded', [
      'current',
    ])
  }
}

/** Why a file stays in its batch, by what it is; null where it may go. */
export function whyNotMovable(file: {
  name: string
  version: number
  decision: ReviewDecision
  integrity: IntegrityState
  isCurrent: boolean
  removedAt: Date | null
}): string | null {
  if (!file.isCurrent) return 'A newer version has replaced it.'
  if (file.version > 1) return 'It has earlier versions, which belong to its batch.'
  if (file.decision !== 'pending') return `It is ${file.decision}; only files without a decision are moved.`
  return whyNotApprovable({ ...file, removed: file.removedAt })
}

/** @throws `integrity_unsettled` */
export function assertApprovable(file: { name: string; integrity: IntegrityState }) {
  const why = whyNotApprovable(file)
  if (why === null) return
  const way =
    file.integrity === 'pending'
      ? 'Approve it when that has ended.'
      : 'Reject it, so that the agency sends a new export.'
  throw new DomainError('integrity_unsettled', `${why} ${way}`)
}

/** Pages of a document that are drawn for viewing: of longer ones the first. */
export const DRAWN_PAGES = 500
/** What the image of a page is called in the store; the first is the file's preview. */
export const pageImage = (page: number) => `page-${page}`

/**
 * A decision is about the bytes and the state the reviewer saw.
 * @throws `stale` when the file holds other bytes than were viewed, or another reviewer decided on it since
 */
export function assertAsSeen(
  file: { name: string; sha256: string; decision: ReviewDecision },
  seen: { sha256?: string; expected_decision?: ReviewDecision },
) {
  if (seen.sha256 && seen.sha256.toLowerCase() !== file.sha256) {
    throw new DomainError(
      'stale',
      `${quote(file.name)} holds other bytes than you viewed (SHA-256 ${file.sha256}). View it again, then decide.`,
    )
  }
  if (seen.expected_decision && seen.expected_decision !== file.decision) {
    throw new DomainError(
      'stale',
      `${quote(file.name)} is ${file.decision} by now; it was ${seen.expected_decision} when you viewed it. View it again, then decide.`,
    )
  }
}
