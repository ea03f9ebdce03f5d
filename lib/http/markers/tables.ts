import { toCsv } from '../csv'
import { codeOf, lineOf, type Timeline } from './timeline'

/** The marker list of Premiere Pro, by its own column names; DaVinci Resolve reads the same. */
export function toMarkerCsv(timeline: Timeline): string {
  return toCsv([
    ['Marker Name', 'Description', 'In', 'Out', 'Duration', 'Marker Type'],
    ...timeline.markers.map((marker) => [
      `${marker.number} ${marker.author}`,
      lineOf(marker),
      codeOf(timeline, marker.frame),
      codeOf(timeline, marker.frame + marker.frames),
      durationOf(timeline, marker.frames),
      'Comment',
    ]),
  ])
}

const durationOf = (timeline: Timeline, frames: number) => codeOf({ ...timeline, startFrame: 0 }, frames)

/** Markers of Avid Media Composer: author, timecode, track, colour and text, by tabs. */
export function toAvid(timeline: Timeline): string {
  return timeline.markers
    .map((marker) =>
      [
        marker.author.replace(/[\t\r\n]+/g, ' '),
        codeOf(timeline, marker.frame),
        'V1',
        marker.isResolved ? 'green' : 'red',
        lineOf(marker),
      ].join('\t'),
    )
    .map((line) => `${line}\r\n`)
    .join('')
}
