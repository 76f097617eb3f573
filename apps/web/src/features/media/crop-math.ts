import type { Crop } from '@duet/protocol'

/** The picture in its own pixels, upright. */
export interface PictureSize {
  readonly width: number
  readonly height: number
}

/** A smaller square would show the pixels of the picture. */
const SIZE_MIN = 160

function sizeLimits({ width, height }: PictureSize): { least: number; most: number } {
  const most = Math.min(width, height)
  return { least: Math.min(SIZE_MIN, most), most }
}

/** The nearest square that lies within the picture. */
export function within(crop: Crop, picture: PictureSize): Crop {
  const { least, most } = sizeLimits(picture)
  const size = Math.min(most, Math.max(least, crop.size))
  return {
    x: Math.min(picture.width - size, Math.max(0, crop.x)),
    y: Math.min(picture.height - size, Math.max(0, crop.y)),
    size,
  }
}

/** The largest square, in the middle across and near the top of a tall picture: faces are above the middle. */
export function firstCrop(picture: PictureSize): Crop {
  const { most: size } = sizeLimits(picture)
  return { x: (picture.width - size) / 2, y: (picture.height - size) / 4, size }
}

/** Moves the picture under the square, by shares of the square. */
export function moved(crop: Crop, picture: PictureSize, across: number, down: number): Crop {
  const { x, y, size } = crop
  return within({ x: x - across * size, y: y - down * size, size }, picture)
}

/** Enlarges the picture around a point. The point is given in shares of the square. */
export function zoomed(
  crop: Crop,
  picture: PictureSize,
  factor: number,
  point: { readonly across: number; readonly down: number } = { across: 0.5, down: 0.5 },
): Crop {
  const { least, most } = sizeLimits(picture)
  const size = Math.min(most, Math.max(least, crop.size / factor))
  const gained = crop.size - size
  return within(
    { x: crop.x + point.across * gained, y: crop.y + point.down * gained, size },
    picture,
  )
}

/** The zoom from 0 (the whole width or height) to 1 (as close as it gets). */
export function computeZoom(crop: Crop, picture: PictureSize): number {
  const { least, most } = sizeLimits(picture)
  return most === least ? 0 : (most - crop.size) / (most - least)
}

export function withZoom(crop: Crop, picture: PictureSize, zoom: number): Crop {
  const { least, most } = sizeLimits(picture)
  return zoomed(crop, picture, crop.size / (most - zoom * (most - least)))
}

/** In whole pixels, because the server takes whole pixels. */
export function wholePixels(crop: Crop): Crop {
  return { x: Math.floor(crop.x), y: Math.floor(crop.y), size: Math.max(1, Math.floor(crop.size)) }
}
