/**
 * Video: calls between two people, from the opening to the receipt.
 *
 * Owns     video_sessions, session_texts, call_flags, session_logs; the fair meter; signalling between two pages
 * Ignores  who meets whom (matching says so by `pair_accepted`), how money is kept (wallet), what the browsers do with signals
 * Laws     nobody is in two calls (V1) · only good joint seconds are paid (V2) · a call ends once, with one receipt that is the
 *          ledger's to the unit (V3) · nothing reaches anybody who is no party (V4) · a restart charges nothing twice (V5)
 */
import { module } from '../../core/module.ts'
import { interlocutors } from '../identity/index.ts'
import { breakWanted, endedByBan, leftByBlock, leftByLogout, moneyCame } from './ended-by.ts'
import { historyChats } from './history.ts'
import { liveCallOf, sideOf } from './live.ts'
import { openSession } from './open-session.ts'
import { keepCallsGoing } from './rounds.ts'
import { unpostedOf } from './money.ts'
import { retention } from './retention.ts'
import { signals } from './signals.ts'
import { actions } from './socket.ts'
import { activeSessionOf } from './views.ts'

export const calls = module('calls', {
  actions,
  signals,
  retention,
  endpoints: { 'GET history_chats': historyChats },
  subscribers: {
    pair_accepted: openSession,
    logged_out: leftByLogout,
    account_deleted: leftByLogout,
    banned: endedByBan,
    blocked: leftByBlock,
    balance_added: moneyCame,
    break_requested: breakWanted,
  },
  unpostedUnits: async (_db, user_id, context) => unpostedOf(context, user_id),
  async authFields(app, viewer) {
    const live = liveCallOf(app, viewer.id)
    const side = live && sideOf(live.call, viewer.id)
    return live && side ? { active_session: await activeSessionOf(app, app.db, live, side) } : {}
  },
  renderChange: {
    // Her picture's address is of the moment when it is read.
    async refill_balance(db, viewer_id, stored, app) {
      const last = stored.last_interlocutor
      const [last_interlocutor] = last ? await interlocutors(app, db, viewer_id, [last.id]) : []
      return { ...stored, last_interlocutor }
    },
  },
  start: keepCallsGoing,
})
