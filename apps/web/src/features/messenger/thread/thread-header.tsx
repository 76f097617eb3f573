import { BroomIcon } from '@phosphor-icons/react/dist/csr/Broom'
import { CalendarHeartIcon } from '@phosphor-icons/react/dist/csr/CalendarHeart'
import { CaretLeftIcon } from '@phosphor-icons/react/dist/csr/CaretLeft'
import { DotsThreeVerticalIcon } from '@phosphor-icons/react/dist/csr/DotsThreeVertical'
import { ListIcon } from '@phosphor-icons/react/dist/csr/List'
import { TrashIcon } from '@phosphor-icons/react/dist/csr/Trash'
import { Link, useNavigate } from 'react-router'
import type { Dialog } from '@duet/protocol'
import { IconButton, Menu, useMobile } from '@duet/ui'
import { dialogs } from '../../../shared/dialogs.ts'
import { t } from '../../../shared/i18n.ts'
import { CallButton, CallIconButton } from '../../../shared/people/call-button.tsx'
import { PersonAvatar } from '../../../shared/people/person-avatar.tsx'
import { usePersonMenu } from '../../../shared/people/use-person-menu.tsx'
import { usePress } from '../../../shared/controls/use-press.ts'
import { formatPersonName } from '../../../shared/texts/person.ts'
import { useInterlocutor, useMessenger, useMessengerState } from '../use-messenger.ts'
import { useStore } from '../../../shared/observable-store.ts'
import { TranslateSwitch } from '../../../shared/texts/translation/translate-switch.tsx'

/** The interlocutor, and the menu of the dialog. */
export function ThreadHeader({ dialog, onLeave }: { dialog: Dialog; onLeave: () => void }) {
  const person = useInterlocutor(dialog)
  const { nick, status, role, ref_code } = person
  const isMobile = useMobile()
  const Call = isMobile ? CallIconButton : CallButton
  // On a desktop the composer takes the focus of the page, unless the user cannot write.
  const isFirst = isMobile || !dialog.can_write.allowed
  const name = (
    <>
      <PersonAvatar person={person} />
      <span className="flex min-w-0 flex-col">
        <span className="title truncate">
          <bdi>{formatPersonName(person)}</bdi>
        </span>
        <span className={status === 'online' ? 'note text-ok' : 'note text-text-2'}>
          {t(`person.status.${status}`)}
        </span>
      </span>
    </>
  )
  return (
    <header className="flex min-h-[76px] items-center gap-3 border-b border-hair px-3 md:px-6">
      <button
        type="button"
        onClick={onLeave}
        aria-label={t('messenger.thread.back')}
        className="hit flex size-11 items-center justify-center rounded-full md:hidden"
      >
        <CaretLeftIcon size={24} className="mirror" />
      </button>
      <h2 tabIndex={-1} className="sr-only" data-route-focus={isFirst ? '' : undefined}>
        {nick}
      </h2>
      {role === 'girl' && ref_code ? (
        <Link
          to={`/girl/${ref_code}`}
          className="flex min-w-0 flex-1 items-center gap-3 rounded-row"
        >
          {name}
          <span className="sr-only">{t('messenger.thread.profile')}</span>
        </Link>
      ) : (
        <span className="flex min-w-0 flex-1 items-center gap-3">{name}</span>
      )}
      <DialogTranslationSwitch dialog_id={dialog.dialog_id} />
      <Call person={person} variant={status === 'offline' ? 'quiet' : 'primary'} />
      <ThreadMenu dialog={dialog} onLeave={onLeave} />
    </header>
  )
}

function ThreadMenu({ dialog, onLeave }: { dialog: Dialog; onLeave: () => void }) {
  const { dialog_id } = dialog
  const messenger = useMessenger()
  const navigate = useNavigate()
  const person = useInterlocutor(dialog)
  const isLiked = useMessengerState(({ threads, own_id }) =>
    threads
      .get(dialog_id)
      ?.messages.some(({ type, sender_id }) => type === 'like' && sender_id === own_id),
  )
  const { like, favourite, report, block } = usePersonMenu(person, { isLiked, onBlocked: onLeave })
  const { nick } = person
  const { press: clean } = usePress(async () => {
    if (await dialogs.ask('clean_dialog', { nick })) await messenger.clean(dialog_id)
  })
  const { press: remove } = usePress(async () => {
    if (!(await dialogs.ask('delete_dialog', { nick }))) return
    await messenger.remove(dialog_id)
    onLeave()
  })
  return (
    <Menu
      trigger={
        <IconButton
          variant="quiet"
          label={t('word.more')}
          icon={<DotsThreeVerticalIcon size={24} weight="bold" />}
        />
      }
      entries={[
        like,
        favourite,
        ...(person.role === 'girl'
          ? [
              {
                label: t('person.ask_date'),
                icon: <CalendarHeartIcon size={18} />,
                onSelect: () => void navigate(`/virtualdate/?with=${person.id}`),
              },
            ]
          : []),
        'line',
        {
          label: t('messenger.clean.open'),
          icon: <BroomIcon size={18} />,
          onSelect: () => void clean(),
        },
        {
          label: t('messenger.delete.open'),
          icon: <TrashIcon size={18} />,
          onSelect: () => void remove(),
        },
        // Either of the two may have blocked the other. The profile has the list of blocked users.
        ...(dialog.can_write.name === 'blocked'
          ? [
              {
                label: t('messenger.thread.blocked'),
                icon: <ListIcon size={18} />,
                onSelect: () => void navigate('/profile/#blocked'),
              },
            ]
          : []),
        report,
        block,
      ]}
    />
  )
}

/** Shows the interlocutor's messages of this dialog translated. */
function DialogTranslationSwitch({ dialog_id }: { dialog_id: number }) {
  const { translated, setTranslated } = useMessenger()
  const isOn = useStore(translated, ({ dialogs }) => dialogs.has(dialog_id))
  const isMobile = useMobile()
  return (
    <TranslateSwitch on={isOn} compact={isMobile} onChange={(on) => setTranslated(dialog_id, on)} />
  )
}
