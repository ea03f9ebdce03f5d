import { malware, printable } from '../defect'
import type { XmlElement } from './xml'

/** Elements that run something or load a page, in SVG or in HTML inside it. */
const ACTIVE = new Set([
  'script',
  'handler',
  'listener',
  'iframe',
  'frame',
  'object',
  'embed',
  'applet',
  'base',
  'form',
  'link',
  'meta',
  'portal',
])

export function validateElement(element: XmlElement): void {
  if (ACTIVE.has(element.localName)) throw malware(`The drawing holds active content (<${printable(element.name)}>)`)
}

/** Event handlers, script addresses, and anything loaded from outside the file. Links a person may click are free. */
export function validateAttributes(element: XmlElement): void {
  const tag = printable(element.name)
  for (const [name, value] of element.attributes) {
    const local = name.slice(name.indexOf(':') + 1).toLowerCase()
    if (/^on[a-z]+$/i.test(name)) throw malware(`The drawing runs a script (${printable(name)} on <${tag}>)`)
    if (isScriptAddress(value)) throw malware(`The drawing runs a script (${printable(name)} on <${tag}>)`)
    if (name.startsWith('xmlns')) continue
    if (local === 'href' || local === 'src') {
      const address = plain(value)
      if (element.localName === 'a') {
        if (/^data:/i.test(address)) throw malware('The drawing links to a page hidden in itself')
      } else if (isOutside(address)) {
        throw malware(`The drawing loads “${printable(value)}” from outside the file (<${tag}>); embed it`)
      }
    }
    if (local === 'style') validateStyleSheet(value)
    else if (/url\s*\(/i.test(value)) validateAddresses(value)
    // Animations may set an address later than any check.
    if (local === 'attributename' && /^on/i.test(value.trim()))
      throw malware(`The drawing sets a script by animation (<${tag}>)`)
  }
}

/** CSS: imports, addresses, and the old ways to run code from a style. */
export function validateStyleSheet(css: string): void {
  const text = css
    .replace(/\\([0-9a-f]{1,6})\s?/gi, (_, code: string) =>
      String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0xffff)),
    )
    .replace(/\/\*[\s\S]*?\*\//g, '')
  const imported = /@import\s*(?:url\()?\s*["']?([^"');]+)/i.exec(text)?.[1]
  if (imported !== undefined)
    throw malware(
      `The drawing loads the style sheet “${printable(imported)}”; embed its fonts or convert text to outlines`,
    )
  if (/expression\s*\(|behavior\s*:|-moz-binding/i.test(text)) throw malware('The drawing runs code from its style')
  validateAddresses(text)
}

export function validateInstruction(target: string, data: string): void {
  if (target.toLowerCase() !== 'xml-stylesheet') return
  const address = /href\s*=\s*["']([^"']*)["']/.exec(data)?.[1] ?? ''
  if (/xsl/i.test(data) || isOutside(plain(address)))
    throw malware(`The drawing loads the style sheet “${printable(address)}”; embed it`)
}

function validateAddresses(text: string): void {
  for (const [, address] of text.matchAll(/url\s*\(\s*["']?([^"')]*)/gi)) {
    if (isOutside(plain(address ?? '')))
      throw malware(`The drawing loads “${printable(address ?? '')}” from outside the file; embed it`)
  }
}

/** Browsers ignore white space and control characters inside the scheme of an address. */
function plain(address: string): string {
  return Array.from(address)
    .filter((character) => character > ' ')
    .join('')
}

function isScriptAddress(value: string): boolean {
  return (
    /(^|;)(javascript|vbscript|livescript|mocha):/i.test(plain(value)) ||
    /^data:text\/(html|xml|javascript)/i.test(plain(value))
  )
}

/**
 * Another scheme than embedded data, another host, or the root of a disk. A plain relative address names a file that was
 * not sent along: nothing loads it, here or where the drawing is served.
 */
function isOutside(address: string): boolean {
  if (/^data:(image|font|application\/(x-)?font|application\/octet-stream|application\/vnd\.ms-)/i.test(address))
    return false
  if (/^data:;?base64/i.test(address)) return false
  return /^[^/?#]+:/.test(address) || /^[/\\]/.test(address)
}
