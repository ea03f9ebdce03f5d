import type { VastAd, VastCreative, VastFacts, VastVersion } from '@/lib/media/facts'
import { adName } from './vast'

/** What each version of VAST requires, and where that stands. Published by IAB Tech Lab; the numbers are those of VAST 4.2. */

type Requirement = { element: string; since: VastVersion; until?: VastVersion; section: string }

const ORDER: readonly VastVersion[] = ['2.0', '2.0.1', '3.0', '4.0', '4.1', '4.2', '4.3']
const isFrom = (version: VastVersion, since: VastVersion) => ORDER.indexOf(version) >= ORDER.indexOf(since)
const isIn = (version: VastVersion, { since, until }: Requirement) =>
  isFrom(version, since) && (until === undefined || isFrom(until, version))

/** Elements of an InLine ad. */
const INLINE: readonly Requirement[] = [
  { element: 'AdSystem', since: '2.0', section: '3.4.1' },
  { element: 'AdTitle', since: '2.0', section: '3.4.2' },
  { element: 'AdServingId', since: '4.1', section: '3.4.3' },
  { element: 'Impression', since: '2.0', section: '3.4.4' },
  { element: 'Creatives', since: '2.0', section: '3.6' },
]
/** Elements of a Wrapper ad. */
const WRAPPER: readonly Requirement[] = [
  { element: 'AdSystem', since: '2.0', section: '3.4.1' },
  { element: 'VASTAdTagURI', since: '2.0', section: '3.19.1' },
  { element: 'Impression', since: '2.0', section: '3.4.4' },
]
const DELIVERIES = ['progressive', 'streaming']

export type StructureFault = { what: string; section: string }

/** In VAST 2 and 3 the same is required by their XML schemas, which number nothing. */
const cited = (version: VastVersion, section: string) =>
  isFrom(version, '4.0') ? `VAST 4.2, ${section}` : `XML schema of VAST ${version}`

export function structureFaults(vast: VastFacts): StructureFault[] {
  const { version, ads } = vast
  const faults: StructureFault[] = []
  const fault = (where: string, what: string, section: string) =>
    faults.push({ what: `${where} ${what}`, section: cited(version, section) })
  ads.forEach((ad, index) => {
    const where = adName(ad, index)
    if (ad.kind === 'none') {
      fault(where, 'has neither InLine nor Wrapper', '3.3.2')
      return
    }
    for (const each of ad.kind === 'inline' ? INLINE : WRAPPER)
      if (isIn(version, each) && !ad.elements.includes(each.element))
        fault(where, `has no ${each.element}, or an empty one`, each.section)
    if (ad.kind === 'inline') faultsOfInline(ad, where, version, fault)
  })
  return faults
}

type Say = (where: string, what: string, section: string) => void

function faultsOfInline({ creatives, elements }: VastAd, where: string, version: VastVersion, fault: Say): void {
  if (elements.includes('Creatives') && creatives.length === 0) fault(where, 'has no Creative in its Creatives', '3.6')
  creatives.forEach((creative, index) => {
    const at = creatives.length > 1 ? `creative ${index + 1} of ${where}` : `the creative of ${where}`
    if (creative.kind === 'none') fault(at, 'is neither Linear nor NonLinearAds nor CompanionAds', '3.7')
    if (isFrom(version, '4.0') && creative.universalAdIds === 0) fault(at, 'has no UniversalAdId', '3.7.1')
    if (creative.kind === 'linear') faultsOfLinear(creative, at, fault)
  })
}

function faultsOfLinear(creative: VastCreative, at: string, fault: Say): void {
  if (creative.duration === null) fault(at, 'has no Duration', '3.8.1')
  else if (creative.durationSeconds === null)
    fault(at, `has the Duration “${creative.duration}”, not HH:MM:SS or HH:MM:SS.mmm`, '3.8.1')
  if (!creative.hasMediaFiles) fault(at, 'has no MediaFiles', '3.9')
  creative.mediaFiles.forEach((file, index) => {
    const which = `MediaFile ${index + 1} in ${at}`
    const missing = (['delivery', 'type', 'width', 'height'] as const).filter((name) => file[name] === null)
    if (missing.length > 0) fault(which, `has no ${missing.join(', ')}`, '3.9.1')
    if (file.delivery !== null && !DELIVERIES.includes(file.delivery))
      fault(which, `has the delivery “${file.delivery}”, not progressive or streaming`, '3.9.1')
  })
}
