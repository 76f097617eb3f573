import type { OpenWeek } from '@duet/protocol'
import { Button } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { formatClock, formatWeekday } from './date-times.ts'

interface OtherWeekProps {
  readonly week: OpenWeek
  readonly onTake: () => void
  readonly onKeep: () => void
}

const MINUTE_MS = 60_000

/** The button that saves is below the grid of hours, and what appears there may be out of sight. */
function scrollTo(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'center' })
}

/** The week that was saved elsewhere while the girl changed hours here. She chooses between the two. */
export function OtherWeek({ week, onTake, onKeep }: OtherWeekProps) {
  return (
    <div
      ref={scrollTo}
      role="alert"
      className="flex flex-col items-start gap-3 rounded-field bg-surface-2 p-4"
    >
      <p className="body">{t('dates.other_week')}</p>
      <ul className="note text-text-2">
        <li>{week.zone.replaceAll('_', ' ')}</li>
        {week.hours.map(({ weekday, from_minute, until_minute }) => (
          <li key={`${weekday} ${from_minute}`}>
            {t('dates.hours_cell', {
              day: formatWeekday(weekday, 'long'),
              from: formatClock(from_minute * MINUTE_MS, 'UTC'),
              until: formatClock(until_minute * MINUTE_MS, 'UTC'),
            })}
          </li>
        ))}
        {week.hours.length === 0 && <li>{t('dates.hours_sum', { hours: 0 })}</li>}
      </ul>
      <p className="note text-text-2">{t('dates.other_week_choice')}</p>
      <div className="flex flex-wrap gap-2">
        <Button onClick={onTake}>{t('dates.other_week_take')}</Button>
        <Button onClick={onKeep}>{t('dates.other_week_keep')}</Button>
      </div>
    </div>
  )
}
