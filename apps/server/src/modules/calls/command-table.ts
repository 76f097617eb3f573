import type { Tx } from '../../core/app.ts'
import { refuse } from '../../lib/refusal.ts'
import type { CommandTable, ProcessDraft } from '../../platform/process/process.ts'
import { consumeFreeStart, consumeQuota } from '../allowances/index.ts'
import { interlocutors } from '../identity/index.ts'
import { missingOnWire } from '../ledger/index.ts'
import { flagGuy } from './flags/flags.ts'
import { openCallHold, postUsage, releaseHold, renewCallHolds } from './money.ts'
import {
  notifyClosed,
  notifyMedia,
  notifyMeter,
  notifyNewSession,
  notifyPrivateRequest,
  notifySoundOnly,
} from './notifications.ts'
import type { CallCommand, CallEvent, HoldRequest } from './rules/call-events.ts'
import { getUserId } from './rules/call.ts'
import { insertMedia } from './store.ts'
import type { StoredCall } from './stored-call.ts'

/** The effects of each command of the rules: in the transaction (`store`) or to sockets after the commit (`push`). */
export const commands: CommandTable<StoredCall, CallEvent, CallCommand> = {
  refuse: {
    store: async (_tx, _draft, command) => refuse(command.name, refusalDetails(command)),
  },
  open_hold: { store: openHold },
  renew_hold: {
    async storeMany(tx, items) {
      const renewals = items.map(({ draft, command }) => ({ ...draft.state, request: command }))
      const answers = await renewCallHolds(tx, renewals)
      return answers.map((answer, index) => {
        if (answer instanceof Error) return answer
        const { draft } = items[index]!
        draft.state = { call: draft.state.call, money: answer.money }
        return holdResult(answer.seconds)
      })
    },
  },
  post_usage: {
    async store(tx, draft, { post }) {
      const { call, money } = draft.state
      draft.state = { call, money: await postUsage(tx, call, money, post) }
    },
  },
  use_free_start: {
    store: (tx, { state: { call } }) => consumeFreeStart(tx, call.guy_id, call.girl_id),
  },
  use_quota: {
    store: (tx, { state: { call } }, { seconds }) => consumeQuota(tx, call.guy_id, seconds),
  },
  notify_meter: { push: (app, { call }, { reading }) => notifyMeter(app, call, reading) },
  notify_media: { push: (app, { call }, { of }) => notifyMedia(app, call, of) },
  record_media: {
    store: (tx, { state: { call } }, { of, audio, video }) =>
      insertMedia(tx, { session_id: call.session_id, user_id: getUserId(call, of), audio, video }),
  },
  notify_sound_only: { push: (app, { call }) => notifySoundOnly(app, call) },
  notify_new_session: { push: (app, { call }) => notifyNewSession(app, call) },
  publish_private: {
    store: (tx, { state: { call } }) =>
      tx.publish('call_became_private', { guy_id: call.guy_id, girl_id: call.girl_id }),
  },
  /** The result of the action returns it. */
  acknowledge_request: {},
  notify_private_request: {
    store: (tx, { state: { call } }, { to, expires_at }) =>
      notifyPrivateRequest(tx, call, to, expires_at),
  },
  notify_private_closed: {
    store: (tx, { state: { call } }, { to, reason }) =>
      tx.notify(getUserId(call, to), 'session_up_declined', {
        session_id: call.session_id,
        reason,
      }),
  },
  flag: {
    store: (tx, { state: { call } }, { about }) => flagGuy(tx, call, about),
  },
  close: {
    async store(tx, draft, command) {
      const { call, money } = draft.state
      draft.state = { call, money: await releaseHold(tx, call, money) }
      await draft.write(tx)
      await notifyClosed(tx, call, command)
    },
  },
  refill_balance: {
    async store(tx, { state: { call } }, { last_interlocutor: girl_id }) {
      // The account of the girl may have been deleted during the call; the call closes all the same.
      const [last_interlocutor] = await interlocutors(tx.app, tx, call.guy_id, [girl_id])
      await tx.notify(call.guy_id, 'refill_balance', { last_interlocutor })
    },
  },
}

async function openHold(
  tx: Tx,
  draft: ProcessDraft<StoredCall>,
  request: HoldRequest,
): Promise<CallEvent> {
  const { call } = draft.state
  const { money, seconds } = await openCallHold(tx, call, draft.state.money, request)
  draft.state = { call, money }
  return holdResult(seconds)
}

function holdResult(seconds: number): CallEvent {
  return seconds > 0 ? { type: 'hold_renewed', seconds } : { type: 'hold_refused' }
}

function refusalDetails({
  missing_units,
  retry_after_seconds,
}: Extract<CallCommand, { type: 'refuse' }>): Record<string, unknown> {
  return {
    ...(missing_units !== undefined && { missing: missingOnWire('diamond', missing_units) }),
    ...(retry_after_seconds !== undefined && { retry_after: retry_after_seconds }),
  }
}
