import type { ReactNode } from 'react'
import { Tabs as BaseTabs } from '@base-ui/react/tabs'
import { Toggle } from '@base-ui/react/toggle'
import { ToggleGroup } from '@base-ui/react/toggle-group'
import { cx } from '../class-names.ts'

type Size = 34 | 48

const TRACK =
  'inline-flex max-w-full rounded-field bg-surface-2 p-1 shadow-[inset_0_0_0_1px_var(--hair-2)]'
const part = (size: Size, wide = false) =>
  cx(
    // If the width is given, the parts are equal. Otherwise each part is as wide as its words, so that no part wraps.
    wide ? 'flex-1' : 'flex-auto',
    'hit flex items-center justify-center gap-1.5 rounded-control px-4 text-center text-text-3 select-none max-[389px]:px-2.5',
    'transition-transform duration-quick hover:text-text disabled:pointer-events-none disabled:opacity-50',
    'data-pressed:bg-surface-4 data-pressed:text-text data-pressed:shadow-[inset_0_0_0_1px_var(--hair),var(--elevation-1)]',
    'data-active:bg-surface-4 data-active:text-text data-active:shadow-[inset_0_0_0_1px_var(--hair),var(--elevation-1)]',
    size === 48 ? 'ui min-h-11' : 'note min-h-[30px] font-[520]!',
  )

export interface SegmentOption<Value extends string> {
  value: Value
  label: ReactNode
  icon?: ReactNode
  disabled?: boolean
}

export interface SegmentProps<Value extends string> {
  /** The name of the choice for screen readers. */
  label: string
  options: SegmentOption<Value>[]
  /** `null` while nothing is chosen, for a question without a default answer. */
  value: Value | null
  onChange: (value: Value) => void
  size?: Size
  wide?: boolean
  className?: string
}

/** Two to four exclusive choices side by side. */
export function Segment<Value extends string>(props: SegmentProps<Value>) {
  const { label, options, value, onChange, size = 34, wide, className } = props
  return (
    <ToggleGroup
      aria-label={label}
      value={value === null ? [] : [value]}
      onValueChange={([next]) => next !== undefined && onChange(next as Value)}
      className={cx(TRACK, wide && 'flex w-full', className)}
    >
      {options.map((option) => (
        <Toggle
          key={option.value}
          value={option.value}
          disabled={option.disabled}
          className={part(size, wide)}
        >
          {option.icon}
          {option.label}
        </Toggle>
      ))}
    </ToggleGroup>
  )
}

export type TabsProps<Value extends string> = Omit<SegmentProps<Value>, 'value' | 'options'> & {
  value: Value
  options: (SegmentOption<Value> & { panel: ReactNode })[]
  panelClassName?: string
}

/** The same look with panels under it; only the chosen panel is mounted. */
export function Tabs<Value extends string>(props: TabsProps<Value>) {
  const { label, options, value, onChange, size = 34, wide, className, panelClassName } = props
  return (
    <BaseTabs.Root
      value={value}
      onValueChange={(next) => onChange(next as Value)}
      className={className}
    >
      <BaseTabs.List aria-label={label} className={cx(TRACK, wide && 'flex w-full')}>
        {options.map((option) => (
          <BaseTabs.Tab
            key={option.value}
            value={option.value}
            disabled={option.disabled}
            className={part(size, wide)}
          >
            {option.icon}
            {option.label}
          </BaseTabs.Tab>
        ))}
      </BaseTabs.List>
      {options.map((option) => (
        <BaseTabs.Panel
          key={option.value}
          value={option.value}
          className={cx('pt-5', panelClassName)}
        >
          {option.panel}
        </BaseTabs.Panel>
      ))}
    </BaseTabs.Root>
  )
}
