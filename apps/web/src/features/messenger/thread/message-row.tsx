import { parseTime } from '@duet/protocol/kernel/time.ts'
import { VideoCameraIcon } from '@phosphor-icons/react/dist/csr/VideoCamera'
import { HeartIcon } from '@phosphor-icons/react/dist/csr/Heart'
import { type ReactElement, type ReactNode } from 'react'
import type { CallFacts, Message, MessageType } from '@duet/protocol'
import { Amount, MessageBubble, Ring } from '@duet/ui'
import { useSnapshot } from '../../../shared/app-services.tsx'
import { useAmountFormat } from '../../../shared/amounts.ts'
import { t } from '../../../shared/i18n.ts'
import { useStore } from '../../../shared/observable-store.ts'
import { TranslationNote } from '../../../shared/texts/translation/translation-note.tsx'
import {
  useTranslation,
  type ShownTranslation,
} from '../../../shared/texts/translation/use-translation.ts'
import { useSettings } from '../../../shared/queries.ts'
import { useNow } from '../../../shared/controls/use-time.ts'
import { formatDuration } from '../../../shared/texts/durations.ts'
import { formatClock } from '../times.ts'
import { useMessenger, useMessengerState } from '../use-messenger.ts'
import { PhotoInThread } from '../photos/photo-in-thread.tsx'
import { GiftCard } from './gift-card.tsx'
import { ReportMessage } from './report-message.tsx'

/** The ring until the settings are fetched. */
const VANISH_SECONDS_USUAL = 3600

interface MessageRowProps {
  message: Message
  is_own: boolean
  is_tail: boolean
}

/** The place of a message in the thread: a bubble, a surface of its own, or a line in the middle. */
const FORMS = {
  text: 'bubble',
  image: 'surface',
  gift: 'surface',
  like: 'line',
  call: 'line',
  system: 'line',
} as const satisfies Record<MessageType, 'bubble' | 'surface' | 'line'>

/** A stored message: a text, a photo, a gift, a like, a call, or a note that it cannot be shown. */
export function MessageRow({ message, is_own, is_tail }: MessageRowProps) {
  if (!message.removed && FORMS[message.type] === 'line')
    return <EntryRow message={message} isOwn={is_own} />
  return <BubbleRow message={message} is_own={is_own} is_tail={is_tail} />
}

function BubbleRow({ message, is_own, is_tail }: MessageRowProps) {
  const { type, removed } = message
  const shown = removed ? null : content(message, is_own)
  const translation = useMessageTranslation(message, is_own)
  return (
    <MessageBubble
      own={is_own}
      tail={is_tail}
      withheld={shown === null}
      bare={shown !== null && FORMS[type] === 'surface'}
      aside={!is_own && !removed && type === 'text' ? <ReportMessage message={message} /> : null}
      {...(is_tail && getFoot(message, is_own))}
      notes={
        translation || hasNotes(message) ? (
          <Notes message={message} translation={translation} />
        ) : undefined
      }
    >
      {translation?.shown ? (
        <span lang={translation.shown.locale}>{translation.shown.text}</span>
      ) : (
        (shown ?? withheldText(message))
      )}
    </MessageBubble>
  )
}

/** The translation of the interlocutor's text, where the dialog is read translated. */
function useMessageTranslation(message: Message, isOwn: boolean): ShownTranslation | undefined {
  const { dialog_id, message_id, type, removed } = message
  const { translated } = useMessenger()
  const isOn = useStore(translated, ({ dialogs }) => dialogs.has(dialog_id))
  return useTranslation({
    kind: 'message_id',
    id: message_id,
    original: message.message,
    is_wanted: isOn && !isOwn && type === 'text' && !removed,
  })
}

/** Under the last bubble of a group: the time, and for an own message whether it was read. */
function getFoot({ read_status, create_time }: Message, isOwn: boolean) {
  const time = formatClock(create_time)
  if (!isOwn) return { time }
  const isRead = read_status === 1
  return {
    time: isRead ? t('messenger.read_at', { time }) : time,
    state: isRead
      ? { kind: 'read' as const, text: t('messenger.read') }
      : { kind: 'sent' as const, text: t('messenger.sent') },
  }
}

/** The content of a message. Null if its picture or its gift is unknown. */
function content(message: Message, isOwn: boolean): ReactElement | string | null {
  switch (message.type) {
    case 'text':
    case 'system':
      return message.message
    case 'image':
      return message.media ? (
        <PhotoInThread media={message.media} is_own={isOwn} message={message} />
      ) : null
    case 'gift':
      return message.gift ? <GiftCard gift={message.gift} message={message} is_own={isOwn} /> : null
    case 'like':
      return t(isOwn ? 'messenger.like.own' : 'messenger.like.theirs')
    case 'call':
      return callText(message.call, isOwn)
    default:
      return unknownContent(message)
  }
}

/** A newer server may send a type that this page does not know. A type of the contract does not compile here. */
function unknownContent(_message: never): null {
  return null
}

function withheldText({ type, removed }: Message): string {
  if (!removed) return t('messenger.unsupported')
  return t(type === 'image' ? 'messenger.image.removed' : 'messenger.removed')
}

/** Staff check the picture of this message. */
function isChecked(message: Message): boolean {
  return message.type === 'image' && message.media?.status === 'pending'
}

function hasNotes(message: Message): boolean {
  const { type, reward, price, vanish_at } = message
  const hasReward = reward !== undefined && type !== 'gift'
  return hasReward || Boolean(price) || vanish_at !== undefined || isChecked(message)
}

function Notes({
  message,
  translation,
}: {
  message: Message
  translation: ShownTranslation | undefined
}) {
  const formatAmount = useAmountFormat()
  const { type, reward, price, vanish_at } = message
  return (
    <>
      {translation ? <TranslationNote {...translation} /> : null}
      {reward !== undefined && type !== 'gift' ? (
        <Amount
          kind="coin"
          size={14}
          tone="gold"
          value={`+${formatAmount('coin', reward)}`}
          label={t('messenger.reward', {
            value: formatAmount('coin', reward),
            count: Number(reward),
          })}
        />
      ) : null}
      {price ? (
        <Amount
          kind="message"
          size={14}
          value={String(price)}
          label={t('messenger.price', { count: price })}
        />
      ) : null}
      {vanish_at !== undefined ? <Vanishing until={vanish_at} /> : null}
      {isChecked(message) ? <Unrewarded message={message} /> : null}
    </>
  )
}

/** Under a photo that staff still check: an answer to this photo does not earn the amount that the composer names. */
function Unrewarded({ message: { dialog_id, sender_id } }: { message: Message }) {
  const formatAmount = useAmountFormat()
  const reward = useMessengerState(({ dialogs, own_id }) =>
    sender_id === own_id ? dialogs.get(dialog_id)?.can_write.reward : undefined,
  )
  if (reward === undefined) return null
  const value = formatAmount('coin', reward)
  return <span>{t('messenger.photo.unrewarded', { value, count: Number(reward) })}</span>
}

/** The time that is left by the clock of the server. The event of the server removes the message. */
function Vanishing({ until }: { until: string }) {
  const { clock_behind_ms = 0 } = useSnapshot()
  const leftMs = parseTime(until) - (useNow(1000) + clock_behind_ms)
  const wholeMs = 1000 * (useSettings()?.vanish_after ?? VANISH_SECONDS_USUAL)
  const minutes = Math.ceil(leftMs / 60_000)
  return (
    <span className="inline-flex items-center gap-1.5">
      <Ring size={14} line={2} value={Math.max(0, Math.min(1, leftMs / wholeMs))} />
      {minutes > 1
        ? t('messenger.vanishes_minutes', { minutes })
        : t('messenger.vanishes_seconds', { seconds: Math.max(0, Math.ceil(leftMs / 1000)) })}
    </span>
  )
}

const LINE_ICONS = {
  like: <HeartIcon size={16} weight="fill" className="text-ember-hi" />,
  call: <VideoCameraIcon size={16} className="mirror" />,
  system: null,
  text: null,
  image: null,
  gift: null,
} satisfies Record<MessageType, ReactNode>

/** A like, a call or a note of the system: a line in the middle of the thread. */
function EntryRow({ message, isOwn }: { message: Message; isOwn: boolean }) {
  const { type, create_time } = message
  return (
    <p className="note flex items-center justify-center gap-2 py-1.5 text-center text-text-2">
      {LINE_ICONS[type]}
      <span>{content(message, isOwn)}</span>
      <time dir="auto" dateTime={create_time} className="meta text-text-3">
        {formatClock(create_time)}
      </time>
    </p>
  )
}

function callText(call: CallFacts | undefined, isOwn: boolean): string {
  if (!call) return t('messenger.call.was')
  if (call.missed) return t(isOwn ? 'messenger.call.unanswered' : 'messenger.call.missed')
  return t(call.kind === 'private' ? 'messenger.call.private' : 'messenger.call.public', {
    duration: formatDuration(call.seconds),
  })
}
