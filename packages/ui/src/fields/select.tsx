import { useId, type ReactNode } from 'react'
import { Select as BaseSelect } from '@base-ui/react/select'
import { CaretDownIcon } from '@phosphor-icons/react/dist/csr/CaretDown'
import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import { cx } from '../class-names.ts'
import { popupLook, rowLook } from '../overlays/popup-look.ts'
import { describedBy, fieldBox, FieldFrame, type FieldTexts } from './field-frame.tsx'

export interface SelectOption<Value extends string> {
  value: Value
  label: string
  icon?: ReactNode
  disabled?: boolean
}

export type SelectProps<Value extends string> = FieldTexts & {
  options: SelectOption<Value>[]
  value: Value | null
  onChange: (value: Value) => void
  /** Shown while nothing is chosen. */
  placeholder?: string
  name?: string
  disabled?: boolean
  className?: string
}

/** A choice among many options, in a list that opens under the field. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { options, value, onChange, placeholder, name, disabled, className, ...texts } = props
  const id = useId()
  const error = Boolean(texts.error)
  return (
    <FieldFrame id={id} {...texts} className={className}>
      <BaseSelect.Root
        items={options}
        value={value}
        onValueChange={(next) => next !== null && onChange(next)}
        name={name}
        disabled={disabled}
      >
        <BaseSelect.Trigger
          id={id}
          aria-labelledby={`${id}-label`}
          aria-describedby={describedBy(id, texts)}
          aria-invalid={error || undefined}
          className={cx(fieldBox(error, disabled), 'body justify-between text-start outline-none')}
        >
          <BaseSelect.Value
            placeholder={placeholder}
            className="truncate data-placeholder:text-text-3"
          />
          <BaseSelect.Icon className="text-text-2">
            <CaretDownIcon size={16} />
          </BaseSelect.Icon>
        </BaseSelect.Trigger>
        <BaseSelect.Portal>
          <BaseSelect.Positioner
            sideOffset={6}
            alignItemWithTrigger={false}
            className="z-popup outline-none"
          >
            <BaseSelect.Popup className={cx(popupLook, 'min-w-(--anchor-width) p-1.5')}>
              <BaseSelect.List className="max-h-[min(var(--available-height),360px)] overflow-y-auto overscroll-contain">
                {options.map((option) => (
                  <BaseSelect.Item
                    key={option.value}
                    value={option.value}
                    disabled={option.disabled}
                    className={rowLook()}
                  >
                    {option.icon}
                    <BaseSelect.ItemText className="min-w-0 flex-1">
                      {option.label}
                    </BaseSelect.ItemText>
                    <BaseSelect.ItemIndicator className="text-ember-hi">
                      <CheckIcon size={16} weight="bold" />
                    </BaseSelect.ItemIndicator>
                  </BaseSelect.Item>
                ))}
              </BaseSelect.List>
            </BaseSelect.Popup>
          </BaseSelect.Positioner>
        </BaseSelect.Portal>
      </BaseSelect.Root>
    </FieldFrame>
  )
}
