import type { ComplaintCase } from '@duet/protocol'
import { t, textOr } from '../texts.ts'
import { elapsedTime, shortTime } from '../times.ts'
import { reportersText } from './reporters-text.ts'
import { personName } from '../person-name.ts'

/** The figures of the call and of both people. */
export function CaseFacts({ shown }: { shown: ComplaintCase }) {
  const { about_accused, by_complainer } = shown
  const facts: (readonly [string, string])[] = [
    ...callFacts(shown),
    [t('office.facts.about'), t('office.facts.tally', about_accused)],
    ...(by_complainer
      ? [[t('office.facts.by'), t('office.facts.tally', by_complainer)] as const]
      : []),
    [t('office.facts.reporters'), reportersText(shown.complaint)],
  ]
  return (
    <dl className="flex shrink-0 flex-wrap gap-px overflow-hidden rounded-field bg-hair shadow-[inset_0_0_0_1px_var(--hair)]">
      {facts.map(([name, value]) => (
        <div key={name} className="min-w-[120px] flex-1 bg-surface-1 px-3 py-2">
          <dt className="text-text-2">{name}</dt>
          <dd className="font-medium">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function callFacts({ call, complaint }: ComplaintCase): (readonly [string, string])[] {
  if (!call) return []
  const begun = call.connected_at ?? call.opened_at
  const length = elapsedTime(begun, call.closed_at ?? undefined)
  const scores = [
    [complaint.accused, call.accused_score],
    [complaint.complainer, call.complainer_score],
  ] as const
  const known = scores.flatMap(([person, score]) =>
    score === null || person === null ? [] : [`${personName(person)} ${score.toFixed(1)}`],
  )
  return [
    [
      t('office.facts.session'),
      `${call.is_private ? t('office.facts.private') : t('office.facts.public')}, ${length}`,
    ],
    [t('office.facts.begun'), shortTime(begun)],
    [t('office.facts.paid'), t('office.facts.minutes', { n: Math.ceil(call.paid_seconds / 60) })],
    [t('office.facts.gifts'), String(call.gifts)],
    [
      t('office.facts.ended'),
      call.closed_at
        ? textOr(`office.call_end.${call.reason}`, call.reason ?? '')
        : t('office.facts.running'),
    ],
    ...(known.length > 0 ? [[t('office.facts.quality'), known.join(', ')] as const] : []),
  ]
}
