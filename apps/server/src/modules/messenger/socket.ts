import type { ActionsOf } from '../../core/module.ts'
import { cleanDialog, deleteDialog } from './clean-dialog.ts'
import { like } from './entries/like.ts'
import { getCountNewMessages, getDialog, getDialogMessages, getDialogs } from './get-dialogs.ts'
import { readMessages } from './read-messages.ts'
import { sendMessage } from './sending/send-message.ts'
import { startDialog } from './start-dialog.ts'
import { translate } from './translation/translate.ts'
import { typing } from './typing.ts'

export const actions = {
  MESSENGER_START_DIALOG: startDialog,
  GET_DIALOGS: getDialogs,
  GET_DIALOG: getDialog,
  GET_DIALOG_MESSAGES: getDialogMessages,
  GET_COUNT_NEW_MESSAGES: getCountNewMessages,
  MESSAGE: sendMessage,
  READ_MESSAGE: readMessages,
  TRANSLATE: translate,
  TYPING: typing,
  LIKING_REACTION: like,
  CLEAN_DIALOG: cleanDialog,
  DELETE_DIALOG: deleteDialog,
} satisfies ActionsOf<'messenger'>
