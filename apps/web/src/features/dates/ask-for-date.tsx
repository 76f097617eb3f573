import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { DateMinutes, UserInterlocutor } from '@duet/protocol'
import { Segment } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { useServerNow } from './server-clock.ts'
import { PersonPicker } from './person-picker.tsx'
import { DateSummary } from './date-summary.tsx'
import { TimePicker } from './time-picker.tsx'
import { useChosenPerson, usePeople } from './use-people.ts'

const LENGTHS = ['15', '30', '60'] as const

/** A guy asks a woman he knows for a date: the person, the length and time in her open hours, and what it costs. */
export function AskForDate() {
  const [params, setParams] = useSearchParams()
  const people = usePeople()
  const chosenId = Number(params.get('with'))
  const found = useChosenPerson(chosenId, people)
  const person = found ?? undefined
  // Without a person there is no time to choose, and the picker says how to find somebody.
  const hasNobody = !person && people.status === 'ready' && people.items.length === 0
  const [minutes, setMinutes] = useState<DateMinutes>(15)
  const [at, setAt] = useState<number>()
  const nowMs = useServerNow(30_000)
  // Another person has other hours.
  useEffect(() => setAt(undefined), [chosenId])
  const choose = ({ id }: UserInterlocutor) => setParams({ with: String(id) }, { replace: true })
  return (
    <section className="flex flex-col gap-4" aria-labelledby="ask-title">
      <h2 id="ask-title" className="display-s">
        {t('dates.ask_title')}
      </h2>
      <div className="grid items-start gap-4 lg:grid-cols-[280px_minmax(0,1fr)_300px]">
        <PersonPicker people={people} chosen={person} onChoose={choose} />
        {hasNobody ? null : (
          <>
            <div className="panel flex min-w-0 flex-col gap-5 p-5">
              <Segment
                label={t('dates.length')}
                wide
                options={LENGTHS.map((value) => ({
                  value,
                  label: t('dates.minutes', { minutes: Number(value) }),
                }))}
                value={String(minutes) as (typeof LENGTHS)[number]}
                onChange={(value) => {
                  setMinutes(Number(value) as DateMinutes)
                  setAt(undefined)
                }}
              />
              {person ? (
                <TimePicker
                  key={person.id}
                  person={person}
                  minutes={minutes}
                  nowMs={nowMs}
                  at={at}
                  onChoose={setAt}
                />
              ) : (
                <p className="body text-text-3">
                  {t(found === null ? 'dates.not_found' : 'dates.choose_person')}
                </p>
              )}
            </div>
            <DateSummary
              person={person}
              minutes={minutes}
              at={at !== undefined && at > nowMs ? at : undefined}
              onAsked={() => setAt(undefined)}
            />
          </>
        )}
      </div>
    </section>
  )
}
