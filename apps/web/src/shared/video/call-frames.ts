/** A frame is evidence, and no photo: this width shows who is in it. */
const FRAME_WIDTH = 640
/** The width of a sample, which a page sends every few seconds of a call. */
export const SAMPLE_WIDTH = 320
const QUALITY = 0.8

/** The pictures of a call as they are at one moment: the own camera, and the partner's as it arrives. */
export interface CallFrames {
  readonly own: HTMLCanvasElement | null
  readonly partner: HTMLCanvasElement | null
}

let kept: CallFrames | null = null

/** Draws both pictures at once, because the call may end in the next moment. */
export function drawFrames(): CallFrames {
  return { own: drawOwn(FRAME_WIDTH), partner: draw('[data-remote-picture]', FRAME_WIDTH) }
}

/** The own camera, at most this wide; null without a picture. */
export function drawOwn(widthMax: number): HTMLCanvasElement | null {
  return draw('[data-own-picture]', widthMax)
}

/** Keeps the pictures of this moment for a request of the server that follows: the camera stops before it. */
export function keepFrames(): void {
  kept = drawFrames()
}

/** The kept pictures, once. */
export function takeKeptFrames(): CallFrames | null {
  const frames = kept
  kept = null
  return frames
}

function draw(selector: string, widthMax: number): HTMLCanvasElement | null {
  const video = document.querySelector<HTMLVideoElement>(selector)
  if (!video || video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA || video.videoWidth === 0)
    return null
  const canvas = document.createElement('canvas')
  canvas.width = Math.min(widthMax, video.videoWidth)
  canvas.height = Math.round((canvas.width * video.videoHeight) / video.videoWidth)
  canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height)
  return canvas
}

export function toJpeg(canvas: HTMLCanvasElement): Promise<Blob | null> {
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY))
}
