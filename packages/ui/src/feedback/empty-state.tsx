import type { ReactNode } from 'react'
import { cx } from '../class-names.ts'
import { PetalPair } from '../people/petal-pair.tsx'

export interface EmptyStateProps {
  /** A duotone icon of 40 px. Without an icon: two empty petals. */
  icon?: ReactNode
  title: ReactNode
  /** One sentence. */
  text?: ReactNode
  /** One action. */
  action?: ReactNode
  className?: string
}

/** An empty list or page, with the action that fills it. */
export function EmptyState({ icon, title, text, action, className }: EmptyStateProps) {
  return (
    <div className={cx('flex flex-col items-center px-6 py-10 text-center', className)}>
      {icon ? (
        <span className="text-ember-hi">{icon}</span>
      ) : (
        <PetalPair
          layout="story"
          overlap="ring"
          hers={{ light: 'ember' }}
          yours={{ light: 'moon' }}
          className="w-36"
        />
      )}
      <h2 className="display-s mt-4">{title}</h2>
      {text ? <p className="body mt-1.5 max-w-[44ch] text-text-2">{text}</p> : null}
      {action ? <div className="mt-5">{action}</div> : null}
    </div>
  )
}
