import { Select, type SelectOption } from '@duet/ui/fields/select.tsx'
import type { useFilters } from '../use-filters.ts'

const ALL = 'all'

interface ChoiceFilterProps {
  filters: Pick<ReturnType<typeof useFilters>, 'value' | 'filter'>
  name: string
  label: string
  /** The name of the choice that filters nothing. */
  all: string
  options: readonly SelectOption<string>[]
  className?: string
}

/** One choice of a list's filters, which is in the address. A value in the address that is none of the options filters nothing. */
export function ChoiceFilter(props: ChoiceFilterProps) {
  const { filters, name, label, all, options, className } = props
  const chosen = options.find(({ value }) => value === filters.value(name))?.value ?? ALL
  return (
    <Select
      className={className}
      label={label}
      options={[{ value: ALL, label: all }, ...options]}
      value={chosen}
      onChange={(value) => filters.filter(name, value === ALL ? '' : value)}
    />
  )
}
