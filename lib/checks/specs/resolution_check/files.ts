import { densityChunk, png } from '@/fixtures/images'
import { bad, good, sharing } from '../files'
import { bytes, drawn, jpeg, motif, plain } from '../image-files'

const at = (dpi: number) => bytes(() => png(60, 40, motif(4, 60, 40), { chunks: [densityChunk(dpi)] }))
const jfif = (dpi: number) => bytes(() => jpeg(60, 40).withMetadata({ density: dpi }).toBuffer())
const tiff = (dpi: number) =>
  bytes(() =>
    drawn(60, 40, motif(4, 60, 40))
      .tiff({ xres: dpi / 25.4, yres: dpi / 25.4, resolutionUnit: 'inch' })
      .toBuffer(),
  )
const printed = { min_dpi: 300, print_width_mm: 25.4, print_height_mm: 12.7 }

export const FILES = sharing({ thresholds: { min_dpi: 300 } }, [
  good('300.png', at(300)),
  good('300.jpg', jfif(300)),
  good('350.png', at(350)),
  good('printed.png', plain(300, 150), { thresholds: printed }),
  good('300-per-metre.png', at(300)),
  good('299.99.tif', tiff(299.99)),
  bad('299.7.png', at(299.7), { onceWrong: true }),
  bad('299.2.png', at(299.2)),
  bad('299.7.tif', tiff(299.7)),
  bad('299.2.tif', tiff(299.2)),
  good('300.tif', tiff(300)),
  bad('299.png', at(299)),
  bad('299.jpg', jfif(299)),
  bad('72.png', at(72)),
  bad('printed-narrow.png', plain(299, 150), { thresholds: printed }),
  bad('printed-low.png', plain(300, 149), { thresholds: printed }),
])
