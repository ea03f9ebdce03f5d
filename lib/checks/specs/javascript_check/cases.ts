import { javascriptCheck } from '../../document/javascript-check'
import { document } from '../../testing'
import { specOf } from '../spec'

export const spec = specOf(javascriptCheck, {
  good: [{ name: 'no scripts', given: document() }],
  bad: [
    { name: 'holds JavaScript', given: document({ hasJavaScript: true }), details: /holds JavaScript/ },
    {
      name: 'launches a program',
      given: document({ hasLaunchAction: true }),
      details: /launches a program/,
    },
  ],
})
