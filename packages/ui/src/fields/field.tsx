import { useId, type ComponentProps, type ReactNode } from 'react'
import { cx } from '../class-names.ts'
import { describedBy, fieldBox, FieldFrame, type FieldTexts } from './field-frame.tsx'

export type FieldProps = Omit<ComponentProps<'input'>, 'size'> &
  FieldTexts & {
    /** An icon before the text. */
    start?: ReactNode
    /** A button or a unit after the text. */
    end?: ReactNode
  }

/** A single-line text field. Validate on blur, again on input once there is an error, and pass the sentence as `error`. */
export function Field(props: FieldProps) {
  const { label, labelEnd, help, error, start, end, className, id: given, ...input } = props
  const made = useId()
  const id = given ?? made
  return (
    <FieldFrame
      id={id}
      label={label}
      labelEnd={labelEnd}
      help={help}
      error={error}
      className={className}
    >
      <div className={cx(fieldBox(Boolean(error), input.disabled), end ? 'pe-1' : undefined)}>
        {start}
        <input
          {...input}
          id={id}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy(id, { help, error })}
          className="body h-12 w-full min-w-0 flex-1 bg-transparent outline-none"
        />
        {end}
      </div>
    </FieldFrame>
  )
}
