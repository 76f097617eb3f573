import { useEffect, useRef, useState } from 'react'
import { Field, type FieldProps } from '@duet/ui/fields/field.tsx'
import type { useFilters } from '../use-filters.ts'
import { useSettled } from '../use-settled.ts'

interface FilterFieldProps extends Omit<FieldProps, 'value' | 'onChange' | 'name'> {
  filters: ReturnType<typeof useFilters>
  name: string
}

/** A text of a list's filters. The address and the list follow once nothing was typed for a moment. */
export function FilterField({ filters, name, ...field }: FilterFieldProps) {
  const kept = filters.value(name)
  // The address renders too late for a field in which a person types fast.
  const [typed, type] = useState<string>()
  const text = typed ?? kept
  const settled = useSettled(text)
  const isDone = typed !== undefined && settled === typed
  const latest = useRef(filters)
  latest.current = filters
  useEffect(() => {
    if (!isDone) return
    if (settled !== kept) latest.current.filter(name, settled)
    else type(undefined)
  }, [isDone, settled, kept, name])
  return <Field {...field} value={text} onChange={(event) => type(event.target.value)} />
}
