import { createHash, verify as verifySignature, X509Certificate } from 'node:crypto'
import type { ManifestFacts, Verdict } from '../../facts'
import type { ByteSource } from '../byte-source'
import { isHashedBox, Unreadable } from './box-hash'
import { type CborValue, readCbor, writeBytes } from './cbor'
import { type Box, readBoxes } from './jumbf'

/**
 * A manifest store as it lies in a file; `extent`: the bytes it takes there, with what wraps it, from `start`, where that is
 * known; `updates`: stores that lie elsewhere and hold the manifests that update it.
 */
export type FoundManifest = {
  bytes: Buffer
  start: number | null
  extent: number
  updates?: { bytes: Buffer; start: number }[]
}

/** What an exclusion may take beyond the manifest: heads of the segments it lies in. */
const SPARE_BYTES = 1024
/** An exclusion may begin before or after what wraps the manifest. */
const SPARE_START = 16
/** Manifests that update one another. */
const MOST_UPDATES = 50
const HASHES: Readonly<Record<string, string>> = { sha256: 'sha256', sha384: 'sha384', sha512: 'sha512' }

type Claim = { content: Buffer; values: Map<CborValue, CborValue> }

/**
 * What the manifest of a file (C2PA 2.1) says, and which of it holds: whether the bytes of the file are those that were
 * hashed, and whether the claim was signed by the key of its certificate. Which certificates issued that one is verified as far as they
 * lie in the manifest; whether they are to be trusted a check decides. Never throws: what cannot be read is not verified.
 */
export function readManifest(
  source: ByteSource,
  found: FoundManifest,
): { facts: ManifestFacts; sourceTypes: string[] } {
  try {
    const stores = [found, ...(found.updates ?? [])].flatMap(({ bytes }) =>
      readBoxes(bytes).filter(({ label }) => label === 'c2pa'),
    )
    const manifests = stores.flatMap(({ boxes }) => boxes.filter(({ type }) => type === 'jumb'))
    const active = manifests.at(-1)
    if (!active) throw new Error('it holds none')
    const claim = readClaim(active)
    return {
      facts: {
        generator: generatorOf(claim),
        binding: bindingOf({ source, found, manifests }, active),
        signature: signedVerdict(active, claim),
        signer: signerOf(active),
        certificate: certificateOf(active),
        chain: chainOf(active),
      },
      sourceTypes: sourceTypesIn(manifests),
    }
  } catch (error) {
    const why = `the manifest could not be read (${error instanceof Error ? error.message : error})`
    const unverified: Verdict = { state: 'unverified', why }
    return { facts: { generator: null, binding: unverified, signature: unverified, signer: null }, sourceTypes: [] }
  }
}

const inner = (box: Box | undefined, label: RegExp) => box?.boxes.find((each) => label.test(each.label))
const cborOf = (box: Box | undefined) => box?.boxes.find(({ type }) => type === 'cbor')?.content
const assertionsOf = (manifest: Box) => inner(manifest, /^c2pa\.assertions$/)?.boxes ?? []

function readClaim(manifest: Box): Claim {
  const content = cborOf(inner(manifest, /^c2pa\.claim(\.v2)?$/))
  const values = content ? readCbor(content) : null
  if (!content || !(values instanceof Map)) throw new Error('it has no claim')
  return { content, values }
}

function generatorOf({ values }: Claim): string | null {
  const info = values.get('claim_generator_info')
  const first = Array.isArray(info) ? info[0] : info
  const name = first instanceof Map ? first.get('name') : null
  const stated = name ?? values.get('claim_generator')
  return typeof stated === 'string' ? stated.slice(0, 100) : null
}

const holds: Verdict = { state: 'holds', why: null }
const broken = (why: string): Verdict => ({ state: 'broken', why })
const unverified = (why: string): Verdict => ({ state: 'unverified', why })

/** What a claim names, by the label of the assertion, with the hash it has to have. */
type Reference = { label: string; algorithm: string | undefined; hash: CborValue | undefined }

function referencesOf({ values }: Claim): Reference[] {
  const usual = textOf(values.get('alg')) ?? 'sha256'
  const references: Reference[] = []
  for (const key of ['assertions', 'created_assertions', 'gathered_assertions']) {
    const listed = values.get(key)
    for (const each of Array.isArray(listed) ? listed : []) {
      const address = each instanceof Map ? textOf(each.get('url')) : null
      const label = address === null ? null : /c2pa\.assertions\/([^/]+)$/.exec(address)?.[1]
      if (!label || !(each instanceof Map)) continue
      references.push({ label, algorithm: HASHES[textOf(each.get('alg')) ?? usual], hash: each.get('hash') })
    }
  }
  return references
}

/** Whether the assertions are those that the claim names. */
function assertionsVerdict(manifest: Box, claim: Claim): Verdict {
  const assertions = assertionsOf(manifest)
  for (const { label, algorithm, hash } of referencesOf(claim)) {
    const assertion = assertions.find((each) => each.label === label)
    if (!assertion) return broken(`the assertion “${label}” is not there`)
    if (!algorithm || !Buffer.isBuffer(hash)) return unverified(`“${label}” is named by an algorithm that is not known`)
    if (!createHash(algorithm).update(assertion.content).digest().equals(hash))
      return broken(`the assertion “${label}” is not the one that was signed`)
  }
  return holds
}

/** The claim was signed, and what it names is what is there. */
function signedVerdict(manifest: Box, claim: Claim): Verdict {
  const signature = signatureOf(manifest, claim)
  return signature.state === 'holds' ? assertionsVerdict(manifest, claim) : signature
}

type Where = { source: ByteSource; found: FoundManifest; manifests: readonly Box[] }

/** The hash of the file, where the claim names the assertion that states it; of a manifest that updates another, that one's. */
function bindingOf(where: Where, active: Box): Verdict {
  let manifest = active
  for (let depth = 0; manifest.purpose === 'c2um'; depth += 1) {
    const updated = depth < MOST_UPDATES ? updatedBy(where.manifests, manifest) : null
    if (!updated) return unverified('the manifest updates another, which is not there')
    if (updated instanceof Error) return broken(updated.message)
    manifest = updated
  }
  const isUpdated = manifest !== active
  const claim = readClaim(manifest)
  const signature = isUpdated ? signedVerdict(manifest, claim) : holds
  if (signature.state !== 'holds') return { ...signature, why: `of the manifest that was updated, ${signature.why}` }
  const named = new Set(referencesOf(claim).map(({ label }) => label))
  const binding = assertionsOf(manifest).find(({ label }) => label.startsWith('c2pa.hash.') && named.has(label))
  if (!binding) return unverified('the claim names no hash of the file')
  const stated = readCbor(cborOf(binding) ?? Buffer.alloc(0))
  const usual = textOf(claim.values.get('alg')) ?? 'sha256'
  if (/^c2pa\.hash\.bmff\.v[23](__\d+)?$/.test(binding.label)) return boxHashOf(where, stated, usual)
  if (!/^c2pa\.hash\.data(__\d+)?$/.test(binding.label))
    return unverified(`the manifest binds the file by “${binding.label}”, which is not evaluated`)
  return fileHashOf(where, stated, usual, isUpdated)
}

/** The manifest that this one updates: its only parent, named by its hash. */
function updatedBy(manifests: readonly Box[], manifest: Box): Box | Error | null {
  const claim = readClaim(manifest)
  const named = new Set(referencesOf(claim).map(({ label }) => label))
  for (const assertion of assertionsOf(manifest)) {
    if (!assertion.label.startsWith('c2pa.ingredient') || !named.has(assertion.label)) continue
    const stated = readCbor(cborOf(assertion) ?? Buffer.alloc(0))
    if (!(stated instanceof Map) || stated.get('relationship') !== 'parentOf') continue
    const reference = stated.get('activeManifest') ?? stated.get('c2pa_manifest')
    if (!(reference instanceof Map)) continue
    const label = /\/c2pa\/([^/]+)$/.exec(textOf(reference.get('url')) ?? '')?.[1]
    const parent = manifests.find((each) => each.label === label && each !== manifest)
    const algorithm = HASHES[textOf(reference.get('alg')) ?? textOf(claim.values.get('alg')) ?? 'sha256']
    const hash = reference.get('hash')
    if (!parent || !algorithm || !Buffer.isBuffer(hash)) return null
    const isSame = createHash(algorithm).update(parent.content).digest().equals(hash)
    return isSame ? parent : new Error('the manifest that was updated is not the one that was signed')
  }
  return null
}

function boxHashOf({ source, found }: Where, stated: CborValue, usual: string): Verdict {
  if (!(stated instanceof Map)) return unverified('the hash of the file cannot be read')
  const algorithm = HASHES[textOf(stated.get('alg')) ?? usual]
  if (!algorithm) return unverified('the file was hashed by an algorithm that is not known')
  const own = new Set([found.start, ...(found.updates ?? []).map(({ start }) => start)])
  try {
    return isHashedBox(source, stated, algorithm, (start) => own.has(start))
      ? holds
      : broken('the bytes of the file are not those that were hashed')
  } catch (error) {
    if (error instanceof Unreadable) return unverified(error.message)
    throw error
  }
}

/** `isUpdated`: the manifest has grown since, so that what was left out for it is as long as it is now. */
function fileHashOf({ source, found }: Where, stated: CborValue, usual: string, isUpdated: boolean): Verdict {
  const { extent } = found
  if (!(stated instanceof Map)) return unverified('the hash of the file cannot be read')
  const algorithm = HASHES[textOf(stated.get('alg')) ?? usual]
  const wanted = stated.get('hash')
  if (!algorithm || !Buffer.isBuffer(wanted)) return unverified('the file was hashed by an algorithm that is not known')
  const exclusions: { start: number; end: number }[] = []
  const given = stated.get('exclusions')
  for (const each of Array.isArray(given) ? given : []) {
    const [start, length] = each instanceof Map ? [each.get('start'), each.get('length')] : []
    if (typeof start !== 'number' || typeof length !== 'number' || start < 0 || length < 0)
      return unverified('the hash of the file leaves out parts that cannot be read')
    const isManifest = isUpdated && found.start !== null && Math.abs(start - found.start) <= SPARE_START
    exclusions.push({ start, end: Math.min(start + (isManifest ? Math.max(length, extent) : length), source.size) })
  }
  exclusions.sort((a, b) => a.start - b.start)
  const left = exclusions.reduce((sum, { start, end }) => sum + Math.max(0, end - start), 0)
  if (left > extent + SPARE_BYTES)
    return unverified(`the hash of the file leaves out ${left - extent} bytes besides the manifest`)
  const hash = createHash(algorithm)
  let at = 0
  for (const { start, end } of [...exclusions, { start: source.size, end: source.size }]) {
    if (start > at) for (const piece of source.pieces(at, start)) hash.update(piece)
    at = Math.max(at, end)
  }
  return hash.digest().equals(wanted) ? holds : broken('the bytes of the file are not those that were hashed')
}

/** COSE algorithms (RFC 9053) as Node calls them. */
const SIGNATURES: Readonly<Record<number, { hash: string | null; isPss?: boolean }>> = {
  [-7]: { hash: 'sha256' },
  [-35]: { hash: 'sha384' },
  [-36]: { hash: 'sha512' },
  [-37]: { hash: 'sha256', isPss: true },
  [-38]: { hash: 'sha384', isPss: true },
  [-39]: { hash: 'sha512', isPss: true },
  [-8]: { hash: null },
}
/** Signatures of ECDSA are two numbers of the size of the curve (RFC 9053, 2.1); some tools write DER all the same. */
const FIXED_LENGTHS: ReadonlySet<number> = new Set([64, 96, 132])
/** `x5chain` (RFC 9360). */
const CHAIN = 33
const RSA_PSS_PADDING = 6
/** Salt as long as the hash. */
const PSS_SALT_DIGEST = -1

type Signed = {
  head: Buffer
  heads: Map<CborValue, CborValue>
  certificate: X509Certificate | null
  /** The signer's, then that of each issuer, as they lie in the manifest. */
  certificates: Buffer[]
  isStamped: boolean
  signature: Buffer
}

function readSigned(manifest: Box): Signed | null {
  const content = cborOf(inner(manifest, /^c2pa\.signature$/))
  const parts = content ? readCbor(content) : null
  if (!Array.isArray(parts) || parts.length !== 4) return null
  const [head, open, , signature] = parts
  if (!Buffer.isBuffer(head) || !Buffer.isBuffer(signature)) return null
  const heads = head.length > 0 ? readCbor(head) : new Map()
  if (!(heads instanceof Map)) return null
  const outer = open instanceof Map ? open : new Map<CborValue, CborValue>()
  const chain = heads.get(CHAIN) ?? heads.get('x5chain') ?? outer.get(CHAIN) ?? outer.get('x5chain')
  const certificates = (Array.isArray(chain) ? chain : [chain]).filter((each) => Buffer.isBuffer(each))
  const [first] = certificates
  return {
    head,
    heads,
    certificate: first ? new X509Certificate(first) : null,
    certificates,
    isStamped: outer.has('sigTst') || outer.has('sigTst2'),
    signature,
  }
}

/** Whether the claim was signed by the key of the certificate that lies beside it. */
function signatureOf(manifest: Box, { content }: Claim): Verdict {
  try {
    const signed = readSigned(manifest)
    const algorithm = SIGNATURES[Number(signed?.heads.get(1))]
    if (!signed?.certificate || !algorithm)
      return unverified('the signature has no certificate or a form that is not known')
    const message = Buffer.concat([
      Buffer.from([0x84, 0x6a]),
      Buffer.from('Signature1'),
      writeBytes(signed.head),
      writeBytes(Buffer.alloc(0)),
      writeBytes(content),
    ])
    const isValid = verifySignature(
      algorithm.hash,
      message,
      {
        key: signed.certificate.publicKey,
        dsaEncoding: FIXED_LENGTHS.has(signed.signature.length) ? 'ieee-p1363' : 'der',
        ...(algorithm.isPss && { padding: RSA_PSS_PADDING, saltLength: PSS_SALT_DIGEST }),
      },
      signed.signature,
    )
    return isValid ? holds : broken('the claim is not what was signed')
  } catch (error) {
    return unverified(`the signature could not be read (${error instanceof Error ? error.message : error})`)
  }
}

function certificateOf(manifest: Box): ManifestFacts['certificate'] {
  try {
    const signed = readSigned(manifest)
    if (!signed?.certificate) return null
    const [from, until] = [new Date(signed.certificate.validFrom), new Date(signed.certificate.validTo)]
    return {
      from: from.toISOString().slice(0, 10),
      until: until.toISOString().slice(0, 10),
      isStamped: signed.isStamped,
      isExpired: until.getTime() < Date.now(),
    }
  } catch {
    return null
  }
}

/** Certificates between that of the signer and a root. */
const MOST_ISSUERS = 10

/** The certificate of the signer and those of its issuers, each having signed the one before (RFC 5280, 6.1). */
function chainOf(manifest: Box): ManifestFacts['chain'] {
  try {
    const [first, ...issuers] = (readSigned(manifest)?.certificates ?? []).slice(0, MOST_ISSUERS)
    if (!first) return []
    const chain = [new X509Certificate(first)]
    for (const bytes of issuers) {
      const issuer = new X509Certificate(bytes)
      const last = chain.at(-1)
      if (!last || !issuer.ca || !last.checkIssued(issuer) || !last.verify(issuer.publicKey)) break
      chain.push(issuer)
    }
    return chain.map((certificate) => ({
      fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
      name: namedIn(certificate.subject),
    }))
  } catch {
    return []
  }
}

function signerOf(manifest: Box): string | null {
  try {
    return namedIn(readSigned(manifest)?.certificate?.subject ?? '')
  } catch {
    return null
  }
}

/** The organisation that a certificate names, or else its common name. */
const namedIn = (subject: string) =>
  (/^O=(.+)$/m.exec(subject) ?? /^CN=(.+)$/m.exec(subject))?.[1]?.slice(0, 100) ?? null

/**
 * Of every manifest of the store, from the assertions that its claim names: an edited file has that of what it was made
 * from beside its own.
 */
function sourceTypesIn(manifests: readonly Box[]): string[] {
  const found = new Set<string>()
  const search = (value: CborValue, depth: number): void => {
    if (depth > 20) return
    if (Array.isArray(value)) for (const each of value) search(each, depth + 1)
    if (!(value instanceof Map)) return
    for (const [key, each] of value) {
      if (key === 'digitalSourceType' && typeof each === 'string') found.add(each.split('/').at(-1)?.slice(0, 60) ?? '')
      else search(each, depth + 1)
    }
  }
  for (const manifest of manifests) {
    const assertions = assertionsOf(manifest).filter(({ label }) => label.startsWith('c2pa.actions'))
    const named = new Set(assertions.length > 0 ? referencesOf(readClaim(manifest)).map(({ label }) => label) : [])
    for (const assertion of assertions) {
      if (!named.has(assertion.label)) continue
      const content = cborOf(assertion)
      if (content) search(readCbor(content), 0)
    }
  }
  return [...found]
}

const textOf = (value: CborValue | undefined) => (typeof value === 'string' ? value : null)
