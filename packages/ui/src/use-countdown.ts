import { useEffect, useState } from 'react'

/** The whole seconds left, from `seconds` down to 0, while `running`. Restarts each time `running` becomes true. */
export function useCountdown(seconds: number, running: boolean): number {
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    setLeft(seconds)
    if (!running) return
    const ends = performance.now() + seconds * 1000
    const timer = setInterval(() => {
      const next = Math.max(0, Math.ceil((ends - performance.now()) / 1000))
      setLeft(next)
      if (next === 0) clearInterval(timer)
    }, 200)
    return () => clearInterval(timer)
  }, [seconds, running])
  return left
}
