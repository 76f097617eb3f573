import { NavLink, useLocation } from 'react-router'
import type { Dialog } from '@duet/protocol'
import { cx, TypingDots } from '@duet/ui'
import { t } from '../../../shared/i18n.ts'
import { useNow, usePassed } from '../../../shared/controls/use-time.ts'
import { PersonAvatar } from '../../../shared/people/person-avatar.tsx'
import { formatShortTime } from '../times.ts'
import { useInterlocutor, useMessengerState } from '../use-messenger.ts'
import { LastLine } from './last-line.tsx'

const MINUTE_MS = 60_000
const COUNT_SHOWN_MAX = 99

/** A dialog of the list: the interlocutor, the last message with its time, and the number of unread messages. */
export function DialogRow({ dialog }: { dialog: Dialog }) {
  const { dialog_id, last_message, count_new_messages } = dialog
  const ownId = useMessengerState(({ own_id }) => own_id)
  const person = useInterlocutor(dialog)
  const nowMs = useNow(MINUTE_MS)
  const isUnread = count_new_messages > 0
  const { state } = useLocation() as { state: { left_dialog?: number } | null }
  return (
    <NavLink
      to={`/messenger/${dialog_id}`}
      state={{ from_list: true }}
      data-route-focus={state?.left_dialog === dialog_id ? '' : undefined}
      className={({ isActive }) =>
        cx(
          'flex h-[72px] w-full items-center gap-3 rounded-row px-3',
          isActive ? 'bg-surface-2 shadow-[inset_0_0_0_1px_var(--hair-2)]' : 'hover:bg-surface-1',
        )
      }
    >
      <PersonAvatar person={person} />
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="flex items-baseline gap-2">
          <span className="ui min-w-0 flex-1 truncate font-[600]!">
            <bdi>{person.nick}</bdi>
          </span>
          {last_message ? (
            <time
              dir="auto"
              dateTime={last_message.create_time}
              className="meta figures text-text-3"
            >
              {formatShortTime(last_message.create_time, nowMs)}
            </time>
          ) : null}
        </span>
        <span className="flex min-h-5 items-center gap-2">
          <span
            className={cx(
              'note flex min-w-0 flex-1 items-center gap-1.5',
              isUnread ? 'font-[540]! text-text' : 'text-text-2',
            )}
          >
            <TypingOr dialog_id={dialog_id}>
              {last_message ? (
                <LastLine message={last_message} isOwn={last_message.sender_id === ownId} />
              ) : null}
            </TypingOr>
          </span>
          {isUnread ? <UnreadCount count={count_new_messages} /> : null}
        </span>
      </span>
    </NavLink>
  )
}

function TypingOr({ dialog_id, children }: { dialog_id: number; children: React.ReactNode }) {
  const untilMs = useMessengerState(({ typing }) => typing.get(dialog_id) ?? 0)
  const isOver = usePassed(untilMs, 0)
  if (untilMs === 0 || isOver) return children
  return (
    <span className="flex items-center gap-2 text-ok">
      <TypingDots />
      {t('messenger.typing_short')}
    </span>
  )
}

function UnreadCount({ count }: { count: number }) {
  const shown = count > COUNT_SHOWN_MAX ? `${COUNT_SHOWN_MAX}+` : String(count)
  return (
    <span className="meta figures inline-flex h-5 min-w-5 shrink-0 items-center justify-center rounded-full bg-ember px-1.5 font-[650]! text-on-ember">
      <span aria-hidden>{shown}</span>
      <span className="sr-only">{t('messenger.list.unread', { count })}</span>
    </span>
  )
}
