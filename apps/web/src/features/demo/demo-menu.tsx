import { otherRole, toRole, type WireRole, wireRole } from '@duet/protocol/kernel/roles.ts'
import { BrowsersIcon } from '@phosphor-icons/react/dist/csr/Browsers'
import { UsersThreeIcon } from '@phosphor-icons/react/dist/csr/UsersThree'
import type { CastMember } from '@duet/protocol'
import { Button, IconButton } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { dialogs } from '../../shared/dialogs.ts'
import { isLoopback, openSecondWindow } from '../../shared/navigation/second-window.ts'
import { useSystem } from '../../shared/queries.ts'
import { useOwnUser } from '../../shared/app-services.tsx'

/** In the header of a demo: a partner in a second window, and the list of demo users. */
export function DemoMenu() {
  const demo = useSystem()?.demo
  const user = useOwnUser()
  if (!demo || !user) return null
  const partner = partnerFor(user, demo.cast)
  const hasSecondOrigin = isLoopback(location)
  return (
    <>
      {partner && hasSecondOrigin ? (
        <Button
          variant="outline"
          icon={<BrowsersIcon size={18} />}
          className="max-lg:hidden"
          onClick={() => openSecondWindow(partner)}
        >
          {t('demo.window_as', { nick: partner.nick })}
        </Button>
      ) : null}
      <Button
        variant="outline"
        icon={<UsersThreeIcon size={18} />}
        className="max-md:hidden"
        onClick={() => dialogs.open('demo_window', {})}
      >
        {t('demo.cast')}
      </Button>
      <IconButton
        label={t('demo.cast')}
        icon={<UsersThreeIcon size={20} />}
        className="md:hidden"
        onClick={() => dialogs.open('demo_window', {})}
      />
    </>
  )
}

/** The demo user to meet: a guy for a girl, a girl for all others. */
export function partnerFor(
  user: { id: number; role: WireRole | null },
  cast: readonly CastMember[],
): CastMember | undefined {
  const wanted = wireRole(user.role ? otherRole(toRole(user.role)) : 'girl')
  return cast.find(({ user_id, role }) => role === wanted && user_id !== user.id)
}
