import type { FrameGroups } from '../facts'

/** What stands between key frames, by the packets of a video stream in the order of the file. */
export class GroupMeter {
  private frames = 0
  private keyFrames = 0
  private open = 0
  private longestFrames = 0
  private longestSeconds = 0
  private start = 0
  private inGroup = 0
  private hasLeading = false
  private end = Number.NEGATIVE_INFINITY

  /** `time`: when it is shown, seconds; NaN where the container does not say. */
  take(isKey: boolean, time: number, duration: number): void {
    this.frames += 1
    if (isKey) {
      this.close(time)
      this.keyFrames += 1
      this.start = time
      this.inGroup = 0
      this.hasLeading = false
    }
    // What follows a key frame in the file and is shown before it leans on the group before. The first group has none before it.
    else if (this.keyFrames > 1 && time < this.start) this.hasLeading = true
    this.inGroup += 1
    if (time + duration > this.end) this.end = time + duration
  }

  finish(): FrameGroups | null {
    if (this.keyFrames === 0) return null
    this.close(this.end)
    const { keyFrames, open, longestFrames, longestSeconds, frames } = this
    return { keyFrames, open, longestFrames, longestSeconds, isIntra: keyFrames === frames }
  }

  private close(end: number): void {
    if (this.keyFrames === 0) return
    if (this.hasLeading) this.open += 1
    this.longestFrames = Math.max(this.longestFrames, this.inGroup)
    const seconds = Math.round((end - this.start) * 1e6) / 1e6
    if (seconds > this.longestSeconds) this.longestSeconds = seconds
  }
}
