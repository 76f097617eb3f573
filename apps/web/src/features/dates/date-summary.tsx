import { useQueryClient } from '@tanstack/react-query'
import { useRef, type ReactNode } from 'react'
import type { DateMinutes, UserInterlocutor } from '@duet/protocol'
import { Button } from '@duet/ui'
import { useAmountFormat } from '../../shared/amounts.ts'
import { RefusedError, useAppServices } from '../../shared/app-services.tsx'
import { usePress } from '../../shared/controls/use-press.ts'
import { dialogs } from '../../shared/dialogs.ts'
import { t } from '../../shared/i18n.ts'
import { useSettings } from '../../shared/queries.ts'
import { AMOUNT_ICONS } from '../../shared/texts/amount-icons.tsx'
import { Text } from '../../shared/texts/rich-text.tsx'
import { showToast } from '../../shared/toasts.ts'
import { formatMoment, ownZone } from './date-times.ts'
import { useHours } from './time-picker.tsx'

interface DateSummaryProps {
  readonly person: UserInterlocutor | undefined
  readonly minutes: DateMinutes
  readonly at: number | undefined
  readonly onAsked: () => void
}

/** The date that he asks for, in both time zones, and the reserved amount. */
export function DateSummary({ person, minutes, at, onAsked }: DateSummaryProps) {
  const { busy, press, sentence } = useAsk(onAsked)
  if (!person || at === undefined)
    return (
      <div className="panel p-5 max-lg:hidden">
        <p className="body text-text-3">{t('dates.choose_first')}</p>
      </div>
    )
  const { nick } = person
  return (
    <div className="panel flex flex-col gap-4 p-5 lg:sticky lg:top-6">
      <h3 className="title">{t('dates.summary')}</h3>
      <dl className="flex flex-col gap-3">
        <Fact name={t('dates.with')}>
          <bdi>{nick}</bdi>, {t('dates.minutes', { minutes })}
        </Fact>
        <Fact name={t('dates.when_yours')}>{formatMoment(at, ownZone())}</Fact>
        <HerTime person={person} at={at} />
        <Cost minutes={minutes} />
      </dl>
      {sentence ? (
        <p role="alert" className="note text-danger">
          {sentence}
        </p>
      ) : null}
      <Button variant="primary" wide busy={busy} onClick={() => void press(person, at, minutes)}>
        {t('dates.ask')}
      </Button>
      <p className="note text-text-3">{t('dates.cost_text', { nick })}</p>
    </div>
  )
}

function HerTime({ person, at }: { person: UserInterlocutor; at: number }) {
  const { data } = useHours(person.id)
  if (!data) return null
  const hers = formatMoment(at, data.zone)
  if (hers === formatMoment(at, ownZone())) return null
  return <Fact name={t('dates.when_hers')}>{hers}</Fact>
}

function Cost({ minutes }: { minutes: DateMinutes }) {
  const format = useAmountFormat()
  const settings = useSettings()
  if (!settings) return null
  const diamonds = format('diamond', Number(settings.prices.private) * minutes)
  return (
    <Fact name={t('dates.cost')}>
      <Text
        id="dates.reserved"
        values={{ diamonds: `<diamond></diamond>${diamonds}` }}
        parts={AMOUNT_ICONS}
      />
    </Fact>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="note text-text-3">{name}</dt>
      <dd className="ui">{children}</dd>
    </div>
  )
}

/** Asks once: a repeat of a press whose answer was lost has the same key. */
function useAsk(onAsked: () => void) {
  const { connection } = useAppServices()
  const queries = useQueryClient()
  const keys = useRef(new Map<string, string>())
  const asked = useRef<UserInterlocutor>(undefined)
  return usePress(
    async (person: UserInterlocutor, at: number, minutes: DateMinutes) => {
      asked.current = person
      const body = { user_id: person.id, at: new Date(at).toISOString(), minutes }
      const name = JSON.stringify(body)
      const key = keys.current.get(name) ?? crypto.randomUUID()
      keys.current.set(name, key)
      await connection.http.post('dates', body, { idempotency_key: key })
      keys.current.delete(name)
      showToast({ title: t('dates.asked', { nick: person.nick }) })
      onAsked()
      await queries.invalidateQueries({ queryKey: ['dates'] })
      await queries.invalidateQueries({ queryKey: ['dates/hours'] })
    },
    (error) => {
      void queries.invalidateQueries({ queryKey: ['dates/hours'] })
      return error instanceof RefusedError && explain(error, asked.current!)
    },
  )
}

function explain(
  { refusal, additional }: RefusedError,
  person: UserInterlocutor,
): string | boolean {
  const { nick } = person
  switch (refusal) {
    case 'no_balance':
      dialogs.open('not_balance', { last_interlocutor: person })
      return true
    case 'invalid':
      return t('dates.refused.time')
    case 'in_call':
      return t('dates.refused.taken')
    case 'premium_only':
      return t('dates.refused.known', { nick })
    case 'too_many':
      // A user who asks too often is told so by the page, with the time to wait.
      return additional['retry_after'] === undefined && t('dates.refused.many')
    case 'blocked':
      return t('dates.refused.blocked', { nick })
    case 'not_found':
    case 'user_offline':
      return t('dates.refused.offline', { nick })
    default:
      return false
  }
}
