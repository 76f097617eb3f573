import type { ReactNode } from 'react'
import type { Body, DeskPerson } from '@duet/protocol'
import { banReasons, ruleNames } from '@duet/protocol/kernel/rule-names.ts'
import { Field } from '@duet/ui/fields/field.tsx'
import { Select } from '@duet/ui/fields/select.tsx'
import { personName } from '../person-name.ts'
import { useStaff } from '../session.tsx'
import { msg, t, textOr } from '../texts.ts'
import { ReplyField } from '../translation/reply-field.tsx'
import { useReply } from '../translation/use-reply.ts'
import { Choices, SubmitDecision } from './choices.tsx'
import { useDraft, usePending } from './pending-decision.tsx'

/** The choices in the order of their keys; `days`: of a ban, null without an end. */
const DECISIONS = {
  no_violation: {
    says: msg('office.decision.no_violation'),
    comment: msg('office.comment.no_violation'),
  },
  warning: { says: msg('office.decision.warning'), comment: msg('office.comment.warning') },
  penalty: { says: msg('office.decision.penalty'), comment: msg('office.comment.penalty') },
  ban_day: { says: msg('office.decision.ban_day'), comment: msg('office.comment.ban'), days: 1 },
  ban_week: { says: msg('office.decision.ban_week'), comment: msg('office.comment.ban'), days: 7 },
  ban: { says: msg('office.decision.ban'), comment: msg('office.comment.ban'), days: null },
} as const
type Choice = keyof typeof DECISIONS

/** The decision as it is sent by every queue whose cases are about a user. */
export type GivenDecision = Omit<Body<'POST v2/manager/masked/{id}/decide'>, 'view_id'>

interface UserDecisionProps {
  caseId: string
  user: DeskPerson
  /** The rule and the reason of a ban that are proposed. */
  reasons: { readonly rule: string; readonly ban: string }
  disabled?: boolean
  send: (given: GivenDecision) => Promise<unknown>
  onDecided: () => void
  /** Stands above the decision. */
  children?: ReactNode
}

/** The decision about a user whose case is open. A ban is sent at once; everything else can be taken back for some seconds. */
export function UserDecision(props: UserDecisionProps) {
  const { caseId, user, reasons, disabled = false, send, onDecided, children } = props
  const { role } = useStaff()
  const { decide } = usePending()
  const [form, change] = useDraft(caseId, emptyForm(reasons))
  const { choice, rule, ban, amount } = form
  // The note of a case without a violation is read by staff only.
  const reply = useReply(choice === 'no_violation' ? null : user.locale, form.comment)
  const choices = (Object.keys(DECISIONS) as Choice[])
    .filter((value) => value !== 'ban' || role !== 'moderator')
    .filter((value) => value !== 'penalty' || user.role === 'girl')
    .map((value) => ({ value, label: t(DECISIONS[value].says) }))
  const choose = (value: Choice) => {
    change({ choice: value })
    const comment = t(DECISIONS[value].comment)
    if (value === 'no_violation') reply.change(comment)
    else reply.propose(comment)
  }
  const isBan = choice !== undefined && 'days' in DECISIONS[choice]
  const submit = () => {
    if (!choice) return
    const draft = { ...form, choice, comment: reply.text }
    const body = given(draft)
    const says = t(DECISIONS[choice].says)
    decide({ id: caseId, says, draft, send: () => send(body) }, isBan ? 'now' : 'later')
    onDecided()
  }
  return (
    <aside className="flex w-full shrink-0 flex-col gap-4 border-s border-hair p-4 lg:w-[332px] lg:overflow-y-auto">
      {children}
      <Choices
        label={t('office.decide.title')}
        choices={choices}
        value={choice}
        onChange={choose}
      />
      {choice !== undefined && choice !== 'no_violation' && (
        <Select
          label={t('office.decide.reason')}
          options={(isBan ? banReasons : ruleNames).map((value) => ({
            value: value as string,
            label: textOr(`office.reason.${value}`, value),
          }))}
          value={isBan ? ban : rule}
          onChange={(value) => change(isBan ? { ban: value } : { rule: value })}
        />
      )}
      {choice === 'penalty' && (
        <Field
          label={t('office.decide.coins')}
          inputMode="numeric"
          required
          maxLength={8}
          value={amount}
          onChange={(event) => change({ amount: event.target.value.replaceAll(/\D/g, '') })}
        />
      )}
      <ReplyField label={readerLabel(choice, user)} reply={reply} />
      <SubmitDecision
        label={choice ? t(DECISIONS[choice].says) : t('office.decide.choose')}
        disabled={
          choice === undefined || reply.text.trim() === '' || reply.isTranslating || disabled
        }
        onPress={submit}
      />
    </aside>
  )
}

function readerLabel(choice: Choice | undefined, user: DeskPerson): string {
  if (choice === undefined || choice === 'no_violation') return t('office.decide.note')
  return t('office.decide.reads', { name: personName(user) })
}

interface FormValues {
  readonly choice: Choice | undefined
  readonly rule: string
  readonly ban: string
  readonly amount: string
  readonly comment: string
}

function emptyForm({ rule, ban }: UserDecisionProps['reasons']): FormValues {
  return { choice: undefined, rule, ban, amount: '1000', comment: '' }
}

function given(form: FormValues & { readonly choice: Choice }): GivenDecision {
  const { choice, rule, ban, amount } = form
  const comment = form.comment.trim()
  const decision = DECISIONS[choice]
  if ('days' in decision) {
    const { days } = decision
    const length = days === null ? { until: null } : { hours: 24 * days }
    return { comment, decision: 'ban', reason: ban, ...length }
  }
  if (choice === 'no_violation') return { comment, decision: choice }
  if (choice === 'penalty') return { comment, decision: choice, reason: rule, amount }
  return { comment, decision: 'warning', reason: rule }
}
