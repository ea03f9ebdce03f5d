import { readdirSync, readFileSync } from 'node:fs'
import { extendTailwindMerge } from 'tailwind-merge'
import { expect, it } from 'vitest'
import { propertyOf } from './class-properties'
import { cn } from './cn'

/** What `cn` has to equal. `text-2xs` and two shadows are ours. */
const merge = extendTailwindMerge({ extend: { theme: { text: ['2xs'], shadow: ['popover', 'dialog'] } } })

const TABLE = 'components/ui/class-properties.ts'
/** Every word of every string of the screens: all classes are among them. */
const found = new Set(
  ['components', 'app']
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`))
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file) && file !== TABLE)
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/"[^"\n]*"|'[^'\n]*'|`[^`]*`/g)])
    .flatMap(([text]) => text.slice(1, -1).split(/\s+/)),
)
/** A class of which a later one takes the place is one that tailwind-merge knows. */
const classes = [...found].filter((name) => name && !name.includes('${') && merge(`${name} ${name}`) === name)
/** Without the cases they hold in. */
const bases = [...new Set(classes.map((name) => name.replace(/^(?:(?:[^:[\]]|\[[^\]]*\])*:)+(?![^[]*\])/, '')))]

it('knows every class that is used', () => {
  expect(classes.length).toBeGreaterThan(500)
  expect(classes.filter((name) => cn(name, name) !== name)).toEqual([])
})

it('decides between two classes as tailwind-merge does', () => {
  const one = new Map(bases.map((name) => [propertyOf(name) ?? name, name]))
  const ofEach = [...one.values()]
  const pairs = [
    ...bases.flatMap((name) => ofEach.map((other) => `${other} ${name}`)),
    ...ofEach.flatMap((name) => ofEach.map((other) => `${name} ${other}`)),
  ]
  const different = pairs.filter((pair) => cn(pair) !== merge(pair))
  expect(different).toEqual([])
})

it('keeps what holds in another case, and what is no class of Tailwind', () => {
  const lists = [
    'p-2 md:p-4 hover:p-1 md:hover:p-3 hover:md:p-5 p-6',
    'group peer text-ink text-2xs text-ink-muted leading-4 text-sm',
    'border border-line border-b-0 border-t-2 border-x-0 hover:border-line-strong',
    '[&_svg]:size-4 [&_svg]:w-2 [&>p:first-child]:mt-1 [&>p:first-child]:m-2',
    'data-[side=top]:top-1 data-[side=top]:inset-0 aria-selected:bg-hover bg-active',
    ' w-full   w-(--anchor-width)  size-4 ',
  ]
  for (const list of lists) expect(cn(list)).toBe(merge(list))
  expect(cn('p-2', ['px-4', false], { 'px-1': true, hidden: false })).toBe('p-2 px-1')
})
