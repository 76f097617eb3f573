import { UserIcon } from '@phosphor-icons/react/dist/csr/User'
import { Button, Petal, Tag, type Tone } from '@duet/ui'
import type { User } from '@duet/protocol'
import { useAppServices, useOwnUser } from '../../shared/app-services.tsx'
import { usePress } from '../../shared/controls/use-press.ts'
import { dialogs } from '../../shared/dialogs.ts'
import { t, type TextId } from '../../shared/i18n.ts'

const STATES: Readonly<
  Record<Exclude<User['avatar_status'], 'none'>, { text: TextId; tone: Tone }>
> = {
  ready: { text: 'media.avatar.status_ready', tone: 'ok' },
  pending: { text: 'media.avatar.status_pending', tone: 'warn' },
  removed: { text: 'media.avatar.status_removed', tone: 'danger' },
}

/** The avatar with its state, and the ways to change and to delete it. */
export function AvatarSection() {
  const { connection } = useAppServices()
  const user = useOwnUser()
  const deleting = usePress(async () => {
    const answer = await connection.http.post('avatar/delete')
    connection.patchUser({
      avatar: answer.user.avatar,
      avatar_status: answer.user.avatar_status,
    })
  })
  if (!user) return null
  const { avatar, avatar_status, role, nick } = user
  const state = avatar_status === 'none' ? undefined : STATES[avatar_status]

  async function deleteAvatar(): Promise<void> {
    if (await dialogs.ask('delete_media', { kind: 'avatar' })) await deleting.press()
  }

  return (
    <div className="panel flex flex-wrap items-center gap-5 p-5">
      <Petal
        shape={role === 'girl' ? 'hers' : 'yours'}
        light="ember"
        src={avatar ?? undefined}
        alt={nick ?? ''}
        className="size-28 shrink-0"
        icon={avatar ? undefined : <UserIcon size={40} weight="duotone" />}
      />
      <div className="flex min-w-0 flex-1 flex-col items-start gap-2.5">
        {state ? <Tag tone={state.tone}>{t(state.text)}</Tag> : null}
        <p className="note text-text-2">{t(getHelp(user))}</p>
        <div className="flex flex-wrap gap-2.5">
          <Button
            variant={avatar ? 'secondary' : 'primary'}
            onClick={() => dialogs.open('avatar', {})}
          >
            {t(avatar ? 'media.avatar.change' : 'media.avatar.add')}
          </Button>
          {avatar_status === 'none' ? null : (
            <Button variant="danger-quiet" busy={deleting.busy} onClick={() => void deleteAvatar()}>
              {t('action.delete')}
            </Button>
          )}
        </div>
      </div>
    </div>
  )
}

function getHelp({ avatar_status, role }: User): TextId {
  if (avatar_status === 'pending') return 'media.avatar.help_pending'
  if (avatar_status === 'removed') return 'media.avatar.help_removed'
  if (avatar_status === 'ready' && role === 'girl') return 'media.avatar.help_shown'
  return role === 'girl' ? 'media.avatar.help_girl' : 'media.avatar.help_guy'
}
