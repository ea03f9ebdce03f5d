import { Page, View } from '@react-pdf/renderer'
import type { ReactNode } from 'react'
import type { Block, Placed } from '../pages'
import { BODY_WIDTH, bodyTop, COLOR, MARGIN, PAPER } from '../paper'
import type { Typesetter } from '../typesetter'
import { Rule, Words } from './words'

const SIZE = 7.5

/** What stands around the content: at the head of every page but the first, and at the foot of all. */
export type Frame = { running: string; owner: string; foot: string }

/** One sheet: running head, what is placed on it, and which page of how many it is. */
export function Sheet({
  set,
  frame,
  placed,
  index,
  count,
}: {
  set: Typesetter
  frame: Frame
  placed: readonly Placed[]
  index: number
  count: number
}) {
  const numbers = placed.flatMap(({ block }) => (block.line === undefined ? [] : [block.line]))
  const firstLine = placed.find(({ block }) => block.line !== undefined)
  const muted = { width: BODY_WIDTH, size: SIZE, color: COLOR.muted } as const
  return (
    <Page size={PAPER.size} wrap={false}>
      {/* A page that is not cut by react-pdf is as high as what flows in it, and nothing else here does. */}
      <View style={{ height: PAPER.height }} />
      {index > 0 && (
        <At top={MARGIN.top - 8}>
          <Words line={set.oneLine(frame.running, BODY_WIDTH * 0.62, SIZE)} {...muted} align="left" />
          <Words line={set.oneLine(frame.owner, BODY_WIDTH * 0.34, SIZE)} {...muted} align="right" />
          <Rule top={16} width={BODY_WIDTH} />
        </At>
      )}
      {placed.map(({ top, block }) => (
        <At
          key={top}
          top={bodyTop(index) + top}
          height={block.height}
          rule={block.rule}
          bookmark={block === firstLine?.block ? `Lines ${numbers[0]}–${numbers.at(-1)}` : block.bookmark}
        >
          {block.draw()}
        </At>
      ))}
      <At top={PAPER.height - 40}>
        <Words line={set.oneLine(frame.foot, BODY_WIDTH * 0.8, SIZE)} {...muted} />
        <Words line={set.oneLine(`Page ${index + 1} of ${count}`, BODY_WIDTH, SIZE)} {...muted} align="right" />
      </At>
    </Page>
  )
}

function At({
  top,
  height = 20,
  rule,
  bookmark,
  children,
}: {
  top: number
  height?: number
  rule?: Block['rule']
  bookmark?: string
  children: ReactNode
}) {
  return (
    <View
      style={{
        position: 'absolute',
        left: MARGIN.left,
        top,
        width: BODY_WIDTH,
        height,
        ...(rule && { borderBottomWidth: rule.weight, borderBottomColor: rule.color, borderBottomStyle: 'solid' }),
      }}
      {...(bookmark !== undefined && { bookmark: { title: bookmark, fit: true } })}
    >
      {children}
    </View>
  )
}
