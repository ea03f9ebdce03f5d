/** A set of the header metadata of an MXF file (SMPTE ST 377-1): `kind` is the byte of its key that says which (table 17). */
export type MetadataSet = { kind: string; values: Map<number, Buffer> }

/** Essence container data, which names the package whose essence the file holds (ST 377-1, annex B). */
export const CONTAINER_DATA = '23'
export const LINKED_PACKAGE = 0x2701

/** Local tags and their values (ST 377-1, 9.3: two bytes of tag, two of length). */
export function valuesOf(set: Buffer): Map<number, Buffer> {
  const values = new Map<number, Buffer>()
  for (let at = 0; at + 4 <= set.length; ) {
    const end = at + 4 + set.readUInt16BE(at + 2)
    values.set(set.readUInt16BE(at), set.subarray(at + 4, Math.min(end, set.length)))
    at = end
  }
  return values
}

export type Rate = { num: number; den: number }

/** A rational of 32-bit numbers; null where it is none, or not above 0. */
export function rateOf(value: Buffer | undefined): Rate | null {
  if (value?.length !== 8) return null
  const [num, den] = [value.readInt32BE(0), value.readInt32BE(4)]
  return num > 0 && den > 0 ? { num, den } : null
}
