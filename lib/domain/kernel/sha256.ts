import { createHash } from 'node:crypto'

/** SHA-256 of a text, in hexadecimal. What is stored of a token, which is random, and so needs no salt. */
export const sha256Hex = (text: string) => createHash('sha256').update(text).digest('hex')
