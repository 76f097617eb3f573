import {
  reduceBy,
  type ModuleEvent,
  type ReducerMap,
  type ServerEvent,
} from '../../../shared/connection/event-reducers.ts'
import {
  applyMessage,
  applyRead,
  applyRemoval,
  applyTyping,
  applyUpdate,
  type MessengerState,
} from './messenger-state.ts'

export type MessengerServerEvent = ServerEvent<ModuleEvent<'messenger'>>

const unchanged = (state: MessengerState): MessengerState => state

/** The contract requires a reducer for each event. A new event without a reducer does not compile. */
export const MESSENGER_SERVER_EVENTS: ReducerMap<MessengerState, MessengerServerEvent> = {
  messenger_message: (state, { payload }) => applyMessage(state, payload),
  messenger_message_removed: (state, { payload }) => applyRemoval(state, payload),
  messenger_read_message: (state, { payload }) => applyRead(state, payload),
  messenger_typing: (state, { payload, at_ms }) => applyTyping(state, payload, at_ms),
  dialog_update: (state, { payload }) => applyUpdate(state, payload),
  // The page that sent the message gets the answer of MESSAGE. The other pages get `messenger_message` with the same
  // content.
  send_message_success: unchanged,
  // `messenger_message` carries the like.
  like_received: unchanged,
}

/** The messenger of this page after an event of the server. An event that is applied twice changes nothing. */
export function reduceMessenger(
  state: MessengerState,
  event: MessengerServerEvent,
): MessengerState {
  return reduceBy(MESSENGER_SERVER_EVENTS, state, event)
}
