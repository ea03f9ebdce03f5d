import { isFailure, type Subject } from '@/lib/checks/check'
import type { ArchiveFacts, MediaFacts } from '@/lib/media/facts'
import type { Measures } from '@/lib/media/measurements'
import { marked } from '@/lib/timecode'
import type { RepairStep } from './steps'

/** The file as it will measure once the steps are done, as far as they change it. The repaired copy itself decides. */
export function foresee(subject: Subject, steps: readonly RepairStep[]): Subject {
  return steps.reduce(after, subject)
}

function after(subject: Subject, step: RepairStep): Subject {
  if (step.do === 'rename') return { ...subject, name: step.name, claims: claimsAfter(subject) }
  const { media, measures } = subject
  if (isFailure(media)) return subject
  switch (step.do) {
    case 'gain':
      return withAudio(subject, step.track, step.gain_db)
    case 'fast_start':
      return with_(subject, media.kind === 'video' ? { ...media, fastStart: true } : media)
    case 'remove_position':
      return with_(
        subject,
        media.kind === 'image'
          ? { ...media, hasGps: false }
          : media.kind === 'video' || media.kind === 'audio'
            ? { ...media, hasPosition: false }
            : media,
      )
    case 'timecode':
      return with_(
        subject,
        media.kind === 'video' && media.timecode !== null
          ? { ...media, timecode: marked(step.start, media.timecode[8] !== ':') }
          : media,
      )
    case 'embed_profile':
    case 'convert_profile':
      return with_(
        subject,
        media.kind === 'image'
          ? {
              ...media,
              colourSpace: 'srgb',
              hasProfile: true,
              profileName: 'sRGB',
              profileColourSpace: 'RGB',
              profileGamut: 'srgb',
            }
          : media,
      )
    case 'rewrap':
      return {
        ...with_(subject, media.kind === 'video' ? { ...media, container: step.container, fastStart: true } : media),
        mediaType: step.container === 'mp4' ? 'video/mp4' : 'video/quicktime',
      }
    case 'trim_boxes':
      return with_(
        subject,
        media.kind === 'document'
          ? {
              ...media,
              pageSizes: media.pageSizes.map((page) =>
                page.trimBox || page.artBox ? page : { ...page, trimBox: page.cropBox ?? page.mediaBox },
              ),
            }
          : media,
      )
    case 'repack':
      return { ...with_(subject, media.kind === 'archive' ? repacked(media, step) : media), measures }
  }
}

const with_ = (subject: Subject, media: MediaFacts): Subject => ({ ...subject, media })

/** Names are changed to say what was measured: what they claim of the file is then true, and nothing is left to compare. */
const claimsAfter = (_: Subject): Subject['claims'] => ({})

function withAudio(subject: Subject, index: number, gainDb: number): Subject {
  const { audio } = subject.measures
  if (!audio || isFailure(audio)) return subject
  const more = (value: number | null) => (value === null ? null : value + gainDb)
  const tracks: Measures['audio']['tracks'] = audio.tracks.map((track, at) =>
    at !== index
      ? track
      : {
          ...track,
          loudness: {
            ...track.loudness,
            integrated: more(track.loudness.integrated),
            maxMomentary: more(track.loudness.maxMomentary),
            maxShortTerm: more(track.loudness.maxShortTerm),
            truePeak: more(track.loudness.truePeak),
            curve: track.loudness.curve.map(more),
          },
          ...(track.dialogue && { dialogue: { ...track.dialogue, loudness: more(track.dialogue.loudness) } }),
        },
  )
  return { ...subject, measures: { ...subject.measures, audio: { ...audio, tracks } } }
}

function repacked(media: ArchiveFacts, { drop, move }: Extract<RepairStep, { do: 'repack' }>): ArchiveFacts {
  const to = new Map(move.map((each) => [each.from, each.to]))
  const place = (path: string) => to.get(path) ?? path
  const isKept = ({ path }: { path: string }) => !drop.includes(path)
  const entries = media.entries.filter(isKept).map((entry) => ({ ...entry, path: place(entry.path) }))
  return {
    ...media,
    entries,
    entryCount: entries.length,
    uncompressedSize: entries.reduce((sum, { size }) => sum + size, 0),
    entryPoints: media.entryPoints.filter((path) => !drop.includes(path)).map(place),
    documents: media.documents.filter(isKept).map((each) => ({ ...each, path: place(each.path) })),
  }
}
