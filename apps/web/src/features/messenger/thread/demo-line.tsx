import { BrowsersIcon } from '@phosphor-icons/react/dist/csr/Browsers'
import type { Dialog } from '@duet/protocol'
import { Button, cx } from '@duet/ui'
import { t } from '../../../shared/i18n.ts'
import { isLoopback, openSecondWindow } from '../../../shared/navigation/second-window.ts'
import { useSystem } from '../../../shared/queries.ts'
import { useInterlocutor } from '../use-messenger.ts'

/**
 * In the demo installation, explains above the composer how a demo user answers who is not connected. A girl answers by
 * herself. A button opens a second window that answers as this user.
 */
export function DemoLine({ dialog }: { dialog: Dialog }) {
  const demo = useSystem()?.demo
  const { id, nick, role, status } = useInterlocutor(dialog)
  const isDemoUser = demo?.cast.some(({ user_id }) => user_id === id) === true
  const hasSecondOrigin = isLoopback(location)
  const isGirl = role === 'girl'
  if (!isDemoUser || status !== 'offline' || !dialog.can_write.allowed) return null
  if (!isGirl && !hasSecondOrigin) return null
  return (
    <p
      className={cx(
        'note flex flex-wrap items-center gap-x-3 gap-y-1 px-2 text-text-3',
        !isGirl && 'max-lg:hidden',
      )}
    >
      <span>{t(isGirl ? 'messenger.demo.answers' : 'messenger.demo.answer_as', { nick })}</span>
      {hasSecondOrigin ? (
        <Button
          size={36}
          icon={<BrowsersIcon size={18} />}
          className="max-lg:hidden"
          onClick={() => openSecondWindow({ user_id: id }, `/messenger/${dialog.dialog_id}`)}
        >
          {t('messenger.demo.window', { nick })}
        </Button>
      ) : null}
    </p>
  )
}
