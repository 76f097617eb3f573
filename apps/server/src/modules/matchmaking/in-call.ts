import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { perApp } from '../../core/module.ts'

/** Who talks now. Memory: whoever keeps the calls states each open one again when the server comes back. */
const talking = perApp(
  'matchmaking: in call',
  'who is in a call; rebuilt when calls are recovered',
  () => ({
    people: new Set<UserId>(),
    afterwards: new Map<UserId, () => void>(),
  }),
)

export function isInCall(app: App, user_id: UserId): boolean {
  return talking(app).people.has(user_id)
}

export function nowTalks(app: App, user_id: UserId): void {
  talking(app).people.add(user_id)
  talking(app).afterwards.delete(user_id)
}

export function talksNoMore(app: App, user_id: UserId): void {
  const { people, afterwards } = talking(app)
  people.delete(user_id)
  const then = afterwards.get(user_id)
  afterwards.delete(user_id)
  then?.()
}

/** Now, or as soon as the call is known to be over: what follows a commit comes in no promised order. */
export function whenFree(app: App, user_id: UserId, then: () => void): void {
  if (isInCall(app, user_id)) talking(app).afterwards.set(user_id, then)
  else then()
}
