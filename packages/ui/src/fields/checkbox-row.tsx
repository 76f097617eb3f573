import { useId, type ReactNode } from 'react'
import { Checkbox } from '@base-ui/react/checkbox'
import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import { cx } from '../class-names.ts'

export interface CheckboxRowProps {
  checked: boolean
  onChange: (checked: boolean) => void
  /** The sentence, with its links if it has any. */
  children: ReactNode
  help?: ReactNode
  error?: ReactNode
  /** Without the filled row around it, for a settings list. */
  bare?: boolean
  name?: string
  disabled?: boolean
  className?: string
}

/** A statement to agree with. The whole row is clickable. */
export function CheckboxRow(props: CheckboxRowProps) {
  const { checked, onChange, children, help, error, bare, name, disabled, className } = props
  const id = useId()
  return (
    <label
      className={cx(
        'flex min-h-11 cursor-pointer items-start gap-3.5',
        bare ? 'py-2' : 'rounded-row bg-surface-2 px-4 py-3.5 hover:bg-surface-3',
        error ? 'shadow-[inset_0_0_0_2px_var(--danger)]' : undefined,
        disabled && 'pointer-events-none opacity-60',
        className,
      )}
    >
      <Checkbox.Root
        checked={checked}
        onCheckedChange={onChange}
        name={name}
        disabled={disabled}
        aria-describedby={help || error ? `${id}-note` : undefined}
        aria-invalid={error ? true : undefined}
        className="flex size-6 shrink-0 items-center justify-center rounded-[7px] text-on-ember shadow-[inset_0_0_0_1.5px_var(--line-strong)] data-checked:bg-ember data-checked:shadow-none"
      >
        <Checkbox.Indicator>
          <CheckIcon size={16} weight="bold" />
        </Checkbox.Indicator>
      </Checkbox.Root>
      <span className="body min-w-0 flex-1 pt-px text-text">
        {children}
        {help || error ? (
          <span
            id={`${id}-note`}
            className={cx('note mt-0.5 block', error ? 'text-danger' : 'text-text-3')}
          >
            {error ?? help}
          </span>
        ) : null}
      </span>
    </label>
  )
}
