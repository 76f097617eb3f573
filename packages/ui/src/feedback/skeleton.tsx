import { useEffect, useRef, useState, type CSSProperties } from 'react'
import { cx } from '../class-names.ts'

/** A grey shape with exactly the measures of what is coming. */
export function Skeleton({ className, style }: { className?: string; style?: CSSProperties }) {
  return <span aria-hidden className={cx('skeleton block rounded-tag', className)} style={style} />
}

const patience_ms = 150
const least_ms = 300

/** Whether to show the skeleton: not for a wait under 150 ms, and once shown not for less than 300 ms. */
export function useSkeleton(waiting: boolean): boolean {
  const [shown, show] = useState(false)
  const since = useRef(0)
  useEffect(() => {
    if (waiting === shown) return
    const rest_ms = waiting
      ? patience_ms
      : Math.max(0, least_ms - (performance.now() - since.current))
    const timer = setTimeout(() => {
      since.current = performance.now()
      show(waiting)
    }, rest_ms)
    return () => clearTimeout(timer)
  }, [waiting, shown])
  return shown
}
