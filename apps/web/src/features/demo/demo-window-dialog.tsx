import { BrowsersIcon } from '@phosphor-icons/react/dist/csr/Browsers'
import { CrownIcon } from '@phosphor-icons/react/dist/csr/Crown'
import type { CastMember } from '@duet/protocol'
import { Avatar, Button, Dialog, IconButton } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import type { OpenDialogProps } from '../../shared/dialogs.ts'
import { useSystem } from '../../shared/queries.ts'
import { useOwnUser } from '../../shared/app-services.tsx'
import { isLoopback, openSecondWindow } from '../../shared/navigation/second-window.ts'
import { useDemoSignIn } from './sign-in.ts'

/** The list of demo users. The viewer signs in as a demo user here or in a second window. */
export function DemoWindowDialog({ open, close }: OpenDialogProps<'demo_window'>) {
  const demo = useSystem()?.demo
  const { busy_id, signIn } = useDemoSignIn()
  const ownId = useOwnUser()?.id
  const hasSecondOrigin = isLoopback(location)
  return (
    <Dialog
      open={open}
      onClose={() => close()}
      closeLabel={t('action.close')}
      size={640}
      title={t('demo.title')}
      description={t(hasSecondOrigin ? 'demo.text' : 'demo.text_here')}
    >
      <ul className="grid gap-2 md:grid-cols-2">
        {demo?.cast.map((person) => (
          <CastRow
            key={person.user_id}
            person={person}
            isSelf={person.user_id === ownId}
            busy={busy_id === person.user_id}
            onSignIn={() => signIn(person.user_id)}
            onWindow={hasSecondOrigin ? () => openSecondWindow(person) : undefined}
          />
        ))}
      </ul>
    </Dialog>
  )
}

interface CastRowProps {
  person: CastMember
  isSelf: boolean
  busy: boolean
  onSignIn: () => void
  onWindow: (() => void) | undefined
}

function CastRow({ person, isSelf, busy, onSignIn, onWindow }: CastRowProps) {
  const { nick, avatar, is_premium, role } = person
  return (
    <li className="flex items-center gap-3 rounded-row bg-surface-2 px-3 py-2.5">
      <Avatar name={nick} decorative src={avatar} size={44} />
      <span className="min-w-0 flex-1">
        <span className="ui flex items-center gap-1.5 text-text">
          <bdi className="truncate">{nick}</bdi>
          {is_premium ? (
            <CrownIcon
              weight="fill"
              size={14}
              className="text-gold"
              aria-label={t('word.premium')}
            />
          ) : null}
        </span>
        <span className="meta block text-text-3">
          {t(role === 'girl' ? 'word.woman' : 'word.man')}
        </span>
      </span>
      {isSelf ? (
        <span className="meta px-2 text-text-3">{t('word.you')}</span>
      ) : (
        <>
          <Button
            size={36}
            busy={busy}
            onClick={onSignIn}
            aria-label={t('demo.sign_in_as', { nick })}
          >
            {t('demo.here')}
          </Button>
          {onWindow ? (
            <IconButton
              size={36}
              label={t('demo.window_as', { nick })}
              icon={<BrowsersIcon size={18} />}
              onClick={onWindow}
            />
          ) : null}
        </>
      )}
    </li>
  )
}
