import { afterEach, describe, expect, test, vi } from 'vitest'
import { formatMoney, isCurrency, minorUnits } from './currencies'
import { formatDateTime, formatRelative } from './format'

/** ISO 4217, list one of 2024-06-25: every code with a minor unit. */
const LIST_ONE = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2: 'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP COU CRC CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD YER ZAR ZMW ZWG',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
}
const NO_MINOR_UNIT = 'XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'.split(' ')

describe('currencies', () => {
  test.each(Object.entries(LIST_ONE))('have %s digits as ISO 4217 says', (digits, codes) => {
    const wrong = codes.split(' ').filter((code) => !isCurrency(code) || minorUnits(code) !== Number(digits))
    expect(wrong).toEqual([])
  })

  test('are what has amounts, and nothing that only looks like a code', () => {
    expect([...NO_MINOR_UNIT, 'eur', 'XXY', '', 'EURO', ' EUR'].filter(isCurrency)).toEqual([])
    expect(['XCG', 'ZWL', 'HRK'].filter(isCurrency)).toEqual(['XCG', 'ZWL', 'HRK'])
  })

  test.each([
    ['RSD', '4564.444', 'RSD\u00a04,564.44'],
    ['IQD', '1500.5', 'IQD\u00a01,500.500'],
    ['HUF', '1234.56', 'HUF\u00a01,234.56'],
    ['IDR', '2500000', 'IDR\u00a02,500,000.00'],
    ['JPY', '1234.5', 'JP¥1,235'],
    ['KWD', '-12.5', '−KWD\u00a012.500'],
    ['CLF', '38.12345', 'CLF\u00a038.1235'],
    ['EUR', '-0.001', '€0.00'],
    ['XXX', '1', 'XXX\u00a01.00'],
  ])('write %s %s as %s', (code, amount, text) => expect(formatMoney(amount, code)).toBe(text))
})

describe('on a runtime with other data', () => {
  afterEach(() => vi.unstubAllGlobals())

  test('nothing that both sides render is written in another way', () => {
    const write = () =>
      [
        ...Object.values(LIST_ONE).flatMap((codes) =>
          codes.split(' ').map((code) => formatMoney('-1234567.125', code)),
        ),
        formatDateTime('2026-09-12T12:03:00Z'),
        formatRelative(0, 86_400_000),
      ].join('\n')
    const here = write()
    const other = () => {
      throw new Error('the words of this runtime were asked for')
    }
    const formats = ['NumberFormat', 'DateTimeFormat', 'RelativeTimeFormat', 'PluralRules', 'supportedValuesOf']
    vi.stubGlobal('Intl', { ...Intl, ...Object.fromEntries(formats.map((name) => [name, other])) })
    expect(write()).toBe(here)
  })
})
