import type { ReactNode } from 'react'
import { Radio } from '@base-ui/react/radio'
import { RadioGroup } from '@base-ui/react/radio-group'
import { cx } from '../class-names.ts'

export interface RadioOption<Value extends string> {
  value: Value
  label: ReactNode
  help?: ReactNode
  /** At the end of the row: a price, a tag. */
  end?: ReactNode
  disabled?: boolean
}

export interface RadioRowsProps<Value extends string> {
  /** The name of the question for screen readers. */
  label: string
  options: RadioOption<Value>[]
  /** `null`: nothing is chosen by default. */
  value: Value | null
  onChange: (value: Value) => void
  className?: string
}

/** A choice among several rows. The chosen row is tinted. */
export function RadioRows<Value extends string>({
  label,
  options,
  value,
  onChange,
  className,
}: RadioRowsProps<Value>) {
  return (
    <RadioGroup
      aria-label={label}
      value={value}
      onValueChange={(next) => onChange(next as Value)}
      className={cx('flex flex-col gap-2', className)}
    >
      {options.map((option) => (
        <label
          key={option.value}
          className={cx(
            'flex min-h-12 cursor-pointer items-center gap-3.5 rounded-row bg-surface-2 px-4 py-2.5 hover:bg-surface-3',
            'has-data-checked:bg-ember-lo has-data-checked:shadow-[inset_0_0_0_1.5px_var(--ember-hi)]',
            option.disabled && 'pointer-events-none opacity-60',
          )}
        >
          <Radio.Root
            value={option.value}
            disabled={option.disabled}
            className="flex size-[22px] shrink-0 items-center justify-center rounded-full shadow-[inset_0_0_0_1.5px_var(--line-strong)] data-checked:bg-ember data-checked:shadow-none"
          >
            <Radio.Indicator className="size-2 rounded-full bg-on-ember" />
          </Radio.Root>
          <span className="min-w-0 flex-1">
            <span className="ui block text-text">{option.label}</span>
            {option.help ? <span className="note block text-text-2">{option.help}</span> : null}
          </span>
          {option.end}
        </label>
      ))}
    </RadioGroup>
  )
}
