import type { Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { type UserRow, userById } from '../identity/index.ts'
import { enqueueMail } from '../mail/index.ts'
import type { NoticeFacts } from './add-notice.ts'
import { channelsOf, type SentNoticeKind } from './kinds.ts'
import { noticePage } from '@duet/protocol/kernel/notice-pages.ts'
import { sentenceOf } from './sentence.ts'

export interface MailedNotice {
  readonly id: number
  readonly kind: SentNoticeKind
  readonly facts: NoticeFacts
  readonly user: UserId | undefined
}

/** Writes the mail of one notice. */
export async function mailNotice(
  tx: Tx,
  receiver: UserRow,
  { id, kind, facts, user }: MailedNotice,
): Promise<void> {
  const about = user === undefined ? undefined : await userById(tx, user)
  const { email, locale, nick } = receiver
  const isSecurity = channelsOf(kind)?.mail === 'security'
  await enqueueMail(tx, {
    ...{ to: email!, locale, key: `notice:${id}` },
    template: isSecurity ? 'security' : 'notice',
    values: {
      nick: nick ?? '',
      sentence: sentenceOf(locale, kind, facts, about?.nick ?? undefined),
      link: noticePage(kind, about?.ref_code ?? null),
    },
    ...(!isSecurity && { unsubscribe: receiver.id }),
    valid_until: tx.now.add({ hours: channelsOf(kind)?.useful_hours ?? 0 }),
  })
}
