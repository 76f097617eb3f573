import { useState } from 'react'
import type { MaskedCase } from '@duet/protocol'
import { Field } from '@duet/ui/fields/field.tsx'
import { TextArea } from '@duet/ui/fields/text-area.tsx'
import { api } from '../../shared/api.ts'
import { Choices, SubmitDecision } from '../../shared/queue/choices.tsx'
import { usePending } from '../../shared/queue/pending-decision.tsx'
import { useStaff } from '../../shared/session.tsx'
import { msg, t } from '../../shared/texts.ts'
import { personName } from '../../shared/person-name.ts'

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
type MaskedChoice = keyof typeof DECISIONS
const COMMENTS = {
  no_violation: msg('office.comment.no_violation'),
  warning: msg('office.comment.warning'),
  penalty: msg('office.comment.penalty'),
} as const

/** The decision about the texts of one look. The rule is always the one about contacts. */
export function MaskedDecision({ shown, onDecided }: { shown: MaskedCase; onDecided: () => void }) {
  const { role } = useStaff()
  const { decide } = usePending()
  const [choice, setChoice] = useState<MaskedChoice>()
  const [amount, setAmount] = useState('1000')
  const [comment, setComment] = useState('')
  const { user, view_id } = shown
  const choices = (Object.keys(DECISIONS) as MaskedChoice[])
    .filter((value) => value !== 'ban' || role !== 'moderator')
    .filter((value) => value !== 'penalty' || user.role === 'girl')
    .map((value) => ({ value, label: t(DECISIONS[value].says) }))
  const choose = (value: MaskedChoice) => {
    setChoice(value)
    const isBan = 'days' in DECISIONS[value]
    setComment(t(isBan ? msg('office.comment.ban') : COMMENTS[value as keyof typeof COMMENTS]))
  }
  const submit = () => {
    if (!choice) return
    const given = DECISIONS[choice]
    const isBan = 'days' in given
    const send = () =>
      api.post('v2/manager/masked/{id}/decide', {
        id: user.id,
        view_id,
        comment: comment.trim(),
        ...('days' in given
          ? {
              decision: 'ban' as const,
              reason: 'other',
              until:
                given.days === null
                  ? null
                  : new Date(Date.now() + given.days * DAY_MS).toISOString(),
            }
          : {
              decision: choice as 'warning',
              ...(choice !== 'no_violation' && { reason: 'contacts' }),
              ...(choice === 'penalty' && { amount }),
            }),
      })
    decide({ id: String(user.id), says: t(given.says), send }, isBan ? 'now' : 'later')
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
        disabled={choice === undefined || comment.trim() === '' || shown.texts.length === 0}
        onPress={submit}
      />
    </aside>
  )
}
