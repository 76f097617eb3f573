import { cx } from '../class-names.ts'

/**
 * A thin line at the top of loading content. Known progress from 0 to 1 fills the line. For unknown progress a light
 * runs along the line.
 */
export function LoadingBar({
  label,
  value,
  className,
}: {
  label: string
  value?: number
  className?: string
}) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={value === undefined ? undefined : Math.round(value * 100)}
      className={cx('h-[3px] w-full overflow-hidden rounded-full bg-surface-4', className)}
    >
      <div
        className={cx(
          'progress-fill h-full rounded-full bg-ember-hi',
          value === undefined && 'loading-bar w-1/3',
        )}
        style={
          value === undefined ? undefined : { width: `${Math.min(1, Math.max(0, value)) * 100}%` }
        }
      />
    </div>
  )
}
