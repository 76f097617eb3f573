import type { ActionsOf } from '../../core/module.ts'
import { leaveSession } from './leave-session.ts'
import { answerPrivate, askPrivate } from './private-commands.ts'
import { sessionTyping, textChatMessage } from './texts.ts'

export const actions = {
  SESSION_UP: askPrivate,
  SESSION_UP_REACTION: answerPrivate,
  BREAK_SESSION: leaveSession,
  TEXT_CHAT_MESSAGE: textChatMessage,
  SESSION_TYPING: sessionTyping,
} satisfies Partial<ActionsOf<'calls'>>
