import { Field, type FieldProps } from './field.tsx'

export type DateFieldProps = Omit<
  FieldProps,
  'type' | 'start' | 'end' | 'value' | 'onChange' | 'min' | 'max'
> & {
  /** `YYYY-MM-DD`, or an empty string. */
  value: string
  onChange: (value: string) => void
  min?: string
  max?: string
}

/** A day, in the manner of the viewer's own system. */
export function DateField({ value, onChange, ...field }: DateFieldProps) {
  return (
    <Field
      {...field}
      type="date"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
