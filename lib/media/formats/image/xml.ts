import { bomb, corrupt, malware, printable } from '../defect'

const MAX_DEPTH = 512
const MAX_ELEMENTS = 2_000_000
const MAX_EXPANSION = 1_000_000
const PREDEFINED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const NAME = /[A-Za-z_:\u0080-\uffff][\w:.\-\u0080-\uffff]*/y

export type XmlElement = {
  name: string
  /** Without its prefix, lower case: what a reader of HTML would make of it too. */
  localName: string
  attributes: Map<string, string>
}

export type XmlHandler = {
  open: (element: XmlElement) => void
  close: (element: XmlElement) => void
  text: (text: string, parent: XmlElement) => void
  instruction: (target: string, data: string) => void
}

/**
 * Reads an XML document strictly (XML 1.0, fifth edition): well-formed or a Defect. Nothing outside the text is ever
 * looked at; entities of the document itself are replaced up to a limit.
 */
export function parseXml(text: string, handler: XmlHandler): void {
  new XmlReader(text, handler).read()
}

class XmlReader {
  private at = 0
  private expanded = 0
  private readonly entities = new Map<string, string>()
  private readonly stack: XmlElement[] = []

  constructor(
    private readonly text: string,
    private readonly handler: XmlHandler,
  ) {}

  read(): void {
    let elements = 0
    let hasRoot = false
    while (this.at < this.text.length) {
      const parent = this.stack.at(-1)
      if (this.text[this.at] !== '<') {
        this.readText(parent)
      } else if (this.startsWith('<!--')) {
        if (this.skipPast('-->', 'a comment').includes('--', 4) && this.text.slice(this.at - 4, this.at) === '--->')
          throw corrupt('a comment ends with three hyphens')
      } else if (this.startsWith('<![CDATA[')) {
        const data = this.skipPast(']]>', 'a CDATA section').slice(9, -3)
        if (!parent) throw corrupt('text stands outside the root element')
        this.handler.text(data, parent)
      } else if (this.startsWith('<?')) {
        const [, target, data] = /^<\?([^\s?]+)\s*([\s\S]*)\?>$/.exec(this.skipPast('?>', 'an instruction')) ?? []
        if (target === undefined) throw corrupt('an instruction has no name')
        this.handler.instruction(target, data ?? '')
      } else if (this.startsWith('<!DOCTYPE')) {
        if (hasRoot) throw corrupt('the document type stands after the root element')
        this.readDoctype()
      } else if (this.startsWith('</')) {
        this.readClosing()
      } else {
        if (!parent && hasRoot) throw corrupt('it has more than one root element')
        hasRoot = true
        this.readOpening()
        elements += 1
        if (elements > MAX_ELEMENTS) throw bomb(`more than ${MAX_ELEMENTS} elements`)
      }
    }
    const open = this.stack.at(-1)
    if (open) throw corrupt(`the element <${printable(open.name)}> is not closed: the end is missing`)
    if (!hasRoot) throw corrupt('it has no root element')
  }

  private startsWith(mark: string): boolean {
    return this.text.startsWith(mark, this.at)
  }

  /** The text up to and with `mark`. */
  private skipPast(mark: string, what: string): string {
    const end = this.text.indexOf(mark, this.at + 2)
    if (end < 0) throw corrupt(`${what} is not closed: the end is missing`)
    const found = this.text.slice(this.at, end + mark.length)
    this.at = end + mark.length
    return found
  }

  private readText(parent: XmlElement | undefined): void {
    const next = this.text.indexOf('<', this.at)
    const end = next < 0 ? this.text.length : next
    const raw = this.text.slice(this.at, end)
    this.at = end
    if (!parent) {
      if (/[^\s\ufeff]/.test(raw))
        throw corrupt(`text stands outside the root element (“${printable(raw.trim().slice(0, 20))}”)`)
      return
    }
    if (raw.includes(']]>')) throw corrupt('“]]>” stands in the text')
    this.handler.text(this.replaceEntities(raw, 0), parent)
  }

  private readOpening(): void {
    this.at += 1
    const name = this.readName('an element')
    const attributes = new Map<string, string>()
    for (;;) {
      const hasSpace = this.skipSpace()
      if (this.startsWith('/>') || this.startsWith('>')) break
      if (!hasSpace) throw corrupt(`the element <${printable(name)}> is not well-formed`)
      const key = this.readName(`an attribute of <${printable(name)}>`)
      this.skipSpace()
      if (this.text[this.at] !== '=') throw corrupt(`the attribute ${printable(key)} has no value`)
      this.at += 1
      this.skipSpace()
      const value = this.readQuoted(`the attribute ${printable(key)}`)
      if (value.includes('<')) throw corrupt(`“<” stands in the attribute ${printable(key)}`)
      if (attributes.has(key)) throw corrupt(`the attribute ${printable(key)} stands twice on <${printable(name)}>`)
      attributes.set(key, this.replaceEntities(value, 0))
    }
    const element = { name, localName: name.slice(name.indexOf(':') + 1).toLowerCase(), attributes }
    this.handler.open(element)
    if (this.startsWith('/>')) {
      this.at += 2
      this.handler.close(element)
      return
    }
    this.at += 1
    this.stack.push(element)
    if (this.stack.length > MAX_DEPTH) throw bomb(`elements nested more than ${MAX_DEPTH} deep`)
  }

  private readClosing(): void {
    this.at += 2
    const name = this.readName('a closing tag')
    this.skipSpace()
    if (this.text[this.at] !== '>') throw corrupt(`the closing tag of <${printable(name)}> is not well-formed`)
    this.at += 1
    const open = this.stack.pop()
    if (open?.name !== name)
      throw corrupt(`</${printable(name)}> closes ${open ? `<${printable(open.name)}>` : 'nothing'}`)
    this.handler.close(open)
  }

  private readDoctype(): void {
    this.at += 9
    for (;;) {
      this.skipSpace()
      const character = this.text[this.at]
      if (character === undefined) throw corrupt('the document type is not closed')
      if (character === '>') break
      if (character === '"' || character === "'") this.readQuoted('the document type')
      else if (character === '[') this.readInternalSubset()
      else this.readName('the document type')
    }
    this.at += 1
  }

  private readInternalSubset(): void {
    this.at += 1
    for (;;) {
      this.skipSpace()
      if (this.startsWith(']')) break
      if (this.startsWith('<!--')) this.skipPast('-->', 'a comment')
      else if (this.startsWith('<?')) this.skipPast('?>', 'an instruction')
      else if (this.startsWith('<!ENTITY')) this.readEntity()
      else if (this.startsWith('%')) throw malware('The drawing builds its document type out of parameter entities')
      else if (this.startsWith('<!')) this.readDeclaration()
      else throw corrupt('the document type is not well-formed')
    }
    this.at += 1
  }

  private readDeclaration(): void {
    while (this.text[this.at] !== '>') {
      const character = this.text[this.at]
      if (character === undefined) throw corrupt('a declaration is not closed')
      if (character === '"' || character === "'") this.readQuoted('a declaration')
      else this.at += 1
    }
    this.at += 1
  }

  private readEntity(): void {
    this.at += 8
    this.skipSpace()
    if (this.startsWith('%')) throw malware('The drawing builds its document type out of parameter entities')
    const name = this.readName('an entity')
    this.skipSpace()
    if (this.startsWith('SYSTEM') || this.startsWith('PUBLIC'))
      throw malware(`The drawing reads another file through the entity “${printable(name)}”`)
    const value = this.readQuoted('an entity')
    if (!this.entities.has(name)) this.entities.set(name, value)
    this.skipSpace()
    if (!this.startsWith('>')) throw corrupt('an entity is not well-formed')
    this.at += 1
  }

  private replaceEntities(text: string, depth: number): string {
    if (!text.includes('&')) return text
    if (depth > 16) throw bomb('entities nested in entities')
    return text.replace(/&([^;\s&]{0,100};)?/g, (whole, body: string | undefined) => {
      if (body === undefined) throw corrupt('“&” stands alone in the text')
      const name = body.slice(0, -1)
      const number = /^#(?:x([0-9a-f]+)|(\d+))$/i.exec(name)
      if (number) {
        const code = number[1] === undefined ? Number(number[2]) : Number.parseInt(number[1], 16)
        if (code === 0 || code > 0x10ffff) throw corrupt(`${printable(whole)} is no character`)
        return String.fromCodePoint(code)
      }
      const predefined = PREDEFINED[name]
      if (predefined !== undefined) return predefined
      const value = this.entities.get(name)
      if (value === undefined) throw corrupt(`the entity ${printable(whole)} is not defined`)
      if (value.includes('<')) throw malware(`The drawing hides elements in the entity “${printable(name)}”`)
      const replacement = this.replaceEntities(value, depth + 1)
      this.expanded += replacement.length
      if (this.expanded > MAX_EXPANSION) throw bomb(`its entities grow to more than ${MAX_EXPANSION} characters`)
      return replacement
    })
  }

  private readQuoted(what: string): string {
    const quote = this.text[this.at]
    if (quote !== '"' && quote !== "'") throw corrupt(`${what} is not quoted`)
    const end = this.text.indexOf(quote, this.at + 1)
    if (end < 0) throw corrupt(`${what} is not closed: the end is missing`)
    const value = this.text.slice(this.at + 1, end)
    this.at = end + 1
    return value
  }

  private readName(what: string): string {
    NAME.lastIndex = this.at
    const name = NAME.exec(this.text)?.[0]
    if (name === undefined)
      throw corrupt(`${what} has no valid name at “${printable(this.text.slice(this.at, this.at + 12))}”`)
    this.at += name.length
    return name
  }

  private skipSpace(): boolean {
    const start = this.at
    while (/[ \t\r\n]/.test(this.text[this.at] ?? '')) this.at += 1
    return this.at > start
  }
}
