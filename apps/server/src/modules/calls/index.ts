/**
 * Calls: video calls between two people, from the opening to the receipt.
 *
 * Tables         video_sessions, session_texts, call_media, call_flags, session_logs, cleared_histories
 * Does not know  which users are offered to each other (matchmaking publishes `pair_accepted`), how money is stored, what
 *                the browsers do with signals
 * Invariants     a user is in one open call at most (V1) · only good joint seconds are paid (V2) · a call ends once, with
 *                one receipt that equals the ledger to the unit (V3) · only its parties receive anything of a call (V4) ·
 *                a restart charges nothing twice (V5) · a history names no user who may not be seen (V6)
 */
import { module } from '../../core/module.ts'
import { whenListening } from '../../platform/process/when-listening.ts'
import { interlocutors } from '../identity/index.ts'
import { shownBalances, usageSource } from '../ledger/index.ts'
import { breakAfterCall, endPublicCall, pairPreparation } from '../matchmaking/index.ts'
import { partyOfCurrentCall } from './call-registry.ts'
import { commands } from './flags/flags.ts'
import { leavePublicCall } from './leave-public-call.ts'
import { setBreakAfterCall } from './requests/break-after-call.ts'
import { clearOwnHistory } from './requests/clear-history.ts'
import { historyChats } from './requests/history.ts'
import { usedUnits } from './money.ts'
import {
  applyAddedFunds,
  applyBoughtMinutes,
  endCallsBetweenBlocked,
  endForBan,
  endForBlock,
  endForUser,
  endQuietByGift,
} from './on-domain-events.ts'
import { followFoundCall, openAcceptedCall } from './open-call.ts'
import { preparation } from './preparation/preparations.ts'
import { callProcess } from './process.ts'
import { girlsTalkedWith, getPostedUnits } from './queries.ts'
import { startCallScheduler } from './scheduler.ts'
import { personalData } from './personal-data.ts'
import { retention } from './retention.ts'
import { eraseTexts } from './store.ts'
import { partyElsewhere } from './signaling/claim-call.ts'
import { signals } from './signaling/signals.ts'
import { faceState } from './requests/face-state.ts'
import { leaveCall } from './requests/leave-call.ts'
import { answerPrivate, askPrivate } from './requests/private-commands.ts'
import { goOnWithSound } from './requests/sound-only.ts'
import { sessionTyping, textChatMessage } from './requests/texts.ts'
import { readActiveSession } from './views.ts'

export const calls = module('calls', {
  actions: {
    SESSION_UP: askPrivate,
    SESSION_UP_REACTION: answerPrivate,
    SOUND_ONLY: goOnWithSound,
    BREAK_SESSION: leaveCall,
    TEXT_CHAT_MESSAGE: textChatMessage,
    SESSION_TYPING: sessionTyping,
    FACE_STATE: faceState,
    ...signals,
  },
  commands,
  personalData: { tables: personalData, erase: eraseTexts },
  retention,
  endpoints: {
    'GET history_chats': historyChats,
    'POST history_chats/clear': clearOwnHistory,
  },
  subscribers: {
    pair_accepted: openAcceptedCall,
    pair_accepted_found: followFoundCall,
    logged_out: endForUser,
    account_deleted: endForUser,
    banned: endForBan,
    blocked: endForBlock,
    balance_added: applyAddedFunds,
    purchase_paid: applyBoughtMinutes,
    gift_given: endQuietByGift,
  },
  interestedIn: girlsTalkedWith,
  provides: [
    usageSource.provide({ postedOf: getPostedUnits, usedUnits }),
    breakAfterCall.provide(setBreakAfterCall),
    pairPreparation.provide(preparation),
    endPublicCall.provide(leavePublicCall),
    whenListening.provide(async (app) => {
      await callProcess(app).ready()
      await endCallsBetweenBlocked(app)
    }),
  ],
  async authFields(app, viewer) {
    const party = partyOfCurrentCall(app, viewer.id) ?? (await partyElsewhere(app, viewer.id))
    if (!party) return {}
    return { active_session: await readActiveSession(app, app.db, party.call, party.side) }
  },
  renderChanges: {
    // A receipt may be read days later: its balance is the one of that moment, as in every other event.
    async close_session(db, viewerId, stored, context) {
      const { balance } = await shownBalances(context, db, viewerId)
      return stored.map((receipt) => ({ ...receipt, balance }))
    },
    // The address of the girl's picture must be made at the moment of reading.
    async refill_balance(db, viewerId, stored, context) {
      const ids = stored.flatMap(({ last_interlocutor }) => last_interlocutor?.id ?? [])
      const people = await interlocutors(context, db, viewerId, [...new Set(ids)])
      const byId = new Map(people.map((one) => [one.id, one]))
      return stored.map((refill) => ({
        ...refill,
        last_interlocutor: refill.last_interlocutor
          ? byId.get(refill.last_interlocutor.id)
          : undefined,
      }))
    },
  },
  start: startCallScheduler,
})

export { callForStaff, callsOfUser } from './requests/calls-of-user.ts'
export { endByStaff, isRunning } from './on-domain-events.ts'
export { isSampled, type SampledCall, sampledCalls } from './call-registry.ts'
export { callKinds, hadCall, longestTalks, partnerIn, textShownTo } from './queries.ts'
export {
  type CallEnd,
  callEnds,
  callLogLines,
  type CallOutline,
  callOutline,
  callsClosedBefore,
} from './requests/outline.ts'
export { openReservedCall, type ReservedSeconds } from './open-call.ts'
export { TYPING_LIMIT } from './requests/texts.ts'
