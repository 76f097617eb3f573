import { useState } from 'react'
import type { Body, MaskedCase } from '@duet/protocol'
import { Field } from '@duet/ui/fields/field.tsx'
import { TextArea } from '@duet/ui/fields/text-area.tsx'
import { Choices, SubmitDecision } from './choices.tsx'
import { usePending } from './pending-decision.tsx'
import { useStaff } from '../session.tsx'
import { msg, t } from '../texts.ts'
import { personName } from '../person-name.ts'

const DAY_MS = 86_400_000
/** The choices in the order of their keys; `days`: of a ban, null without an end. */
const DECISIONS = {
  no_violation: { says: msg('office.decision.no_violation') },
  warning: { says: msg('office.decision.warning') },
  penalty: { says: msg('office.decision.penalty') },
  ban_day: { says: msg('office.decision.ban_day'), days: 1 },
  ban_week: { says: msg('office.decision.ban_week'), days: 7 },
  ban: { says: msg('office.decision.ban'), days: null },
} as const
type Choice = keyof typeof DECISIONS
const COMMENTS = {
  no_violation: msg('office.comment.no_violation'),
  warning: msg('office.comment.warning'),
  penalty: msg('office.comment.penalty'),
} as const

/** The decision as it is sent by every queue whose cases are users. */
export type GivenDecision = Omit<Body<'POST v2/manager/masked/{id}/decide'>, 'view_id'>

interface UserDecisionProps {
  user: MaskedCase['user']
  /** The broken rule of a warning or penalty, and the reason of a ban. */
  reasons: { readonly rule: string; readonly ban: string }
  disabled: boolean
  send: (given: GivenDecision) => Promise<unknown>
  onDecided: () => void
}

/** The decision about a user whose case is open. */
export function UserDecision({ user, reasons, disabled, send, onDecided }: UserDecisionProps) {
  const { role } = useStaff()
  const { decide } = usePending()
  const [choice, setChoice] = useState<Choice>()
  const [amount, setAmount] = useState('1000')
  const [comment, setComment] = useState('')
  const choices = (Object.keys(DECISIONS) as Choice[])
    .filter((value) => value !== 'ban' || role !== 'moderator')
    .filter((value) => value !== 'penalty' || user.role === 'girl')
    .map((value) => ({ value, label: t(DECISIONS[value].says) }))
  const choose = (value: Choice) => {
    setChoice(value)
    const isBan = 'days' in DECISIONS[value]
    setComment(t(isBan ? msg('office.comment.ban') : COMMENTS[value as keyof typeof COMMENTS]))
  }
  const submit = () => {
    if (!choice) return
    const given = DECISIONS[choice]
    const isBan = 'days' in given
    const body: GivenDecision = {
      comment: comment.trim(),
      ...('days' in given
        ? {
            decision: 'ban' as const,
            reason: reasons.ban,
            until:
              given.days === null ? null : new Date(Date.now() + given.days * DAY_MS).toISOString(),
          }
        : {
            decision: choice as 'warning',
            ...(choice !== 'no_violation' && { reason: reasons.rule }),
            ...(choice === 'penalty' && { amount }),
          }),
    }
    decide(
      { id: String(user.id), says: t(given.says), send: () => send(body) },
      isBan ? 'now' : 'later',
    )
    onDecided()
  }
  const name = personName(user)
  return (
    <aside className="flex w-full shrink-0 flex-col gap-4 border-s border-hair p-4 lg:w-[332px] lg:overflow-y-auto">
      <Choices
        label={t('office.decide.title')}
        choices={choices}
        value={choice}
        onChange={choose}
      />
      {choice === 'penalty' && (
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
          choice === undefined || choice === 'no_violation'
            ? t('office.decide.note')
            : t('office.decide.reads', { name })
        }
        rows={5}
        maxLength={2000}
        value={comment}
        onChange={(event) => setComment(event.target.value)}
      />
      <SubmitDecision
        label={choice ? t(DECISIONS[choice].says) : t('office.decide.choose')}
        disabled={choice === undefined || comment.trim() === '' || disabled}
        onPress={submit}
      />
    </aside>
  )
}
