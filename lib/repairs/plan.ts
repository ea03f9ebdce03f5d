import { askedOf, dialogueLoudnessCheck } from '@/lib/checks/audio/dialogue-loudness-check'
import { type Check, isFailure, type Subject } from '@/lib/checks/check'
import { askCheck } from '@/lib/checks/engine'
import { describeMediaType, extensionOf, isExtensionFor } from '@/lib/domain/files/media-types'
import type { TrackFacts } from '@/lib/media/measurements'
import { foresee } from './foresee'
import type { RepairStep } from './steps'

/** A check that found something, and by which thresholds. */
export type Wanted = { check: Check; thresholds: Record<string, unknown> }

/** What can be repaired of what was found, and why the rest cannot. */
export type RepairPlan = {
  steps: RepairStep[]
  /** Checks that pass once the steps are done. */
  fixes: string[]
  /** Checks for which a person is needed, and why. */
  left: { check_id: string; label: string; why: string }[]
}

/** The steps that fix one finding, or a sentence why no machine should. */
type Recipe = (subject: Subject, thresholds: Record<string, unknown>) => RepairStep[] | string

const NOT_BY_MACHINE = 'A machine cannot repair this without deciding how the file should look or sound.'

/**
 * Plans the repair of what was found in a file, by what was measured of it. Pure. A step is only planned when the check
 * would then pass by what it changes; the copy itself is measured and checked again before anybody is asked to take it.
 */
export function planRepair(subject: Subject, wanted: readonly Wanted[]): RepairPlan {
  const plan: RepairPlan = { steps: [], fixes: [], left: [] }
  const leave = ({ check }: Wanted, why: string) => plan.left.push({ check_id: check.id, label: check.label, why })
  const done: Wanted[] = []
  for (const each of wanted) {
    const recipe = RECIPES[each.check.id]
    const found = recipe?.(foresee(subject, plan.steps), each.thresholds) ?? NOT_BY_MACHINE
    if (typeof found === 'string') leave(each, found)
    else {
      plan.steps = inOrder(found.reduce(withStep, plan.steps))
      done.push(each)
    }
  }
  const foreseen = foresee(subject, plan.steps)
  for (const each of done) {
    if (passes(foreseen, each)) plan.fixes.push(each.check.id)
    else leave(each, NOT_BY_MACHINE)
  }
  // Steps that fix nothing are not worth a copy.
  if (plan.fixes.length === 0) plan.steps = []
  return plan
}

/** A step that is there already is not taken twice; what is to be louder for two reasons is made so once. */
function withStep(steps: RepairStep[], step: RepairStep): RepairStep[] {
  if (step.do !== 'gain') {
    return steps.some((other) => JSON.stringify(other) === JSON.stringify(step)) ? steps : [...steps, step]
  }
  const before = steps.filter((other) => other.do === 'gain').find(({ track }) => track === step.track)
  const gain = (before?.gain_db ?? 0) + step.gain_db
  return [...steps.filter((other) => other !== before), { ...step, gain_db: Math.round(gain * 100) / 100 }]
}

/** Each step finds what the one before left: containers before their index, bytes before the name. */
const ORDER: readonly RepairStep['do'][] = [
  'convert_profile',
  'embed_profile',
  'gain',
  'rewrap',
  'remove_position',
  'timecode',
  'fast_start',
  'trim_boxes',
  'repack',
  'rename',
]
const inOrder = (steps: RepairStep[]) => steps.sort((a, b) => ORDER.indexOf(a.do) - ORDER.indexOf(b.do))

function passes(subject: Subject, { check, thresholds }: Wanted): boolean {
  const status = askCheck(subject, check, thresholds)?.status
  return status === 'pass' || status === 'skipped'
}

/** Above this the copy would be cut off somewhere between two samples: it is left to a limiter, and to who sets it. */
const PEAK_RESERVE_DB = 0.3
/** Coding changes loudness by some hundredths. */
const LOUDNESS_RESERVE_LU = 0.1
/** Where nothing else is asked, no peak is raised beyond it: the lowest limit of the services and broadcasters. */
const USUAL_PEAK_DBTP = -2
/** A louder file is noise made audible. */
const MOST_GAIN_DB = 20

const number = (value: unknown) => (typeof value === 'number' ? value : null)

function gainFor({ loudness }: TrackFacts, thresholds: Record<string, unknown>): number | string {
  const { integrated, truePeak, maxShortTerm, range } = loudness
  if (integrated === null || truePeak === null) return 'The audio is too quiet or too short to have a loudness.'
  const target = number(thresholds.target_lufs)
  const tolerance = number(thresholds.tolerance_lu) ?? 0.5
  const peak = thresholds.max_true_peak_dbtp === undefined ? -1 : number(thresholds.max_true_peak_dbtp)
  const shortTerm = number(thresholds.max_short_term_lufs)
  const most = number(thresholds.max_range_lu)
  if (most !== null && range !== null && range > most)
    return 'The loudness range needs a new mix: gain does not change it.'
  const reserve = Math.min(LOUDNESS_RESERVE_LU, tolerance)
  const least = target === null ? Number.NEGATIVE_INFINITY : target - tolerance + reserve - integrated
  const highest = Math.min(
    target === null ? Number.POSITIVE_INFINITY : target + tolerance - reserve - integrated,
    // A file without gain keeps its peaks to the last digit; with it they move by the coding.
    peak === null ? Number.POSITIVE_INFINITY : peak - PEAK_RESERVE_DB - truePeak,
    shortTerm === null || maxShortTerm === null
      ? Number.POSITIVE_INFINITY
      : shortTerm - LOUDNESS_RESERVE_LU - maxShortTerm,
  )
  return gainWithin({ least, highest, wish: target === null ? 0 : target - integrated })
}

/** The same for its dialogue, or for all of it where there is little. */
function dialogueGainFor(track: TrackFacts, thresholds: Record<string, unknown>): number | string {
  const limits = dialogueLoudnessCheck.thresholds.parse(thresholds)
  const { measured, wanted } = track.dialogue ? askedOf(track, track.dialogue, limits) : NOTHING_ASKED
  if (measured === null || wanted === null) return 0
  const reserve = Math.min(LOUDNESS_RESERVE_LU, limits.tolerance_lu)
  const room = track.loudness.truePeak === null ? 0 : USUAL_PEAK_DBTP - PEAK_RESERVE_DB - track.loudness.truePeak
  return gainWithin({
    least: wanted - limits.tolerance_lu + reserve - measured,
    highest: Math.min(wanted + limits.tolerance_lu - reserve - measured, Math.max(0, room)),
    wish: wanted - measured,
  })
}
const NOTHING_ASKED = { measured: null, wanted: null }

/** The gain that is nearest to the wish; why none is where nothing lies between the bounds, all in dB. */
function gainWithin({ least, highest, wish }: Record<'least' | 'highest' | 'wish', number>): number | string {
  if (least > highest) {
    return 'The gain that brings its loudness to the target would push its peaks over the limit: it needs a limiter, set by ear.'
  }
  const gain = Math.round(Math.min(highest, Math.max(least, wish)) * 10) / 10
  if (Math.abs(gain) > MOST_GAIN_DB)
    return `It would need ${gain.toFixed(1)} dB of gain, which makes noise audible: it needs a new mix.`
  // Rounded to a tenth it may lie a little outside of both.
  return Math.min(highest, Math.max(least, gain))
}

/** Coded again as they are coded now. */
const GAIN_CODECS = /^(pcm_(s16|s24|s32|f32)(le|be)|flac|alac|aac|mp3)$/
const GAIN_CONTAINERS = new Set(['wav', 'aiff', 'flac', 'mp3', 'mp4', 'mov', 'matroska'])

const repairByGain =
  (gainOf: typeof gainFor): Recipe =>
  ({ media, measures }, thresholds) => {
    if (isFailure(media) || (media.kind !== 'video' && media.kind !== 'audio')) return NOT_BY_MACHINE
    const { audio } = measures
    if (!audio || isFailure(audio)) return 'Its audio was not measured.'
    if (!GAIN_CONTAINERS.has(media.container) || media.audio.some(({ codec }) => !GAIN_CODECS.test(codec)))
      return 'Its audio cannot be coded again the way it is coded.'
    if (media.kind === 'video' && (media.fragmented || media.dataStreams > 0))
      return 'The container holds streams that would be lost when its audio is coded again.'
    const steps: RepairStep[] = []
    for (const [track, facts] of audio.tracks.entries()) {
      const gain = gainOf(facts, thresholds)
      if (typeof gain === 'string') return gain
      if (Math.abs(gain) >= 0.05) steps.push({ do: 'gain', track, gain_db: Math.round(gain * 100) / 100 })
    }
    return steps.length > 0 ? steps : NOT_BY_MACHINE
  }

const repairFastStart: Recipe = ({ media }) =>
  !isFailure(media) && media.kind === 'video' && (media.container === 'mp4' || media.container === 'mov')
    ? [{ do: 'fast_start' }]
    : 'Only the index of MP4 and QuickTime is moved here; other containers are exported again.'

const repairTimecode: Recipe = ({ media }, { start }) => {
  if (isFailure(media) || media.kind !== 'video') return NOT_BY_MACHINE
  if (typeof start !== 'string') return 'Which timecode it is to start with is not set.'
  if ((media.container !== 'mp4' && media.container !== 'mov') || media.fragmented)
    return 'Only the timecode track of MP4 and QuickTime is changed here; other containers are exported again.'
  if (media.timecode === null) return 'It has no timecode whose start could be changed: it needs a new export.'
  return [{ do: 'timecode', start }]
}

const POSITION_TYPES = new Set([
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/tiff',
  'video/mp4',
  'video/quicktime',
  'audio/mp4',
])

const repairPrivacy: Recipe = ({ media, mediaType }) => {
  if (!POSITION_TYPES.has(mediaType))
    return `A position is not taken out of files of this type here: ${describeMediaType(mediaType)}.`
  if (!isFailure(media) && media.kind === 'video' && media.dataStreams > 0)
    return 'The position may lie in a stream of the camera, which belongs to who recorded it: leave that stream out of the export.'
  return [{ do: 'remove_position' }]
}

const PROFILE_TYPES = new Set(['image/jpeg', 'image/png'])
const CONVERTED_TYPES = new Set(['image/jpeg', 'image/png', 'image/tiff', 'image/webp'])

const repairColour: Recipe = ({ media, mediaType }, thresholds) => {
  if (isFailure(media)) return media.failed
  if (media.kind === 'document')
    return 'Colours of a PDF are converted where it is made: its overprints and blends depend on it. It needs the designer.'
  if (media.kind !== 'image') return NOT_BY_MACHINE
  const allowed = Array.isArray(thresholds.allowed) ? (thresholds.allowed as string[]) : []
  const isRgb = ['rgb', 'srgb', 'indexed'].includes((media.colourSpace ?? '').toLowerCase())
  if (!media.hasProfile) {
    if (!isRgb) return 'Which profile the samples were made for is not known: it needs the designer.'
    if (allowed.length > 0 && !allowed.includes('srgb'))
      return 'Screens show it as sRGB, which is not wanted: it needs the designer.'
    return PROFILE_TYPES.has(mediaType)
      ? [{ do: 'embed_profile', profile: 'srgb' }]
      : `The type of the file is ${describeMediaType(mediaType)}, in which no profile can be embedded here.`
  }
  if (!allowed.includes('srgb'))
    return 'The wanted profile is the printer’s, and how to convert to it is a choice: it needs the designer.'
  if (!CONVERTED_TYPES.has(mediaType) || media.frames > 1 || media.pages > 1 || (media.bitDepth ?? 8) > 8)
    return `A ${describeMediaType(mediaType)} like this one cannot be converted here without a loss.`
  return [{ do: 'convert_profile', profile: 'srgb' }]
}

const CARRIED = {
  mp4: { video: /^(h264|hevc|av1)$/, audio: /^(aac|mp3|ac3|eac3)$/ },
  mov: { video: /^(h264|hevc|prores|mpeg4)$/, audio: /^(aac|alac|pcm_\w+)$/ },
} as const

const repairType: Recipe = ({ media, mediaType, name, expectations }, thresholds) => {
  const allowed = Array.isArray(thresholds.allowed) ? (thresholds.allowed as string[]) : []
  const wanted = allowed.length > 0 ? allowed : expectations.mediaTypes
  if (wanted.length === 0 || wanted.includes(mediaType)) {
    const named = renamed(name, mediaType)
    return named ? [{ do: 'rename', name: named }] : NOT_BY_MACHINE
  }
  if (isFailure(media) || media.kind !== 'video' || media.fragmented) return NOT_BY_MACHINE
  for (const [container, type] of [
    ['mp4', 'video/mp4'],
    ['mov', 'video/quicktime'],
  ] as const) {
    const { video, audio } = CARRIED[container]
    if (!wanted.includes(type) || !video.test(media.codec) || media.audio.some(({ codec }) => !audio.test(codec)))
      continue
    if (media.dataStreams > 0 || media.subtitleStreams > 0)
      return 'The container holds streams that the other one cannot carry.'
    const named = withExtension(name, container)
    return [{ do: 'rewrap', container }, ...(named === name ? [] : [{ do: 'rename' as const, name: named }])]
  }
  return 'What the file holds is coded in a way that the wanted container does not carry: it needs a new export.'
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/tiff': 'tif',
  'image/gif': 'gif',
  'application/pdf': 'pdf',
  'audio/wav': 'wav',
  'audio/mpeg': 'mp3',
}

/** The name with the extension of this type; null where it has it, or none is known. */
function renamed(name: string, mediaType: string): string | null {
  const extension = EXTENSIONS[mediaType]
  if (!extension || isExtensionFor(extensionOf(name), mediaType)) return null
  return withExtension(name, extension)
}

function withExtension(name: string, extension: string): string {
  if (extensionOf(name) === extension) return name
  const dot = name.lastIndexOf('.')
  return `${dot > 0 ? name.slice(0, dot) : name}.${extension}`
}

const repairName: Recipe = ({ name, nextNames }) =>
  nextNames && nextNames.asMeasured !== name
    ? [{ do: 'rename', name: nextNames.asMeasured }]
    : 'Which name it should have is not known.'

const MM = 0.5

const repairPages: Recipe = ({ media }, thresholds) => {
  if (isFailure(media) || media.kind !== 'document') return NOT_BY_MACHINE
  if (thresholds.require_bleed_box === true && media.pageSizes.some(({ bleedBox }) => !bleedBox))
    return 'A bleed box says that something is painted there: it needs the designer.'
  if (media.encrypted) return 'An encrypted PDF is not changed here.'
  const bare = media.pageSizes.filter(({ trimBox, artBox }) => !trimBox && !artBox)
  const [width, height] = [number(thresholds.width_mm), number(thresholds.height_mm)]
  const isWhole = bare.every(
    (page) =>
      (width === null || Math.abs(page.widthMm - width) <= MM) &&
      (height === null || Math.abs(page.heightMm - height) <= MM),
  )
  if (bare.length === 0 || thresholds.require_trim_box !== true)
    return 'Pages of another size are laid out anew: it needs the designer.'
  if (width === null || height === null)
    return 'No size is set, so that it is not known whether the page is to be trimmed where it ends: it needs the designer.'
  if (!isWhole) return 'The page is larger than what it is trimmed to, and does not say where: it needs the designer.'
  return media.pageSizes.length === media.pages ? [{ do: 'trim_boxes' }] : 'It has more pages than are measured.'
}

const LITTER = /(^|\/)(__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$|\._)/i
const HTML = /\.x?html?$/i

const repairArchive: Recipe = ({ media }, thresholds) => {
  if (isFailure(media) || media.kind !== 'archive') return NOT_BY_MACHINE
  if (media.entryCount !== media.entries.length) return 'It holds more files than are listed.'
  const drop = media.entries.map(({ path }) => path).filter((path) => LITTER.test(path))
  const kept = media.entries.map(({ path }) => path).filter((path) => !LITTER.test(path))
  const move = thresholds.entry_point === 'required' ? movesFor(kept) : []
  return drop.length + move.length > 0 ? [{ do: 'repack', drop, move }] : NOT_BY_MACHINE
}

/** An ad in one folder is taken out of it; a page to start from that is alone, and named by nothing else, becomes index.html. */
function movesFor(paths: readonly string[]): { from: string; to: string }[] {
  if (paths.some((path) => !path.includes('/') && HTML.test(path))) return []
  const folder = paths[0]?.slice(0, paths[0].indexOf('/') + 1)
  if (!folder || !paths.every((path) => path.startsWith(folder))) return []
  return paths.map((from) => ({ from, to: from.slice(folder.length) }))
}

const NEEDS_DESIGNER: Recipe = () =>
  'Bleed is painted, and mirroring an edge invents what is in it: it needs the designer.'

const RECIPES: Readonly<Record<string, Recipe>> = {
  loudness_check: repairByGain(gainFor),
  dialogue_loudness_check: repairByGain(dialogueGainFor),
  fast_start_check: repairFastStart,
  timecode_check: repairTimecode,
  metadata_privacy_check: repairPrivacy,
  colour_space_check: repairColour,
  file_type_check: repairType,
  name_matches_media_check: repairName,
  page_size_check: repairPages,
  archive_check: repairArchive,
  bleed_check: NEEDS_DESIGNER,
}

/** Whether it is worth planning at all: a recipe exists that may fix it. */
export const hasRecipe = (checkId: string) => checkId in RECIPES && checkId !== 'bleed_check'
