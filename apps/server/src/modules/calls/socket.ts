import type { ActionsOf } from '../../core/module.ts'
import { leaveCall } from './requests/leave-call.ts'
import { answerPrivate, askPrivate } from './requests/private-commands.ts'
import { sessionTyping, textChatMessage } from './requests/texts.ts'

export const actions = {
  SESSION_UP: askPrivate,
  SESSION_UP_REACTION: answerPrivate,
  BREAK_SESSION: leaveCall,
  TEXT_CHAT_MESSAGE: textChatMessage,
  SESSION_TYPING: sessionTyping,
} satisfies Partial<ActionsOf<'calls'>>
