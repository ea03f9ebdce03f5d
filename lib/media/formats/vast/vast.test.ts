import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { type VastParts, vast, vastWrapper } from '@/fixtures/vast'
import type { VastFacts } from '../../facts'
import { examine } from '../examine'

const folder = mkdtempSync(path.join(tmpdir(), 'vast-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function read(content: string | Buffer, name = 'tag.xml') {
  const file = path.join(folder, name)
  writeFileSync(file, content)
  const { mediaType, media, kind, violations } = await examine(file, {
    extension: name.split('.').at(-1) as string,
    decodeUntil: Number.POSITIVE_INFINITY,
  })
  return {
    mediaType,
    kind,
    facts: media as VastFacts | null,
    codes: violations.map(({ code }) => code),
    said: violations.map(({ message }) => message).join(' '),
  }
}

describe('a VAST tag is taken, with what it says', () => {
  test.each(['2.0', '2.0.1', '3.0', '4.0', '4.1', '4.2', '4.3'])('of version %s', async (version) => {
    const { facts, codes, mediaType, kind } = await read(vast({ version }))
    expect(codes).toEqual([])
    expect({ mediaType, kind }).toEqual({ mediaType: 'application/vast+xml', kind: 'other' })
    expect(facts).toMatchObject({ format: 'vast', version, adCount: 1, durationSeconds: 15, insecureCount: 0 })
  })

  test('to its media files, events and clicks', async () => {
    const parts: VastParts = {
      duration: '00:01:30.250',
      files: [{ bitrate: 800 }, { type: 'application/x-mpegURL', more: ' minBitrate="500" maxBitrate="4000"' }],
    }
    const { facts } = await read(vast(parts))
    expect(facts?.durationSeconds).toBe(90.25)
    expect(facts?.ads[0]).toMatchObject({
      id: 'spring',
      kind: 'inline',
      elements: ['AdSystem', 'AdServingId', 'AdTitle', 'Error', 'Impression', 'Creatives'],
    })
    expect(facts?.ads[0]?.creatives).toEqual([
      {
        kind: 'linear',
        universalAdIds: 1,
        duration: '00:01:30.250',
        durationSeconds: 90.25,
        hasMediaFiles: true,
        mediaFiles: [
          expect.objectContaining({ type: 'video/mp4', width: 1920, height: 1080, bitrate: 800, minBitrate: null }),
          expect.objectContaining({ type: 'application/x-mpegURL', minBitrate: 500, maxBitrate: 4000 }),
        ],
        events: ['start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete'],
        clickThrough: 'https://www.example.com/?x=1&y=2',
      },
    ])
  })

  test('a wrapper, and vendors of verification', async () => {
    const verified = vast().replace(
      '</InLine>',
      '<AdVerifications><Verification vendor="example.com-omid"><JavaScriptResource apiFramework="omid"><![CDATA[https://v.example/v.js]]></JavaScriptResource></Verification></AdVerifications></InLine>',
    )
    expect((await read(verified)).facts?.ads[0]?.verifications).toEqual(['example.com-omid'])
    expect((await read(vastWrapper())).facts?.ads[0]).toMatchObject({ kind: 'wrapper', creatives: [] })
  })

  test('with a mark of its encoding, a prefix, and HTML with a document type inside', async () => {
    const html = '<StaticHTML><![CDATA[<!DOCTYPE html><p>Companion</p>]]></StaticHTML></InLine>'
    const text = vast().replace('</InLine>', html)
    expect((await read(`\uFEFF${text}`)).codes).toEqual([])
    const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text.replace('UTF-8', 'UTF-16'), 'utf16le')])
    expect((await read(wide)).facts?.adCount).toBe(1)
  })

  test('of many ads the first hundred are kept, and all are counted', async () => {
    const ad = /<Ad .*<\/Ad>/s.exec(vast())?.[0] ?? ''
    const { facts } = await read(vast().replace(ad, ad.repeat(400)))
    expect(facts?.adCount).toBe(400)
    expect(facts?.ads).toHaveLength(100)
  })
})

describe('what is no VAST tag is refused, and why', () => {
  test.each<[string, string | Buffer, RegExp]>([
    ['a document type', vast().replace('<VAST', '<!DOCTYPE VAST>\n<VAST'), /has no document type \(<!DOCTYPE>\)/],
    [
      'entities that read a file',
      vast().replace('<VAST', '<!DOCTYPE VAST [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n<VAST'),
      /has no document type/,
    ],
    [
      'entities that grow',
      vast().replace('<VAST', `<!DOCTYPE VAST [<!ENTITY a "${'a'.repeat(50)}"><!ENTITY b "&a;&a;&a;">]>\n<VAST`),
      /has no document type/,
    ],
    ['no version', vast().replace(' version="4.2"', ''), /states no version.*<VAST version="4.2">/],
    ['a version that is none', vast({ version: '5.0' }), /states version “5.0”; 2.0, .* are taken/],
    ['VAST 1', '<VideoAdServingTemplate/>', /root is <videoadservingtemplate>/],
    ['another spelling', vast().replaceAll('VAST version', 'vast version').replace('</VAST>', '</vast>'), /not <VAST>/],
    [
      'a list of ad breaks',
      '<vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0"/>',
      /root is <vmap>/,
    ],
    ['what ends early', vast().slice(0, -40), /not well-formed XML/],
    ['what is not closed', vast().replace('</AdTitle>', ''), /not well-formed XML/],
    [
      'bytes that are no text',
      Buffer.concat([Buffer.from(vast().slice(0, -10)), Buffer.from([0xe9])]),
      /not valid UTF-8/,
    ],
    [
      'endless nesting',
      `<VAST version="4.2">${'<a>'.repeat(200)}${'</a>'.repeat(200)}</VAST>`,
      /nested more than 64 deep/,
    ],
    ['a hundred thousand elements', `<VAST version="4.2">${'<a/>'.repeat(100_000)}</VAST>`, /more than 20000 elements/],
    ['three megabytes', vast().replace('Spring<', `${'x'.repeat(3_000_000)}<`), /has 3.0 MB; at most 2 MB are taken/],
  ])('%s', async (_what, content, says) => {
    const { facts, said } = await read(content)
    expect(facts).toBeNull()
    expect(said).toMatch(says)
  })

  test('another extension', async () => {
    expect((await read(vast(), 'tag.svg')).said).toMatch(
      /The name says SVG drawing .* but the content is a VAST ad tag/,
    )
  })
})
