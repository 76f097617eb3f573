import { useEffect, useRef } from 'react'
import type { WallCall } from '@duet/protocol'
import { Segment } from '@duet/ui/controls/segment.tsx'
import { api } from '../../shared/api.ts'
import { useKeys } from '../../shared/keys/use-keys.ts'
import { Choices, SubmitDecision } from '../../shared/queue/choices.tsx'
import { useDraft, usePending } from '../../shared/queue/pending-decision.tsx'
import { banLength, lengthName } from '../../shared/sanctions/ban-length.tsx'
import {
  DECISION_VALUES,
  DecisionFields,
  type DecisionValues,
} from '../../shared/sanctions/decision-fields.tsx'
import { useMayTake } from '../../shared/sanctions/penalty-amount.tsx'
import { msg, t } from '../../shared/texts.ts'
import { ReplyField } from '../../shared/translation/reply-field.tsx'
import { useReply } from '../../shared/translation/use-reply.ts'
import { ChildCase } from '../../shared/sanctions/child-case.tsx'
import { personName } from '../../shared/person-name.ts'

/** The acts with their keys; the numbers are those of every decision about a person. `letter`: another key. */
const ACTS = {
  warn: {
    key: '2',
    letter: 'n',
    says: msg('office.wall.warn'),
    comment: msg('office.comment.warning'),
  },
  penalty: {
    key: '3',
    letter: 'p',
    says: msg('office.decision.penalty'),
    comment: msg('office.comment.penalty'),
  },
  ban: {
    key: '4',
    letter: 'b',
    says: msg('office.decision.ban'),
    comment: msg('office.comment.ban'),
  },
  end: { key: 'e', says: msg('office.facts.end_call'), comment: msg('office.wall.end_comment') },
} as const
type ActName = keyof typeof ACTS
/** These can be taken back for some seconds; the others are sent at once. */
const LATER: readonly ActName[] = ['warn', 'penalty']

interface ActForm extends DecisionValues {
  side: 'girl' | 'guy'
  act?: ActName | undefined
  comment: string
}

interface CallActProps {
  call: WallCall
  /** Then the session cannot be ended; the people can still be warned. */
  isOver: boolean
  onSent: () => void
}

/** The act about one of the two. */
export function CallAct({ call, isOver, onSent }: CallActProps) {
  const { session_id, girl, guy } = call
  const { decide } = usePending()
  const mayTake = useMayTake()
  const [form, change] = useDraft<ActForm>(String(session_id), {
    ...DECISION_VALUES,
    rule: 'nudity_public',
    ban: 'nudity',
    side: 'girl',
    comment: '',
  })
  const { side, hours, amount } = form
  const key = useRef(crypto.randomUUID())
  const person = side === 'girl' ? girl : guy
  const reply = useReply(person.locale, form.comment)
  const closed = {
    penalty: side === 'girl' ? undefined : t('office.decide.women_only'),
    end: isOver ? t('office.wall.over') : undefined,
  }
  const choices = (Object.keys(ACTS) as ActName[]).map((value) => ({
    value,
    key: ACTS[value].key,
    label: t(ACTS[value].says),
    closed: closed[value as keyof typeof closed],
  }))
  const act = choices.find((one) => one.value === form.act && one.closed === undefined)?.value
  const label =
    act === 'ban'
      ? t('office.decide.ban_for', { length: lengthName(hours) })
      : act && t(ACTS[act].says)
  // A key chooses an act also while its form is below the edge: its length and its words are seen before it is sent.
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (act) end.current?.scrollIntoView({ block: 'end' })
  }, [act])
  // The text of an act is in the language of this person.
  const turnTo = (other: 'girl' | 'guy') => change({ side: other, act: undefined })
  const choose = (value: ActName) => {
    // The chosen one again would take the written text away.
    if (value === form.act) return
    change({ act: value })
    reply.propose(t(ACTS[value].comment))
  }
  const letters = choices.flatMap(({ value, closed: why }) => {
    const one = ACTS[value]
    return 'letter' in one && why === undefined ? [[one.letter, () => choose(value)] as const] : []
  })
  useKeys(
    Object.fromEntries([
      ...letters,
      ['x', () => turnTo(side === 'girl' ? 'guy' : 'girl')] as const,
    ]),
  )
  const submit = () => {
    if (!act || !label) return
    const draft = { ...form, comment: reply.text }
    const send = () => sendAct(call, act, draft, key.current)
    decide(
      { id: String(session_id), says: label, draft, send },
      LATER.includes(act) ? 'later' : 'now',
    )
    onSent()
  }
  return (
    <>
      <Segment
        wide
        size={34}
        label={t('office.wall.person')}
        options={[
          { value: 'girl', label: <bdi>{personName(girl)}</bdi> },
          { value: 'guy', label: <bdi>{personName(guy)}</bdi> },
        ]}
        value={side}
        onChange={turnTo}
      />
      <ChildCase key={person.id} person={person} />
      <Choices label={t('office.decide.title')} choices={choices} value={act} onChange={choose} />
      {act && (
        <>
          <DecisionFields isOnPage act={act} values={form} onChange={change} />
          <ReplyField
            label={t('office.decide.reads', { name: personName(person) })}
            reply={reply}
            rows={4}
          />
        </>
      )}
      <div ref={end}>
        <SubmitDecision
          label={label ?? t('office.decide.choose')}
          disabled={
            !act ||
            reply.text.trim() === '' ||
            reply.isTranslating ||
            (act === 'penalty' && !mayTake(amount))
          }
          onPress={submit}
        />
      </div>
    </>
  )
}

function sendAct(call: WallCall, act: ActName, form: ActForm, key: string): Promise<unknown> {
  const { session_id, is_private } = call
  const { rule, ban, amount } = form
  const common = { user_id: call[form.side].id, comment: form.comment.trim() }
  const keyed = { idempotency_key: key }
  if (act === 'warn' || act === 'end')
    return api.post(`v2/manager/wall/{id}/${act}`, { id: session_id, rule, ...common }, keyed)
  if (act === 'penalty') {
    const place = is_private ? 'private_call' : 'public_call'
    const given = { reason: rule, place, amount, session_id, ...common } as const
    return api.post('v2/manager/penalty/impose', given, keyed)
  }
  const given = { reason: ban, ...banLength(form.hours), session_id, ...common }
  return api.post('v2/manager/ban/impose', given, keyed)
}
