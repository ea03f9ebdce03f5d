import type { ProfileGamut } from '../../facts'

/** What an ICC profile says of itself (ICC.1:2022, sections 7.2, 9.2.41, 10.15), and which known space its colours make. */
export type ProfileFacts = { name: string | null; colourSpace: string | null; gamut: ProfileGamut | null }

/** Reads the description and the data colour space of a profile; nulls when it is too damaged to be read. */
export function readProfile(profile: Buffer | undefined): ProfileFacts {
  if (!profile || profile.length < 132 || profile.toString('latin1', 36, 40) !== 'acsp') {
    return { name: null, colourSpace: null, gamut: null }
  }
  const colourSpace = profile.toString('latin1', 16, 20).trim()
  return { name: readDescription(profile), colourSpace, gamut: readGamut(profile) }
}

function findTag(profile: Buffer, wanted: string): Buffer | null {
  const count = Math.min(profile.readUInt32BE(128), 200)
  for (let index = 0; index < count; index += 1) {
    const entry = 132 + index * 12
    if (entry + 12 > profile.length) return null
    if (profile.toString('latin1', entry, entry + 4) !== wanted) continue
    const offset = profile.readUInt32BE(entry + 4)
    return profile.subarray(offset, offset + profile.readUInt32BE(entry + 8))
  }
  return null
}

/** Red, green and blue under D50, as profiles hold them. */
const COLOURANTS: Readonly<Record<ProfileGamut, readonly number[]>> = {
  srgb: [0.4361, 0.2225, 0.0139, 0.3851, 0.7169, 0.0971, 0.1431, 0.0606, 0.7141],
  'display-p3': [0.5151, 0.2412, -0.0011, 0.292, 0.6922, 0.0419, 0.1571, 0.0666, 0.7841],
  'adobe-rgb': [0.6097, 0.3111, 0.0195, 0.2053, 0.6257, 0.0609, 0.1492, 0.0632, 0.7446],
}
/** Profiles of one space differ in the third digit, by how their makers adapted the white. */
const SAME_COLOURANT = 0.006

/**
 * The known space whose primaries and curve a matrix profile has, whatever it is called; null when there is none. Of the
 * curve it is asked where it is in the middle: 0.214 for sRGB, 0.218 for a gamma of 2.2.
 */
function readGamut(profile: Buffer): ProfileGamut | null {
  const values: number[] = []
  for (const tag of ['rXYZ', 'gXYZ', 'bXYZ']) {
    const found = findTag(profile, tag)
    if (!found || found.length < 20) return null
    for (const at of [8, 12, 16]) values.push(found.readInt32BE(at) / 65_536)
  }
  const middle = middleOf(findTag(profile, 'gTRC'))
  if (middle === null || middle < 0.19 || middle > 0.24) return null
  const gamuts = Object.entries(COLOURANTS) as [ProfileGamut, readonly number[]][]
  const isSame = (colourants: readonly number[]) =>
    colourants.every((value, index) => Math.abs(value - (values[index] ?? 0)) <= SAME_COLOURANT)
  return gamuts.find(([, colourants]) => isSame(colourants))?.[0] ?? null
}

/** The value of a curve at one half (10.6, 10.18). */
function middleOf(curve: Buffer | null): number | null {
  if (!curve || curve.length < 12) return null
  const type = curve.toString('latin1', 0, 4)
  if (type === 'curv') {
    const count = curve.readUInt32BE(8)
    if (count === 0) return 0.5
    if (count === 1) return curve.length < 14 ? null : 0.5 ** (curve.readUInt16BE(12) / 256)
    const at = 12 + 2 * Math.floor((count - 1) / 2)
    return at + 2 > curve.length ? null : curve.readUInt16BE(at) / 65_535
  }
  if (type !== 'para' || curve.length < 16) return null
  const kind = curve.readUInt16BE(8)
  const parameter = (index: number) =>
    12 + index * 4 + 4 > curve.length ? 0 : curve.readInt32BE(12 + index * 4) / 65_536
  // Every kind above the break is (a x + b) ^ g, of which kinds 2 and 4 add a constant.
  const [scale, shift] = kind === 0 ? [1, 0] : [parameter(1), parameter(2)]
  const constant = kind === 2 ? parameter(3) : kind === 4 ? parameter(5) : 0
  return Math.max(0, scale * 0.5 + shift) ** parameter(0) + constant
}

function readDescription(profile: Buffer): string | null {
  const tag = findTag(profile, 'desc')
  if (!tag) return null
  return tag.toString('latin1', 0, 4) === 'mluc' ? readLocalised(tag) : readPlain(tag)
}

function readPlain(tag: Buffer): string | null {
  if (tag.length < 12) return null
  const length = tag.readUInt32BE(8)
  return clean(tag.toString('latin1', 12, 12 + Math.min(length, 200)))
}

function readLocalised(tag: Buffer): string | null {
  if (tag.length < 28) return null
  const length = tag.readUInt32BE(20)
  const offset = tag.readUInt32BE(24)
  const text = Buffer.from(tag.subarray(offset, offset + (Math.min(length, 400) & ~1)))
  return clean(text.length % 2 === 0 ? text.swap16().toString('utf16le') : '')
}

function clean(text: string): string | null {
  const visible = text.split('\0')[0]?.trim() ?? ''
  return visible === '' ? null : visible
}
