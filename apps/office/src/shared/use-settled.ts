import { useEffect, useState } from 'react'

const PAUSE_MS = 250

/** A text once nothing was typed for a moment. */
export function useSettled(text: string, pauseMs = PAUSE_MS): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text, pauseMs])
  return settled
}
