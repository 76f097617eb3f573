import { useEffect, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { buttonLook, EmptyState, useMobile } from '@duet/ui'
import { useAppServices, useSnapshot } from '../../../shared/app-services.tsx'
import { connectionLineShown } from '../../../shared/navigation/connection-line-shown.ts'
import { t } from '../../../shared/i18n.ts'
import { useStatuses } from '../../../shared/people/use-statuses.ts'
import { useInterlocutor, useMessenger, useMessengerState } from '../use-messenger.ts'
import { DropArea } from '../photos/drop-area.tsx'
import { useDroppedPhotos } from '../photos/use-dropped-photos.ts'
import { Composer } from './composer.tsx'
import { DemoLine } from './demo-line.tsx'
import { CannotWrite, QuotaBar, QuotaSpent } from './quota-bar.tsx'
import { ThreadLog } from './thread.tsx'
import { ThreadHeader } from './thread-header.tsx'
import type { Dialog } from '@duet/protocol'

/** A dialog: header, messages, composer. */
export function ThreadView({ dialog_id, onLeave }: { dialog_id: number; onLeave: () => void }) {
  const messenger = useMessenger()
  const { report } = useAppServices()
  const dialog = useMessengerState(({ dialogs }) => dialogs.get(dialog_id))
  const section = useEscape(dialog_id)
  const nick = dialog ? formatNick(dialog) : ''
  const target = { dialog_id, nick, credits: dialog?.can_write.credits ?? 0 }
  const { handlers, over } = useDroppedPhotos(target, refusalText(dialog))
  const [absent, setAbsent] = useState<number>()
  useEffect(() => {
    messenger.openDialog(dialog_id).then(
      (exists) => {
        if (!exists) setAbsent(dialog_id)
      },
      () => {
        // The thread itself shows that it could not be fetched.
      },
    )
  }, [messenger, dialog_id, report])
  if (absent === dialog_id && !dialog) return <NoSuchDialog />
  return (
    <section
      ref={section}
      aria-label={t('messenger.thread.section')}
      {...handlers}
      className="relative flex h-full min-h-0 min-w-0 flex-1 flex-col"
    >
      {dialog ? (
        <ThreadHeader dialog={dialog} onLeave={onLeave} />
      ) : (
        <div className="min-h-[76px]" />
      )}
      <ConnectionLine />
      <ThreadLog dialog_id={dialog_id} nick={nick} />
      {dialog ? <Foot dialog={dialog} /> : <div className="min-h-20" />}
      {over ? <DropArea {...over} /> : null}
    </section>
  )
}

const formatNick = ({ interlocutor }: Dialog) => interlocutor.nick || t('messenger.gone')

/** Why the user cannot write into the dialog. An unknown dialog also has a reason. */
function refusalText(dialog: Dialog | undefined): string | undefined {
  if (!dialog) return t('messenger.cannot.not_found')
  if (dialog.can_write.allowed) return undefined
  const { name = 'not_found' } = dialog.can_write
  return t(`messenger.cannot.${name}`, { nick: formatNick(dialog) })
}

/** On a desktop Escape leaves the dialog, unless the focus is in a menu, a question or the list. */
function useEscape(dialog_id: number) {
  const section = useRef<HTMLElement>(null)
  const navigate = useNavigate()
  const isMobile = useMobile()
  useEffect(() => {
    if (isMobile) return
    const leave = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return
      const { activeElement, body } = document
      // The focus is on the body where the composer was replaced by the reason why nothing can be written.
      if (activeElement === body || section.current?.contains(activeElement))
        // The row of the dialog takes the focus.
        void navigate('/messenger/', { state: { left_dialog: dialog_id } })
    }
    addEventListener('keydown', leave)
    return () => removeEventListener('keydown', leave)
  }, [isMobile, navigate, dialog_id])
  return section
}

function Foot({ dialog }: { dialog: Dialog }) {
  const { id, nick } = useInterlocutor(dialog)
  useStatuses([id])
  return (
    <footer className="flex flex-col gap-2.5 px-3 pb-[max(12px,env(safe-area-inset-bottom))] md:px-6 md:pb-6">
      <DemoLine dialog={dialog} />
      <QuotaBar can_write={dialog.can_write} />
      <QuotaSpent />
      {dialog.can_write.allowed ? (
        <Composer key={dialog.dialog_id} dialog={dialog} nick={nick} />
      ) : (
        <CannotWrite dialog={dialog} nick={nick} />
      )}
    </footer>
  )
}

/** States that there is no connection. Messages that are written now are sent after the next connection. */
function ConnectionLine() {
  const { phase } = useSnapshot()
  const isWaiting = phase === 'connecting' || phase === 'offline'
  useEffect(() => {
    // The pill of the frame would cover the name of the interlocutor on a phone.
    connectionLineShown.set(true)
    return () => connectionLineShown.set(false)
  }, [])
  return (
    <p role="status" className="note text-center text-text-3">
      {isWaiting ? t('state.connecting') : null}
    </p>
  )
}

function NoSuchDialog() {
  return (
    <div className="flex flex-1 items-center justify-center">
      <EmptyState
        title={t('messenger.absent')}
        action={
          <Link to="/messenger/" className={buttonLook({ variant: 'secondary' })}>
            {t('messenger.thread.back')}
          </Link>
        }
      />
    </div>
  )
}
