import { GiftIcon } from '@phosphor-icons/react/dist/csr/Gift'
import { HeartIcon } from '@phosphor-icons/react/dist/csr/Heart'
import { ImageIcon } from '@phosphor-icons/react/dist/csr/Image'
import { VideoCameraIcon } from '@phosphor-icons/react/dist/csr/VideoCamera'
import type { ReactNode } from 'react'
import type { Message } from '@duet/protocol'
import { t } from '../../../shared/i18n.ts'

const ICONS: Partial<Record<Message['type'], ReactNode>> = {
  image: <ImageIcon size={16} className="shrink-0" />,
  gift: <GiftIcon size={16} className="shrink-0 text-gold" />,
  like: <HeartIcon size={16} weight="fill" className="shrink-0 text-ember-hi" />,
  call: <VideoCameraIcon size={16} className="mirror shrink-0" />,
}

/** The last message in one line. */
export function LastLine({ message, isOwn }: { message: Message; isOwn: boolean }) {
  return (
    <>
      {message.removed ? null : ICONS[message.type]}
      <span dir="auto" className="truncate">
        {isOwn && message.type !== 'call'
          ? t('messenger.list.own', { text: summaryOf(message, true) })
          : summaryOf(message, isOwn)}
      </span>
    </>
  )
}

/** A message in a few words: its text, or what it is. Also for toasts and titles. */
export function summaryOf(message: Message, isOwn: boolean): string {
  if (message.removed)
    return t(message.type === 'image' ? 'messenger.image.removed_short' : 'messenger.removed')
  if (message.type === 'text' || message.type === 'system') return message.message
  if (message.type === 'call')
    return t(message.call?.missed ? 'messenger.call.missed' : 'messenger.call.was')
  if (message.type === 'like') return t(isOwn ? 'messenger.like.own' : 'messenger.like.theirs')
  if (message.type === 'image') return t('word.photo')
  if (message.type === 'gift')
    return message.gift
      ? t('messenger.gift.named', { gift: message.gift.name })
      : t('messenger.gift.short')
  return t('messenger.unsupported')
}
