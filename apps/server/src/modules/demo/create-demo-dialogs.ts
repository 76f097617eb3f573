import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { assert } from '../../lib/assert.ts'
import { plusMs } from '../../lib/clock.ts'
import { DEMO_DIALOGS, type DemoDialog } from './demo-dialogs.ts'
import { demoUsers } from './queries.ts'
import { type PastMessage, insertPastDialog } from './store.ts'

const HOUR_MS = 3_600_000
/** The time between two lines of a conversation: a pause, and the typing. */
const PAUSE_MS = 50_000
const CHARACTER_MS = 300
const READ_AFTER_MS = 30_000

/** Writes the dialogs of the demo users that do not exist yet, each in one transaction (DE2). */
export async function createDemoDialogs(app: App): Promise<void> {
  const idByName = new Map((await demoUsers(app.db)).map(({ name, user_id }) => [name, user_id]))
  const toId = (name: string): UserId => {
    const id = idByName.get(name)
    assert(id !== undefined, `the demo has the user ${name}`)
    return id
  }
  for (const dialog of DEMO_DIALOGS) {
    const pair = { guy_id: toId(dialog.guy), girl_id: toId(dialog.girl) }
    const messages = getMessages(dialog, pair, app.clock.now())
    await app.transact((tx) => insertPastDialog(tx, pair, messages))
  }
}

function getMessages(
  { conversations, unread = 0 }: DemoDialog,
  { guy_id, girl_id }: { readonly guy_id: UserId; readonly girl_id: UserId },
  now: Temporal.Instant,
): PastMessage[] {
  const messages = conversations.flatMap(({ hours_ago, lines }) => {
    let at = plusMs(now, -hours_ago * HOUR_MS)
    return lines.map(({ by, type, text }) => {
      at = plusMs(at, PAUSE_MS + text.length * CHARACTER_MS)
      return { sender_id: by === 'her' ? girl_id : guy_id, type, text, create_time: at }
    })
  })
  const readCount = messages.length - unread
  return messages.map((message, n) => ({
    ...message,
    read_at: n < readCount ? plusMs(message.create_time, READ_AFTER_MS) : null,
  }))
}
