import { createEventRelay } from '../../shared/video/event-relay.ts'

/** The events of the server that open, change and close a call. */
export const callEvents = createEventRelay(
  'new_session',
  'close_session',
  'meter',
  'text_chat_message',
  'session_typing',
  'session_up',
  'session_up_declined',
)
