import { WifiSlashIcon } from '@phosphor-icons/react/dist/csr/WifiSlash'
import { cx, Ring } from '@duet/ui'
import { t } from '../../../shared/i18n.ts'
import { useCalls } from '../call-context.tsx'
import { ON_PICTURE } from '../../../shared/video/on-picture.ts'
import { useOwnUser, type OwnUser } from '../../../shared/account/own-user.tsx'
import { useNow } from '../../../shared/controls/use-time.ts'
import type { RunningCall } from '../calls-state.ts'
import { useTrouble, type Trouble } from './connection-trouble.ts'
import { usePhone } from './use-phone.ts'

/** The connection between the two users is disturbed. The text first states that nothing is charged. */
export function TroublePill({ call }: { call: RunningCall }) {
  const { role } = useOwnUser()
  const { clock } = useCalls()
  const trouble = useTrouble(call)
  const isPhone = usePhone()
  const nowMs = useNow(250, trouble?.kind === 'partner_gone')
  if (!trouble) return null
  const goneFor =
    trouble.kind === 'partner_gone' ? (nowMs - clock.offset_ms - trouble.since_server_ms) / 1000 : 0
  const { partner_grace, user_interlocutor } = call.session
  const left = Math.min(partner_grace, Math.max(0, Math.ceil(partner_grace - goneFor)))
  return (
    <div
      className={cx(
        'absolute inset-x-3 z-overlay flex justify-center',
        isPhone ? 'top-1/3' : 'top-24',
      )}
    >
      <p
        className={`ui flex min-h-12 items-center gap-3 rounded-full px-4 text-text ${ON_PICTURE}`}
      >
        {trouble.kind === 'partner_gone' ? (
          <Ring value={share(left, partner_grace)} tone="warn" size={32} glide_ms={300}>
            {left}
          </Ring>
        ) : (
          <WifiSlashIcon size={20} weight="fill" />
        )}
        <span role="status">{troubleText(trouble, user_interlocutor.nick, role)}</span>
      </p>
    </div>
  )
}

/** A grace time of 0 s is allowed. Its ring is empty. */
const share = (left: number, all: number) => (all > 0 ? left / all : 0)

function troubleText({ kind }: Trouble, nick: string, role: OwnUser['role']): string {
  if (kind === 'partner_gone') return t('video.call.waiting_back', { nick })
  if (kind === 'refused') return t('video.call.refused')
  return t(role === 'girl' ? 'video.call.reconnecting_girl' : 'video.call.reconnecting')
}
