import { useEffect, useState } from 'react'

/** The current time in epoch milliseconds, updated every `everyMs` while `runs`. */
export function useNow(everyMs: number, runs = true): number {
  const [nowMs, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!runs) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs, runs])
  return nowMs
}

/** The value that has not changed for a while: what the user typed before a pause. */
export function useSettled<Value>(value: Value, afterMs: number): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), afterMs)
    return () => clearTimeout(timer)
  }, [value, afterMs])
  return settled
}

/** A browser runs a longer timer at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Whether `afterMs` have passed since a moment. Renders again exactly then. */
export function usePassed(sinceMs: number, afterMs: number): boolean {
  const [passed, setPassed] = useState(() => Date.now() - sinceMs >= afterMs)
  useEffect(() => {
    const leftMs = sinceMs + afterMs - Date.now()
    setPassed(leftMs <= 0)
    if (leftMs <= 0 || leftMs > LONGEST_TIMER_MS) return
    const timer = setTimeout(() => setPassed(true), leftMs)
    return () => clearTimeout(timer)
  }, [sinceMs, afterMs])
  return passed
}
