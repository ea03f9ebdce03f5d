import { image } from '../../testing'
import { qrCodeCheck } from '../../visual/qr-code-check'
import { specOf } from '../spec'

const region = { x: 10, y: 20, width: 80, height: 80 }
const showing = (...texts: string[]) =>
  image({}, { measures: { codes: { codes: texts.map((text) => ({ format: 'QRCode', text, region })) } } })
const required = { required: true }

export const spec = specOf(qrCodeCheck, {
  good: [
    {
      name: 'leads to an encrypted address',
      given: showing('https://example.com/sale'),
      details: /1 code \(“https:\/\/example.com\/sale”\), and every one can be read/,
      occurrences: [{ region, page: 1 }],
    },
    { name: 'is there where one is wanted', given: showing('https://example.com'), thresholds: required },
    { name: 'is no address', given: showing('4006381333931') },
    { name: 'calls a telephone', given: showing('tel:+441632960961') },
    {
      name: 'leads to plain http where that is allowed',
      given: showing('http://example.com'),
      thresholds: { https_only: false },
    },
  ],
  bad: [
    {
      name: 'leads to plain http',
      given: showing('https://example.com', 'http://example.com/sale'),
      details: /2 codes .*“http:\/\/example.com\/sale” is not an address with https/,
      fix: /anew with the https address/,
      occurrences: [{ region, page: 1 }],
    },
    { name: 'leads to an address without a scheme', given: showing('www.example.com') },
    {
      name: 'is missing where one is wanted',
      given: showing(),
      thresholds: required,
      details: /no code that could be read; one is wanted/,
      fix: /at least 2 cm wide or 120 px/,
    },
  ],
  skipped: [
    { name: 'is missing where none is wanted', given: showing() },
    { name: 'is not searched for in an EPS drawing', given: image({ format: 'eps' }), thresholds: required },
  ],
})
