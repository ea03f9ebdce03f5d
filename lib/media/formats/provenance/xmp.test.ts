import { describe, expect, test } from 'vitest'
import { historyInXmp, referenceInXmp } from './xmp'

const history = (steps: string) => `<rdf:Description><xmpMM:History>${steps}</xmpMM:History></rdf:Description>`

describe('the history in XMP', () => {
  test('is read from attributes and from elements, as tools write it', () => {
    const steps = `<rdf:Seq>
      <rdf:li rdf:parseType="Resource">
        <stEvt:action>created</stEvt:action>
        <stEvt:when>2026-01-02T10:00:00+01:00</stEvt:when>
        <stEvt:softwareAgent>Draw &amp; Paint 3</stEvt:softwareAgent>
      </rdf:li>
      <rdf:li stEvt:action='saved' stEvt:softwareAgent = "Layout" stEvt:changed="/"/>
      <rdf:li stEvt:instanceID="xmp.iid:1"/>
    </rdf:Seq>`
    expect(historyInXmp(history(steps))).toEqual([
      { action: 'created', tool: 'Draw & Paint 3', when: '2026-01-02T10:00:00+01:00' },
      { action: 'saved', tool: 'Layout', when: null },
    ])
  })

  test('that is cut, empty or elsewhere is none', () => {
    for (const packet of ['', '<xmpMM:History>', history(''), history('<rdf:li stEvt:action=""/>'), 'stEvt:action="x"'])
      expect(historyInXmp(packet)).toEqual([])
  })

  test('of many steps and long names is cut, and no line of it ends a line of ours', () => {
    const step = `<rdf:li stEvt:action="a\u0000\n\u202eb" stEvt:softwareAgent="${'x'.repeat(5000)}"/>`
    const steps = historyInXmp(history(step.repeat(5000)))
    expect(steps).toHaveLength(100)
    expect(steps[0]?.action).toBe('a...b')
    expect(steps[0]?.tool?.length).toBeLessThan(200)
  })

  test('that never ends is none', () => {
    expect(historyInXmp(history(`<rdf:li ${'stEvt:action '.repeat(300_000)}`))).toEqual([])
    expect(referenceInXmp('dcterms:provenance '.repeat(200_000))).toBeNull()
  })
})

test('the place of a manifest is read in each way of writing a property', () => {
  expect(referenceInXmp('<rdf:Description dcterms:provenance="self#jumbf=/c2pa/urn:uuid:1"/>')).toBe(
    'self#jumbf=/c2pa/urn:uuid:1',
  )
  expect(referenceInXmp('<dcterms:provenance>https://example.com/1</dcterms:provenance>')).toBe('https://example.com/1')
  expect(referenceInXmp('<dcterms:provenance/> none')).toBeNull()
})
