import { useId, type ComponentProps } from 'react'
import { cx } from '../class-names.ts'
import { describedBy, fieldBox, FieldFrame, type FieldTexts } from './field-frame.tsx'

export type TextAreaProps = ComponentProps<'textarea'> &
  FieldTexts & {
    /** The written and the allowed length, as a finished sentence. */
    counter?: string
    /** The counter warns. */
    over?: boolean
  }

/** A text field of several lines that grows with its content. */
export function TextArea(props: TextAreaProps) {
  const {
    label,
    labelEnd,
    help,
    error,
    counter,
    over,
    className,
    id: given,
    rows = 4,
    ...area
  } = props
  const made = useId()
  const id = given ?? made
  const count = counter ? (
    <span className={cx('meta figures', over ? 'text-danger' : 'text-text-3')}>{counter}</span>
  ) : undefined
  return (
    <FieldFrame
      id={id}
      label={label}
      labelEnd={labelEnd ?? count}
      help={help}
      error={error}
      className={className}
    >
      <textarea
        {...area}
        id={id}
        rows={rows}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, { help, error })}
        className={cx(
          fieldBox(Boolean(error), area.disabled),
          'body field-sizing-content max-h-[40dvh] resize-none py-3 outline-none',
        )}
        style={{ minHeight: `calc(${rows} * 1.5em + 24px)`, ...area.style }}
      />
    </FieldFrame>
  )
}
