import { expect, test } from 'vitest'
import { parseXml, type XmlElement } from './xml'

function read(text: string) {
  const seen: string[] = []
  parseXml(text, {
    open: ({ name, attributes }: XmlElement) => seen.push(`<${[name, ...[...attributes].flat()].join(' ')}>`),
    close: () => seen.push('</>'),
    text: (text) => text.trim() && seen.push(text),
    instruction: (target, data) => seen.push(`${target} ${data}`),
  })
  return seen
}
const withType = (declarations: string, content: string) => `<!DOCTYPE svg [${declarations}]><svg>${content}</svg>`

test('elements, attributes, text and instructions come in their order', () => {
  const text = '\ufeff<?xml version="1.0"?><?a b?><!-- c --><x:svg a="1&#x41;&lt;">d<![CDATA[<e>]]><g/></x:svg>\n'
  expect(read(text)).toEqual(['a b', '<x:svg a 1A<>', 'd', '<e>', '<g>', '</>', '</>'])
})

test('entities of the document are replaced, where the first declaration counts', () => {
  const declarations = `
    <!-- ] --> <?b ]?> <!ELEMENT svg ANY>
    <!ENTITY ns 'http://www.w3.org/2000/svg'> <!ENTITY ns "other"> <!ENTITY lt "other">
    <!ENTITY both "&ns; &amp;#60; &#38;lt; &#65;">`
  const text = `<!DOCTYPE svg PUBLIC "-//[W3C]" "http://[" [${declarations}]><svg a="&ns;">&both;&lt;</svg>`
  expect(read(text)).toEqual(['<svg a http://www.w3.org/2000/svg>', 'http://www.w3.org/2000/svg &#60; < A<', '</>'])
})

test.each([
  ['parameter entities', withType('<!ENTITY % a "b">', ''), 'malware'],
  ['a use of them', withType(' %a; ', ''), 'malware'],
  ['an entity of another file', withType('<!ENTITY a SYSTEM "file:///etc/passwd">', '&a;'), 'malware'],
  ['an entity of another host', withType('<!ENTITY a PUBLIC "b" "http://c/">', ''), 'malware'],
  ['elements in an entity', withType('<!ENTITY a "<script/>">', '&a;'), 'malware'],
  ['elements in an entity, written as characters', withType('<!ENTITY a "&#60;script/>">', '&a;'), 'malware'],
  ['an entity of itself', withType('<!ENTITY a "&a;">', '&a;'), 'decompression_bomb'],
  [
    'entities that multiply',
    withType(
      `<!ENTITY a "${'x'.repeat(1000)}"> <!ENTITY b "${'&a;'.repeat(100)}"> <!ENTITY c "${'&b;'.repeat(100)}">`,
      '&c;',
    ),
    'decompression_bomb',
  ],
  ['elements without end', `${'<g>'.repeat(600)}${'</g>'.repeat(600)}`, 'decompression_bomb'],
  ['an entity that is not declared', '<svg>&nbsp;</svg>', 'corrupt'],
  ['an entity named as a property of objects', '<svg>&constructor;</svg>', 'corrupt'],
  ['an entity that uses one that is not declared', withType('<!ENTITY a "&b;">', '&a;'), 'corrupt'],
  ['an entity with a lone ampersand', withType('<!ENTITY a "b & c">', '&a;'), 'corrupt'],
  ['a document type that breaks off', '<!DOCTYPE svg [<!ENTITY a "b"', 'corrupt'],
  ['a document type with other things', withType('text', ''), 'corrupt'],
  ['an element that is not closed', '<svg><g></svg>', 'corrupt'],
  ['an end that is missing', '<svg><g', 'corrupt'],
  ['two roots', '<svg/><svg/>', 'corrupt'],
  ['no root', '<!-- a -->', 'corrupt'],
  ['an attribute twice', '<svg a="1" a="2"/>', 'corrupt'],
  ['a control character', '<svg>\u0001</svg>', 'corrupt'],
])('%s: refused', (_, text, code) => {
  expect(() => read(text)).toThrow(expect.objectContaining({ code }))
})

test('a refusal says where', () => {
  expect(() => read('<svg>\n  <g>\n</svg>')).toThrow('unexpected close tag; line 3, column 6')
})
