import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { setActivity } from '../presence/index.ts'
import { keepBreak } from './availability.ts'
import { tellState } from './state.ts'

/** Her break begins or ends; called when what led to it is committed. */
export async function setBreak(app: App, user_id: UserId, on: boolean): Promise<void> {
  await keepBreak(app.db, user_id, on)
  setActivity(app, user_id, on ? 'break' : 'free')
  await tellState(app, user_id)
}
