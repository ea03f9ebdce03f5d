/** Differing bits of two difference hashes of 16 hexadecimal digits: 0 (alike) to 64. */
export function hashDistance(a: string, b: string): number {
  return bitsIn(half(a, 0) ^ half(b, 0)) + bitsIn(half(a, 8) ^ half(b, 8))
}

const half = (hash: string, from: number) => Number.parseInt(hash.slice(from, from + 8), 16)

function bitsIn(word: number): number {
  let bits = 0
  for (let left = word >>> 0; left > 0; left = (left & (left - 1)) >>> 0) bits++
  return bits
}
