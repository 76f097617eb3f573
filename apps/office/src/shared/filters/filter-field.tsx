import { useState } from 'react'
import { Field, type FieldProps } from '@duet/ui/fields/field.tsx'
import type { useFilters } from '../use-filters.ts'

interface FilterFieldProps extends Omit<FieldProps, 'value' | 'onChange' | 'onBlur' | 'name'> {
  filters: ReturnType<typeof useFilters>
  name: string
}

/** A text of a list's filters, which is in the address. A list asks for it once it is settled. */
export function FilterField({ filters, name, ...field }: FilterFieldProps) {
  // The address renders too late for a field in which a person types fast.
  const [typed, type] = useState<string>()
  return (
    <Field
      {...field}
      value={typed ?? filters.value(name)}
      onChange={({ target: { value } }) => {
        type(value)
        filters.filter(name, value)
      }}
      onBlur={() => type(undefined)}
    />
  )
}
