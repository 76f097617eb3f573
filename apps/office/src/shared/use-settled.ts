import { useEffect, useState } from 'react'

const SETTLED_MS = 250

/** A value that is being typed, once no key came for a moment. */
export function useSettled(value: string): string {
  const [settled, settle] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => settle(value), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
