import { lineOf, type Timeline } from './timeline'
import { xml } from './xml'

/** Final Cut Pro XML 1.9: one clip of the length of the file, with a to-do marker for each thread. */
export function toFcpxml(timeline: Timeline): string {
  const [numerator, denominator] = timeline.frameDuration
  const seconds = (frames: number) => `${frames * numerator}/${denominator}s`
  const { width, height, name } = timeline
  const size = width && height ? ` width="${width}" height="${height}"` : ''
  const first = timeline.startFrame
  const markers = timeline.markers.map(
    (marker) =>
      `              <marker start="${seconds(first + marker.frame)}" duration="${seconds(marker.frames)}" value="${xml(lineOf(marker))}" completed="${marker.isResolved ? 1 : 0}" note="${xml(marker.author)}"/>`,
  )
  const form = timeline.start?.includes(';') ? 'DF' : 'NDF'
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE fcpxml>
<fcpxml version="1.9">
  <resources>
    <format id="r1" frameDuration="${seconds(1)}"${size}/>
    <asset id="r2" name="${xml(name)}" start="${seconds(first)}" duration="${seconds(timeline.length)}" hasVideo="1" format="r1">
      <media-rep kind="original-media" src="./${xml(encodeURIComponent(name))}"/>
    </asset>
  </resources>
  <library>
    <event name="Greenroom">
      <project name="${xml(name)}">
        <sequence format="r1" tcStart="${seconds(first)}" tcFormat="${form}" duration="${seconds(timeline.length)}">
          <spine>
            <asset-clip ref="r2" name="${xml(name)}" offset="${seconds(first)}" start="${seconds(first)}" duration="${seconds(timeline.length)}" tcFormat="${form}">
${markers.join('\n')}
            </asset-clip>
          </spine>
        </sequence>
      </project>
    </event>
  </library>
</fcpxml>
`
}
