// `npm run verify -- certificate.json FILE...`: whether each file is, byte for byte, one that the certificate names, and
// whether the certificate is what was signed. Works without a network and without a Greenroom.
import { createHash } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { isSignedByItsKey } from '@/lib/domain/certificates/rules'
import { Certificate } from '@/lib/domain/certificates/schema'

const USAGE = 'Usage: npm run verify -- CERTIFICATE.json FILE... [--key KEY_ID]'

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(file)) hash.update(piece)
  return hash.digest('hex')
}

try {
  const { values, positionals } = parseArgs({ options: { key: { type: 'string' } }, allowPositionals: true })
  const [certificateFile, ...candidates] = positionals
  if (!certificateFile || candidates.length === 0) throw new Error(USAGE)
  const parsed = Certificate.safeParse(JSON.parse(readFileSync(certificateFile, 'utf8')))
  if (!parsed.success) throw new Error(`${certificateFile} is not a certificate of Greenroom.`)
  const certificate = parsed.data
  const { statement, key_id } = certificate
  if (!isSignedByItsKey(certificate))
    throw new Error(`${certificateFile} was changed after it was signed, or its signature is forged.`)
  if (values.key && values.key !== key_id)
    throw new Error(`The certificate is signed by key ${key_id}, not by ${values.key}.`)
  console.log(
    `${statement.batch.name} (${statement.agency.name}, ${statement.project.name}), round ${statement.round}, approved ${statement.approved_at}`,
  )
  console.log(
    `Signed by key ${key_id}${values.key ? ', as expected.' : '; compare it with the one on the verification page.'}`,
  )
  for (const file of candidates) {
    const sha256 = await sha256Of(file)
    const match = statement.files.find((certified) => certified.sha256 === sha256)
    if (match)
      console.log(
        `${path.basename(file)}: approved as ${match.name}, version ${match.version}, by ${match.approved_by?.name ?? 'no one named'}`,
      )
    else {
      console.log(`${path.basename(file)}: unknown, not one of the ${statement.files.length} files of this certificate`)
      process.exitCode = 1
    }
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
