import type { ReactNode } from 'react'
import type { Body, DeskPerson } from '@duet/protocol'
import { ChildCase } from '../sanctions/child-case.tsx'
import { personName } from '../person-name.ts'
import { banLength, lengthName } from '../sanctions/ban-length.tsx'
import {
  DECISION_VALUES,
  DecisionFields,
  type DecisionReasons,
  type DecisionValues,
} from '../sanctions/decision-fields.tsx'
import { useMayTake } from '../sanctions/penalty-amount.tsx'
import { msg, t } from '../texts.ts'
import { ReplyField } from '../translation/reply-field.tsx'
import { useReply } from '../translation/use-reply.ts'
import { Choices, SubmitDecision } from './choices.tsx'
import { useDraft, usePending } from './pending-decision.tsx'
import { type RemovalKind, RemovalRow, withRemoval } from './removal-row.tsx'

/** The choices in the order of their keys, which is the same for every person and every role. */
const DECISIONS = {
  no_violation: {
    says: msg('office.decision.no_violation'),
    comment: msg('office.comment.no_violation'),
  },
  warning: { says: msg('office.decision.warning'), comment: msg('office.comment.warning') },
  penalty: { says: msg('office.decision.penalty'), comment: msg('office.comment.penalty') },
  ban: { says: msg('office.decision.ban'), comment: msg('office.comment.ban') },
  pass: { says: msg('office.pass.press'), comment: undefined },
} as const
type Choice = keyof typeof DECISIONS

/** The decision as it is sent by every queue whose cases are about a user. */
export type GivenDecision = Omit<Body<'POST v2/manager/masked/{id}/decide'>, 'view_id'>

interface UserDecisionProps {
  caseId: string
  user: DeskPerson
  /** Those that are proposed. */
  reasons: DecisionReasons
  disabled?: boolean
  /** `remove`: what was reported is removed, too. */
  send: (given: GivenDecision, remove: boolean) => Promise<unknown>
  /** The reported picture or message, which an act can remove. `isProposed`: that is chosen from the start. */
  removal?: { readonly kind: RemovalKind; readonly isProposed: boolean } | undefined
  /** Leaves the case to a manager, where its queue can. `closed`: why not now. */
  pass?: { readonly closed?: string | undefined; readonly send: (note: string) => Promise<unknown> }
  onDecided: () => void
  /** Stands above the decision. */
  children?: ReactNode
}

/**
 * The decision about a user whose case is open. A ban and a passed case are sent at once; everything else can be taken back
 * for some seconds.
 */
export function UserDecision(props: UserDecisionProps) {
  const {
    caseId,
    user,
    reasons,
    removal,
    disabled = false,
    send,
    pass,
    onDecided,
    children,
  } = props
  const { decide } = usePending()
  const mayTake = useMayTake()
  const [form, change] = useDraft(caseId, emptyForm(reasons, removal))
  const { choice, hours, amount } = form
  // A note is read by staff only.
  const isNote = choice === 'no_violation' || choice === 'pass'
  const reply = useReply(isNote ? null : user.locale, form.comment)
  const choose = (value: Choice) => {
    // The chosen one again would take the written text away.
    if (value === choice) return
    change({ choice: value })
    const { comment } = DECISIONS[value]
    if (value === 'no_violation' || !comment) reply.change(comment ? t(comment) : '')
    else reply.propose(t(comment))
  }
  const isRemoved = isRemoving(form, removal)
  const label = choice && decisionLabel(choice, hours, isRemoved)
  const submit = () => {
    if (!choice || !label) return
    const draft = { ...form, choice, comment: reply.text }
    const sendIt =
      choice === 'pass'
        ? () => pass!.send(reply.text.trim())
        : () => send(given(draft, choice), isRemoved)
    const when = choice === 'ban' || choice === 'pass' ? 'now' : 'later'
    decide({ id: caseId, says: label, draft, send: sendIt }, when)
    onDecided()
  }
  const isReady = reply.text.trim() !== '' && !reply.isTranslating && !disabled
  return (
    <aside className="flex w-full shrink-0 flex-col gap-4 border-s border-hair p-4 lg:w-[332px] lg:overflow-y-auto">
      {children}
      {/* A complaint, which may be passed, becomes a case about a minor itself. */}
      {!pass && <ChildCase person={user} />}
      <Choices
        label={t('office.decide.title')}
        choices={choicesFor(user, pass)}
        value={choice}
        onChange={choose}
      />
      {choice !== undefined && !isNote && (
        <>
          <DecisionFields isOnPage act={choice} values={form} onChange={change} />
          {removal && (
            <RemovalRow
              kind={removal.kind}
              isOn={form.remove}
              onChange={(isOn) => change({ remove: isOn })}
            />
          )}
        </>
      )}
      <ReplyField
        key={String(choice === 'pass')}
        isFirst={choice === 'pass'}
        label={readerLabel(choice, user)}
        reply={reply}
      />
      <SubmitDecision
        label={label ?? t('office.decide.choose')}
        disabled={!choice || !isReady || (choice === 'penalty' && !mayTake(amount))}
        onPress={submit}
      />
    </aside>
  )
}

function choicesFor({ role }: DeskPerson, pass: UserDecisionProps['pass']) {
  const closed: Partial<Record<Choice, string | undefined>> = {
    penalty: role === 'girl' ? undefined : t('office.decide.women_only'),
    pass: pass?.closed,
  }
  return (Object.keys(DECISIONS) as Choice[])
    .filter((value) => value !== 'pass' || pass)
    .map((value) => ({ value, label: t(DECISIONS[value].says), closed: closed[value] }))
}

/** Nothing is removed where no rule was broken, and where another decides. */
function isRemoving({ choice, remove }: FormValues, removal: UserDecisionProps['removal']) {
  const isAct = choice !== undefined && choice !== 'no_violation' && choice !== 'pass'
  return removal !== undefined && isAct && remove
}

function decisionLabel(choice: Choice, hours: string, isRemoved: boolean): string {
  const name =
    choice === 'ban'
      ? t('office.decide.ban_for', { length: lengthName(hours) })
      : t(DECISIONS[choice].says)
  return isRemoved ? withRemoval(name) : name
}

function readerLabel(choice: Choice | undefined, user: DeskPerson): string {
  if (choice === 'pass') return t('office.pass.note')
  if (choice === undefined || choice === 'no_violation') return t('office.decide.note')
  return t('office.decide.reads', { name: personName(user) })
}

interface FormValues extends DecisionValues {
  readonly choice: Choice | undefined
  readonly remove: boolean
  readonly comment: string
}

function emptyForm(
  reasons: UserDecisionProps['reasons'],
  removal: UserDecisionProps['removal'],
): FormValues {
  const remove = removal?.isProposed === true
  return { ...DECISION_VALUES, ...reasons, choice: undefined, remove, comment: '' }
}

function given(form: FormValues, choice: Exclude<Choice, 'pass'>): GivenDecision {
  const { rule, ban, hours, amount } = form
  const comment = form.comment.trim()
  if (choice === 'ban') return { comment, decision: choice, reason: ban, ...banLength(hours) }
  if (choice === 'no_violation') return { comment, decision: choice }
  if (choice === 'penalty') return { comment, decision: choice, reason: rule, amount }
  return { comment, decision: choice, reason: rule }
}
