import type { CSSProperties } from 'react'
import { cx } from '../class-names.ts'
import { Petal, type PetalProps } from './petal.tsx'

/** Where a petal lies: start, top, width, height, in any unit common to both. */
export type PetalPlace = [start: number, top: number, width: number, height: number]
export interface PairLayout {
  hers: PetalPlace
  yours: PetalPlace
}

/** The arrangements of the design: a scene's hero, the two of a search, the small pair above a story. */
export const pairLayouts = {
  hero: { hers: [0, 0, 417, 545], yours: [339, 253, 278, 333] },
  search: { hers: [0, 0, 319, 385], yours: [260, 38, 319, 367] },
  story: { hers: [0, 0, 113, 141], yours: [80, 57, 97, 116] },
} satisfies Record<string, PairLayout>

type One = Omit<PetalProps, 'shape' | 'className' | 'style'>

export interface PetalPairProps {
  hers: One
  yours: One
  layout?: keyof typeof pairLayouts | PairLayout
  /** Cream light in the overlap, or a clear ring around the front petal. */
  overlap?: 'lens' | 'ring'
  /** `apart` waits, `together` slides both into place and brightens the lens once. */
  meeting?: 'apart' | 'together'
  /** The class sets the width. The height follows from the width. */
  className?: string
}

/** The portraits of two people. The only place where ember and moon overlap. */
export function PetalPair({
  hers,
  yours,
  layout = 'hero',
  overlap = 'lens',
  meeting,
  className,
}: PetalPairProps) {
  const { hers: a, yours: b } = typeof layout === 'string' ? pairLayouts[layout] : layout
  const width = Math.max(a[0] + a[2], b[0] + b[2])
  const height = Math.max(a[1] + a[3], b[1] + b[3])
  const place = ([start, top, w, h]: PetalPlace): CSSProperties => ({
    insetInlineStart: `${(start / width) * 100}%`,
    top: `${(top / height) * 100}%`,
    width: `${(w / width) * 100}%`,
    height: `${(h / height) * 100}%`,
  })
  const apart = meeting === 'apart'
  const slide = meeting ? 'transition-transform duration-scene ease-meet' : undefined
  return (
    <div className={cx('petal-pair', className)} style={{ aspectRatio: `${width} / ${height}` }}>
      <Petal
        {...hers}
        shape="hers"
        className={cx(
          'absolute! petal-lift',
          slide,
          apart && '-translate-x-[calc(18%*var(--flow)*var(--move))]',
        )}
        style={place(a)}
      />
      <Petal
        {...yours}
        shape="yours"
        className={cx(
          'absolute! petal-lift',
          overlap === 'ring' && 'petal-ringed',
          slide,
          apart && 'translate-x-[calc(18%*var(--flow)*var(--move))]',
        )}
        style={place(b)}
      >
        {yours.children}
        {overlap === 'lens' && !apart ? (
          <Lens hers={a} yours={b} pulse={meeting === 'together'} />
        ) : null}
      </Petal>
    </div>
  )
}

/** The girl's shape again, clipped by the guy's. Its corners are relative to the width of the guy's shape, which is its container. */
function Lens({ hers, yours, pulse }: { hers: PetalPlace; yours: PetalPlace; pulse: boolean }) {
  const [, , w, h] = yours
  const across = (part: number) => `${(part / w) * 100}%`
  const down = (part: number) => `${(part / h) * 100}%`
  const corner = (share: number) => `${((share * hers[2]) / w) * 100}cqw`
  const round = `min(170px, ${corner(0.36)})`
  return (
    <span
      aria-hidden
      className={cx('lens absolute', pulse && 'lens-pulse')}
      style={{
        insetInlineStart: across(hers[0] - yours[0]),
        top: down(hers[1] - yours[1]),
        width: across(hers[2]),
        height: down(hers[3]),
        borderRadius: round,
        borderEndStartRadius: `max(16px, ${corner(0.065)})`,
      }}
    />
  )
}
