import type { TextFacts, TextReading } from '@/lib/media/measurements'
import { document, image, video } from '../../testing'
import { requiredTextCheck } from '../../visual/required-text-check'
import { specOf } from '../spec'

const CLAIM = 'Summer sale'
const LEGAL = 'Terms and conditions apply. 18+ only.'

/** Words of a line, each ten wide at ten times its place, read with that confidence. */
const reading = (text: string, changes: Partial<TextReading> = {}, confidence = 0.9): TextReading => ({
  how: 'recognised',
  words: text
    .split(' ')
    .map((word, index) => ({ text: word, confidence, region: { x: index * 10, y: 0, width: 10, height: 5 } })),
  ...changes,
})

const textFacts = (readings: TextReading[], changes: Partial<TextFacts> = {}): TextFacts => ({
  readings,
  languages: ['eng'],
  words: readings[0]?.words.length ?? 0,
  confidence: 0.9,
  places: { read: 1, of: 1 },
  isComplete: true,
  ...changes,
})

const requiring = (...requiredCopy: string[]) => ({ mediaTypes: [], maxFileBytes: null, requiredCopy })
const banner = (text: TextFacts, ...phrases: string[]) =>
  image({}, { measures: { text }, expectations: requiring(...phrases) })
/** Read twice, to the same letters. */
const reads = (text: string) => textFacts([reading(text), reading(text)])

export const spec = specOf(requiredTextCheck, {
  good: [
    {
      name: 'shows every phrase, whatever the case',
      given: banner(reads(`Only today: SUMMER SALE ${LEGAL}`), CLAIM, LEGAL),
      details: /All 2 required phrases were found\. 10 words were read, 90 % sure on average\./,
      occurrences: [
        { region: { x: 20, y: 0, width: 20, height: 5 } },
        { region: { x: 40, y: 0, width: 60, height: 5 } },
      ],
    },
    {
      name: 'states it in the text layer of a page',
      given: {
        ...document(),
        measures: {
          text: textFacts([reading(LEGAL, { how: 'layer', page: 2 }, 0.95)], {
            languages: [],
            confidence: null,
            places: { read: 2, of: 2 },
          }),
        },
        expectations: requiring(LEGAL),
      },
      details: /The required phrase was found\. 6 words were read in the text layer on 2 of 2 pages\./,
      occurrences: [{ page: 2, region: { x: 0, y: 0, width: 60, height: 5 } }],
    },
    {
      name: 'shows it in some frame of the video',
      given: video(
        {},
        {
          measures: { text: textFacts([reading('Summer Sale', { time: 4 })], { places: { read: 8, of: 8 } }) },
          expectations: requiring(CLAIM),
        },
      ),
      details: /on 8 of 8 frames/,
      occurrences: [{ start: 4, end: 4, region: { x: 0, y: 0, width: 20, height: 5 } }],
    },
  ],
  bad: [
    {
      name: 'lacks a phrase',
      given: banner(reads('Fresh coffee every day, Summer sale'), CLAIM, LEGAL),
      details: /1 of 2 required phrases was found; “Terms and conditions apply\. 18\+ only\.” not found/,
      fix: /add “Terms and conditions apply/,
    },
    {
      name: 'shows a phrase that reads otherwise',
      given: banner(reads('Sumer sale'), CLAIM),
      details: /expected “Summer sale”, read “Sumer sale”/,
      fix: /change “Sumer sale” to “Summer sale”/,
      occurrences: [{ region: { x: 0, y: 0, width: 20, height: 5 } }],
    },
    {
      name: 'shows another number',
      given: banner(reads('Up to 30 % off'), 'Up to 50 % off'),
      details: /read “Up to 30 % off”/,
    },
    {
      name: 'reads otherwise below the likeness that is set: it is another text',
      given: banner(reads('Sumer sale'), CLAIM),
      thresholds: { least_likeness: 0.95 },
      details: /“Summer sale” not found/,
      confidence: 0.99,
    },
    {
      name: 'is read in frames that stand close together',
      given: video(
        {},
        {
          measures: { text: textFacts([reading('Winter')], { places: { read: 8, of: 8, apartSeconds: 0.8 } }) },
          expectations: requiring(CLAIM),
        },
      ),
      confidence: 0.99,
    },
    {
      name: 'is read in frames between which copy may stand',
      given: video(
        {},
        {
          measures: { text: textFacts([reading('Winter')], { places: { read: 8, of: 8, apartSeconds: 1.4 } }) },
          expectations: requiring(CLAIM),
        },
      ),
      confidence: 0.7,
    },
    {
      name: 'is of one colour',
      given: banner(textFacts([], { words: 0, confidence: null, isBlank: true }), CLAIM),
      confidence: 0.99,
    },
    {
      name: 'shows nothing that could be read',
      given: banner(textFacts([], { confidence: null }), LEGAL),
      details: /No text could be read\./,
    },
  ],
  skipped: [
    { name: 'belongs to a batch that requires no copy', given: image(), details: 'The batch requires no copy.' },
    {
      name: 'is an EPS drawing, which is not drawn here',
      given: image({ format: 'eps' }, { measures: {}, expectations: requiring(CLAIM) }),
    },
  ],
  error: [
    {
      name: 'requires a script that cannot be read from images',
      given: banner(reads('Summer sale'), 'Летняя распродажа'),
      details: /not in Latin script/,
    },
  ],
})
