import { WifiSlashIcon } from '@phosphor-icons/react/dist/csr/WifiSlash'
import { cx, Ring } from '@duet/ui'
import { t } from '../../../shared/i18n.ts'
import { useCalls } from '../call-context.tsx'
import { ON_PICTURE } from '../../../shared/video/on-picture.ts'
import { useOwnUser } from '../../../shared/video/own-user.tsx'
import { useNow } from '../../../shared/video/use-time.ts'
import type { RunningCall } from '../calls-state.ts'
import { useTrouble } from './connection-trouble.ts'
import { usePhone } from './use-phone.ts'

/** How long the server waits for a partner whose connection is lost. */
const GRACE_SECONDS = 10

/** The connection between the two is disturbed; the text first says that nothing is charged. */
export function TroublePill({ call }: { call: RunningCall }) {
  const { role } = useOwnUser()
  const { clock } = useCalls()
  const trouble = useTrouble(call)
  const isPhone = usePhone()
  const nowMs = useNow(250, trouble?.kind === 'partner_gone')
  if (!trouble) return null
  const goneFor =
    trouble.kind === 'partner_gone' ? (nowMs - clock.offset_ms - trouble.since_server_ms) / 1000 : 0
  const left = Math.min(GRACE_SECONDS, Math.max(0, Math.ceil(GRACE_SECONDS - goneFor)))
  return (
    <div
      className={cx(
        'absolute inset-x-3 z-overlay flex justify-center',
        isPhone ? 'top-1/3' : 'top-24',
      )}
    >
      <p
        role="status"
        className={`ui flex min-h-12 items-center gap-3 rounded-full px-4 text-text ${ON_PICTURE}`}
      >
        {trouble.kind === 'partner_gone' ? (
          <>
            <Ring value={left / GRACE_SECONDS} tone="warn" size={32} glide_ms={300}>
              {left}
            </Ring>
            {t('video.call.waiting_back', { nick: call.session.user_interlocutor.nick })}
          </>
        ) : (
          <>
            <WifiSlashIcon size={20} weight="fill" />
            {trouble.kind === 'refused'
              ? t('video.call.refused')
              : t(role === 'girl' ? 'video.call.reconnecting_girl' : 'video.call.reconnecting')}
          </>
        )}
      </p>
    </div>
  )
}
