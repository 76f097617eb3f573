import type { CSSProperties, ReactNode } from 'react'
import { cx } from '../class-names.ts'

/** The girl's petal points to the bottom start, the guy's to the top end. */
export type PetalShape = 'hers' | 'yours'

export interface PetalProps {
  shape: PetalShape
  /** Address of a picture. Anything else (a video, a canvas) goes into `children`. */
  src?: string
  srcSet?: string
  sizes?: string
  /** The name of the person. Empty if the picture is decoration. */
  alt?: string
  /** `high` for the largest picture of the first screen. */
  priority?: 'high' | 'low'
  /** Without a picture: the light that fills it. */
  light?: 'ember' | 'moon'
  /** An icon in the middle of an empty petal. */
  icon?: ReactNode
  /** Dimmed: the person has left. */
  dimmed?: boolean
  /** Darkens the bottom, so that a name on the picture is readable. Lift the name with `z-1`. */
  shade?: boolean
  /** The content inside the shape: a video, a name, a sheen, a lens. */
  children?: ReactNode
  /** Give it a width, and a height or an aspect ratio. */
  className?: string
  style?: CSSProperties
}

/** The shape of a person's portrait. */
export function Petal(props: PetalProps) {
  const {
    shape,
    src,
    srcSet,
    sizes,
    alt = '',
    priority = 'low',
    light,
    icon,
    dimmed,
    shade,
    children,
    className,
    style,
  } = props
  return (
    <div className={cx('petal-box', className)} style={style}>
      <div
        className={cx(
          'petal petal-edge bg-surface-2',
          shape === 'hers' ? 'petal-hers' : 'petal-yours',
          light && `petal-empty-${light}`,
          shade && 'petal-shade',
        )}
      >
        {src ? (
          <img
            src={src}
            srcSet={srcSet}
            sizes={sizes}
            alt={alt}
            // The largest picture of the first screen belongs to its first paint.
            decoding={priority === 'high' ? 'sync' : 'async'}
            fetchPriority={priority === 'high' ? 'high' : undefined}
            loading={priority === 'high' ? 'eager' : 'lazy'}
            className="absolute inset-0 size-full object-cover"
          />
        ) : null}
        {src && dimmed ? (
          <span aria-hidden className="absolute inset-0 bg-[rgb(30_26_25/.62)]" />
        ) : null}
        {icon ? (
          <span className="absolute inset-0 flex items-center justify-center">{icon}</span>
        ) : null}
        {children}
      </div>
    </div>
  )
}
