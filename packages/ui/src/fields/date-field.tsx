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

/** A day, entered with the date picker of the viewer's system. */
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
