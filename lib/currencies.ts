import { formatDecimal } from './format'

/**
 * The currencies of ISO 4217 (list one, with the amendments up to January 2026): how many digits an amount has after the
 * point, and how it is written. One fixed table for server and browser: a runtime's own (ICU) differs from ISO 4217, and
 * from one version to the next.
 *
 * Without the codes that have no minor unit: metals, units of account, test codes. With those withdrawn since 2023 (ANG,
 * BGN, CUC, HRK, SLL, ZWL), which older documents are in.
 */
const CODES: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2: `AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF
    CHW CNY COP COU CRC CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HRK HTG
    HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN
    MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SLL SOS
    SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG ZWL`,
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
}

const DIGITS = new Map(
  Object.entries(CODES).flatMap(([digits, codes]) => codes.split(/\s+/).map((code) => [code, Number(digits)] as const)),
)

/** Signs that stand for this one currency everywhere; the others are written by their code. */
const SIGNS: Partial<Record<string, string>> = {
  AUD: 'A$',
  BRL: 'R$',
  CAD: 'CA$',
  CNY: 'CN¥',
  EUR: '€',
  GBP: '£',
  HKD: 'HK$',
  ILS: '₪',
  INR: '₹',
  JPY: 'JP¥',
  KRW: '₩',
  MXN: 'MX$',
  NZD: 'NZ$',
  PHP: '₱',
  TWD: 'NT$',
  USD: 'US$',
  VND: '₫',
  XCD: 'EC$',
}

/** Whether this is the code of a currency that has amounts (ISO 4217, upper case). */
export const isCurrency = (code: string): boolean => DIGITS.has(code)

/** Digits after the point of an amount in this currency: EUR 2, JPY 0, KWD 3. 2 for a code that is not in the table. */
export const minorUnits = (currency: string): number => DIGITS.get(currency) ?? 2

/** What stands before an amount: `€`, `US$`; else the code with a space that does not break. */
const currencySign = (currency: string): string => SIGNS[currency] ?? `${currency}\u00a0`

/** An amount with its currency, in the digits of ISO 4217: `€1,234.50`, a credit with the sign of minus: `−€20.00`. */
export function formatMoney(amount: number | string, currency: string): string {
  const written = formatDecimal(amount, minorUnits(currency))
  const sign = currencySign(currency)
  return written.startsWith('−') ? `−${sign}${written.slice(1)}` : sign + written
}
