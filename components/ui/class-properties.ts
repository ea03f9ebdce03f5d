/**
 * Which property a class of Tailwind sets, by its name, and what a class of that property overrides. Of the classes that
 * Greenroom uses; a test compares it with tailwind-merge, which knows all there are at ten times the size.
 */

const words = (property: string, names: string) => names.split(' ').map((name): [string, string] => [name, property])

const WORDS = new Map([
  ...words('display', 'block inline-block inline flex inline-flex table grid inline-grid contents hidden'),
  ...words('position', 'static fixed absolute relative sticky'),
  ...words('visibility', 'visible invisible'),
  ...words('text-transform', 'uppercase lowercase capitalize'),
  ...words('text-decoration', 'underline line-through no-underline'),
  ...words('flex-direction', 'flex-row flex-row-reverse flex-col flex-col-reverse'),
  ...words('align-content', 'content-center content-start content-end content-between content-around'),
  ...words('flex-wrap', 'flex-wrap flex-nowrap'),
  ...words('font-family', 'font-sans font-mono'),
  ...words('text-alignment', 'text-left text-center text-right'),
  ...words('text-wrap', 'text-pretty text-balance text-wrap text-nowrap'),
  ...words('object-position', 'object-left object-right object-top object-bottom object-center'),
  ...words('outline-style', 'outline-none'),
  ...words('border-style', 'border-dashed border-solid border-dotted border-none'),
  ...words('border-collapse', 'border-separate border-collapse'),
  ...words('text-decoration-style', 'decoration-wavy decoration-dotted decoration-dashed'),
  ...words('text-decoration-thickness', 'decoration-from-font decoration-1 decoration-2'),
  ...words('bg-image', 'bg-none'),
  ...words('text-overflow', 'truncate'),
  ...words('fvn-spacing', 'tabular-nums'),
  ...words('sr', 'sr-only not-sr-only'),
  ...words('container-type', '@container'),
  ...words('isolation', 'isolate'),
  ...words('divide-y', 'divide-y'),
])

/** Where the value decides between two properties. */
const BY_VALUE: [RegExp, string][] = [
  [/^text-(?:\dxs|xs|sm|base|lg|\d?xl|\[\d.*)$/, 'font-size'],
  [/^border(?:-\d+)?$/, 'border-w'],
  [/^border-([trblxy])(?:-\d+)?$/, 'border-w-'],
  [/^border-([trblxy])-/, 'border-color-'],
  [/^outline(?:-\d+)?$/, 'outline-w'],
  [/^ring(?:-\d+)?$/, 'ring-w'],
  [/^bg-(?:linear-|\[[a-z]+-gradient)/, 'bg-image'],
]

/** By how a name begins; the longest that fits counts. */
const BEGINNINGS = new Map<string, string>([
  ...(
    'gap gap-x gap-y p px py pt pr pb pl m mx my mt mr mb ml w h size min-w min-h max-w max-h inset inset-x inset-y top right bottom ' +
    'left z order basis shrink grow flex rounded rounded-t rounded-r rounded-b rounded-l rounded-tl rounded-tr rounded-bl ' +
    'rounded-br shadow opacity leading tracking line-clamp whitespace overflow overflow-x overflow-y select cursor resize touch ' +
    'pointer-events translate translate-x translate-y scale rotate transition duration ease animate aspect columns ' +
    'break-inside grid-cols grid-rows grid-flow auto-cols auto-rows place-items place-content justify-self ' +
    'justify-items fill stroke accent appearance transform mix-blend backdrop-blur filter underline-offset outline-offset ' +
    'border-spacing scroll-m scroll-mx scroll-my scroll-mt scroll-mb scroll-px scroll-py scroll-p col-start row-start ' +
    'overscroll field-sizing wrap space-y'
  )
    .split(' ')
    .map((name): [string, string] => [name, name]),
  ['text', 'text-color'],
  ['bg', 'bg-color'],
  ['border', 'border-color'],
  ['outline', 'outline-color'],
  ['ring', 'ring-color'],
  ['divide', 'divide-color'],
  ['decoration', 'text-decoration-color'],
  ['font', 'font-weight'],
  ['justify', 'justify-content'],
  ['items', 'align-items'],
  ['self', 'align-self'],
  ['align', 'vertical-align'],
  ['object', 'object-fit'],
  ['content', 'content'],
  ['list', 'list-style-type'],
  ['break', 'break'],
  ['col-span', 'col-start-end'],
  ['from', 'gradient-from'],
  ['to', 'gradient-to'],
  ['origin', 'transform-origin'],
])

const SIDES: [string, string][] = [
  ['', 'x y t r b l'],
  ['x', 'r l'],
  ['y', 't b'],
]
const sidesOf = (property: string, dash: string): [string, string[]][] =>
  SIDES.map(([sides, parts]) => [
    property + (sides && dash + sides),
    parts.split(' ').map((part) => property + dash + part),
  ])

/** What a class of the property overrides besides the same. */
export const OVERRIDDEN = new Map<string, string[]>([
  ...sidesOf('p', ''),
  ...sidesOf('m', ''),
  ...sidesOf('border-w', '-'),
  ...sidesOf('border-color', '-'),
  ...sidesOf('scroll-m', ''),
  ...sidesOf('scroll-p', ''),
  ['inset', ['inset-x', 'inset-y', 'top', 'right', 'bottom', 'left']],
  ['inset-x', ['right', 'left']],
  ['inset-y', ['top', 'bottom']],
  ['size', ['w', 'h']],
  ['gap', ['gap-x', 'gap-y']],
  ['overflow', ['overflow-x', 'overflow-y']],
  ['flex', ['basis', 'grow', 'shrink']],
  ['font-size', ['leading']],
  ['line-clamp', ['display', 'overflow']],
  ['translate', ['translate-x', 'translate-y']],
  ['rounded', ['t', 'r', 'b', 'l', 'tl', 'tr', 'bl', 'br'].map((corner) => `rounded-${corner}`)],
  ['rounded-t', ['rounded-tl', 'rounded-tr']],
  ['rounded-r', ['rounded-tr', 'rounded-br']],
  ['rounded-b', ['rounded-bl', 'rounded-br']],
  ['rounded-l', ['rounded-tl', 'rounded-bl']],
])

/** Undefined when it is not a class that sets one property: it is left alone. */
export function propertyOf(name: string): string | undefined {
  const arbitrary = /^\[([\w-]+):/.exec(name)
  if (arbitrary) return `[${arbitrary[1]}`
  const word = WORDS.get(name)
  if (word) return word
  for (const [pattern, property] of BY_VALUE) {
    const found = pattern.exec(name)
    if (found) return property + (found[1] ?? '')
  }
  const parts = name
    .replace(/^-/, '')
    .replace(/[[(].*$/, '')
    .split('-')
  for (let length = Math.min(parts.length, 3); length > 0; length--) {
    const property = BEGINNINGS.get(parts.slice(0, length).join('-'))
    if (property) return property
  }
  return undefined
}
