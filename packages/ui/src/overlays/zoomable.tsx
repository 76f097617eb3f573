import {
  type ReactNode,
  useEffect,
  useRef,
  useState,
  type MouseEvent,
  type PointerEvent,
} from 'react'
import { cx } from '../class-names.ts'

/** A picture in a viewer that can be enlarged: double press, wheel, two fingers, + and -, and 0 for the whole picture. */
export function Zoomable({ children }: { children: ReactNode }) {
  const { frame, zoom, handlers } = useZoom()
  const { scale, x, y } = zoom
  return (
    <div
      ref={frame}
      data-zoom={scale.toFixed(2)}
      {...handlers}
      className={cx(
        'size-full touch-none overflow-hidden select-none',
        scale > 1 ? 'cursor-grab' : 'cursor-zoom-in',
      )}
    >
      <div
        className="flex size-full items-center justify-center"
        style={{ transform: `translate(${x}px, ${y}px) scale(${scale})` }}
      >
        {children}
      </div>
    </div>
  )
}

const STEP = 1.5
const DOUBLE_PRESS_SCALE = 2.5
const WHEEL_FACTOR = 0.002
const MOVE_PX = 80

/** In pixels of the screen, in every writing direction. */
const ARROWS: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: MOVE_PX, y: 0 },
  ArrowRight: { x: -MOVE_PX, y: 0 },
  ArrowUp: { x: 0, y: MOVE_PX },
  ArrowDown: { x: 0, y: -MOVE_PX },
}

type Change = (zoom: Zoom, frame: Point) => Zoom

/**
 * A double press, the wheel, two fingers, + and - enlarge the content of the frame. A drag and the arrow keys move the
 * enlarged content.
 */
function useZoom() {
  const frame = useRef<HTMLDivElement>(null)
  const [zoom, setZoom] = useState(WHOLE)
  const change = (next: Change) => setZoom((now) => next(now, getSize(frame.current!)))
  const isEnlarged = zoom.scale > 1
  const pointers = usePointers(change)
  useEffect(() => followWheel(frame.current!, setZoom), [])
  useEffect(() => followKeys(frame.current!, setZoom, isEnlarged), [isEnlarged])
  const onDoubleClick = (event: MouseEvent<HTMLElement>) => {
    const at = placeIn(event.currentTarget, event)
    change((now, size) => (now.scale > 1 ? WHOLE : zoomedAt(now, DOUBLE_PRESS_SCALE, at, size)))
  }
  return { frame, zoom, handlers: { onDoubleClick, ...pointers } }
}

/** One pointer moves the picture, two pointers enlarge the picture. */
function usePointers(change: (next: Change) => void) {
  const down = useRef(new Map<number, Point>())
  const end = ({ pointerId }: PointerEvent) => void down.current.delete(pointerId)
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      event.currentTarget.setPointerCapture(event.pointerId)
      down.current.set(event.pointerId, placeIn(event.currentTarget, event))
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const before = down.current.get(event.pointerId)
      if (!before) return
      const now = placeIn(event.currentTarget, event)
      const [other] = [...down.current].filter(([id]) => id !== event.pointerId)
      down.current.set(event.pointerId, now)
      if (!other) return change((zoom, size) => movedBy(zoom, difference(now, before), size))
      const still = other[1]
      const factor = distance(now, still) / Math.max(1, distance(before, still))
      const by = { x: (now.x - before.x) / 2, y: (now.y - before.y) / 2 }
      const middle = { x: (now.x + still.x) / 2, y: (now.y + still.y) / 2 }
      change((zoom, size) => movedBy(zoomedAt(zoom, factor, middle, size), by, size))
    },
    onPointerUp: end,
    onPointerCancel: end,
  }
}

type SetZoom = (next: (zoom: Zoom) => Zoom) => void

function followWheel(frame: HTMLElement, setZoom: SetZoom) {
  const onWheel = (event: WheelEvent) => {
    // With Control, as a touchpad reports two fingers, the browser would enlarge the page.
    event.preventDefault()
    const at = placeIn(frame, event)
    const factor = Math.exp(-event.deltaY * WHEEL_FACTOR)
    setZoom((zoom) => zoomedAt(zoom, factor, at, getSize(frame)))
  }
  // React listens passively and cannot prevent it.
  frame.addEventListener('wheel', onWheel, { passive: false })
  return () => frame.removeEventListener('wheel', onWheel)
}

const FACTORS: Readonly<Record<string, number>> = { '+': STEP, '=': STEP, '-': 1 / STEP, 0: 0 }

function followKeys(frame: HTMLElement, setZoom: SetZoom, isEnlarged: boolean) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const factor = FACTORS[event.key]
    const by = isEnlarged ? ARROWS[event.key] : undefined
    if (factor === undefined && by === undefined) return
    event.preventDefault()
    // The arrows change the picture where it is shown whole.
    event.stopPropagation()
    setZoom((zoom) =>
      by
        ? movedBy(zoom, by, getSize(frame))
        : zoomedAt(zoom, factor ?? 1, { x: 0, y: 0 }, getSize(frame)),
    )
  }
  addEventListener('keydown', onKeyDown, { capture: true })
  return () => removeEventListener('keydown', onKeyDown, { capture: true })
}

function placeIn(frame: HTMLElement, { clientX, clientY }: { clientX: number; clientY: number }) {
  const { left, top, width, height } = frame.getBoundingClientRect()
  return { x: clientX - left - width / 2, y: clientY - top - height / 2 }
}

function getSize({ clientWidth, clientHeight }: HTMLElement): Point {
  return { x: clientWidth, y: clientHeight }
}

function difference(one: Point, other: Point): Point {
  return { x: one.x - other.x, y: one.y - other.y }
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y)
}

/** How a picture is shown: enlarged, and moved from the middle by pixels. */
interface Zoom {
  readonly scale: number
  readonly x: number
  readonly y: number
}

/** A place or a distance in pixels. A place is measured from the middle of the frame. */
interface Point {
  readonly x: number
  readonly y: number
}

const WHOLE: Zoom = { scale: 1, x: 0, y: 0 }
const SCALE_MAX = 5

/** Enlarges by a factor, with the part of the picture that is at a point staying there. */
function zoomedAt(zoom: Zoom, factor: number, at: Point, frame: Point): Zoom {
  const scale = Math.min(SCALE_MAX, Math.max(1, zoom.scale * factor))
  const by = scale / zoom.scale
  return inFrame({ scale, x: at.x - (at.x - zoom.x) * by, y: at.y - (at.y - zoom.y) * by }, frame)
}

function movedBy(zoom: Zoom, by: Point, frame: Point): Zoom {
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
