import { useCallback, useEffect, useState } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router'
import { Button, cx, EmptyState, Skeleton, useMobile } from '@duet/ui'
import { useAuthStatus } from '../../shared/account/auth-status.ts'
import { dialogs } from '../../shared/dialogs.ts'
import { useImmersive } from '../../shared/frame.tsx'
import { t } from '../../shared/i18n.ts'
import { entryParams } from '../../shared/navigation/entry-params.ts'
import { useBackEntry } from '../../shared/navigation/back-entries.ts'
import { DialogList } from './list/dialog-list.tsx'
import { ProfileColumn } from './profile-column.tsx'
import { ThreadView } from './thread/thread-view.tsx'
import { useMessengerState } from './use-messenger.ts'

/** `/messenger/` and `/messenger/:dialogId`: the list, the open dialog, and who it is with. */
export function MessengerPage() {
  const status = useAuthStatus()
  if (status === 'member') return <OwnMessenger />
  return status === 'unknown' ? <div className="min-h-dvh" /> : <Visitor />
}

/** Another account on the page begins with a new screen, so the lists and the thread are fetched for the account. */
function OwnMessenger() {
  return <Messenger key={useMessengerState(({ own_id }) => own_id)} />
}

function Messenger() {
  const { dialogId } = useParams()
  const isMobile = useMobile()
  const dialog_id = findId(dialogId)
  const dialog = useMessengerState((state) =>
    dialog_id === undefined ? undefined : state.dialogs.get(dialog_id),
  )
  const hasDialogs = useMessengerState(({ dialogs }) => dialogs.size > 0)
  useImmersive(isMobile && dialog_id !== undefined)
  const leave = useBackToList(isMobile && dialog_id !== undefined)
  const isListShown = !isMobile || dialog_id === undefined
  return (
    <div className="flex h-[calc(100dvh-80px)] md:h-dvh">
      {isListShown ? (
        <div className="w-full shrink-0 border-hair md:w-[356px] md:border-e">
          <DialogList />
        </div>
      ) : null}
      {dialog_id === undefined ? (
        <div className="hidden flex-1 items-center justify-center md:flex">
          {hasDialogs ? <EmptyState title={t('messenger.choose')} /> : null}
        </div>
      ) : (
        <div className={cx('flex min-w-0 flex-1', isMobile && 'fixed inset-0 z-sticky bg-bg')}>
          <ThreadView key={dialog_id} dialog_id={dialog_id} onLeave={leave} />
        </div>
      )}
      {dialog && !isMobile ? <ProfileColumn dialog={dialog} /> : null}
    </div>
  )
}

function findId(text: string | undefined): number | undefined {
  const id = Number(text)
  return Number.isSafeInteger(id) && id > 0 ? id : undefined
}

/**
 * On a narrow screen Back closes the dialog and shows the list. A viewer who came from the list already has the list
 * below in the history. For other viewers this hook adds the list to the history. Returns the function that shows the
 * list after a press or at the end of the dialog.
 */
function useBackToList(isOpen: boolean): () => void {
  const navigate = useNavigate()
  const { state } = useLocation()
  const cameFromList = (state as { from_list?: boolean } | null)?.from_list === true
  const show = useCallback(() => navigate('/messenger/', { replace: true }), [navigate])
  const settle = useBackEntry(isOpen && !cameFromList, () => void show())
  return useCallback(
    () => void settle().then(() => (isOpen && cameFromList ? navigate(-1) : show())),
    [settle, isOpen, cameFromList, navigate, show],
  )
}

/** For visitors: the outline of a messenger, and the login. */
function Visitor() {
  const [isAsked, setAsked] = useState(false)
  useEffect(() => {
    // A second window of the demo signs in by itself.
    if (isAsked || entryParams().demo) return
    setAsked(true)
    dialogs.open('login', { reason: 'registered_only' })
  }, [isAsked])
  return (
    <div className="relative min-h-dvh overflow-hidden">
      <div aria-hidden className="flex max-w-[356px] flex-col gap-2 px-5 pt-24 opacity-60">
        {['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((key) => (
          <span key={key} className="flex h-[72px] items-center gap-3">
            <Skeleton className="size-12 rounded-full!" />
            <span className="flex flex-1 flex-col gap-2">
              <Skeleton className="h-4 w-1/3" />
              <Skeleton className="h-3.5 w-4/5" />
            </span>
          </span>
        ))}
      </div>
      <div className="absolute inset-0 flex items-center justify-center px-4">
        <div className="panel rounded-dialog bg-surface-1 p-4 shadow-card">
          <h1 className="sr-only">{t('word.messages')}</h1>
          <EmptyState
            title={t('messenger.visitor')}
            text={t('messenger.visitor_text')}
            action={
              <Button
                variant="primary"
                onClick={() => dialogs.open('login', { reason: 'registered_only' })}
              >
                {t('action.log_in')}
              </Button>
            }
          />
        </div>
      </div>
    </div>
  )
}
