import type { ActionsOf } from '../../core/module.ts'
import { leaveCall } from './leave-call.ts'
import { answerPrivate, askPrivate } from './private-commands.ts'
import { sessionTyping, textChatMessage } from './texts.ts'

export const actions = {
  SESSION_UP: askPrivate,
  SESSION_UP_REACTION: answerPrivate,
  BREAK_SESSION: leaveCall,
  TEXT_CHAT_MESSAGE: textChatMessage,
  SESSION_TYPING: sessionTyping,
} satisfies Partial<ActionsOf<'calls'>>
