import type { Crop } from '@duet/protocol'

/** The longer side that the server keeps of a document. A larger picture would only take longer to send. */
const DOCUMENT_SIDE_PIXELS = 2200
/** The server stores photos up to 800 pixels wide. */
const PHOTO_SIDE_PIXELS = 1600
const AVATAR_SIDE_PIXELS = 1200
const JPEG_QUALITY = 0.9

/**
 * A smaller JPEG copy of a document or selfie, without metadata. If this browser cannot decode the file, the file
 * itself is sent and the server judges it.
 */
export async function preparePicture(file: Blob): Promise<Blob> {
  return (await scale(file, DOCUMENT_SIDE_PIXELS, () => false)) ?? file
}

/** A smaller copy of a large photo, as a phone takes it. Another file stays as it is. */
export async function preparePhoto(file: File): Promise<Blob> {
  return (await scale(file, PHOTO_SIDE_PIXELS, (side) => side <= PHOTO_SIDE_PIXELS)) ?? file
}

/** The cut part of a picture. Undefined if this browser cannot decode the file. */
export async function cutPicture(file: Blob, { x, y, size }: Crop): Promise<Blob | undefined> {
  const address = URL.createObjectURL(file)
  try {
    const picture = new Image()
    picture.src = address
    await picture.decode()
    const side = Math.min(size, AVATAR_SIDE_PIXELS)
    return await readJpeg({ width: side, height: side }, (context) => {
      context.drawImage(picture, x, y, size, size, 0, 0, side, side)
    })
  } catch {
    return undefined
  } finally {
    URL.revokeObjectURL(address)
  }
}

/** The present frame of a video, as the camera sees it and not mirrored. */
export function readFrame(video: HTMLVideoElement): Promise<Blob> {
  return readJpeg({ width: video.videoWidth, height: video.videoHeight }, (context) =>
    context.drawImage(video, 0, 0),
  )
}

async function scale(
  file: Blob,
  sidePixels: number,
  isKept: (side: number) => boolean,
): Promise<Blob | undefined> {
  try {
    const picture = await createImageBitmap(file)
    const longer = Math.max(picture.width, picture.height)
    if (isKept(longer)) return undefined
    const share = Math.min(1, sidePixels / longer)
    const width = Math.round(picture.width * share)
    const height = Math.round(picture.height * share)
    return await readJpeg({ width, height }, (context) =>
      context.drawImage(picture, 0, 0, width, height),
    )
  } catch {
    return undefined
  }
}

async function readJpeg(
  { width, height }: { width: number; height: number },
  draw: (context: CanvasRenderingContext2D) => void,
): Promise<Blob> {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser has no canvas')
  // A JPEG has no transparent parts. They would become black.
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, width, height)
  draw(context)
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The picture is empty'))),
      'image/jpeg',
      JPEG_QUALITY,
    )
  })
}
