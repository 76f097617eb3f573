import { useRef, useState } from 'react'
import type { WallCall } from '@duet/protocol'
import { ruleNames } from '@duet/protocol/kernel/rule-names.ts'
import { Segment } from '@duet/ui/controls/segment.tsx'
import { Select } from '@duet/ui/fields/select.tsx'
import { api } from '../../shared/api.ts'
import { useKeys } from '../../shared/keys/use-keys.ts'
import { Choices, SubmitDecision } from '../../shared/queue/choices.tsx'
import { usePending } from '../../shared/queue/pending-decision.tsx'
import { msg, t, textOr } from '../../shared/texts.ts'
import { ReplyField } from '../../shared/translation/reply-field.tsx'
import { useReply } from '../../shared/translation/use-reply.ts'
import { personName } from '../../shared/person-name.ts'

const ACTS = {
  warn: msg('office.wall.warn'),
  end: msg('office.facts.end_call'),
  ban_day: msg('office.decision.ban_day'),
  ban_week: msg('office.decision.ban_week'),
} as const
type ActName = keyof typeof ACTS
const COMMENTS: Readonly<Record<ActName, Parameters<typeof t>[0]>> = {
  warn: msg('office.comment.warning'),
  end: msg('office.wall.end_comment'),
  ban_day: msg('office.comment.ban'),
  ban_week: msg('office.comment.ban'),
}

/** The act about one of the two. A warning can be taken back for some seconds; the end and a ban are sent at once. */
export function CallAct({ call, onSent }: { call: WallCall; onSent: () => void }) {
  const { session_id: id, girl, guy } = call
  const [side, setSide] = useState<'girl' | 'guy'>('girl')
  const [act, setAct] = useState<ActName>()
  const [rule, setRule] = useState<(typeof ruleNames)[number]>('nudity_public')
  const key = useRef(crypto.randomUUID())
  const { decide } = usePending()
  const person = side === 'girl' ? girl : guy
  const reply = useReply(person.locale)
  // The text of an act is in the language of this person.
  const turnTo = (other: 'girl' | 'guy') => {
    setSide(other)
    setAct(undefined)
  }
  useKeys({ p: () => turnTo(side === 'girl' ? 'guy' : 'girl') })
  const choose = (value: ActName) => {
    setAct(value)
    reply.propose(t(COMMENTS[value]))
  }
  const submit = () => {
    if (!act) return
    const given = { id, user_id: person.id, rule, comment: reply.text.trim() }
    const keyed = { idempotency_key: key.current }
    const send = {
      warn: () => api.post('v2/manager/wall/{id}/warn', given, keyed),
      end: () => api.post('v2/manager/wall/{id}/end', given, keyed),
      ban_day: () => ban(given, 1),
      ban_week: () => ban(given, 7),
    }[act]
    decide(
      { id: `${act} ${id} ${person.id}`, says: t(ACTS[act]), send },
      act === 'warn' ? 'later' : 'now',
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
        choices={(Object.keys(ACTS) as ActName[]).map((value) => ({
          value,
          label: t(ACTS[value]),
        }))}
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
            onChange={setRule}
          />
          <ReplyField
            label={t('office.decide.reads', { name: personName(person) })}
            reply={reply}
            rows={4}
          />
        </>
      )}
      <SubmitDecision
        label={act ? t(ACTS[act]) : t('office.decide.choose')}
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

function ban(
  { user_id, rule, comment }: { user_id: number; rule: string; comment: string },
  days: number,
) {
  return api.post('v2/manager/ban/impose', {
    user_id,
    reason: (BAN_OF_RULE[rule] ?? 'other') as 'other',
    hours: 24 * days,
    comment,
  })
}
