import type { App, Tx } from '../../core/app.ts'
import { perApp } from '../../core/app-state.ts'
import type { DomainEvents, WrittenMessage } from '../../core/domain-events.ts'
import type { UserId } from '../../core/ids.ts'
import { plusMs } from '../../lib/clock.ts'
import { isRefusal } from '../../lib/refusal.ts'
import { readMessages, sendMessage, typing } from '../messenger/index.ts'
import { isOnline } from '../presence/index.ts'
import { isPlayed } from './companions.ts'
import { DEMO_ANSWERS } from './demo-answers.ts'
import { answersIn, findCastName, getRandomId } from './queries.ts'

const READ_AFTER_MS = 1_800
const TYPE_AFTER_MS = 1_500
/** The sign of typing is shown for three seconds. */
const TYPING_EVERY_MS = 2_500
const CHARACTER_MS = 45
const SIGNS_MAX = 3
const PENDING_MAX = 200
const ANSWERS_A_DAY = 20

/** A woman of the demo is about to answer in a dialog. */
interface PendingAnswer {
  readonly dialog_id: number
  readonly girl_id: UserId
  readonly lines: readonly string[]
  /** The messages that he has written since her last answer. */
  readonly message_ids: number[]
  cancel: () => void
}

const pendingAnswers = perApp(
  'demo: answers of the women',
  'answers that are being typed; the dialog stays without them until the next message',
  () => new Map<number, PendingAnswer>(),
)

/** In the demo a woman who is played by no visitor answers by herself: she reads, types, and writes as everybody does (DE1). */
export async function answerMessages(
  tx: Tx,
  { messages }: DomainEvents['messages_written'],
): Promise<void> {
  const { app } = tx
  if (!app.config.demo) return
  tx.afterCommit(() => {
    for (const message of messages)
      app.background('answering as a demo user', prepareAnswer(app, message))
  })
}

export function stopAnswers(app: App): void {
  for (const { cancel } of pendingAnswers(app).values()) cancel()
  pendingAnswers(app).clear()
}

/** Several messages in a row get one answer. */
async function prepareAnswer(
  app: App,
  { dialog_id, message_id, receiver_id: girl_id }: WrittenMessage,
): Promise<void> {
  const name = await findCastName(app.db, girl_id)
  const lines = name === undefined ? undefined : DEMO_ANSWERS[name]
  if (!lines || isVisitor(app, girl_id)) return
  const answers = pendingAnswers(app)
  const pending = answers.get(dialog_id)
  if (pending) return void pending.message_ids.push(message_id)
  if (answers.size >= PENDING_MAX) return
  const answer = { dialog_id, girl_id, lines, message_ids: [message_id], cancel: () => {} }
  answers.set(dialog_id, answer)
  after(app, answer, READ_AFTER_MS, read)
}

/** Runs the next step after this time, unless a visitor plays her by then. A refusal, as after a block, ends the answer. */
function after(
  app: App,
  answer: PendingAnswer,
  ms: number,
  step: (app: App, answer: PendingAnswer) => Promise<void>,
): void {
  const run = async () => {
    try {
      if (isVisitor(app, answer.girl_id)) drop(app, answer)
      else await step(app, answer)
    } catch (error) {
      drop(app, answer)
      if (!isRefusal(error)) throw error
    }
  }
  answer.cancel = app.clock.at(plusMs(app.clock.now(), ms), () =>
    app.background('answering as a demo user', run()),
  )
}

/** A visitor is connected as her. As a companion she answers messages, too. */
function isVisitor(app: App, user_id: UserId): boolean {
  const tab_id = app.realtime.local.activeConnection(user_id)?.tab_id
  return isOnline(app, user_id) && (tab_id === undefined || !isPlayed(app, { user_id, tab_id }))
}

function drop(app: App, { dialog_id }: PendingAnswer): void {
  pendingAnswers(app).delete(dialog_id)
}

async function read(app: App, answer: PendingAnswer): Promise<void> {
  const { girl_id, dialog_id, lines } = answer
  await markRead(app, answer)
  const { sent, today } = await answersIn(app.db, { dialog_id, girl_id, now: app.clock.now() })
  if (today >= ANSWERS_A_DAY) return drop(app, answer)
  const text = lines[sent % lines.length]!
  const signs = Math.min(SIGNS_MAX, Math.ceil((text.length * CHARACTER_MS) / TYPING_EVERY_MS))
  after(app, answer, TYPE_AFTER_MS, (_, one) => type(app, one, { text, signs }))
}

async function type(
  app: App,
  answer: PendingAnswer,
  { text, signs }: { readonly text: string; readonly signs: number },
): Promise<void> {
  const { girl_id, dialog_id } = answer
  await typing(app, { id: girl_id }, { dialogId: dialog_id })
  after(app, answer, TYPING_EVERY_MS, (_, one) =>
    signs > 1 ? type(app, one, { text, signs: signs - 1 }) : write(app, one, text),
  )
}

/** A message that came during the typing is answered with it. */
async function write(app: App, answer: PendingAnswer, message: string): Promise<void> {
  const { girl_id, dialog_id, message_ids } = answer
  await markRead(app, answer)
  const random_id = getRandomId(message_ids[0]!)
  drop(app, answer)
  await sendMessage(app, { id: girl_id }, { dialogId: dialog_id, message, random_id, type: 'text' })
}

async function markRead(
  app: App,
  { girl_id, dialog_id, message_ids }: PendingAnswer,
): Promise<void> {
  const girl = { id: girl_id, role: 'girl', premium: false, age_confirmed: true } as const
  await readMessages(app, girl, { dialogId: dialog_id, message_ids })
}
