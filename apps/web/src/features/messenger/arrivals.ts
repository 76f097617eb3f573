import type { Message, Payload } from '@duet/protocol'
import type { FeatureContext } from '../../shared/feature.ts'
import { t, withTexts } from '../../shared/i18n.ts'
import { goTo } from '../../shared/navigation/go-to.ts'
import { dialogWith } from '../../shared/people/dialog-with.ts'
import { personById, storePeople } from '../../shared/people/people.ts'
import { playSound } from '../../shared/sound.ts'
import { showToast, showToastInCall } from '../../shared/toasts.ts'
import { callScreenShown } from '../../shared/video/call-screen-shown.ts'
import { getSummary } from './list/last-line.tsx'

/** Messages that arrive within this time are announced together, such as those that arrived while the device slept. */
const TOGETHER_MS = 100
const SOUND_EVERY_MS = 1000

interface Arrivals {
  count: number
  /** The newest message of each dialog. */
  readonly newest: Map<number, Message>
  readonly announced: Promise<void>
}

let waiting: Arrivals | undefined
let soundAtMs = -SOUND_EVERY_MS

/** A message arrived: a sound, and a toast unless its dialog is on the screen. In a call the toast is without a sound. */
export async function announceArrival(
  { message, dialog }: Payload<'messenger_message'>,
  { connection }: FeatureContext,
): Promise<void> {
  if (dialog) storePeople([dialog.interlocutor])
  const ownId = connection.getSnapshot().auth?.user.id
  if (message.sender_id === ownId || message.read_status === 1) return
  // A like and a gift have notices of their own.
  if (message.type === 'like' || message.type === 'gift') return
  // A picture that waits for staff is announced when there is something to see.
  if (message.type === 'image' && message.media?.status === 'pending') return
  if (!callScreenShown.getSnapshot()) soundOnce()
  if (isOnScreen(message.dialog_id)) return
  waiting ??= { count: 0, newest: new Map(), announced: announceSoon(connection) }
  waiting.count += 1
  waiting.newest.set(message.dialog_id, message)
  return waiting.announced
}

/** Another user likes this user, who can write to them from now on. */
export function announceLike(
  { user_id, nick, mutual }: Payload<'like_received'>,
  { connection }: FeatureContext,
): void {
  const write = async () => {
    const dialog_id = await dialogWith(connection, user_id).catch(() => '')
    goTo(`/messenger/${dialog_id}`)
  }
  withTexts(() =>
    showToast({
      id: `write-${user_id}`,
      title: t(mutual ? 'person.like_mutual' : 'person.likes_you', { nick }),
      action: { label: t('person.write_short'), onPress: () => void write() },
    }),
  )
}

/** Sounds that begin together would be one loud sound. */
function soundOnce(): void {
  const nowMs = performance.now()
  if (nowMs - soundAtMs < SOUND_EVERY_MS) return
  soundAtMs = nowMs
  playSound('message')
}

async function announceSoon(connection: FeatureContext['connection']): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, TOGETHER_MS))
  const arrivals = waiting
  waiting = undefined
  if (!arrivals) return
  const { count, newest } = arrivals
  const [message] = newest.values()
  if (newest.size > 1) showMany(count, newest.size)
  else if (message) await showOne(message, connection)
}

function showMany(messages: number, conversations: number): void {
  withTexts(() =>
    showToastInCall({
      id: 'messages',
      title: t('messenger.toast_many', { messages, conversations }),
      action: { label: t('messenger.toast_open'), onPress: () => goTo('/messenger/') },
    }),
  )
}

async function showOne(message: Message, connection: FeatureContext['connection']): Promise<void> {
  const nick =
    personById(message.sender_id)?.nick ?? (await nickInDialog(connection, message.dialog_id))
  withTexts(() =>
    showToastInCall({
      // A newer message of the same dialog replaces the toast.
      id: `message-${message.dialog_id}`,
      title: nick ? t('messenger.toast', { nick }) : t('messenger.toast_unknown'),
      text: getSummary(message, false),
      action: {
        label: t('messenger.toast_open'),
        onPress: () => goTo(`/messenger/${message.dialog_id}`),
      },
    }),
  )
}

/** A page that was just loaded does not know the users of older dialogs. */
async function nickInDialog(
  connection: FeatureContext['connection'],
  dialogId: number,
): Promise<string | undefined> {
  try {
    const { dialog } = await connection.act('GET_DIALOG', { dialogId })
    storePeople([dialog.interlocutor])
    return dialog.interlocutor.nick
  } catch {
    return undefined
  }
}

/** The prefix of a language may precede the path. */
const DIALOG_PATH = /\/messenger\/(\d+)\/?$/

function isOnScreen(dialog_id: number): boolean {
  const [, shownId] = DIALOG_PATH.exec(location.pathname) ?? []
  return Number(shownId) === dialog_id && document.visibilityState === 'visible'
}
