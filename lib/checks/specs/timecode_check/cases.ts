import { video } from '../../testing'
import { timecodeCheck } from '../../video/timecode-check'
import { specOf } from '../spec'

const ntsc = { frameRate: { average: 29.97003, nominal: 29.97003, constant: true } }

const jump = { seconds: 1.6, found: '11:00:00:00', expected: '10:00:01:15' }
const jumps = (count: number) => video({ timecode: '10:00:00:00', timecodeJumps: { count, first: [jump] } })

export const spec = specOf(timecodeCheck, {
  good: [
    { name: 'a timecode, nothing set', given: video({ timecode: '09:58:00:24' }) },
    { name: 'the wanted start', given: video({ timecode: '10:00:00:00' }), thresholds: { start: '10:00:00:00' } },
    {
      name: 'dropped numbers',
      given: video({ timecode: '01:00:00;00', ...ntsc }),
      thresholds: { start: '01:00:00:00', drop_frame: 'drop' },
    },
    { name: 'a tenth minute drops none', given: video({ timecode: '01:10:00;00', ...ntsc }) },
    { name: 'the last frame of a second', given: video({ timecode: '01:00:00:29', ...ntsc }) },
    { name: 'runs on', given: video({ timecode: '10:00:00:00', timecodeJumps: { count: 0, first: [] } }) },
    { name: 'jumps, as many as may be', given: jumps(2), thresholds: { max_jumps: 2 } },
    { name: 'jumps, any number', given: jumps(20), thresholds: { max_jumps: null } },
  ],
  bad: [
    {
      name: 'another start',
      given: video({ timecode: '00:00:00:00' }),
      thresholds: { start: '10:00:00:00' },
      details: /starts at 00:00:00:00; 10:00:00:00 is wanted/,
      fix: /-timecode "?'?10:00:00:00/,
    },
    { name: 'none where one is wanted', given: video(), thresholds: { required: true }, details: /no timecode/ },
    { name: 'none where a start is wanted', given: video(), thresholds: { start: '10:00:00:00' } },
    { name: 'frame 25 of 25', given: video({ timecode: '10:00:00:25' }), details: /25 frames per second do not have/ },
    { name: 'dropped numbers at 25', given: video({ timecode: '10:00:00;00' }) },
    { name: 'a number that is dropped', given: video({ timecode: '01:01:00;01', ...ntsc }) },
    { name: 'no timecode at all', given: video({ timecode: '99:99' }), details: /“99:99”, which is none/ },
    {
      name: 'not dropped where that is wanted',
      given: video({ timecode: '01:00:00:00', ...ntsc }),
      thresholds: { drop_frame: 'drop' },
      fix: /01:00:00;00/,
    },
    {
      name: 'a jump',
      given: jumps(1),
      details: /jumps at 1\.6 s: it goes on with 11:00:00:00 instead of 10:00:01:15\.$/,
      fix: /-timecode "?'?10:00:00:00/,
    },
    {
      name: 'a jump too many',
      given: jumps(3),
      thresholds: { max_jumps: 2 },
      details: /the first of 3 jumps; at most 2 jumps may be\.$/,
    },
  ],
  skipped: [{ name: 'none, nothing set', given: video() }],
})
