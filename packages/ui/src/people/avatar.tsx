import { GlobeIcon } from '@phosphor-icons/react/dist/csr/Globe'
import { LockSimpleIcon } from '@phosphor-icons/react/dist/csr/LockSimple'
import { useState } from 'react'
import { cx } from '../class-names.ts'

export interface AvatarProps {
  /** The user's name: the picture's alternative text and the source of the initials. */
  name: string
  /** The name is shown beside the avatar, so that a screen reader does not read it twice. */
  decorative?: boolean
  src?: string | null
  /** The widths of the same picture. */
  srcSet?: string
  /** Default: the size of the avatar. */
  sizes?: string
  size?: 22 | 28 | 32 | 40 | 44 | 48 | 56 | 64
  /** The dominant colour of the picture, shown until the picture is loaded. */
  colour?: string
  /** A dot with its word. Absent means offline. */
  presence?: { state: 'online' | 'call'; text: string }
  /** In a call: replaces the dot. */
  session?: { state: 'private' | 'public'; text: string }
  className?: string
}

const toInitials = (name: string) =>
  name
    .split(/\s+/u)
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
    .toLocaleUpperCase()

/** A user's portrait in a circle. */
export function Avatar({
  name,
  decorative,
  src,
  srcSet,
  size = 48,
  sizes = `${size}px`,
  colour,
  presence,
  session,
  className,
}: AvatarProps) {
  const [failed, setFailed] = useState<string>()
  const isNamed = name !== '' && !decorative
  const picture = src && src !== failed ? src : null
  return (
    <span
      className={cx('relative inline-flex shrink-0', className)}
      style={{ width: size, height: size }}
    >
      {picture ? (
        <img
          src={picture}
          srcSet={srcSet}
          sizes={srcSet && sizes}
          alt={decorative ? '' : name}
          width={size}
          height={size}
          loading="lazy"
          decoding="async"
          onError={() => setFailed(picture)}
          className="size-full rounded-full bg-surface-3 object-cover"
          style={{ backgroundColor: colour }}
        />
      ) : (
        <span
          role={isNamed ? 'img' : undefined}
          aria-label={isNamed ? name : undefined}
          className="flex size-full items-center justify-center rounded-full bg-ember-lo font-[600] text-ember-hi"
          style={{ fontSize: Math.max(11, size * 0.34) }}
        >
          <span aria-hidden>{toInitials(name)}</span>
        </span>
      )}
      {session ? (
        <SessionBadge {...session} />
      ) : presence ? (
        <Dot size={size} {...presence} />
      ) : null}
    </span>
  )
}

function Dot({ size, state, text }: { size: number; state: 'online' | 'call'; text: string }) {
  const side = Math.round(size * 0.24)
  return (
    <span
      className={cx(
        'absolute end-0 bottom-0 rounded-full shadow-[0_0_0_2px_var(--bg)]',
        state === 'online' ? 'bg-ok' : 'bg-ember',
      )}
      style={{ width: side, height: side }}
    >
      <span className="sr-only">{text}</span>
    </span>
  )
}

function SessionBadge({ state, text }: { state: 'private' | 'public'; text: string }) {
  return (
    <span
      className={cx(
        'absolute -end-1.5 -bottom-1 flex size-[21px] items-center justify-center rounded-full shadow-[0_0_0_2px_var(--bg)]',
        state === 'private' ? 'bg-ember text-on-ember' : 'bg-moon text-on-moon',
      )}
    >
      {state === 'private' ? (
        <LockSimpleIcon weight="fill" size={12} />
      ) : (
        <GlobeIcon weight="bold" size={13} />
      )}
      <span className="sr-only">{text}</span>
    </span>
  )
}
