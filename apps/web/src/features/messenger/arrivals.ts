import type { Payload } from '@duet/protocol'
import type { FeatureContext } from '../../shared/feature.ts'
import { t, withTexts } from '../../shared/i18n.ts'
import { goTo } from '../../shared/navigation/go-to.ts'
import { personById } from '../../shared/people/people.ts'
import { playSound } from '../../shared/sound.ts'
import { showToastInCall } from '../../shared/toasts.ts'
import { callScreenShown } from '../../shared/video/call-screen-shown.ts'
import { summaryOf } from './list/last-line.tsx'

/** A message arrived: a sound, and a toast unless its dialog is on the screen. In a call the toast is without a sound. */
export function announceArrival(
  { message, dialog }: Payload<'messenger_message'>,
  { connection }: FeatureContext,
): void {
  const ownId = connection.getSnapshot().auth?.user.id
  // A like has its own notice.
  if (message.sender_id === ownId || message.type === 'like' || message.read_status === 1) return
  if (!callScreenShown.getSnapshot()) playSound('message')
  if (isOnScreen(message.dialog_id)) return
  const nick = dialog?.interlocutor.nick ?? personById(message.sender_id)?.nick
  withTexts('messenger', () =>
    showToastInCall({
      // A newer message of the same dialog replaces the toast.
      id: `message-${message.dialog_id}`,
      title: nick ? t('messenger.toast', { nick }) : t('messenger.toast_unknown'),
      text: summaryOf(message, false),
      action: {
        label: t('messenger.toast_open'),
        onPress: () => goTo(`/messenger/${message.dialog_id}`),
      },
    }),
  )
}

/** Behind the path of the language, if there is one. */
const DIALOG_PATH = /\/messenger\/(\d+)\/?$/

function isOnScreen(dialog_id: number): boolean {
  const [, shownId] = DIALOG_PATH.exec(location.pathname) ?? []
  return Number(shownId) === dialog_id && document.visibilityState === 'visible'
}
