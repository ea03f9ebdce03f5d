import { SaxesParser } from 'saxes'
import { bomb, corrupt, malware, printable } from '../defect'

const MAX_DEPTH = 512
const MAX_ELEMENTS = 2_000_000
const MAX_EXPANSION = 1_000_000
const MAX_NESTED_ENTITIES = 16
const PREDEFINED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const REFERENCE = /&(?:#x([0-9a-f]+);|#(\d+);|([^;\s&]*;?))/gi

/** What may stand in the internal subset of a document type (XML 1.0, 2.8), one after the other. */
const SUBSET = new RegExp(
  [
    /\s+/,
    /<!--[\s\S]*?-->/,
    /<\?[\s\S]*?\?>/,
    /<!ENTITY\s+(?<name>[^\s"'%>]+)\s*(?:"(?<double>[^"]*)"|'(?<single>[^']*)')\s*>/,
    /<!ENTITY\s+(?<outside>[^\s"'%>]+)\s+(?:SYSTEM|PUBLIC)\s/,
    /(?<parameter><!ENTITY\s*%|%)/,
    /<!(?!ENTITY)(?:"[^"]*"|'[^']*'|[^>"'])*>/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'y',
)

export type XmlElement = {
  name: string
  /** Without its prefix, lower case: what a reader of HTML would make of it too. */
  localName: string
  attributes: Map<string, string>
}

export type XmlHandler = {
  open: (element: XmlElement) => void
  close: () => void
  text: (text: string) => void
  instruction: (target: string, data: string) => void
  /** Before anything of it is read; throws where a format takes none. */
  doctype?: () => void
}

/**
 * Reads an XML document strictly (XML 1.0, fifth edition, by saxes): well-formed or a Defect. Ours are the limits, and
 * what a document type may hold: nothing outside the text is ever read, entities of the document itself are replaced
 * up to a limit, and none of them may hold elements.
 */
export function parseXml(text: string, handler: XmlHandler): void {
  const parser = new SaxesParser({ position: false, defaultXMLVersion: '1.0', forceXMLVersion: true })
  parser.ENTITIES = Object.assign(Object.create(null), PREDEFINED)
  let depth = 0
  let elements = 0
  parser.on('error', ({ message }) => {
    const place = `line ${parser.line}, column ${parser.column}`
    throw corrupt(`it is not well-formed XML (${printable(message.replace(/\.$/, ''))}; ${place})`)
  })
  parser.on('doctype', (doctype) => {
    handler.doctype?.()
    declareEntities(doctype, parser.ENTITIES)
  })
  parser.on('opentag', ({ name, attributes, isSelfClosing }) => {
    elements += 1
    if (elements > MAX_ELEMENTS) throw bomb(`more than ${MAX_ELEMENTS} elements`)
    depth += 1
    if (depth > MAX_DEPTH && !isSelfClosing) throw bomb(`elements nested more than ${MAX_DEPTH} deep`)
    const localName = name.slice(name.indexOf(':') + 1).toLowerCase()
    handler.open({ name, localName, attributes: new Map(Object.entries(attributes)) })
  })
  parser.on('closetag', () => {
    depth -= 1
    handler.close()
  })
  parser.on('text', handler.text)
  parser.on('cdata', handler.text)
  parser.on('processinginstruction', ({ target, body }) => handler.instruction(target, body))
  parser.write(text).close()
}

/** Entities are replaced where they are used, and then counted: saxes takes what stands in `entities` as it is. */
function declareEntities(doctype: string, entities: Record<string, string>): void {
  let expanded = 0
  let nested = 0
  const expand = (name: string, literal: string): string => {
    if (literal.includes('<')) throw malware(`The drawing hides elements in the entity “${printable(name)}”`)
    nested += 1
    if (nested > MAX_NESTED_ENTITIES) throw bomb('entities nested in entities')
    const replaced = replaceReferences(literal, (reference) => {
      const value = reference.endsWith(';') ? entities[reference.slice(0, -1)] : undefined
      if (value === undefined) throw corrupt(`the entity &${printable(reference)} is not defined`)
      return value
    })
    nested -= 1
    expanded += replaced.length
    if (expanded > MAX_EXPANSION) throw bomb(`its entities grow to more than ${MAX_EXPANSION} characters`)
    return replaced
  }
  for (const { name, value } of readSubset(doctype)) {
    // Characters are replaced when an entity is declared (4.4.5): a “<” written as one begins an element after all.
    const literal = replaceReferences(value, (reference) => `&${reference}`)
    // The first declaration counts (4.2).
    if (!(name in entities)) Object.defineProperty(entities, name, { get: () => expand(name, literal) })
  }
}

function* readSubset(doctype: string): Generator<{ name: string; value: string }> {
  const open = /^(?:"[^"]*"|'[^']*'|[^"'[])*\[/.exec(doctype)
  if (!open) return
  const end = doctype.lastIndexOf(']')
  let at = open[0].length
  while (at < end) {
    SUBSET.lastIndex = at
    const found = SUBSET.exec(doctype)
    if (!found) throw corrupt('the document type is not well-formed')
    at += found[0].length
    const { name, double, single, outside, parameter } = found.groups ?? {}
    if (parameter !== undefined) throw malware('The drawing builds its document type out of parameter entities')
    if (outside !== undefined)
      throw malware(`The drawing reads another file through the entity “${printable(outside)}”`)
    if (name !== undefined) yield { name, value: double ?? single ?? '' }
  }
}

function replaceReferences(text: string, replaceOther: (reference: string) => string): string {
  return text.replace(REFERENCE, (whole, hex?: string, decimal?: string, other?: string) => {
    if (other !== undefined) return replaceOther(other)
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    if (code === 0 || code > 0x10ffff) throw corrupt(`${printable(whole)} is no character`)
    return String.fromCodePoint(code)
  })
}
