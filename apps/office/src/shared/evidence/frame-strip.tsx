import { cx } from '@duet/ui/class-names.ts'
import { t } from '../texts.ts'
import { elapsedTime } from '../times.ts'

interface FrameStripProps {
  frames: readonly { id: string; at: string; is_flagged?: boolean }[]
  /** The times are counted from this moment. */
  begun: string
  source: (id: string) => string
  isClear: boolean
  /** The frame that is shown large. */
  chosen: string | undefined
  onChoose: (id: string | undefined) => void
}

/** Her sampled frames of a call. A press shows one of them larger; those that a check acted on are marked. */
export function FrameStrip(props: FrameStripProps) {
  const { frames, begun, source, isClear, chosen, onChoose } = props
  if (frames.length === 0) return null
  return (
    <div role="group" aria-label={t('office.frames.title')} className="flex flex-col gap-2">
      <div className="flex gap-2 overflow-x-auto p-1">
        {frames.map(({ id, at, is_flagged = false }) => (
          <button
            key={id}
            type="button"
            aria-pressed={id === chosen}
            aria-label={t('office.frames.one', {
              time: elapsedTime(begun, at),
              flagged: String(is_flagged),
            })}
            className={cx(
              'relative h-[48px] w-[64px] shrink-0 overflow-hidden rounded-control bg-surface-2',
              id === chosen && 'shadow-[0_0_0_2px_var(--ember)]',
            )}
            onClick={() => onChoose(id === chosen ? undefined : id)}
          >
            <img
              alt=""
              loading="lazy"
              className={cx('size-full object-cover', !isClear && 'veiled')}
              src={source(id)}
            />
            {is_flagged && (
              <span className="absolute end-1 top-1 size-[10px] rounded-full bg-danger" />
            )}
          </button>
        ))}
      </div>
      {chosen && (
        <img
          alt={t('office.frames.large')}
          className={cx(
            'aspect-[4/3] max-w-[480px] rounded-field object-contain',
            !isClear && 'veiled',
          )}
          src={source(chosen)}
        />
      )}
    </div>
  )
}
