import { LINK_OWNER } from '@/db/schema/operations'
import type { UploadPart } from '../kernel/blob-store'
import type { FieldError } from '../kernel/errors'
import type { Actor } from '../kernel/permissions'

const LEAST_PART_BYTES = 8 * 1024 ** 2
/** Fewer than S3 takes (10,000): so many are listed by one request. */
const MOST_PARTS = 1000
const MIB = 1024 ** 2

/** Bytes of every part but the last: what is lost with a broken connection, against the number of requests. */
export const partSizeOf = (size: number) =>
  Math.max(LEAST_PART_BYTES, Math.ceil(Math.ceil(size / MOST_PARTS) / MIB) * MIB)

/** The parts of a file. An empty one is sent as one empty part. */
export const planOf = ({ size, partSize }: { size: number; partSize: number }): UploadPart[] =>
  Array.from({ length: Math.max(1, Math.ceil(size / partSize)) }, (_, index) => ({
    number: index + 1,
    size: Math.min(partSize, size - index * partSize),
  }))

/** What stands between the parts that arrived and the whole file. */
export function partProblems(plan: readonly UploadPart[], arrived: readonly UploadPart[]): FieldError[] {
  const sizes = new Map(arrived.map(({ number, size }) => [number, size]))
  const missing = plan.flatMap(({ number, size }): FieldError[] => {
    const there = sizes.get(number)
    if (there === size) return []
    const path = `parts.${number}`
    return there === undefined
      ? [
          {
            path,
            code: 'missing',
            message: `Part ${number} has not arrived. Send its ${size} bytes, then complete again.`,
          },
        ]
      : [
          {
            path,
            code: 'wrong_size',
            message: `Part ${number} has ${there} bytes and should have ${size}. Send it again, then complete again.`,
          },
        ]
  })
  const beyond = arrived.flatMap(({ number }): FieldError[] =>
    plan.some((part) => part.number === number)
      ? []
      : [
          {
            path: `parts.${number}`,
            code: 'unplanned',
            message: `The file has no part ${number}. Begin the upload anew.`,
          },
        ],
  )
  return [...missing, ...beyond]
}

/** Who sends, and where to. A link says both by its id; its token, which is in the path, is stored nowhere. */
export function ownerOf(actor: Actor, place: Record<string, string>): string {
  if (actor.type === 'upload_link') return `${LINK_OWNER}${actor.id}`
  const where = Object.keys(place)
    .sort()
    .map((name) => `${name}=${place[name]}`)
  return `${actor.type}:${'id' in actor ? actor.id : ''} ${where.join(' ')}`
}
