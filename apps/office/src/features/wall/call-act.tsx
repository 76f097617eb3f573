import { useRef } from 'react'
import type { WallCall } from '@duet/protocol'
import { ruleNames } from '@duet/protocol/kernel/rule-names.ts'
import { Segment } from '@duet/ui/controls/segment.tsx'
import { Field } from '@duet/ui/fields/field.tsx'
import { Select } from '@duet/ui/fields/select.tsx'
import { api } from '../../shared/api.ts'
import { useKeys } from '../../shared/keys/use-keys.ts'
import { Choices, SubmitDecision } from '../../shared/queue/choices.tsx'
import { useDraft, usePending } from '../../shared/queue/pending-decision.tsx'
import { useStaff } from '../../shared/session.tsx'
import { msg, t, textOr } from '../../shared/texts.ts'
import { ReplyField } from '../../shared/translation/reply-field.tsx'
import { useReply } from '../../shared/translation/use-reply.ts'
import { personName } from '../../shared/person-name.ts'

/** The acts in the order of their number keys; `key`: the letter; `days`: of a ban, null without an end. */
const ACTS = {
  warn: { key: 'n', says: msg('office.wall.warn'), comment: msg('office.comment.warning') },
  end: { key: 'e', says: msg('office.facts.end_call'), comment: msg('office.wall.end_comment') },
  penalty: {
    key: 'p',
    says: msg('office.decision.penalty'),
    comment: msg('office.comment.penalty'),
  },
  ban_day: { key: 'b', says: msg('office.decision.ban_day'), comment: msg('office.comment.ban') },
  ban_week: { says: msg('office.decision.ban_week'), comment: msg('office.comment.ban') },
  ban: { says: msg('office.decision.ban'), comment: msg('office.comment.ban') },
} as const
type ActName = keyof typeof ACTS
/** These can be taken back for some seconds; the others are sent at once. */
const LATER: readonly ActName[] = ['warn', 'penalty']

interface ActForm {
  side: 'girl' | 'guy'
  act?: ActName | undefined
  rule: (typeof ruleNames)[number]
  amount: string
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
  const { role } = useStaff()
  const [form, change] = useDraft<ActForm>(String(session_id), {
    side: 'girl',
    rule: 'nudity_public',
    amount: '1000',
    comment: '',
  })
  const { side, rule, amount } = form
  const key = useRef(crypto.randomUUID())
  const person = side === 'girl' ? girl : guy
  const reply = useReply(person.locale, form.comment)
  const offered = (Object.keys(ACTS) as ActName[])
    .filter((value) => value !== 'end' || !isOver)
    .filter((value) => value !== 'penalty' || side === 'girl')
    .filter((value) => value !== 'ban' || role !== 'moderator')
  const act = offered.find((value) => value === form.act)
  // The text of an act is in the language of this person.
  const turnTo = (other: 'girl' | 'guy') => change({ side: other, act: undefined })
  const choose = (value: ActName) => {
    change({ act: value })
    reply.propose(t(ACTS[value].comment))
  }
  const letters = offered.flatMap((value) =>
    'key' in ACTS[value] ? [[ACTS[value].key, () => choose(value)] as const] : [],
  )
  useKeys(
    Object.fromEntries([
      ...letters,
      ['x', () => turnTo(side === 'girl' ? 'guy' : 'girl')] as const,
    ]),
  )
  const submit = () => {
    if (!act) return
    const draft = { ...form, comment: reply.text }
    const send = () => sendAct(call, act, draft, key.current)
    decide(
      { id: String(session_id), says: t(ACTS[act].says), draft, send },
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
      <Choices
        label={t('office.decide.title')}
        choices={offered.map((value) => ({ value, label: t(ACTS[value].says) }))}
        value={act}
        onChange={choose}
      />
      {act && (
        <>
          <Select
            label={t('office.decide.reason')}
            options={ruleNames.map((value) => ({
              value,
              label: textOr(`office.reason.${value}`, value),
            }))}
            value={rule}
            onChange={(value) => change({ rule: value })}
          />
          {act === 'penalty' && (
            <Field
              label={t('office.decide.coins')}
              inputMode="numeric"
              required
              maxLength={8}
              value={amount}
              onChange={(event) => change({ amount: event.target.value.replaceAll(/\D/g, '') })}
            />
          )}
          <ReplyField
            label={t('office.decide.reads', { name: personName(person) })}
            reply={reply}
            rows={4}
          />
        </>
      )}
      <SubmitDecision
        label={act ? t(ACTS[act].says) : t('office.decide.choose')}
        disabled={!act || reply.text.trim() === '' || reply.isTranslating}
        onPress={submit}
      />
    </>
  )
}

/** A ban names its own kind of reason. */
const BAN_OF_RULE: Readonly<Record<string, string>> = {
  nudity_public: 'nudity',
  multiple_accounts: 'multiple_accounts',
  foreign_account: 'foreign_account',
  bots_recordings: 'video_material',
  ignoring: 'no_attention',
  absence: 'absence',
}

function sendAct(call: WallCall, act: ActName, form: ActForm, key: string): Promise<unknown> {
  const { session_id, is_private } = call
  const { rule, amount } = form
  const common = { user_id: call[form.side].id, comment: form.comment.trim() }
  const keyed = { idempotency_key: key }
  if (act === 'warn' || act === 'end')
    return api.post(`v2/manager/wall/{id}/${act}`, { id: session_id, rule, ...common }, keyed)
  if (act === 'penalty') {
    const place = is_private ? 'private_call' : 'public_call'
    const given = { reason: rule, place, amount, session_id, ...common } as const
    return api.post('v2/manager/penalty/impose', given, keyed)
  }
  const length = { ban_day: { hours: 24 }, ban_week: { hours: 24 * 7 }, ban: { until: null } }[act]
  const reason = (BAN_OF_RULE[rule] ?? 'other') as 'other'
  return api.post('v2/manager/ban/impose', { reason, ...length, ...common })
}
