/** The longer side that the server keeps. A larger picture would only take longer to send. */
const SIDE_PIXELS = 2200
const JPEG_QUALITY = 0.9

/**
 * A smaller JPEG copy of a picture, without metadata. If this browser cannot decode the file, the file itself is sent
 * and the server judges it.
 */
export async function preparePicture(file: Blob): Promise<Blob> {
  try {
    const picture = await createImageBitmap(file)
    const scale = Math.min(1, SIDE_PIXELS / Math.max(picture.width, picture.height))
    return await readJpeg(picture, picture.width * scale, picture.height * scale)
  } catch {
    return file
  }
}

/** The present frame of a video, as the camera sees it and not mirrored. */
export function readFrame(video: HTMLVideoElement): Promise<Blob> {
  return readJpeg(video, video.videoWidth, video.videoHeight)
}

async function readJpeg(source: CanvasImageSource, width: number, height: number): Promise<Blob> {
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(width)
  canvas.height = Math.round(height)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser has no canvas')
  context.drawImage(source, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The picture is empty'))),
      'image/jpeg',
      JPEG_QUALITY,
    )
  })
}
