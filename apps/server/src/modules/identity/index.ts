/**
 * Identity: who somebody is, from a guest's first connect to a member's last log-out.
 *
 * Owns     users, logins, e-mail probes; tokens of every kind; passwords
 * Ignores  money, faces, calls: other modules add their fields to the own record and to what others see
 * Laws     a guest's row is written once, at the first stored action (I1) · a role is fixed at registration (I2) ·
 *          a rotated or ended login's tokens are all dead at commit (I3) · an e-mail belongs to one member (I4)
 */
import type { UserId } from '../../core/ids.ts'
import type { Tx } from '../../core/tx.ts'
import { module } from '../../core/module.ts'
import { terms_version } from './account.ts'
import { cleanGuests, retention } from './clean-guests.ts'
import { commands } from './commands.ts'
import { endpoints } from './http.ts'
import { forgetUser } from './queries.ts'
import { actions } from './socket.ts'
import { identityProvider } from './viewer.ts'

export const identity = module('identity', {
  actions,
  endpoints,
  commands,
  identityProvider: identityProvider,
  systemFields: async () => ({ age_gate: { proof: 'confirmation', terms_version } }),
  subscribers: { member_updated: forget },
  retention,
  jobs: {
    'guests clean': {
      says: 'Erases guests who were away for a day; their ids stay used.',
      cron: '20 * * * *',
      run: cleanGuests,
    },
  },
})

async function forget(tx: Tx, { user_id }: { user_id: UserId }): Promise<void> {
  tx.afterCommit(() => forgetUser(tx.app, user_id))
}

export { terms_version }
export { notifyUserInfo } from './account.ts'
export { addUser } from './add-user.ts'
export { ortcTokenOf } from './token-subject.ts'
export { peoplePage } from './people-page.ts'
export { givePremium } from './premium.ts'
export { userById, cachedUser, userNow, type UserRow } from './queries.ts'
export { openLogin } from './store.ts'
export { isPremium } from './viewer.ts'
export { interlocutor, interlocutors } from './views.ts'
