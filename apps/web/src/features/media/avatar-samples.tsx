import type { ReactNode } from 'react'
import { CheckCircleIcon } from '@phosphor-icons/react/dist/csr/CheckCircle'
import { XCircleIcon } from '@phosphor-icons/react/dist/csr/XCircle'
import { cx } from '@duet/ui'
import { t, type TextId } from '../../shared/i18n.ts'

/** Drawings of a good photo and of two useless photos. */
export function AvatarSamples() {
  return (
    <ul className="grid grid-cols-3 gap-3">
      <Sample text="media.avatar.sample_good" isGood scene="bg-ember-lo">
        <Person x={40} size={1} className="text-ember-hi" />
      </Sample>
      <Sample text="media.avatar.sample_dark" scene="bg-[#0b0807]">
        <Person x={40} size={1} className="text-[#2a211d]" />
      </Sample>
      <Sample text="media.avatar.sample_many" scene="bg-ember-lo">
        <Person x={22} size={0.7} className="text-ember-hi" />
        <Person x={58} size={0.7} className="text-ember-hi" />
        <Person x={40} size={0.85} className="text-ember" />
      </Sample>
    </ul>
  )
}

interface SampleProps {
  readonly text: TextId
  readonly isGood?: boolean
  readonly scene: string
  readonly children: ReactNode
}

function Sample({ text, isGood = false, scene, children }: SampleProps) {
  const Mark = isGood ? CheckCircleIcon : XCircleIcon
  return (
    <li className="flex min-w-0 flex-col items-center gap-2 text-center">
      <span aria-hidden className="relative size-20">
        <svg viewBox="0 0 80 80" className={cx('size-full rounded-full', scene)}>
          {children}
        </svg>
        <Mark
          size={26}
          weight="fill"
          className={cx(
            'absolute -end-1 bottom-0 rounded-full bg-surface-1',
            isGood ? 'text-ok' : 'text-danger',
          )}
        />
      </span>
      <span className="note text-text-2">{t(text)}</span>
    </li>
  )
}

/** Head and shoulders, the head a third from the top. */
function Person({ x, size, className }: { x: number; size: number; className: string }) {
  return (
    <g
      className={className}
      fill="currentColor"
      transform={`translate(${x} 46) scale(${size}) translate(-40 -46)`}
    >
      <circle cx="40" cy="31" r="14" />
      <path d="M12 90c0-24 10-38 28-38s28 14 28 38z" />
    </g>
  )
}
