import { useId, type ReactNode } from 'react'
import { Switch as BaseSwitch } from '@base-ui/react/switch'
import { cx } from '../class-names.ts'

export interface SwitchProps {
  checked: boolean
  onChange: (checked: boolean) => void
  label: ReactNode
  help?: ReactNode
  icon?: ReactNode
  /** The label is for screen readers only. */
  labelHidden?: boolean
  disabled?: boolean
  className?: string
}

/** A setting that takes effect at once, without a form to send. */
export function Switch({
  checked,
  onChange,
  label,
  help,
  icon,
  labelHidden,
  disabled,
  className,
}: SwitchProps) {
  const id = useId()
  return (
    <label
      className={cx(
        'flex min-h-11 cursor-pointer items-center gap-3',
        disabled && 'pointer-events-none opacity-60',
        className,
      )}
    >
      {icon}
      <span className={labelHidden ? 'sr-only' : 'min-w-0 flex-1'}>
        <span className="ui block text-text">{label}</span>
        {help ? (
          <span id={`${id}-note`} className="note block text-text-3">
            {help}
          </span>
        ) : null}
      </span>
      <BaseSwitch.Root
        checked={checked}
        onCheckedChange={onChange}
        disabled={disabled}
        aria-describedby={help ? `${id}-note` : undefined}
        className="inline-flex h-6 w-10 shrink-0 items-center rounded-full bg-surface-4 p-[3px] shadow-[inset_0_0_0_1px_var(--line-strong)] data-checked:bg-ember data-checked:shadow-none"
      >
        <BaseSwitch.Thumb className="size-[18px] rounded-full bg-text-2 transition-transform duration-quick data-checked:translate-x-[calc(16px*var(--flow))] data-checked:bg-on-ember" />
      </BaseSwitch.Root>
    </label>
  )
}
