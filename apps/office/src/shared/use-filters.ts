import { useSearchParams } from 'react-router'

/** The filters of a list and its open case in the address of the page, so that Back, a reload and a sent link keep them. */
export function useFilters() {
  const [params, setParams] = useSearchParams()
  return {
    value: (name: string) => params.get(name) ?? '',
    /** An empty value leaves the address. */
    filter(name: string, value: string, replace = true) {
      setParams(
        (before) => {
          const next = new URLSearchParams(before)
          if (value === '') next.delete(name)
          else next.set(name, value)
          return next
        },
        { replace },
      )
    },
  }
}
