import { cx } from '../class-names.ts'

/** A turning arc in the colour of the text. Decorative: the control around it is marked as busy. */
export function Spinner({ size = 16, className }: { size?: number | string; className?: string }) {
  return (
    <svg
      viewBox="0 0 16 16"
      aria-hidden
      className={cx('shrink-0 animate-spin', className)}
      style={{ width: size, height: size }}
    >
      <circle
        cx="8"
        cy="8"
        r="6.6"
        fill="none"
        stroke="currentColor"
        strokeOpacity=".28"
        strokeWidth="2"
      />
      <path
        d="M8 1.4A6.6 6.6 0 0 1 14.6 8"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
      />
    </svg>
  )
}
