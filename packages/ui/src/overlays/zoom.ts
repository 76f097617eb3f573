/** How a picture is shown: enlarged, and moved from the middle by pixels. */
export interface Zoom {
  readonly scale: number
  readonly x: number
  readonly y: number
}

/** A place or a distance in pixels. A place is measured from the middle of the frame. */
export interface Point {
  readonly x: number
  readonly y: number
}

export const WHOLE: Zoom = { scale: 1, x: 0, y: 0 }
export const SCALE_MAX = 5

/** Enlarges by a factor, with the part of the picture that is at a point staying there. */
export function zoomedAt(zoom: Zoom, factor: number, at: Point, frame: Point): Zoom {
  const scale = Math.min(SCALE_MAX, Math.max(1, zoom.scale * factor))
  const by = scale / zoom.scale
  return inFrame({ scale, x: at.x - (at.x - zoom.x) * by, y: at.y - (at.y - zoom.y) * by }, frame)
}

export function movedBy(zoom: Zoom, by: Point, frame: Point): Zoom {
  return inFrame({ ...zoom, x: zoom.x + by.x, y: zoom.y + by.y }, frame)
}

/** An edge of the enlarged frame never comes inside of the frame. */
function inFrame({ scale, x, y }: Zoom, frame: Point): Zoom {
  const xMax = ((scale - 1) * frame.x) / 2
  const yMax = ((scale - 1) * frame.y) / 2
  return { scale, x: clamp(x, xMax), y: clamp(y, yMax) }
}

function clamp(value: number, max: number): number {
  // Never the negative zero that Math.max gives.
  return Math.min(max, Math.max(-max, value)) || 0
}
