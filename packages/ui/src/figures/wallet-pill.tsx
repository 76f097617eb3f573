import { Fragment, type ComponentProps } from 'react'
import { PlusIcon } from '@phosphor-icons/react/dist/csr/Plus'
import { cx } from '../class-names.ts'
import { Amount, type AmountKind } from './amount.tsx'

export type WalletPillProps = Omit<ComponentProps<'button'>, 'children'> & {
  /** The action of a press, announced after the amounts: "Add minutes". */
  label: string
  amounts: { kind: AmountKind; value: string; label: string; low?: boolean }[]
  /** The ember plus at the end: more can be bought. */
  plus?: boolean
}

/** The user's balance, shown on every page. The whole pill is clickable. */
export function WalletPill({
  label,
  amounts,
  plus,
  className,
  type = 'button',
  ...rest
}: WalletPillProps) {
  return (
    <button
      {...rest}
      type={type}
      className={cx(
        'hit ui inline-flex min-h-10 shrink-0 items-center gap-3 rounded-full bg-surface-2 font-[600]! text-text select-none',
        'shadow-[inset_0_0_0_1px_var(--hair-2)] transition-transform hover:bg-surface-3 active:scale-(--press-scale)',
        plus ? 'ps-4 pe-1.5' : 'px-4',
        className,
      )}
    >
      {amounts.map((amount, index) => (
        <Fragment key={amount.kind}>
          {index > 0 ? <span aria-hidden className="h-4 w-px bg-hair-2" /> : null}
          <Amount
            kind={amount.kind}
            value={amount.value}
            label={amount.label}
            tone={amount.low ? 'warn' : 'text'}
            live
          />
        </Fragment>
      ))}
      <span className="sr-only">{label}</span>
      {plus ? (
        <span
          aria-hidden
          className="flex size-7 items-center justify-center rounded-full bg-ember text-on-ember"
        >
          <PlusIcon size={16} weight="bold" />
        </span>
      ) : null}
    </button>
  )
}
