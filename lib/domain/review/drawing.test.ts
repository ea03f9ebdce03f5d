import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeBatch, makeComment, makeFile, makeProject, makeUser } from '@/fixtures/factories'
import { MOST_POINTS, MOST_SHAPES, SHAPE_COLOURS } from '@/lib/vocabulary'
import { as, eventsAbout, expectRefusal } from '../testing'
import { copyComment, createComment, updateComment } from './comments'
import { getComment, listComments } from './read-comments'
import { boundsOf, COLOURS, moveShape, regionAround, resizeShape } from './rules'
import { Shape } from './schema'

/** What is drawn with a comment: which shapes are taken, where, how many, and what moving them does. */

const ALL = [
  {
    kind: 'stroke',
    colour: 'red',
    points: [
      [0.1, 0.1],
      [0.123456, 0.2],
      [0.2, 0.25],
    ],
  },
  { kind: 'arrow', colour: 'yellow', from: [0.9, 0.9], to: [0.5, 0.5] },
  { kind: 'box', colour: 'blue', x: 0.2, y: 0.3, width: 0.4, height: 0.1 },
  { kind: 'text', colour: 'white', x: 0.05, y: 0.9, text: 'Too dark' },
]
const box = (more: object = {}) => ({ kind: 'box', colour: 'red', x: 0.1, y: 0.1, width: 0.2, height: 0.2, ...more })
const stroke = (points: number) => ({
  kind: 'stroke',
  colour: 'red',
  points: Array.from({ length: points }, (_, index) => [index / points, 0.5]),
})
const POINT = { kind: 'point', x: 0.1, y: 0.1 }

async function room() {
  const operator = await makeUser({ role: 'operator' })
  const viewer = await makeUser({ role: 'viewer' })
  const project = await makeProject({ members: [operator, viewer] })
  const batch = await makeBatch({ projectId: project.id, status: 'in_review', round: 1, operatorId: operator.id })
  const place = { project_id: project.id, batch_id: batch.id }
  const say = (file: { id: string }, more: object, by = operator) =>
    createComment.execute(as(by), { ...place, file_id: file.id }, { body: 'Here', anchor: POINT, ...more })
  return { operator, viewer, batch, place, say }
}

describe('a comment with shapes', () => {
  test('is drawn anew by its author on the same image: its place becomes the region of the shapes', async () => {
    const it = await room()
    const file = await makeFile(it.batch, { kind: 'video', media: { durationSeconds: 12 } })
    const comment = await it.say(file, { anchor: { ...POINT, time: 3.2 }, shapes: ALL })
    const path = { ...it.place, file_id: file.id, comment_id: comment.id }
    const change = (input: object, by = it.operator) => updateComment.execute(as(by), path, input)
    const moved = await change({ shapes: [box({ x: 0.5 })] })
    expect(moved).toMatchObject({ shapes: [box({ x: 0.5 })], body: 'Here', edited_at: expect.any(String) })
    expect(moved.anchor).toEqual({ kind: 'region', x: 0.5, y: 0.1, width: 0.2, height: 0.2, time: 3.2 })
    expect((await eventsAbout(comment.id)).at(-1)).toMatchObject({
      type: 'comment.changed',
      data: { before: { shapes: 4 }, after: { shapes: 1 } },
    })
    expect(await change({ shapes: [] })).toMatchObject({ shapes: [], anchor: moved.anchor })
    const admin = await makeUser({ role: 'administrator' })
    await expectRefusal(change({ shapes: ALL }, admin), 'forbidden')
    await expectRefusal(change({ shapes: [stroke(MOST_POINTS)], body: 'x'.repeat(5000) }), 'validation_failed')
    const whole = await it.say(file, { anchor: null })
    await expectRefusal(
      updateComment.execute(as(it.operator), { ...path, comment_id: whole.id }, { shapes: ALL }),
      'validation_failed',
      ['anchor'],
    )
  })

  test('keeps them in their order, to a ten-thousandth of the image, and says in its event how many', async () => {
    const it = await room()
    const file = await makeFile(it.batch)
    const comment = await it.say(file, { shapes: ALL })
    expect(comment.shapes.map(({ kind }) => kind)).toEqual(['stroke', 'arrow', 'box', 'text'])
    const points = [
      [0.1, 0.1],
      [0.1235, 0.2],
      [0.2, 0.25],
    ]
    expect(comment.shapes[0]).toMatchObject({ points })
    const path = { ...it.place, file_id: file.id, comment_id: comment.id }
    expect((await getComment.execute(as(it.viewer), path)).shapes).toEqual(comment.shapes)
    expect((await listComments.execute(as(it.viewer), it.place, {})).comments[0]?.shapes).toEqual(comment.shapes)
    expect((await eventsAbout(comment.id))[0]?.data).toMatchObject({ shapes: 4 })
  })

  test('has none where none were drawn, also one from before there were any', async () => {
    const it = await room()
    const file = await makeFile(it.batch)
    expect((await it.say(file, { shapes: [] })).shapes).toEqual([])
    expect((await it.say(file, { shapes: null })).shapes).toEqual([])
    await makeComment(file)
    const { comments } = await listComments.execute(as(it.viewer), it.place, {})
    expect(comments.map(({ shapes }) => shapes)).toEqual([[], [], []])
  })

  const REFUSED: [shapes: unknown, field: string][] = [
    [[{ ...box(), colour: 'pink' }], 'shapes.0.colour'],
    [[box({ x: 0.9 })], 'shapes.0'],
    [[box({ width: 0 })], 'shapes.0.width'],
    [[box({ y: -0.1 })], 'shapes.0.y'],
    [[box({ onclick: 'alert(1)' })], 'shapes.0.onclick'],
    [[{ kind: 'circle', colour: 'red' }], 'shapes.0.kind'],
    [[{ kind: 'stroke', colour: 'red', points: [[0.1, 0.1]] }], 'shapes.0.points'],
    [
      [
        {
          kind: 'stroke',
          colour: 'red',
          points: [
            [0.1, 0.1],
            [0.1, 1.1],
          ],
        },
      ],
      'shapes.0.points.1.1',
    ],
    [[{ kind: 'arrow', colour: 'red', from: [0.5, 0.5], to: [0.5, 0.5] }], 'shapes.0'],
    [[{ kind: 'text', colour: 'red', x: 0, y: 0, text: ' ' }], 'shapes.0.text'],
    [[{ kind: 'text', colour: 'red', x: 0, y: 0, text: 'x'.repeat(121) }], 'shapes.0.text'],
    [Array.from({ length: MOST_SHAPES + 1 }, () => box()), 'shapes'],
    [[stroke(MOST_POINTS / 2), stroke(MOST_POINTS / 2), box()], 'shapes'],
    ['all of it', 'shapes'],
  ]
  test.each(REFUSED.map(([shapes, field]) => ({ shapes, field })))(
    'is refused for shapes that cannot be drawn, by $field',
    async ({ shapes, field }) => {
      const it = await room()
      const file = await makeFile(it.batch)
      await expectRefusal(it.say(file, { shapes }), 'validation_failed', [field])
      expect((await listComments.execute(as(it.viewer), it.place, {})).comments).toEqual([])
    },
  )

  test('holds as many as is allowed', async () => {
    const it = await room()
    const file = await makeFile(it.batch)
    const most = [stroke(MOST_POINTS - 98), ...Array.from({ length: 49 }, () => box())]
    expect((await it.say(file, { shapes: most })).shapes).toHaveLength(MOST_SHAPES)
  })

  test('says on which image they are drawn: a place, the page of a document, the time of a video', async () => {
    const it = await room()
    const shapes = [box()]
    const [image, pages, video, audio] = [
      await makeFile(it.batch),
      await makeFile(it.batch, { kind: 'document', media: { pages: 4 } }),
      await makeFile(it.batch, { kind: 'video', media: { durationSeconds: 12 } }),
      await makeFile(it.batch, { kind: 'audio', media: { durationSeconds: 12 } }),
    ]
    await expectRefusal(it.say(image, { shapes, anchor: null }), 'validation_failed', ['anchor'])
    await expectRefusal(it.say(pages, { shapes, anchor: { kind: 'page', page: 2 } }), 'validation_failed', ['anchor'])
    await expectRefusal(it.say(pages, { shapes }), 'validation_failed', ['anchor.page'])
    await expectRefusal(it.say(video, { shapes }), 'validation_failed', ['anchor.time'])
    await expectRefusal(it.say(audio, { shapes, anchor: { ...POINT, time: 1 } }), 'validation_failed', ['shapes'])
    await it.say(pages, { shapes, anchor: { ...POINT, page: 2 } })
    await it.say(video, { shapes, anchor: { ...POINT, time: 2 } })
  })

  test('is no reply, and is drawn by no viewer', async () => {
    const it = await room()
    const file = await makeFile(it.batch)
    const parent_id = (await makeComment(file)).id
    await expectRefusal(it.say(file, { shapes: [box()], anchor: null, parent_id }), 'validation_failed', ['shapes'])
    await expectRefusal(it.say(file, { shapes: [box()] }, it.viewer), 'forbidden')
  })
})

describe('a comment that is copied to the newest version', () => {
  async function replaced() {
    const it = await room()
    const old = await makeFile(it.batch, { name: 'v1.png', isCurrent: false, seriesKey: 'hero' })
    const newest = await makeFile(it.batch, { name: 'v2.png', version: 2, seriesKey: 'hero', supersedesId: old.id })
    const comment = await makeComment(old, {
      body: 'Crop it',
      anchor: { kind: 'point', x: 0.1, y: 0.2 },
      shapes: [{ kind: 'arrow', colour: 'red', from: [0.1, 0.2], to: [0.3, 0.3] }],
      isInternal: true,
    })
    const path = { ...it.place, file_id: old.id, comment_id: comment.id }
    return { ...it, old, newest, comment, path, copy: (by = it.operator) => copyComment.execute(as(by), path) }
  }

  test('says the same at the same place, with what is drawn; the earlier one is resolved', async () => {
    const it = await replaced()
    const copy = await it.copy()
    expect(copy).toMatchObject({
      file_id: it.newest.id,
      file_version: 2,
      body: 'Crop it',
      anchor: { kind: 'point', x: 0.1, y: 0.2 },
      shapes: [{ kind: 'arrow' }],
      is_internal: true,
      author: { id: it.operator.id },
    })
    expect((await getComment.execute(as(it.viewer), it.path)).resolved_by?.id).toBe(it.operator.id)
    expect((await eventsAbout(it.comment.id)).map(({ type }) => type)).toEqual(['comment.resolved'])
    expect((await eventsAbout(copy.id)).map(({ type }) => type)).toEqual(['comment.added'])
  })

  test('is copied once, though two ask at once', async () => {
    const it = await replaced()
    const outcomes = await Promise.allSettled([it.copy(), it.copy()])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await expectRefusal(it.copy(), 'invalid_state')
  })

  test('is open, the first of its thread, on a version that was replaced, and copied by who may comment', async () => {
    const it = await replaced()
    await expectRefusal(it.copy(it.viewer), 'forbidden')
    await expectRefusal(it.copy(await makeUser({ role: 'coordinator' })), 'not_found')
    const onNewest = await makeComment(it.newest)
    const newest = { ...it.place, file_id: it.newest.id, comment_id: onNewest.id }
    await expectRefusal(copyComment.execute(as(it.operator), newest), 'invalid_state')
    const reply = await makeComment(it.old, { parentId: it.comment.id })
    await expectRefusal(copyComment.execute(as(it.operator), { ...it.path, comment_id: reply.id }), 'invalid_state')
    await updateComment.execute(as(it.operator), it.path, { resolved: true })
    await expectRefusal(it.copy(), 'invalid_state')
  })

  test('stands where the newest version has a place for it', async () => {
    const it = await room()
    const of = { kind: 'document', seriesKey: 'brochure' } as const
    const old = await makeFile(it.batch, { ...of, isCurrent: false, media: { pages: 8 } })
    await makeFile(it.batch, { ...of, version: 2, supersedesId: old.id, media: { pages: 4 } })
    const comment = await makeComment(old, { anchor: { kind: 'page', page: 7 } })
    const path = { ...it.place, file_id: old.id, comment_id: comment.id }
    await expectRefusal(copyComment.execute(as(it.operator), path), 'validation_failed', ['anchor.page'])
    expect((await getComment.execute(as(it.viewer), path)).resolved_at).toBeNull()
  })
})

const share = fc.double({ min: 0, max: 1, noNaN: true })
const spot = fc.tuple(share, share)
const colour = fc.constantFrom(...SHAPE_COLOURS)
const anyShape: fc.Arbitrary<Shape> = fc.oneof(
  fc.record({ kind: fc.constant('stroke' as const), colour, points: fc.array(spot, { minLength: 2, maxLength: 20 }) }),
  fc
    .record({ kind: fc.constant('arrow' as const), colour, from: spot, to: spot })
    .filter(({ from, to }) => from[0] !== to[0] || from[1] !== to[1]),
  fc
    .record({ kind: fc.constant('box' as const), colour, x: share, y: share, right: share, bottom: share })
    .filter(({ x, y, right, bottom }) => right > x && bottom > y)
    .map(({ right, bottom, ...rest }) => ({ ...rest, width: right - rest.x, height: bottom - rest.y })),
  fc.record({ kind: fc.constant('text' as const), colour, x: share, y: share, text: fc.constant('Here') }),
)
const shift = fc.double({ min: -1.5, max: 1.5, noNaN: true })

describe('shapes', () => {
  test('stay in the image wherever they are moved, as large as they were', () => {
    fc.assert(
      fc.property(anyShape, shift, shift, (shape, dx, dy) => {
        const moved = moveShape(shape, dx, dy)
        const [before, after] = [boundsOf(shape), boundsOf(moved)]
        expect(after.width).toBeCloseTo(before.width, 6)
        expect(after.height).toBeCloseTo(before.height, 6)
        for (const value of [after.x, after.y, 1 - after.x - after.width, 1 - after.y - after.height])
          expect(value).toBeGreaterThanOrEqual(-1e-9)
      }),
    )
  })

  test('are still shapes that can be sent after they were resized', () => {
    fc.assert(
      fc.property(anyShape, shift, shift, (shape, dx, dy) => {
        expect(Shape.safeParse(resizeShape(shape, dx, dy)).success).toBe(true)
      }),
    )
  })

  test('have a region around all of them, which is one a comment can have', () => {
    fc.assert(
      fc.property(fc.array(anyShape, { minLength: 1, maxLength: 5 }), (drawn) => {
        const { x, y, width, height } = regionAround(drawn)
        expect(Math.min(x, y)).toBeGreaterThanOrEqual(0)
        expect(Math.min(width, height)).toBeGreaterThan(0)
        expect(Math.max(x + width, y + height)).toBeLessThanOrEqual(1.0001)
        for (const each of drawn.map(boundsOf)) {
          expect(each.x).toBeGreaterThanOrEqual(x - 0.0011)
          expect(each.x + each.width).toBeLessThanOrEqual(x + width + 0.0011)
        }
      }),
    )
  })

  test('have labels that can be read on their colour', () => {
    const light = (hex: string) => {
      const parts = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
      const [r = 0, g = 0, b = 0] = parts.map((part) =>
        part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
      )
      return 0.2126 * r + 0.7152 * g + 0.0722 * b
    }
    for (const name of SHAPE_COLOURS) {
      const [low = 0, high = 0] = [light(COLOURS[name].paint), light(COLOURS[name].ink)].sort((a, b) => a - b)
      expect((high + 0.05) / (low + 0.05), name).toBeGreaterThanOrEqual(4.5)
    }
  })
})
