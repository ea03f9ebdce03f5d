import { blankCheck } from '../../image/blank-check'
import { image, imagePixels } from '../../testing'
import { specOf } from '../spec'

const eps = image({ format: 'eps' }, { measures: {} })

export const spec = specOf(blankCheck, {
  good: [{ name: 'deviates as much as wanted', given: imagePixels({ deviation: 0.01 }) }],
  bad: [
    { name: 'deviates less', given: imagePixels({ deviation: 0.0099 }), details: /0.99 % of full scale, at least 1 %/ },
    {
      name: 'fully transparent',
      given: imagePixels({ deviation: 0, transparentShare: 1 }),
      details: /fully transparent/,
    },
  ],
  skipped: [{ name: 'a drawing without pixels', given: eps }],
})
