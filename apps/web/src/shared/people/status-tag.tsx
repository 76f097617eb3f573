import type { Status } from '@duet/protocol'
import { cx } from '@duet/ui'
import { t } from '../i18n.ts'

const DOTS: Readonly<Record<Status, string | undefined>> = {
  online: 'bg-ok',
  busy: 'bg-ember',
  offline: undefined,
}

/** Whether a user is here, with its word. Offline has no dot. Its texts are in the catalogue `favourites`. */
export function StatusTag({ status, glass }: { status: Status; glass?: boolean }) {
  const dot = DOTS[status]
  return (
    <span
      className={cx(
        'note inline-flex min-h-7 w-fit items-center gap-2 rounded-full font-[540]!',
        glass ? 'glass px-3 text-white' : 'text-text-2',
      )}
    >
      {dot ? <span aria-hidden className={cx('size-2 rounded-full', dot)} /> : null}
      {t(`person.status.${status}`)}
    </span>
  )
}

/** The dot of an avatar. Offline has no dot. Its texts are in the catalogue `favourites`. */
export function toPresence(status: Status) {
  if (status === 'offline') return {}
  return {
    presence: {
      state: status === 'busy' ? ('call' as const) : ('online' as const),
      text: t(`person.status.${status}`),
    },
  }
}
