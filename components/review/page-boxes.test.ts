import { expect, test } from 'vitest'
import { placeBoxes } from './page-boxes'

const box = (x_mm: number, y_mm: number, width_mm: number, height_mm: number) => ({ x_mm, y_mm, width_mm, height_mm })
const page = (rotation: number) => ({
  rotation,
  media_box: box(0, 0, 200, 100),
  crop_box: null,
  trim_box: box(10, 20, 100, 50),
  bleed_box: null,
  art_box: null,
})
const rounded = (facts: unknown) =>
  placeBoxes(facts).map((one) => ({
    name: one.name,
    at: [one.left, one.top, one.width, one.height].map((value) => Math.round(value * 1000) / 1000),
  }))

test('a box counted from the lower left lands on the image counted from the upper left', () => {
  expect(rounded(page(0))).toEqual([{ name: 'trim', at: [0.05, 0.3, 0.5, 0.5] }])
})

test('it turns with the page', () => {
  expect(rounded(page(90))[0]?.at).toEqual([0.2, 0.05, 0.5, 0.5])
  expect(rounded(page(180))[0]?.at).toEqual([0.45, 0.2, 0.5, 0.5])
  expect(rounded(page(270))[0]?.at).toEqual([0.3, 0.45, 0.5, 0.5])
})

test('the image shows the crop box, and what reaches over it lies outside', () => {
  const cropped = { ...page(0), crop_box: box(10, 20, 100, 50), trim_box: box(10, 20, 100, 50) }
  expect(rounded(cropped)).toEqual([{ name: 'media', at: [-0.1, -0.6, 2, 2] }])
})

test('without facts there is nothing to draw', () => {
  expect(placeBoxes(undefined)).toEqual([])
  expect(placeBoxes({ media_box: box(0, 0, 0, 0) })).toEqual([])
})
