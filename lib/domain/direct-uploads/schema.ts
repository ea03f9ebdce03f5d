import { z } from 'zod'
import { Violation } from '../files/schema'
import { timestamp, uuid } from '../kernel/shapes'

export const BeginUpload = z.strictObject({
  name: z.string().max(1000).describe('Of the file, without a folder'),
  size: z.int().min(0).describe('Bytes of the whole file'),
})

export const SignParts = z.strictObject({
  parts: z
    .array(z.int().min(1))
    .min(1)
    .max(16)
    .optional()
    .describe('Numbers of the parts to send next; without it, the first that have not arrived'),
})

const SignedPart = z
  .object({
    number: z.int().min(1),
    size: z.int().min(0).describe('Bytes; no other number of them is taken'),
    url: z.string().describe('Send the part here by PUT, without further headers, until `urls_expire_at`'),
  })
  .meta({ id: 'SignedPart' })

const parts = z.array(SignedPart)

/** Where the parts go that have not arrived. */
export const SignedParts = z
  .object({
    received: z.array(z.int()).describe('Numbers of the parts that have arrived'),
    parts,
    urls_expire_at: timestamp,
  })
  .meta({ id: 'SignedParts' })
export type SignedParts = z.infer<typeof SignedParts>

const Refusal = z
  .object({
    code: z.string().describe('As a problem document has it'),
    detail: z.string(),
    violations: z.array(Violation).describe('With file_rejected: every reason that applies'),
  })
  .meta({ id: 'UploadRefusal' })

/**
 * An upload whose bytes go to the storage itself. `Result`: the response to the same file when it comes through the
 * service.
 */
export const directUploadShape = <Result extends z.ZodType>(Result: Result, id: string) =>
  z
    .object({
      id: uuid,
      name: z.string(),
      size: z.int().describe('Bytes'),
      part_size: z.int().describe('Bytes of every part but the last'),
      status: z
        .enum(['receiving', 'checking', 'accepted', 'refused'])
        .describe('`checking`: all parts are there, and a worker validates the file; ask again'),
      result: Result.nullable().describe('Once accepted: what an upload through the service responds'),
      refusal: Refusal.nullable().describe('Once refused: why'),
      expires_at: timestamp,
      created_at: timestamp,
      updated_at: timestamp,
    })
    .meta({ id })

export const begunUploadShape = <Result extends z.ZodType>(Result: Result, id: string) =>
  directUploadShape(Result, id)
    .extend({ parts, urls_expire_at: timestamp })
    .meta({ id: `${id}Begun` })
