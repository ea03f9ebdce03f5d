import { z } from 'zod'
import type { ManifestFacts, ProvenanceFacts } from '@/lib/media/facts'
import { fail, mediaCheck, pass, skip } from '../check'
import { allOf, count } from '../wording'

/** IPTC Digital Source Type: what an algorithm made, alone or with other material. */
const GENERATED =
  /^(trainedAlgorithmicMedia|compositeWithTrainedAlgorithmicMedia|algorithmicMedia|compositeSynthetic|algorithmicallyEnhanced)$/i

/** The words of Regulation (EU) 2024/1689, Article 50(2). */
const MARKED = '“marked in a machine-readable format and detectable as artificially generated or manipulated”'

export const provenanceCheck = mediaCheck({
  id: 'provenance_check',
  label: 'Provenance',
  kinds: ['image', 'video', 'audio', 'document'],
  describe:
    'What the file says of where it comes from: a manifest of C2PA (Content Credentials) in JPEG, PNG, WebP, GIF, TIFF, MP4, MOV and PDF, the IPTC Digital Source Type in the manifest or in XMP, and the history in XMP. A manifest that XMP names in the file and that is not there was taken out, which is found as well. The hash by which a manifest binds the file, by its bytes or by the boxes of an MP4, is computed again, that of a manifest which another updated as well; the signature is verified with the certificate beside it, and a certificate that had expired when the file was measured counts as not valid where no time stamp is there. Whether the signer is to be trusted is evaluated where certificates are named that are: one of them has to be the signer’s, or that of an issuer that lies in the manifest, each of which was verified to have signed the one before. Whether a time stamp is to be trusted, and whether a certificate was withdrawn, is not evaluated, nor are hashes in parts (Merkle trees) and manifests that lie elsewhere. A file that states nothing may have been generated all the same: no check can tell.',
  severity: 'advisory',
  confidence: '1 for what the file states and for hashes; what it does not state is not known.',
  thresholds: z.strictObject({
    source_type: z
      .enum(['any', 'stated', 'generated', 'not_generated'])
      .default('any')
      .meta({
        title: 'The digital source type',
        source: `Reasoned: not asked unless set. “generated” is for material that is: it has to be ${MARKED} (Regulation (EU) 2024/1689, Article 50(2))`,
      }),
    manifest: z.enum(['any', 'required']).default('any').meta({
      title: 'A manifest of C2PA is',
      source: 'Reasoned: not asked unless set; most tools do not write one yet',
    }),
    trusted: z
      .array(z.string().regex(/^[0-9a-f]{2}(:?[0-9a-f]{2}){31}$/i, 'is a SHA-256 fingerprint: 64 hexadecimal digits'))
      .max(200)
      .default([])
      .meta({
        title: 'Certificates that are trusted, by their SHA-256 fingerprints',
        source:
          'Reasoned: none unless set, and then no trust is asked. C2PA 2.1, 14.4 (trust lists): a manifest holds all certificates from that of the signer on but the root, so that issuing ones are named here',
      }),
  }),
  run({ name, media: { provenance } }, { source_type, manifest: wanted, trusted }) {
    if (!provenance) return skip('Files of this type are not searched for a manifest or a source type.')
    const { manifest, sourceTypes } = provenance
    const stated = [...new Set(sourceTypes.map(({ value }) => value))]
    const vouching = manifest ? trustedOf(manifest, trusted) : null
    const trust = vouching
      ? `is trusted, by the certificate of “${vouching.name ?? vouching.fingerprint}”`
      : trusted.length > 0
        ? 'is not trusted'
        : 'was not checked against a list of trusted ones'
    const is = [describeManifest(provenance, trust), describeSource(provenance), describeHistory(provenance)]
      .filter(Boolean)
      .join(' ')
    const standard = 'C2PA 2.1; IPTC Photo Metadata, Digital Source Type'
    const extras = { measured: stated.join(', ') || 'none', standard }
    if (manifest?.binding.state === 'broken' || manifest?.signature.state === 'broken') {
      return fail(is, {
        ...extras,
        fix: `Send “${name}” as it was when its manifest was written, or export it again with a tool that writes a new one (Content Credentials).`,
      })
    }
    if (isStripped(provenance)) {
      return fail(is, {
        ...extras,
        fix: `Send “${name}” as it was exported with its manifest (Content Credentials): a tool that saved it afterwards left it out.`,
      })
    }
    if (manifest && hasExpired(manifest)) {
      return fail(is, {
        ...extras,
        fix: `Export “${name}” again with a tool that signs with a certificate that is valid, or that adds a time stamp (Content Credentials).`,
      })
    }
    if (manifest && trusted.length > 0 && !vouching) {
      if (!manifest.chain) return skip(`${is} The certificates were not listed when the file was measured.`)
      const certificates =
        manifest.chain.length === 1 ? 'Its certificate is not' : `None of its ${manifest.chain.length} certificates is`
      return fail(`${is} ${certificates} one of those that are trusted.`, {
        ...extras,
        expected: 'a trusted signer',
        standard: 'C2PA 2.1, 14.4 (trust lists)',
        fix: `Export “${name}” with a tool whose signer is trusted, or name the certificate of its signer or issuer in the media category: ${manifest.chain.map(({ fingerprint }) => fingerprint).join(', ')}.`,
      })
    }
    if (wanted === 'required' && !manifest) {
      return fail(`${is} A manifest is wanted.`, {
        ...extras,
        expected: 'a manifest',
        fix: `Export “${name}” with Content Credentials (Photoshop: File > Export > Content Credentials), and do not save it by other tools afterwards.`,
      })
    }
    const generated = stated.filter((value) => GENERATED.test(value))
    if (source_type === 'stated' && stated.length === 0) {
      return fail(`${is} A digital source type is wanted.`, {
        ...extras,
        expected: 'a source type',
        fix: `State the digital source type of “${name}”: exiftool -XMP-iptcExt:DigitalSourceType=… with an address of https://cv.iptc.org/newscodes/digitalsourcetype/.`,
      })
    }
    if (source_type === 'generated' && generated.length === 0) {
      return fail(`${is} Generated material has to be ${MARKED}.`, {
        ...extras,
        expected: 'the source type of generated material',
        standard: 'Regulation (EU) 2024/1689, Article 50(2)',
        fix: `Label “${name}”: exiftool -XMP-iptcExt:DigitalSourceType=http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia (compositeWithTrainedAlgorithmicMedia where only a part was generated).`,
      })
    }
    if (source_type === 'not_generated' && generated.length > 0) {
      return fail(`${is} Material that was not generated is wanted.`, {
        ...extras,
        expected: 'not generated',
        fix: `Replace “${name}” by material that was not generated, or correct the source type where it is wrong.`,
      })
    }
    if (source_type === 'any' && wanted === 'any' && !manifest)
      return skip(`${is} Nothing is set for this media category.`)
    return pass(is, extras)
  },
})

const plain = (fingerprint: string) => fingerprint.replaceAll(':', '').toLowerCase()

/** The first certificate, from that of the signer on, that is trusted; none where the signature is not valid. */
function trustedOf({ signature, chain = [] }: ManifestFacts, trusted: readonly string[]) {
  const known = new Set(trusted.map(plain))
  return signature.state === 'holds' ? chain.find(({ fingerprint }) => known.has(fingerprint)) : undefined
}

const hasExpired = ({ certificate }: ManifestFacts) => certificate?.isExpired === true && !certificate.isStamped

/** XMP says that the manifest lies in the file, and there is none (C2PA 2.1, 11.4: a reference within is `self#jumbf=…`). */
const isStripped = ({ manifest, reference }: ProvenanceFacts) => !manifest && reference?.startsWith('self#') === true

/** `trust`: what is known of the trust in its certificate. */
function describeManifest(provenance: ProvenanceFacts, trust: string): string {
  const { manifest, reference } = provenance
  if (!manifest) {
    const none = 'The file has no manifest of C2PA'
    if (!reference) return `${none}.`
    return isStripped(provenance)
      ? `${none}, though its XMP names one that lies in it: it was taken out.`
      : `${none}. Its XMP says that one lies at “${reference}”, which was not fetched.`
  }
  const { binding, signature, signer, generator } = manifest
  const by = generator ? ` by “${generator}”` : ''
  const bytes = {
    holds: 'the bytes of the file are those that it was written for',
    broken: `the file was altered after it was written: ${binding.why}`,
    unverified: `whether the file was altered was not verified: ${binding.why}`,
  }[binding.state]
  const signed = {
    holds: `its signature is valid, by a certificate that names “${signer ?? 'no signer'}” and that ${trust}`,
    broken: `its signature is not valid: ${signature.why}`,
    unverified: `its signature was not verified: ${signature.why}`,
  }[signature.state]
  const until = manifest.certificate?.isExpired ? `; the certificate was valid until ${manifest.certificate.until}` : ''
  const stamp = manifest.certificate?.isStamped
    ? ', and a time stamp, which was not verified, says when it was used'
    : ', and no time stamp says that it was used before'
  return `The file has a manifest of C2PA${by}; ${bytes}; ${signed}${until}${until && stamp}.`
}

/** What a step may be called (XMP specification, part 2, 1.2.4); a program may write anything else. */
const ACTIONS = new Set(
  'converted copied created cropped derived edited filtered formatted managed printed produced published resized saved version_updated'.split(
    ' ',
  ),
)

/** What XMP says was done to the file; empty where it says nothing. */
function describeHistory({ history = [] }: ProvenanceFacts): string {
  if (history.length === 0) return ''
  const tools = [...new Set(history.flatMap(({ tool }) => tool ?? []))].map((tool) => `“${tool}”`)
  const named = tools.length > 3 ? [...tools.slice(0, 2), `${tools.length - 2} more tools`] : tools
  const actions = [...new Set(history.flatMap(({ action }) => (action && ACTIONS.has(action) ? [action] : [])))]
  const done = actions.length > 0 ? ` (${actions.join(', ').replaceAll('_', ' ')})` : ''
  const last = history.findLast(({ when }) => /^\d{4}-\d\d-\d\d/.test(when ?? ''))?.when?.slice(0, 10)
  return `Its XMP history has ${count(history.length, 'step')}${done}${named.length > 0 ? `, with ${allOf(named)}` : ''}${last ? `, the last on ${last}` : ''}.`
}

function describeSource({ sourceTypes }: ProvenanceFacts): string {
  if (sourceTypes.length === 0) return 'It states no digital source type.'
  return `It states the digital source type ${allOf(sourceTypes.map(({ value, from }) => `“${value}” (${from === 'xmp' ? 'XMP' : 'manifest'})`))}.`
}
