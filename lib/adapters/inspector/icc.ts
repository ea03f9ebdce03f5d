/** What an ICC profile says of itself (ICC.1:2022, sections 7.2, 9.2.41, 10.15). */
export type ProfileFacts = { name: string | null; colourSpace: string | null }

/** Reads the description and the data colour space of a profile; nulls when it is too damaged to tell. */
export function readProfile(profile: Buffer | undefined): ProfileFacts {
  if (!profile || profile.length < 132 || profile.toString('latin1', 36, 40) !== 'acsp') {
    return { name: null, colourSpace: null }
  }
  const colourSpace = profile.toString('latin1', 16, 20).trim()
  return { name: readDescription(profile), colourSpace }
}

function readDescription(profile: Buffer): string | null {
  const count = Math.min(profile.readUInt32BE(128), 200)
  for (let index = 0; index < count; index += 1) {
    const entry = 132 + index * 12
    if (entry + 12 > profile.length) return null
    if (profile.toString('latin1', entry, entry + 4) !== 'desc') continue
    const offset = profile.readUInt32BE(entry + 4)
    const tag = profile.subarray(offset, offset + profile.readUInt32BE(entry + 8))
    return tag.toString('latin1', 0, 4) === 'mluc' ? readLocalised(tag) : readPlain(tag)
  }
  return null
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
