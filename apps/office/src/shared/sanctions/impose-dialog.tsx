import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { penaltyPlaces, removableTexts } from '@duet/protocol/kernel/rule-names.ts'
import type { Locale } from '@duet/protocol/kernel/locales.ts'
import { parseId } from '@duet/protocol/kernel/parse-id.ts'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { Button } from '@duet/ui/controls/button.tsx'
import { cx } from '@duet/ui/class-names.ts'
import { Field } from '@duet/ui/fields/field.tsx'
import { fieldBox } from '@duet/ui/fields/field-frame.tsx'
import { Select } from '@duet/ui/fields/select.tsx'
import { Dialog } from '@duet/ui/overlays/dialog.tsx'
import { api, errorSentence } from '../api.ts'
import { useDraft, usePending } from '../queue/pending-decision.tsx'
import { msg, t, textOr } from '../texts.ts'
import { ReplyField } from '../translation/reply-field.tsx'
import { usePersonLocale } from '../translation/use-person-locale.ts'
import { useReply } from '../translation/use-reply.ts'
import './sanction-texts.ts'
import { banLength } from './ban-length.tsx'
import { DECISION_VALUES, DecisionFields, type DecisionValues } from './decision-fields.tsx'
import { useMayTake } from './penalty-amount.tsx'

const BUTTONS = {
  ban: msg('office.sanctions.ban'),
  penalty: msg('office.sanctions.penalise'),
  warning: msg('office.sanctions.warn'),
  text: msg('office.sanctions.remove_text'),
  gifts: msg('office.sanctions.forbid_gifts'),
}

const named = (values: readonly string[], name: (value: string) => string) =>
  values.map((value) => ({ value, label: name(value) }))

interface ImposeProps {
  /** The id of the person, if it is known already. */
  user: string
  /** The language of the person with this id, if it is known already. */
  locale?: Locale | null
  onClose: () => void
  onDone: () => void
}

/**
 * A ban, a penalty, a warning, the removal of a text or an end of gifts that comes from no queue. A ban is sent at once;
 * everything else can be taken back for some seconds, and then the dialog opens with what it held.
 */
export function ImposeDialog({ user, locale, onClose, onDone }: ImposeProps) {
  // Its words return after an undo, for the same person.
  const id = `impose ${user}`
  const [given, change] = useDraft<GivenAct & { comment: string }>(id, {
    ...DECISION_VALUES,
    user,
    act: 'ban',
    place: 'other',
    field: 'nick',
    picture: undefined,
    comment: '',
  })
  const [begun] = useState(given.user)
  const { decide } = usePending()
  const mayTake = useMayTake()
  const read = usePersonLocale(given.user, given.user === user ? locale : undefined)
  const reply = useReply(read, given.comment)
  // A press that is repeated after a lost answer bans or takes the coins once.
  const key = useRef(crypto.randomUUID())
  const impose = useMutation({
    mutationFn: () => send(given, reply.text.trim(), key.current),
    onSuccess: () => {
      onDone()
      onClose()
    },
  })
  /** Words and a picture about one person are not sent about another. The further digits of a number keep them. */
  const changeUser = (next: string) => {
    const isMore = given.user !== begun && next.startsWith(given.user)
    if (given.user === '' || isMore) return change({ user: next })
    change({ user: next, picture: undefined })
    reply.change('')
  }
  const submit = () => {
    if (given.act === 'ban') return impose.mutate()
    const says = textOr(`office.statement.${given.act}`, given.act)
    const draft = { ...given, comment: reply.text }
    const sendIt = () => send(given, draft.comment.trim(), key.current).then(onDone)
    decide({ id, says, draft, send: sendIt }, 'later')
    onClose()
  }
  const isReady =
    parseId(given.user) !== undefined &&
    reply.text.trim() !== '' &&
    !reply.isTranslating &&
    (given.act !== 'penalty' || mayTake(given.amount))
  return (
    <Dialog
      open
      size={640}
      title={t('office.sanctions.new')}
      closeLabel={t('action.close')}
      onClose={onClose}
      actions={
        <Button
          variant="primary"
          size={44}
          disabled={!isReady}
          busy={impose.isPending}
          onClick={submit}
        >
          {t(BUTTONS[given.act as keyof typeof BUTTONS])}
        </Button>
      }
    >
      {impose.error && <Banner tone="danger">{errorSentence(impose.error)}</Banner>}
      <div className="grid gap-4 md:grid-cols-2">
        <Field
          label={t('office.sanctions.user')}
          inputMode="numeric"
          required
          maxLength={16}
          value={given.user}
          onChange={(event) => changeUser(event.target.value.trim())}
        />
        <Select
          label={t('office.sanctions.kind')}
          options={named(['ban', 'penalty', 'warning', 'text', 'gifts'], (value) =>
            textOr(`office.statement.${value}`, value),
          )}
          value={given.act}
          onChange={(act) => change({ act })}
        />
        <ActFields given={given} onChange={change} />
      </div>
      <div className="mt-4">
        <ReplyField label={t('office.sanctions.reads')} reply={reply} rows={4} />
      </div>
    </Dialog>
  )
}

interface GivenAct extends DecisionValues {
  readonly user: string
  readonly act: string
  readonly place: string
  readonly field: string
  readonly picture: File | undefined
}

interface ActFieldsProps {
  given: GivenAct
  onChange: (part: Partial<GivenAct>) => void
}

function ActFields({ given, onChange }: ActFieldsProps) {
  const { act, place, field, picture } = given
  return (
    <>
      <DecisionFields act={act} values={given} onChange={onChange} />
      {act === 'text' && (
        <Select
          label={t('office.sanctions.field')}
          options={named(removableTexts, (value) => textOr(`office.field.${value}`, value))}
          value={field}
          onChange={(value) => onChange({ field: value })}
        />
      )}
      {act === 'penalty' && (
        <Select
          label={t('office.sanctions.place')}
          options={named(penaltyPlaces, (value) => textOr(`office.place.${value}`, value))}
          value={place}
          onChange={(value) => onChange({ place: value })}
        />
      )}
      {(act === 'ban' || act === 'penalty') && (
        <ScreenshotField picture={picture} onChange={onChange} />
      )}
    </>
  )
}

type ScreenshotProps = Pick<GivenAct, 'picture'> & { onChange: (part: Partial<GivenAct>) => void }

/** After an undo a file field of the browser would be empty: the name of the kept picture is shown instead of it. */
function ScreenshotField({ picture, onChange }: ScreenshotProps) {
  return (
    <div className="flex items-end gap-2">
      <label className="flex min-w-0 flex-1 flex-col gap-1.5">
        <span className="note text-text-2">{t('office.sanctions.screenshot')}</span>
        <span className={cx(fieldBox(false), 'body relative')}>
          <input
            type="file"
            accept="image/jpeg,image/png,image/webp"
            className="absolute inset-0 size-full cursor-pointer opacity-0"
            onChange={({ target }) => {
              onChange({ picture: target.files?.[0] ?? picture })
              // The same file can be chosen again after its removal.
              target.value = ''
            }}
          />
          <bdi className={cx('truncate', !picture && 'text-text-3')}>
            {picture?.name ?? t('office.sanctions.choose_picture')}
          </bdi>
        </span>
      </label>
      {picture && (
        <Button size={44} variant="quiet" onClick={() => onChange({ picture: undefined })}>
          {t('action.remove')}
        </Button>
      )}
    </div>
  )
}

async function send(given: GivenAct, comment: string, key: string): Promise<unknown> {
  const { user, act, ban, hours, rule, place, field, amount } = given
  const common = { user_id: parseId(user)!, comment }
  const once = { idempotency_key: key }
  const hasPicture = act === 'ban' || act === 'penalty'
  const screenshot = hasPicture && given.picture ? await storePicture(given.picture) : undefined
  if (act === 'ban')
    return api.post(
      'v2/manager/ban/impose',
      {
        ...common,
        reason: ban,
        ...banLength(hours),
        ...(screenshot && { evidence: [screenshot] }),
      },
      once,
    )
  const broken = { ...common, reason: rule }
  if (act === 'warning') return api.post('v2/manager/warning/impose', broken, once)
  if (act === 'gifts') return api.post('v2/manager/gifts/forbid', broken, once)
  if (act === 'text')
    return api.post('v2/manager/text/remove', { ...broken, field: field as 'nick' }, once)
  const shown = screenshot === undefined ? {} : { screenshot }
  const penalty = { ...broken, place: place as 'other', amount, ...shown }
  return api.post('v2/manager/penalty/impose', penalty, once)
}

/** A repeated press sends the same act again, so a picture is uploaded once. */
const stored = new WeakMap<File, string>()

async function storePicture(image: File): Promise<string> {
  const known = stored.get(image)
  if (known !== undefined) return known
  const { screenshot } = await api.post('v2/manager/penalty/screenshot', {}, { files: { image } })
  stored.set(image, screenshot)
  return screenshot
}
