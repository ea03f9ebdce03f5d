type MediaSourceClass = typeof MediaSource

/** What plays parts of a video; Safari of telephones has a kind of its own, which may drop what was loaded. */
export const mediaSourceClass = (): MediaSourceClass | undefined =>
  (globalThis as { ManagedMediaSource?: MediaSourceClass }).ManagedMediaSource ?? globalThis.MediaSource

/** Whether this browser plays the pieces of a copy; else that is played once it is complete. */
export const canPlayPieces = () =>
  mediaSourceClass()?.isTypeSupported('video/mp4; codecs="avc1.640028,mp4a.40.2"') === true
