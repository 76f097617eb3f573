import { Link } from 'react-router'
import type { ComplaintCase } from '@duet/protocol'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { Avatar } from '@duet/ui/people/avatar.tsx'
import { t } from '../../shared/texts.ts'
import { shortDay } from '../../shared/times.ts'
import { personName } from '../../shared/person-name.ts'

const CARD_DAYS = 90

/** The accused above the decision, with figures of the last 90 days, and what follows from earlier acts. */
export function AccusedCard({
  shown: {
    complaint: { accused },
    accused_card: { age, since, avatar, sessions, complaints, penalties, sanctions },
  },
}: {
  shown: ComplaintCase
}) {
  const name = personName(accused)
  const figures = [
    [t('office.card.sessions'), sessions],
    [t('office.card.complaints'), complaints],
    [t('office.card.penalties'), penalties],
  ] as const
  return (
    <>
      <div className="flex items-center gap-3">
        <Avatar decorative size={44} name={name} src={avatar} />
        <div className="min-w-0">
          <h3 className="truncate text-[calc(16rem/16)] font-semibold">
            <Link className="hit hover:underline" to={`/users/${accused.id}`} target="_blank">
              <bdi>{age === null ? name : t('office.card.name', { name, age })}</bdi>
            </Link>
          </h3>
          {since && (
            <p className="text-text-2">{t('office.card.since', { day: shortDay(since) })}</p>
          )}
        </div>
      </div>
      <dl
        aria-label={t('office.card.figures')}
        className="grid grid-cols-3 gap-px overflow-hidden rounded-field bg-hair shadow-[inset_0_0_0_1px_var(--hair)]"
      >
        {figures.map(([label, value]) => (
          <div key={label} className="bg-surface-1 px-3 py-2">
            <dt className="text-text-2">{label}</dt>
            <dd className="font-medium tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      {sanctions > 0 && (
        <Banner tone="warn">
          {t('office.card.sanctions', { count: sanctions, days: CARD_DAYS })}{' '}
          {penalties > 0 && t('office.card.next_penalty', { number: penalties + 1 })}
        </Banner>
      )}
    </>
  )
}
