import { useState } from 'react'
import type { ComplaintCase } from '@duet/protocol'
import { banReasons, ruleNames } from '@duet/protocol/kernel/rule-names.ts'
import { Field } from '@duet/ui/fields/field.tsx'
import { Select } from '@duet/ui/fields/select.tsx'
import { TextArea } from '@duet/ui/fields/text-area.tsx'
import { api } from '../../shared/api.ts'
import { msg, t, textOr } from '../../shared/texts.ts'
import { Choices, SubmitDecision } from '../../shared/queue/choices.tsx'
import { usePending } from '../../shared/queue/pending-decision.tsx'
import { AccusedCard } from './accused-card.tsx'
import { personName } from '../../shared/person-name.ts'

const DAY_MS = 86_400_000
/** The days of each kind of ban; null: permanently. */
const BAN_DAYS = { ban_day: 1, ban_week: 7, ban: null } as const
type Decision = 'no_violation' | 'warning' | 'penalty' | keyof typeof BAN_DAYS
const LABELS = {
  no_violation: msg('office.decision.no_violation'),
  warning: msg('office.decision.warning'),
  penalty: msg('office.decision.penalty'),
  ban_day: msg('office.decision.ban_day'),
  ban_week: msg('office.decision.ban_week'),
  ban: msg('office.decision.ban'),
} as const satisfies Record<Decision, string>
/** The sentence that is proposed for each decision. */
const COMMENTS = {
  no_violation: msg('office.comment.no_violation'),
  warning: msg('office.comment.warning'),
  penalty: msg('office.comment.penalty'),
  ban_day: msg('office.comment.ban'),
  ban_week: msg('office.comment.ban'),
  ban: msg('office.comment.ban'),
} as const satisfies Record<Decision, string>
/** The rule and the ban that a complaint of this reason is most often about. */
const PROPOSED: Readonly<Record<string, { rule: string; ban: string }>> = {
  nudity: { rule: 'nudity_public', ban: 'nudity' },
  inappropriate: { rule: 'nudity_public', ban: 'sexual_actions' },
  gift_begging: { rule: 'asking_money', ban: 'other' },
  fraud: { rule: 'asking_money', ban: 'other' },
  spam: { rule: 'contacts', ban: 'other' },
  recording: { rule: 'bots_recordings', ban: 'video_material' },
  impersonation: { rule: 'foreign_account', ban: 'foreign_account' },
  child: { rule: 'third_parties', ban: 'other' },
  threats: { rule: 'harassment', ban: 'other' },
}

/** The decision about a complaint. A ban is sent at once; everything else can be taken back for some seconds. */
export function ComplaintDecisionForm({
  shown,
  onDecided,
}: {
  shown: ComplaintCase
  onDecided: () => void
}) {
  const { id, reason: about, accused } = shown.complaint
  const proposed = PROPOSED[about] ?? { rule: 'other', ban: 'other' }
  const { decide } = usePending()
  const [decision, setDecision] = useState<Decision>()
  const [rule, setRule] = useState(proposed.rule)
  const [ban, setBan] = useState(proposed.ban)
  const [amount, setAmount] = useState('1000')
  const [comment, setComment] = useState('')
  const choices = (Object.keys(LABELS) as Decision[])
    .filter((value) => value !== 'ban' || shown.may_ban_longer)
    .filter((value) => value !== 'penalty' || accused.role === 'girl')
    .map((value) => ({ value, label: t(LABELS[value]) }))
  const choose = (value: Decision) => {
    setDecision(value)
    setComment(t(COMMENTS[value]))
  }
  const submit = () => {
    if (!decision) return
    const days = decision in BAN_DAYS ? BAN_DAYS[decision as keyof typeof BAN_DAYS] : undefined
    const send = () =>
      api.post('v2/manager/complaints/{id}/decide', {
        id,
        comment: comment.trim(),
        ...(days === undefined
          ? {
              decision: decision as 'warning',
              ...(decision !== 'no_violation' && { reason: rule }),
              ...(decision === 'penalty' && { amount }),
            }
          : {
              decision: 'ban' as const,
              reason: ban,
              until: days === null ? null : new Date(Date.now() + days * DAY_MS).toISOString(),
            }),
      })
    decide(
      { id: String(id), says: t(LABELS[decision]), send },
      days === undefined ? 'later' : 'now',
    )
    onDecided()
  }
  const isBan = decision !== undefined && decision in BAN_DAYS
  const reasons = isBan ? banReasons : ruleNames
  return (
    <aside className="flex w-full shrink-0 flex-col gap-4 border-s border-hair p-4 lg:w-[332px] lg:overflow-y-auto">
      <AccusedCard shown={shown} />
      <Choices
        label={t('office.decide.title')}
        choices={choices}
        value={decision}
        onChange={choose}
      />
      {decision !== undefined && decision !== 'no_violation' && (
        <Select
          label={t('office.decide.reason')}
          options={reasons.map((value) => ({
            value: value as string,
            label: textOr(`office.reason.${value}`, value),
          }))}
          value={isBan ? ban : rule}
          onChange={isBan ? setBan : setRule}
        />
      )}
      {decision === 'penalty' && (
        <Field
          label={t('office.decide.coins')}
          inputMode="numeric"
          required
          maxLength={8}
          value={amount}
          onChange={(event) => setAmount(event.target.value.replaceAll(/\D/g, ''))}
        />
      )}
      <TextArea
        label={
          decision === 'no_violation' || decision === undefined
            ? t('office.decide.note')
            : t('office.decide.reads', { name: personName(accused) })
        }
        rows={5}
        maxLength={2000}
        value={comment}
        onChange={(event) => setComment(event.target.value)}
      />
      <SubmitDecision
        label={decision ? t(LABELS[decision]) : t('office.decide.choose')}
        disabled={decision === undefined || comment.trim() === ''}
        onPress={submit}
      />
    </aside>
  )
}
