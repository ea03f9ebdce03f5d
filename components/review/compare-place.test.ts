import { expect, test } from 'vitest'
import { placeInPane } from './compare-place'

const area = { width: 1000, height: 800 }
const box = { width: 4000, height: 2000 }

test('an image stands where the box of the comparison is, at its zoom and place', () => {
  expect(placeInPane(box, box, { fit: 800, area, view: { zoom: 1, x: 0.5, y: 0.5 } })).toEqual({
    scale: 0.2,
    x: 100,
    y: 200,
  })
  // Pixel for pixel, its upper left corner in the middle.
  expect(placeInPane(box, box, { fit: 800, area, view: { zoom: 5, x: 0, y: 0 } })).toEqual({ scale: 1, x: 500, y: 400 })
})

test('one of another shape stands in the middle of the box, as large as it fits', () => {
  const view = { zoom: 2, x: 0.5, y: 0.5 }
  expect(placeInPane({ width: 400, height: 400 }, box, { fit: 800, area, view })).toEqual({ scale: 2, x: 100, y: 0 })
  expect(placeInPane({ width: 3200, height: 400 }, box, { fit: 800, area, view })).toEqual({
    scale: 0.5,
    x: -300,
    y: 300,
  })
})
