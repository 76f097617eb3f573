import { GiftIcon } from '@phosphor-icons/react/dist/csr/Gift'
import { HeartIcon } from '@phosphor-icons/react/dist/csr/Heart'
import { ImageIcon } from '@phosphor-icons/react/dist/csr/Image'
import { VideoCameraIcon } from '@phosphor-icons/react/dist/csr/VideoCamera'
import type { ReactNode } from 'react'
import type { Message, MessageType } from '@duet/protocol'
import { t } from '../../../shared/i18n.ts'

const ICONS = {
  text: null,
  system: null,
  image: <ImageIcon size={16} className="shrink-0" />,
  gift: <GiftIcon size={16} className="shrink-0 text-gold" />,
  like: <HeartIcon size={16} weight="fill" className="shrink-0 text-ember-hi" />,
  call: <VideoCameraIcon size={16} className="mirror shrink-0" />,
} satisfies Record<MessageType, ReactNode>

/** The last message in one line. */
export function LastLine({ message, isOwn }: { message: Message; isOwn: boolean }) {
  return (
    <>
      {message.removed ? null : ICONS[message.type]}
      <span dir="auto" className="truncate">
        {isOwn && message.type !== 'call'
          ? t('messenger.list.own', { text: getSummary(message, true) })
          : getSummary(message, isOwn)}
      </span>
    </>
  )
}

/** A message in a few words: its text, or the kind of its content. Also for toasts and titles. */
export function getSummary(message: Message, isOwn: boolean): string {
  if (message.removed)
    return t(message.type === 'image' ? 'messenger.image.removed_short' : 'messenger.removed')
  switch (message.type) {
    case 'text':
    case 'system':
      return message.message
    case 'call':
      if (!message.call?.missed) return t('messenger.call.was')
      return t(isOwn ? 'messenger.call.unanswered' : 'messenger.call.missed')
    case 'like':
      return t(isOwn ? 'messenger.like.own' : 'messenger.like.theirs')
    case 'image':
      return t('word.photo')
    case 'gift':
      return message.gift
        ? t('messenger.gift.named', { gift: message.gift.name })
        : t('messenger.gift.short')
    default:
      return unknownType(message)
  }
}

/** A newer server may send a type that this page does not know. A type of the contract does not compile here. */
function unknownType(_message: never): string {
  return t('messenger.unsupported')
}
