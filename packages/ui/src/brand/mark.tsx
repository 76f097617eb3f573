import { cx } from '../class-names.ts'

/** Two overlapping lights. Never mirrored. Decorative unless it has a label. */
export function Mark({
  size = 32,
  label,
  className,
}: {
  size?: number
  label?: string
  className?: string
}) {
  return (
    <svg
      viewBox="0 0 32 32"
      width={size}
      height={size}
      role={label ? 'img' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
      className={cx('shrink-0', className)}
    >
      <path
        d="M11.6 5.6a10.4 10.4 0 0 1 0 20.8H2.4a1.2 1.2 0 0 1-1.2-1.2V16A10.4 10.4 0 0 1 11.6 5.6Z"
        fill="#FE9864"
      />
      <path
        d="M20.4 26.4a10.4 10.4 0 0 1 0-20.8h9.2a1.2 1.2 0 0 1 1.2 1.2V16A10.4 10.4 0 0 1 20.4 26.4Z"
        fill="#B1B2EE"
      />
      <path d="M16 6.6a10.4 10.4 0 0 1 0 18.8 10.4 10.4 0 0 1 0-18.8Z" fill="var(--lens)" />
    </svg>
  )
}

/** The mark and the name beside it, left to right in every language. */
export function Wordmark({
  name,
  size = 32,
  className,
}: {
  name: string
  size?: number
  className?: string
}) {
  return (
    <span
      dir="ltr"
      lang="en"
      className={cx(
        'inline-flex items-center font-story leading-none font-[500] tracking-[-.03em] text-text',
        className,
      )}
      style={{ gap: size / 3, fontSize: size * 0.94 }}
    >
      <Mark size={size} />
      {name}
    </span>
  )
}
