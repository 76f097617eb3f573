import type { App, UserId } from '../../context.ts'
import { setDoing } from '../presence/index.ts'
import { keepBreak } from './rests.ts'
import { tellState } from './state.ts'

/** Her break begins or ends; called when what led to it is committed. */
export async function setBreak(app: App, user_id: UserId, on: boolean): Promise<void> {
  await keepBreak(app.db, user_id, on)
  setDoing(app, user_id, on ? 'break' : 'free')
  await tellState(app, user_id)
}
