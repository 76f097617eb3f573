import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'

/** The filters of a list and its open case in the address of the page, so that Back, a reload and a sent link keep them. */
export function useFilters() {
  const [params, setParams] = useSearchParams()
  // The router does not queue changes: the second of two within one event would begin from the address before both.
  const latest = useRef(params)
  useEffect(() => {
    latest.current = params
  }, [params])
  return {
    value: (name: string) => params.get(name) ?? '',
    /** An empty value leaves the address. */
    filter(name: string, value: string, replace = true) {
      const next = new URLSearchParams(latest.current)
      if (value === '') next.delete(name)
      else next.set(name, value)
      latest.current = next
      setParams(next, { replace })
    },
  }
}
