import type { ReactNode } from 'react'
import type { PersonCard } from '@duet/protocol'
import { t, textOr } from '../../shared/texts.ts'
import { shortDay, shortTime } from '../../shared/times.ts'
import { PersonLink } from '../../shared/person-link.tsx'
import { languageName } from '../../shared/translation/translate.ts'

export function PersonOverview({ card }: { card: PersonCard }) {
  return (
    <>
      <dl className="grid overflow-hidden rounded-field bg-surface-1 shadow-[inset_0_0_0_1px_var(--hair)] md:grid-cols-3">
        {facts(card).map(([name, value]) => (
          <div key={name} className="-me-px -mb-px min-w-0 border-e border-b border-hair px-3 py-2">
            <dt className="text-text-2">{name}</dt>
            <dd className="break-words font-medium">{value}</dd>
          </div>
        ))}
      </dl>
      <section>
        <h2 className="text-text-2">{t('office.person.about')}</h2>
        <p className="max-w-[640px] break-words">
          {card.about === '' ? t('office.person.no_about') : <bdi>{card.about}</bdi>}
        </p>
      </section>
    </>
  )
}

function facts(card: PersonCard): (readonly [string, ReactNode])[] {
  const { user, complaints_about, complaints_by } = card
  const day = (at: string | null) => (at ? shortDay(at) : '–')
  return [
    [t('word.email'), <Mail key="mail" card={card} />],
    [t('office.people.since'), day(user.create_time)],
    [t('office.people.seen'), user.last_visit ? shortTime(user.last_visit) : '–'],
    [
      t('office.person.balance'),
      user.role === 'girl'
        ? t('office.person.coins', { count: card.balance, held: card.held })
        : t('office.person.minutes', { count: card.balance, held: card.held }),
    ],
    [t('word.messages'), String(card.messages)],
    [t('office.person.premium'), day(card.premium_until)],
    [
      t('office.person.check'),
      textOr(`office.verify_state.${card.verify_state}`, card.verify_state),
    ],
    [t('language.choose'), languageName(card.locale)],
    [
      t('office.person.invited_by'),
      card.invited_by ? <PersonLink key="inviter" person={card.invited_by} /> : '–',
    ],
    [t('office.facts.about'), t('office.facts.tally', complaints_about)],
    [t('office.person.complaints_by'), t('office.facts.tally', complaints_by)],
    ...(card.wallet === null
      ? []
      : [[t('office.person.wallet'), <bdi key="wallet">{card.wallet}</bdi>] as const]),
  ]
}

function Mail({ card: { user, email_confirmed } }: { card: PersonCard }) {
  if (user.email === null) return '–'
  return (
    <>
      <bdi>{user.email}</bdi>
      {!email_confirmed && <span className="text-warn"> {t('office.person.unconfirmed')}</span>}
    </>
  )
}
