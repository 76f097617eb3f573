import type { Tx } from '../../core/app.ts'
import { productDay } from '../../lib/clock.ts'
import type { UserRow } from '../identity/index.ts'
import { enqueueMail } from '../mail/index.ts'
import {
  findChannels,
  isUnswitched,
  getMail,
  type NoticeFacts,
  type SentNoticeKind,
} from './kinds.ts'
import { noticePage } from '@duet/protocol/kernel/notice-pages.ts'
import { toSentence } from './sentence.ts'

export interface MailedNotice {
  readonly id: number
  readonly kind: SentNoticeKind
  readonly facts: NoticeFacts
  /** The other user of the notice. */
  readonly about: UserRow | undefined
}

/** Writes the mail of one notice. */
export async function mailNotice(
  tx: Tx,
  receiver: UserRow,
  { id, kind, facts, about }: MailedNotice,
): Promise<void> {
  const { email, locale, nick } = receiver
  const mail = getMail(kind, facts)
  await enqueueMail(tx, {
    to: email!,
    locale,
    key: `notice:${id}`,
    template: isUnswitched(mail) ? mail : 'notice',
    values: {
      nick: nick ?? '',
      sentence: toSentence(locale, kind, facts, about?.nick ?? undefined),
      link: noticePage(kind, about?.ref_code ?? null),
      day: productDay(tx.now).toString(),
    },
    ...(!isUnswitched(mail) && { unsubscribe: receiver.id }),
    valid_until: tx.now.add({ hours: findChannels(kind)?.useful_hours ?? 0 }),
  })
}
