import type { Answer } from '@duet/protocol'
import type { DeskCheck } from '@duet/protocol/contracts/verification-desk.ts'
import {
  askAgainReasons,
  type CheckPoint,
  checkPoints,
} from '@duet/protocol/kernel/identity-checks.ts'
import { type DeclineReason, declineReasons } from '@duet/protocol/kernel/rule-names.ts'
import { CheckboxRow } from '@duet/ui/fields/checkbox-row.tsx'
import { DateField } from '@duet/ui/fields/date-field.tsx'
import { api } from '../../shared/api.ts'
import { useKeys } from '../../shared/keys/use-keys.ts'
import { personName } from '../../shared/person-name.ts'
import { useProof } from '../../shared/prove/prove.tsx'
import { Choices, SubmitDecision } from '../../shared/queue/choices.tsx'
import { useDraft, usePending } from '../../shared/queue/pending-decision.tsx'
import { ChildCase } from '../../shared/sanctions/child-case.tsx'
import { t, textOr } from '../../shared/texts.ts'
import { ReplyField } from '../../shared/translation/reply-field.tsx'
import { useReply } from '../../shared/translation/use-reply.ts'
import { gestureText, reasonName } from './check-texts.ts'

export type CheckCase = Answer<'GET v2/manager/verifications/{id}'>

interface CheckForm {
  choice?: 'approve' | DeclineReason
  expires: string
  checked: readonly CheckPoint[]
  again: boolean
  comment: string
}

const EMPTY: CheckForm = { expires: '', checked: [], again: false, comment: '' }

const canMend = (reason: DeclineReason) => (askAgainReasons as readonly string[]).includes(reason)

/** The decision about an identity: verified with a list of what was checked, declined, or asked for better documents. */
export function CheckDecision(props: { item: DeskCheck; data: CheckCase; onDecided: () => void }) {
  const { item, data, onDecided } = props
  const proof = useProof()
  const { decide } = usePending()
  const [draft, change] = useDraft<CheckForm>(String(item.id), EMPTY)
  const reply = useReply(item.user.locale, draft.comment)
  const { choice, again } = draft
  const comment = reply.text.trim()
  const points = checkPoints.filter((point) => point !== 'gesture' || data.gesture !== null)
  const press = pressText(draft)
  const submit = () => {
    if (!choice) return
    const given =
      choice === 'approve'
        ? { verified: true, expires: draft.expires, checked: [...draft.checked] }
        : { verified: false, reason: choice, again, comment: comment || undefined }
    const send = () =>
      proof.with(() => api.post('v2/manager/verifications/{id}/decide', { id: item.id, ...given }))
    const kept = { ...draft, comment: reply.text }
    decide({ id: String(item.id), says: press, draft: kept, send }, 'later')
    onDecided()
  }
  return (
    <aside className="flex w-full shrink-0 flex-col gap-4 border-s border-hair p-4 lg:w-[332px] lg:overflow-y-auto">
      <ChildCase person={item.user} />
      <Choices
        label={t('office.decide.title')}
        choices={[
          { value: 'approve' as const, label: t('office.check.approve') },
          ...declineReasons.map((value) => ({
            value,
            label: t('office.check.decline', { reason: reasonName(value) }),
          })),
        ]}
        value={choice}
        onChange={(value) =>
          change({ choice: value, again: value !== 'approve' && canMend(value) })
        }
      />
      {choice === 'approve' && (
        <Checklist data={data} points={points} draft={draft} onChange={change} />
      )}
      {choice && choice !== 'approve' && (
        <>
          {canMend(choice) && <AskAgain isOn={again} onChange={(on) => change({ again: on })} />}
          <ReplyField
            label={t('office.decide.reads', { name: personName(item.user) })}
            reply={reply}
            rows={3}
          />
          {isUnsaid(draft, comment) && (
            <p className="text-text-2">{t('office.check.comment_needed')}</p>
          )}
        </>
      )}
      <SubmitDecision
        label={press}
        disabled={!isReady(draft, points, comment) || reply.isTranslating}
        onPress={submit}
      />
    </aside>
  )
}

function pressText({ choice, again }: CheckForm): string {
  if (!choice) return t('office.decide.choose')
  if (choice === 'approve') return t('office.check.approve')
  return t(again ? 'office.check.ask' : 'office.check.decline', { reason: reasonName(choice) })
}

/** The user would be asked again without a word about what to send. */
function isUnsaid({ choice, again }: CheckForm, comment: string): boolean {
  return again && choice === 'other' && comment === ''
}

function isReady(draft: CheckForm, points: readonly CheckPoint[], comment: string): boolean {
  const { choice, expires, checked } = draft
  if (choice === 'approve')
    return expires !== '' && points.every((point) => checked.includes(point))
  return choice !== undefined && !isUnsaid(draft, comment)
}

interface ChecklistProps {
  data: CheckCase
  points: readonly CheckPoint[]
  draft: CheckForm
  onChange: (part: Partial<CheckForm>) => void
}

function Checklist({ data, points, draft, onChange }: ChecklistProps) {
  const { checked, expires } = draft
  const named = {
    birthday: data.birthday ?? '–',
    gesture: data.gesture === null ? '' : gestureText(data.gesture),
  }
  const set = (point: CheckPoint, on: boolean) =>
    onChange({ checked: points.filter((one) => (one === point ? on : checked.includes(one))) })
  return (
    <>
      <fieldset className="flex flex-col">
        <legend className="pb-1 font-medium">{t('office.check.points')}</legend>
        {points.map((point) => (
          <CheckboxRow
            key={point}
            bare
            checked={checked.includes(point)}
            onChange={(on) => set(point, on)}
          >
            {textOr(`office.check.point.${point}`, point, named)}
          </CheckboxRow>
        ))}
      </fieldset>
      <DateField
        label={t('office.check.expires')}
        required
        value={expires}
        onChange={(day) => onChange({ expires: day })}
      />
    </>
  )
}

function AskAgain({ isOn, onChange }: { isOn: boolean; onChange: (on: boolean) => void }) {
  useKeys({ a: () => onChange(!isOn) })
  return (
    <CheckboxRow bare checked={isOn} onChange={onChange} help={t('office.check.again_key')}>
      {t('office.check.again')}
    </CheckboxRow>
  )
}
