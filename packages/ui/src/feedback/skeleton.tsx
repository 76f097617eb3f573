import { useEffect, useRef, useState, type CSSProperties } from 'react'
import { cx } from '../class-names.ts'

/** A grey shape with exactly the size of the content that is loading. */
export function Skeleton({ className, style }: { className?: string; style?: CSSProperties }) {
  return <span aria-hidden className={cx('skeleton block rounded-tag', className)} style={style} />
}

const SHOW_AFTER_MS = 150
const SHOWN_MIN_MS = 300

/** Returns whether to show the skeleton: not for a wait under 150 ms, and once shown for at least 300 ms. */
export function useSkeleton(waiting: boolean): boolean {
  const [shown, show] = useState(false)
  const since = useRef(0)
  useEffect(() => {
    if (waiting === shown) return
    const restMs = waiting
      ? SHOW_AFTER_MS
      : Math.max(0, SHOWN_MIN_MS - (performance.now() - since.current))
    const timer = setTimeout(() => {
      since.current = performance.now()
      show(waiting)
    }, restMs)
    return () => clearTimeout(timer)
  }, [waiting, shown])
  return shown
}
