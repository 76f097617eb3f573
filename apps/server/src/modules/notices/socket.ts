import type { ActionsOf } from '../../core/module.ts'
import { wantGirl } from './want-girl.ts'

export const actions = {
  WANT_GIRL: wantGirl,
} satisfies Partial<ActionsOf<'notices'>>
