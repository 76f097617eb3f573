import type { PastCall } from '@duet/protocol'
import { parseTime } from '@duet/protocol/kernel/time.ts'
import { t } from '../../shared/i18n.ts'
import { formatDay } from '../../shared/texts/format-day.ts'

export interface HistoryDay {
  readonly title: string
  readonly items: readonly PastCall[]
}

/** The calls by the day on which they began, where the user is. */
export function groupByDay(items: readonly PastCall[], nowMs: number): HistoryDay[] {
  const days = new Map<string, PastCall[]>()
  for (const item of items) {
    const title = getTitle(item.started_at, nowMs)
    days.set(title, [...(days.get(title) ?? []), item])
  }
  return [...days].map(([title, ofDay]) => ({ title, items: ofDay }))
}

function getTitle(time: string, nowMs: number): string {
  const day = new Date(parseTime(time)).toDateString()
  const today = new Date(nowMs)
  if (day === today.toDateString()) return t('history.today')
  // The calendar knows how long a day is when the clock changes.
  const yesterday = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1)
  return day === yesterday.toDateString() ? t('history.yesterday') : formatDay(time)
}
