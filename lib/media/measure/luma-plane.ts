/** The luma plane of a decoded frame. Samples above 8 bits are little-endian words, shifted right to 8. */
export type LumaPlane = {
  data: Uint8Array
  stride: number
  bytesPerSample: 1 | 2
  shift: number
  width: number
  height: number
  /** True where black is 0 and white 255, false where they are 16 and 235. */
  isFullRange: boolean
}
