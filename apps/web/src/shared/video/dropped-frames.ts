const LOOK_EVERY_MS = 1_000
/** A picture with fewer frames a second is no measure of the device. */
const FRAMES_MIN = 10
const DROPPED_SHARE = 0.25
const LOOKS_IN_A_ROW = 3

type PlayingVideo = Pick<HTMLVideoElement, 'getVideoPlaybackQuality'>

/**
 * Calls `onDropping` once when the browser drops a quarter of the decoded frames for three seconds. The device is then
 * too slow to paint. Returns the function that stops watching.
 */
export function watchDroppedFrames(
  video: PlayingVideo | object,
  onDropping: () => void,
): () => void {
  // Older browsers do not count.
  if (!('getVideoPlaybackQuality' in video)) return () => {}
  let before = video.getVideoPlaybackQuality()
  let looks = 0
  const timer = setInterval(() => {
    const now = video.getVideoPlaybackQuality()
    const frames = now.totalVideoFrames - before.totalVideoFrames
    const dropped = now.droppedVideoFrames - before.droppedVideoFrames
    before = now
    const isDropping =
      document.visibilityState === 'visible' &&
      frames >= FRAMES_MIN &&
      dropped > frames * DROPPED_SHARE
    looks = isDropping ? looks + 1 : 0
    if (looks < LOOKS_IN_A_ROW) return
    clearInterval(timer)
    onDropping()
  }, LOOK_EVERY_MS)
  return () => clearInterval(timer)
}
