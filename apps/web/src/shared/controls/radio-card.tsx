import type { ReactNode } from 'react'
import { cx } from '@duet/ui'

interface RadioCardProps {
  /** The name that the cards of one choice share. */
  readonly name: string
  readonly value: string | number
  readonly isChosen: boolean
  readonly onChoose: () => void
  /** The layout and size of the card. */
  readonly className: string
  readonly children: ReactNode
}

/** A radio button in the form of a card. */
export function RadioCard(props: RadioCardProps) {
  const { name, value, isChosen, onChoose, className, children } = props
  return (
    <label
      className={cx(
        'cursor-pointer focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-focus',
        isChosen
          ? 'bg-ember-lo shadow-[inset_0_0_0_2px_var(--ember-hi)]'
          : 'bg-surface-2 shadow-[inset_0_0_0_1px_var(--hair-2)] hover:bg-surface-3',
        className,
      )}
    >
      <input
        type="radio"
        name={name}
        value={value}
        checked={isChosen}
        onChange={onChoose}
        className="sr-only"
      />
      {children}
    </label>
  )
}
