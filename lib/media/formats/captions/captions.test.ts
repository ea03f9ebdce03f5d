import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { ebuStl, imsc } from '@/fixtures/captions'
import type { CaptionFacts } from '../../facts'
import { examine } from '../examine'

const folder = mkdtempSync(path.join(tmpdir(), 'captions-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function read(name: string, content: string | Buffer) {
  const file = path.join(folder, name)
  writeFileSync(file, content)
  const { mediaType, media, violations } = await examine(file, {
    extension: name.split('.').at(-1) as string,
    decodeUntil: Number.POSITIVE_INFINITY,
  })
  return { mediaType, facts: media as CaptionFacts | null, said: violations.map(({ message }) => message).join(' ') }
}

const srt = (count: number) =>
  Array.from({ length: count }, (_, at) => {
    const time = (milli: string) =>
      `${String(Math.floor(at / 3600)).padStart(2, '0')}:${String(Math.floor(at / 60) % 60).padStart(2, '0')}:${String(at % 60).padStart(2, '0')},${milli}`
    return `${at + 1}\n${time('000')} --> ${time('900')}\nCaption ${at}\n\n`
  }).join('')

describe('captions of 100,000 cues', () => {
  test('are read to the end, and what is kept of them is bounded', async () => {
    const { facts } = await read('long.srt', srt(100_000))
    expect(facts).toMatchObject({ cues: 100_000, end: 99_999.9, problemCount: 0 })
    expect(JSON.stringify(facts).length).toBeLessThan(60_000)
  })

  test('of which every one is wrong are counted, and the first hundred kept', async () => {
    const { facts } = await read('wrong.srt', srt(20_000).replaceAll(',900', ',000'))
    expect(facts).toMatchObject({ cues: 0, problemCount: 20_000 })
    expect(facts?.problems).toHaveLength(100)
  })

  test('more than any video has are refused', async () => {
    const { said } = await read('bomb.srt', srt(250_001))
    expect(said).toMatch(/more than 250000 captions/)
  })
})

test('SRT of old players is read as they read it', async () => {
  const { facts } = await read(
    'old.srt',
    '1\r\n0:00:01.5 --> 0:00:03\r\n\r\n1\r\n00:00:01,500 --> 00:00:03,000\r\n{\\an8}<b>One</b>\r\n2\r\n00:00:04,000 --> 00:00:06,000\r\nTwo\r\n',
  )
  expect(facts).toMatchObject({ cues: 2, start: 1.5, end: 6, widest: [{ value: 3 }, { value: 3 }] })
})

describe('WebVTT', () => {
  test('must be UTF-8', async () => {
    const { said } = await read('latin.vtt', Buffer.from('WEBVTT\n\n00:01.000 --> 00:02.000\nO\xf9\n', 'latin1'))
    expect(said).toMatch(/WebVTT is always UTF-8/)
  })

  test('entities and tags are not shown', async () => {
    const { facts } = await read('tags.vtt', 'WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann>Tom &amp; I</v>\n')
    expect(facts?.widest[0]?.value).toBe(7)
  })
})

describe('TTML', () => {
  test('times are relative to what holds them', async () => {
    const nested = imsc([['1s', '3s', 'One']]).replace('<div>', '<div begin="10s">')
    expect((await read('nested.ttml', nested)).facts).toMatchObject({ start: 11, end: 13 })
  })

  test('a sequence counts from the caption before', async () => {
    const sequence = imsc([
      ['1s', '3s', 'One'],
      ['1s', '2s', 'Two'],
    ]).replace('<div>', '<div timeContainer="seq">')
    expect((await read('sequence.ttml', sequence)).facts).toMatchObject({ cues: 2, start: 1, end: 5 })
  })

  test('frames of 29.97 and ticks', async () => {
    const root = 'ttp:frameRate="30" ttp:frameRateMultiplier="1000 1001" ttp:tickRate="10000000"'
    const { facts } = await read('ntsc.ttml', imsc([['30f', '30030000t', 'One']], root))
    expect(facts).toMatchObject({ start: 1.001, end: 3.003 })
  })

  test('entities that read a file or multiply are refused', async () => {
    const doctype = '<!DOCTYPE tt [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    const hostile = imsc([['1s', '3s', '&x;']]).replace('<tt ', `${doctype}<tt `)
    expect((await read('hostile.ttml', hostile)).said).toMatch(/reads another file/)
  })

  test('cut short', async () => {
    const { said } = await read('cut.ttml', imsc([['1s', '3s', 'One']]).slice(0, -20))
    expect(said).toMatch(/not well-formed XML/)
  })
})

describe('EBU STL', () => {
  const captions = [
    [1, 3, 'One'],
    [4, 6, 'Two'],
  ] as const

  test('counts from the start of the programme it states', async () => {
    const { facts, mediaType } = await read('tape.stl', ebuStl(captions, { programmeStart: 36_000 }))
    expect(mediaType).toBe('application/x-ebu-stl')
    expect(facts).toMatchObject({
      cues: 2,
      start: 1,
      end: 6,
      language: 'en',
      profile: 'teletext level 1',
      problemCount: 0,
    })
  })

  test('cut short', async () => {
    const { said } = await read('cut.stl', ebuStl(captions).subarray(0, 1024 + 128))
    expect(said).toMatch(/2 blocks of text are stated, 1 are there/)
  })

  test('a frame that its rate does not have', async () => {
    const bytes = ebuStl(captions)
    bytes[1024 + 8] = 25
    expect((await read('frame.stl', bytes)).facts).toMatchObject({ cues: 1, problemCount: 1 })
  })
})

test('a name that says captions and content that is none', async () => {
  const { said } = await read('notes.srt', 'Dear all, find the captions attached.')
  expect(said).toMatch(/The name says SubRip captions \(\.srt\) but the content is plain text/)
})
