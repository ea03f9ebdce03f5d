import type { ManifestFacts, ProvenanceFacts } from '@/lib/media/facts'
import { provenanceCheck } from '../../file/provenance-check'
import { image } from '../../testing'
import { specOf } from '../spec'

const holds = { state: 'holds', why: null } as const
const MANIFEST: ManifestFacts = { generator: 'Camera', binding: holds, signature: holds, signer: 'Example' }
const [SIGNER, ISSUER] = ['ab'.repeat(32), 'cd'.repeat(32)]
const chained: ManifestFacts = {
  ...MANIFEST,
  chain: [
    { fingerprint: SIGNER, name: 'Example' },
    { fingerprint: ISSUER, name: 'Issuing authority' },
  ],
}
const from = (manifest: ManifestFacts | null, ...values: string[]) =>
  image({
    provenance: { manifest, sourceTypes: values.map((value) => ({ value, from: 'xmp' })) } satisfies ProvenanceFacts,
  })
const AI = 'trainedAlgorithmicMedia'
const xmp = (more: Partial<ProvenanceFacts>, ...values: string[]) =>
  image({
    provenance: { manifest: null, sourceTypes: values.map((value) => ({ value, from: 'xmp' })), ...more },
  })
const step = (tool: string | null, when: string | null = null, action: string | null = 'saved') => ({
  action,
  tool,
  when,
})

export const spec = specOf(provenanceCheck, {
  good: [
    {
      name: 'a manifest that holds',
      given: from(MANIFEST),
      details: /bytes of the file are those.*names “Example” and that was not checked against a list/,
    },
    { name: 'generated, and labelled so', given: from(null, AI), thresholds: { source_type: 'generated' } },
    { name: 'a photo that says so', given: from(null, 'digitalCapture'), thresholds: { source_type: 'not_generated' } },
    { name: 'a manifest where that is wanted', given: from(MANIFEST), thresholds: { manifest: 'required' } },
    {
      name: 'a signer whose issuer is trusted',
      given: from(chained),
      thresholds: { trusted: [ISSUER.toUpperCase().replace(/..(?!$)/g, '$&:')] },
      details: /names “Example” and that is trusted, by the certificate of “Issuing authority”/,
    },
    {
      name: 'a history of tools',
      given: xmp(
        { history: [step('One 1.0', '2026-01-02T10:00:00Z'), step('Two'), step('One 1.0', '2026-02-03')] },
        AI,
      ),
      thresholds: { source_type: 'stated' },
      details: /XMP history has 3 steps \(saved\), with “One 1.0” and “Two”, the last on 2026-02-03\.$/,
    },
    {
      name: 'a long history without times',
      given: xmp({ history: ['a', 'b', 'c', 'd'].map((tool) => step(tool, 'yesterday')) }, AI),
      thresholds: { source_type: 'stated' },
      details: /4 steps \(saved\), with “a”, “b” and 2 more tools\.$/,
    },
    {
      name: 'a manifest that lies elsewhere',
      given: xmp({ reference: 'https://example.com/m.c2pa', history: [step(null)] }, AI),
      thresholds: { source_type: 'stated' },
      details: /one lies at “https:\/\/example.com\/m.c2pa”, which was not fetched.*history has 1 step \(saved\)\.$/,
    },
    {
      name: 'what was done, by the words of XMP alone',
      given: xmp(
        {
          history: ['created', 'version_updated', 'created', 'hallucinated', null].map((action) =>
            step(null, null, action),
          ),
        },
        AI,
      ),
      thresholds: { source_type: 'stated' },
      details: /history has 5 steps \(created, version updated\)\.$/,
    },
    {
      name: 'no manifest, so no signer',
      given: from(null, AI),
      thresholds: { trusted: [ISSUER], source_type: 'stated' },
    },
    {
      name: 'a certificate that has expired, with a time stamp',
      given: from({
        ...MANIFEST,
        certificate: { from: '2019-01-01', until: '2021-01-01', isStamped: true, isExpired: true },
      }),
      details: /valid until 2021-01-01, and a time stamp, which was not verified/,
    },
    {
      name: 'bound in a way that is not evaluated',
      given: from({ ...MANIFEST, binding: { state: 'unverified', why: 'it is bound by boxes' } }),
      details: /was not verified: it is bound by boxes/,
    },
  ],
  bad: [
    {
      name: 'a signer that is not trusted',
      given: from(chained),
      thresholds: { trusted: ['ef'.repeat(32)] },
      details: /“Example” and that is not trusted.* None of its 2 certificates is one of those that are trusted\.$/,
      fix: /abababab.*, cdcdcdcd/,
    },
    {
      name: 'a trusted certificate beside a signature that is not verified',
      given: from({ ...chained, signature: { state: 'unverified', why: 'it has a form that is not known' } }),
      thresholds: { trusted: [ISSUER] },
    },
    {
      name: 'signed with a certificate that has expired',
      given: from({
        ...MANIFEST,
        certificate: { from: '2019-01-01', until: '2021-01-01', isStamped: false, isExpired: true },
      }),
      details: /the certificate was valid until 2021-01-01, and no time stamp says that it was used before/,
    },
    {
      name: 'altered after it was written',
      given: from({ ...MANIFEST, binding: { state: 'broken', why: 'other bytes' } }),
      details: /the file was altered after it was written: other bytes/,
    },
    {
      name: 'a signature that is not valid',
      given: from({ ...MANIFEST, signature: { state: 'broken', why: 'another claim' } }),
      details: /its signature is not valid: another claim/,
    },
    {
      name: 'a manifest that was taken out',
      given: xmp({ reference: 'self#jumbf=/c2pa/urn:uuid:1' }),
      details: /no manifest of C2PA, though its XMP names one that lies in it: it was taken out/,
      fix: /as it was exported with its manifest/,
    },
    { name: 'no manifest where one is wanted', given: from(null), thresholds: { manifest: 'required' } },
    { name: 'nothing stated where that is wanted', given: from(MANIFEST), thresholds: { source_type: 'stated' } },
    {
      name: 'generated material without a label',
      given: from(null, 'digitalCapture'),
      thresholds: { source_type: 'generated' },
      details: /marked in a machine-readable format/,
      fix: /trainedAlgorithmicMedia/,
    },
    { name: 'generated where that is not wanted', given: from(null, AI), thresholds: { source_type: 'not_generated' } },
  ],
  skipped: [
    {
      name: 'nothing stated, nothing set',
      given: from(null),
      details: /no manifest of C2PA. It states no digital source/,
    },
    { name: 'not searched', given: image() },
    {
      name: 'measured before certificates were listed',
      given: from(MANIFEST),
      thresholds: { trusted: [ISSUER] },
      details: /were not listed/,
    },
  ],
})
