import type { ReactNode } from 'react'
import { WarningCircleIcon } from '@phosphor-icons/react/dist/csr/WarningCircle'
import { cx } from '../class-names.ts'

export interface FieldTexts {
  /** Always above the field, never only a placeholder. */
  label: ReactNode
  /** A sentence under the field while there is no error. */
  help?: ReactNode
  /** The problem and how to solve it; replaces the help. */
  error?: ReactNode
  /** At the end of the label's line: a counter, a link. */
  labelEnd?: ReactNode
}

/** The box of every control with text: 48 high, 2 px inside ring on focus, danger ring with an error. */
export const fieldBox = (error: boolean, disabled?: boolean) =>
  cx(
    'field-box flex min-h-12 w-full items-center gap-2 rounded-field bg-surface-2 px-3.5 text-text',
    'has-[:focus-visible]:shadow-[inset_0_0_0_2px_var(--ember-hi)] focus-visible:shadow-[inset_0_0_0_2px_var(--ember-hi)]',
    error
      ? 'shadow-[inset_0_0_0_2px_var(--danger)] has-[:focus-visible]:shadow-[inset_0_0_0_2px_var(--danger)]'
      : 'shadow-[inset_0_0_0_1px_var(--line-strong)]',
    disabled && 'opacity-60',
  )

/** The id of the help or the error that describes a control: `describedBy(id, texts)`. */
export const describedBy = (id: string, { help, error }: Pick<FieldTexts, 'help' | 'error'>) =>
  error || help ? `${id}-note` : undefined

/** Label above, control, help or error below. */
export function FieldFrame(
  props: FieldTexts & { id: string; className?: string; children: ReactNode },
) {
  const { id, label, labelEnd, help, error, className, children } = props
  return (
    <div className={cx('flex min-w-0 flex-col gap-1.5', className)}>
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={id} id={`${id}-label`} className="note text-text-2">
          {label}
        </label>
        {labelEnd}
      </div>
      {children}
      <p
        id={`${id}-note`}
        className={cx(
          'note empty:hidden',
          error ? 'flex items-start gap-1.5 text-danger' : 'text-text-3',
        )}
      >
        {error ? <WarningCircleIcon weight="fill" size={16} className="mt-px shrink-0" /> : null}
        {error ? <span>{error}</span> : help}
      </p>
    </div>
  )
}
