import { useEffect, useRef, type KeyboardEvent, type PointerEvent } from 'react'
import { cx } from '@duet/ui'
import type { Crop } from '@duet/protocol'
import { t } from '../../shared/i18n.ts'
import { moved, withZoom, zoomed, computeZoom, type PictureSize } from './crop-math.ts'

const KEY_STEP = 0.05
const KEY_ZOOM = 1.1
const WHEEL_ZOOM = 0.0015

export interface CropAreaProps {
  readonly src: string
  readonly picture: PictureSize
  readonly crop: Crop
  readonly onChange: (next: (crop: Crop) => Crop) => void
}

interface Point {
  readonly x: number
  readonly y: number
}

/** A square through which the picture is moved and enlarged, by pointer, wheel, two fingers or keys. */
export function CropArea({ src, picture, crop, onChange }: CropAreaProps) {
  const area = useRef<HTMLDivElement>(null)
  const pointers = useRef(new Map<number, Point>())
  useWheelZoom(area, picture, onChange)

  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY })
  }
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const before = pointers.current.get(event.pointerId)
    if (!before) return
    const now = { x: event.clientX, y: event.clientY }
    const box = event.currentTarget.getBoundingClientRect()
    const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1]
    pointers.current.set(event.pointerId, now)
    if (!other) {
      const across = (now.x - before.x) / box.width
      const down = (now.y - before.y) / box.height
      onChange((current) => moved(current, picture, across, down))
      return
    }
    const factor = distance(now, other) / Math.max(1, distance(before, other))
    const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 }
    onChange((current) => zoomed(current, picture, factor, computeShare(box, middle)))
  }
  const onPointerEnd = (event: PointerEvent<HTMLDivElement>) => {
    pointers.current.delete(event.pointerId)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const change = keyChange(event.key, picture)
    if (!change) return
    event.preventDefault()
    onChange(change)
  }
  return (
    // On a phone the dialog is a sheet, which would follow the finger and close.
    <div className="flex flex-col gap-3" data-base-ui-swipe-ignore="">
      <div
        ref={area}
        // Its arrow keys move the picture: a screen reader must not keep them for itself.
        role="application"
        tabIndex={0}
        dir="ltr"
        aria-label={t('media.crop.area')}
        className="relative mx-auto aspect-square w-full max-w-[340px] cursor-grab touch-none overflow-hidden rounded-field bg-surface-3 select-none active:cursor-grabbing"
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerEnd}
        onPointerCancel={onPointerEnd}
        onKeyDown={onKeyDown}
      >
        <CroppedPicture src={src} picture={picture} crop={crop} />
        {/* If the picture is round, nothing outside of the circle is shown. */}
        <span
          aria-hidden
          className="pointer-events-none absolute inset-0 rounded-full shadow-[0_0_0_200px_rgb(8_5_4/.55),inset_0_0_0_2px_rgb(255_244_234/.8)]"
        />
      </div>
      <label className="mx-auto flex w-full max-w-[340px] items-center gap-3">
        <span className="note text-text-2">{t('media.crop.zoom')}</span>
        <input
          type="range"
          min={0}
          max={100}
          value={Math.round(computeZoom(crop, picture) * 100)}
          className="h-11 min-w-0 flex-1 accent-(--ember)"
          onChange={(event) => {
            const zoom = Number(event.currentTarget.value) / 100
            onChange((current) => withZoom(current, picture, zoom))
          }}
        />
      </label>
    </div>
  )
}

/** A part of a picture that fills its box. */
export function CroppedPicture({
  src,
  picture,
  crop,
  className,
}: Pick<CropAreaProps, 'src' | 'picture' | 'crop'> & { className?: string }) {
  const share = (part: number, whole: number) => `${(part / whole) * 100}%`
  return (
    <img
      src={src}
      alt=""
      draggable={false}
      className={cx('pointer-events-none absolute top-0 start-0 max-w-none', className)}
      style={{
        width: share(picture.width, crop.size),
        height: share(picture.height, crop.size),
        transform: `translate(-${share(crop.x, picture.width)}, -${share(crop.y, picture.height)})`,
      }}
    />
  )
}

/** React listens to the wheel passively, so that it could not keep the page from scrolling. */
function useWheelZoom(
  area: React.RefObject<HTMLDivElement | null>,
  picture: PictureSize,
  onChange: CropAreaProps['onChange'],
): void {
  const latest = useRef(onChange)
  useEffect(() => {
    latest.current = onChange
  })
  useEffect(() => {
    const element = area.current
    if (!element) return
    const onWheel = (event: WheelEvent) => {
      event.preventDefault()
      const point = computeShare(element.getBoundingClientRect(), {
        x: event.clientX,
        y: event.clientY,
      })
      const factor = Math.exp(-event.deltaY * WHEEL_ZOOM)
      latest.current((current) => zoomed(current, picture, factor, point))
    }
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => element.removeEventListener('wheel', onWheel)
  }, [area, picture])
}

function keyChange(key: string, picture: PictureSize): ((crop: Crop) => Crop) | undefined {
  const steps: Readonly<Record<string, readonly [number, number]>> = {
    ArrowLeft: [KEY_STEP, 0],
    ArrowRight: [-KEY_STEP, 0],
    ArrowUp: [0, KEY_STEP],
    ArrowDown: [0, -KEY_STEP],
  }
  const step = steps[key]
  if (step) return (crop) => moved(crop, picture, ...step)
  if (key === '+' || key === '=') return (crop) => zoomed(crop, picture, KEY_ZOOM)
  if (key === '-') return (crop) => zoomed(crop, picture, 1 / KEY_ZOOM)
  return undefined
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y)
}

function computeShare(box: DOMRect, { x, y }: Point): { across: number; down: number } {
  return { across: (x - box.x) / box.width, down: (y - box.y) / box.height }
}
