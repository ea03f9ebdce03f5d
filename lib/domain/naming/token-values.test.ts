import { describe, expect, it } from 'vitest'
import { findNearest } from './nearest'
import { type NamingContext, TOKENS, type TokenName } from './tokens'

const context: NamingContext = {
  agencyCode: 'ACME',
  campaignCodes: ['SPRING24', 'WINTER-25'],
  extensions: ['jpg', 'mp4'],
}

describe('tokens', () => {
  it.each<[TokenName, string[]]>([
    ['agency', ['ACME', 'acme']],
    ['campaign', ['SPRING24', 'winter-25']],
    ['title', ['Hero', 'Größe-L', '春の広告', 'A-1', 'Hero2']],
    ['width', ['1', '300', '99999']],
    ['duration', ['30s', '06s', '6.5s', '120s']],
    ['fps', ['25', '23.976', '2997', '59.94', '120']],
    ['ratio', ['16x9', '1x1', '1.91x1']],
    ['language', ['en', 'EN', 'en-GB', 'es-419', 'pt-br']],
    ['market', ['GB', 'de']],
    ['date', ['20240229', '19991231', '20991231']],
    ['version', ['1', '01', '000001']],
    ['text', ['a_b-c', 'Summer']],
    ['number', ['0', '007', '123456789012']],
    ['ext', ['jpg', 'JPG', 'mp4']],
  ])('%s accepts %j', (name, values) => {
    expect(values.filter((value) => !TOKENS[name].isValid(value, context))).toEqual([])
  })

  it.each<[TokenName, string[]]>([
    ['agency', ['', 'ACM', 'ACMEE', 'АСМЕ']],
    ['campaign', ['SPRING', 'SPRING-24', '']],
    ['title', ['', 'a b', 'a_b', 'a.b', 'Hеro', 'a/b']],
    ['width', ['', '0', '0300', '300px', '３００', '-3', '100000']],
    ['duration', ['', '30', '0s', '30S', 's', '1m', '30.s']],
    ['fps', ['', '0', '301', '25fps', '25.', '29,97']],
    ['ratio', ['', '16:9', '0x9', '16X9', 'x', '16x']],
    ['language', ['', 'e', 'eng', 'xx', 'en_GB', 'en-XX', 'en-GB-x', 'sh', 'bh']],
    ['market', ['', 'UK', 'EU', 'GBR', 'G']],
    ['date', ['', '20230229', '20241301', '20240431', '2024-05-03', '03052024', '18991231', '21000101', '2024053']],
    ['version', ['', 'final', 'v1', '1.0', '1234567', '٣']],
    ['number', ['', '12a', '1234567890123']],
    ['ext', ['', 'jpeg', 'exe', 'jpg ']],
  ])('%s refuses %j', (name, values) => {
    expect(values.filter((value) => TOKENS[name].isValid(value, context))).toEqual([])
  })

  it.each<[TokenName, string, string | null]>([
    ['agency', 'ACMEE', 'ACME'],
    ['agency', 'АСМЕ', 'ACME'],
    ['agency', 'ZENITH', null],
    ['campaign', 'SPRNG24', 'SPRING24'],
    ['title', 'Summer Hero', 'Summer-Hero'],
    ['title', ' __ ', null],
    ['width', '3OO', '300'],
    ['width', '0300px', '300'],
    ['width', '３００', '300'],
    ['width', 'wide', null],
    ['duration', '30sec', '30s'],
    ['duration', '30"', '30s'],
    ['duration', '1m30s', '90s'],
    ['duration', '01-30', '90s'],
    ['duration', 'long', null],
    ['fps', '29,97', '29.97'],
    ['fps', '25fps', '25'],
    ['ratio', '16:9', '16x9'],
    ['ratio', '916', '9x16'],
    ['language', 'eng', 'en'],
    ['language', 'ger', 'de'],
    ['language', 'German', 'de'],
    ['language', 'en_gb', 'en-GB'],
    ['language', 'enGB', 'en-GB'],
    ['language', 'en-UK', 'en-GB'],
    ['language', 'es_419', 'es-419'],
    ['language', 'jp', 'ja'],
    ['language', 'hero', null],
    ['market', 'UK', 'GB'],
    ['market', 'DEU', 'DE'],
    ['market', 'EU', null],
    ['date', '2024-05-03', '20240503'],
    ['date', '31.12.2024', '20241231'],
    ['date', '31122024', '20241231'],
    ['date', '20241305', '20240513'],
    ['date', '240503', '20240503'],
    ['date', '240531', null],
    ['date', '03052024', null],
    ['date', '20240230', null],
    ['version', 'v2', '2'],
    ['version', 'final', '01'],
    ['version', 'FINAL_v3', '3'],
    ['version', 'hero', null],
    ['ext', 'jpeg', 'jpg'],
    ['ext', 'mov', null],
  ])('%s reads %j as %j', (name, found, fixed) => {
    expect(TOKENS[name].fix(found, context)).toBe(fixed)
  })

  it('says why a day is none, and what an ambiguous one can mean', () => {
    expect(TOKENS.date.explain('20240230', context)).toBe('February 2024 has 29 days.')
    expect(TOKENS.date.explain('20241299', context)).toBe('December 2024 has 31 days.')
    expect(TOKENS.date.explain('03052024', context)).toBe(
      'It can mean 3 May 2024 (20240503) or 5 March 2024 (20240305).',
    )
  })

  it('takes any code while the records give none', () => {
    const unknown: NamingContext = { agencyCode: null, campaignCodes: [], extensions: [] }
    expect(TOKENS.agency.isValid('Any-1', unknown)).toBe(true)
    expect(TOKENS.agency.isValid('An y', unknown)).toBe(false)
    expect(TOKENS.ext.isValid('blend', unknown)).toBe(true)
  })

  it('gives examples that it accepts itself', () => {
    const refused = Object.values(TOKENS).filter((token) => !token.isValid(token.example(context), context))
    expect(refused).toEqual([])
  })
})

describe('findNearest', () => {
  it('forgives one slip in a short code, also two letters swapped', () => {
    expect(findNearest('ACEM', ['ACME', 'ZEN'])).toBe('ACME')
    expect(findNearest('AXXE', ['ACME'])).toBeNull()
  })

  it('does not choose between two equally near codes', () => {
    expect(findNearest('SPRING2', ['SPRING24', 'SPRING25'])).toBeNull()
  })
})
