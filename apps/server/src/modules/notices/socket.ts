import type { ActionsOf } from '../../core/module.ts'
import { updatePush } from './update-push.ts'
import { wantGirl } from './want-girl.ts'

export const actions = {
  WANT_GIRL: wantGirl,
  UPDATE_PUSH: updatePush,
} satisfies ActionsOf<'notices'>
