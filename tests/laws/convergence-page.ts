import { deepEqual, equal } from 'node:assert/strict'
import type { Dialog, Payload } from '@duet/protocol'
import type { TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { createChangeTracker } from '../../packages/client/src/change-tracker.ts'

/** The state that durable events change, as far as a page shows it and can fetch it again. */
interface Shown {
  /** The favourites: the user and the id of the row. */
  readonly favourites: Map<number, number>
  /** The dialogs in the list: the interlocutor, and whether the user may write. */
  readonly dialogs: Map<number, { readonly user_id: number; readonly may_write: boolean }>
  balance: string
  /** The running call. */
  active_id: number | null
  /** The receipts of the calls since the page began, without the balance, which is always the current balance. */
  readonly receipts: Map<number, object>
  /** How often a refill was offered since the page began. */
  refills: number
}

const DIALOG_EVENTS = new Set(['messenger_message', 'messenger_message_removed', 'dialog_update'])

type ClosedCall = Payload<'close_session'>

function getReceipt({ balance: _, ...receipt }: ClosedCall & { change_id?: number }): object {
  const { change_id: __, ...fields } = receipt
  return fields
}

/** A page as the client keeps it: state fetched once, then nothing but changes. */
export class ClientPage {
  readonly user: TestUser
  is_member = true
  readonly #testApp: TestApp
  readonly #deleted: ReadonlySet<number>
  #shown: Shown = nothing()
  #resets = 0
  #read = 0
  #since_session_id = 0
  readonly #tracker = createChangeTracker({
    fetchSince: async (since) => {
      const page = await this.user.act('GET_CHANGES', { since })
      for (const { payload } of page.changes) this.#namesNobodyDeleted(payload)
      return page
    },
    apply: (event, payload) => this.#apply(event, payload as Record<string, unknown>),
    reset: () => (this.#resets += 1),
  })

  /** `deleted` are the ids of deleted users; the test adds to it. */
  constructor(testApp: TestApp, user: TestUser, deleted: ReadonlySet<number>) {
    this.#testApp = testApp
    this.user = user
    this.#deleted = deleted
  }

  get isConnected(): boolean {
    return this.user.wire!.socket.connected
  }

  async begin(): Promise<void> {
    this.#read = 0
    const { change_id, user } = await this.#connect()
    this.is_member = user.role !== null
    this.#tracker.begin(change_id)
    const { rows } = await this.#query(
      'select coalesce(max(session_id), 0) as id from video_sessions',
    )
    this.#since_session_id = Number(rows[0]!.id)
    this.#shown = await this.#fetched()
  }

  #connect(): ReturnType<TestUser['comeBack']> {
    // A signaling socket that was dropped is opened again with the next call.
    if (!this.user.signaling?.socket.connected) this.user.signaling = undefined
    return this.user.comeBack()
  }

  /** Applies the events since the last call, in the order in which they arrived. */
  hear(): void {
    const all = this.user.all()
    for (const { event, payload } of all.slice(this.#read)) {
      const { change_id } = payload
      if (typeof change_id === 'number' && event !== 'auth_success')
        this.#tracker.receive(change_id, event, payload)
      else if (event === 'new_session')
        this.#shown.active_id = (payload as Payload<'new_session'>).session.id
    }
    this.#read = all.length
  }

  /** Applies what was received and drops it, so that a test can wait for what comes next. */
  forget(): void {
    this.hear()
    this.user.forget()
    this.#read = 0
  }

  async resume(): Promise<void> {
    this.#read = 0
    const { change_id, active_session } = await this.#connect()
    this.#shown.active_id = active_session?.id ?? null
    await this.#tracker.resume(change_id)
  }

  /** The dialog with this user in the list of the page. */
  findDialog(user_id: number): number | undefined {
    return [...this.#shown.dialogs].find(([, dialog]) => dialog.user_id === user_id)?.[0]
  }

  /** Reads what is missing, and compares what the page shows with what the server answers. */
  async converges(): Promise<void> {
    if (this.isConnected) this.hear()
    else await this.resume()
    if (this.is_member) await this.#tracker.catchUp()
    deepEqual(comparable(this.#shown), comparable(await this.#fetched()), this.user.name)
    equal(this.#resets, 0)
  }

  async #fetched(): Promise<Shown> {
    if (!this.is_member) return nothing()
    const favourites = (await this.user.get('favourites_pagination', { 'per-page': 50 })).items
    const { dialogs } = await this.user.act('GET_DIALOGS', {})
    const { balance } = await this.user.post('balance')
    const { active_session } = await this.user.auth()
    // Each call that ended for lack of money offered a refill.
    const refills = await this.#query(
      `select count(*) as id from video_sessions where guy_id = $1 and session_id > $2 and reason = 'no_balance'`,
      this.user.id,
      this.#since_session_id,
    )
    return {
      favourites: new Map(favourites.map(({ id, favourite_id }) => [id, favourite_id])),
      dialogs: new Map(dialogs.map((dialog) => [dialog.dialog_id, getShown(dialog)])),
      balance,
      active_id: active_session?.id ?? null,
      receipts: await this.#fetchedReceipts(),
      refills: Number(refills.rows[0]!.id),
    }
  }

  async #fetchedReceipts(): Promise<Map<number, object>> {
    const { rows } = await this.#query(
      `select session_id as id from video_sessions where session_id > $2 and $1 in (guy_id, girl_id)`,
      this.user.id,
      this.#since_session_id,
    )
    const receipts = new Map<number, object>()
    for (const { id } of rows) {
      const session_id = Number(id)
      receipts.set(session_id, getReceipt(await this.user.act('BREAK_SESSION', { session_id })))
    }
    return receipts
  }

  #query(text: string, ...values: number[]): Promise<{ rows: { id: string | number }[] }> {
    return this.#testApp.database.pool.query(text, values)
  }

  /** People are rendered when a change is read: no change names a deleted user. */
  #namesNobodyDeleted(payload: object): void {
    if (!('last_interlocutor' in payload)) return
    const { id } = (payload.last_interlocutor ?? {}) as { id?: number }
    equal(id !== undefined && this.#deleted.has(id), false, 'a change names a deleted user')
  }

  #applyDialog(event: string, payload: Record<string, unknown>): void {
    if (!DIALOG_EVENTS.has(event)) return
    const { dialogs } = this.#shown
    const { dialog, dialog_id, deleted } = payload as {
      dialog?: Dialog
      dialog_id?: number
      deleted?: boolean
    }
    if (deleted) dialogs.delete(dialog?.dialog_id ?? dialog_id!)
    else if (dialog) dialogs.set(dialog.dialog_id, getShown(dialog))
  }

  #apply(event: string, payload: Record<string, unknown>): void {
    const shown = this.#shown
    if (event === 'add_favourite_success')
      shown.favourites.set(payload.user_id as number, payload.favourite_id as number)
    if (event === 'remove_favourite_success') shown.favourites.delete(payload.user_id as number)
    this.#applyDialog(event, payload)
    if (event === 'new_balance_info' || event === 'close_session')
      shown.balance = String(payload.balance)
    if (event === 'refill_balance') shown.refills += 1
    if (event !== 'close_session') return
    const receipt = payload as ClosedCall
    shown.receipts.set(receipt.session_id, getReceipt(receipt))
    if (shown.active_id === receipt.session_id) shown.active_id = null
  }
}

function nothing(): Shown {
  return {
    favourites: new Map(),
    dialogs: new Map(),
    balance: '0',
    active_id: null,
    receipts: new Map(),
    refills: 0,
  }
}

function getShown({ interlocutor, can_write }: Dialog) {
  return { user_id: interlocutor.id, may_write: can_write.allowed }
}

function comparable({ favourites, dialogs, receipts, ...shown }: Shown) {
  return {
    ...shown,
    dialogs: [...dialogs].toSorted(([a], [b]) => a - b),
    favourites: [...favourites].toSorted(([a], [b]) => a - b),
    receipts: [...receipts].toSorted(([a], [b]) => a - b),
  }
}
