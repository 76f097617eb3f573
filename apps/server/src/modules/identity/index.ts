/**
 * Identity: users, from a guest's first connection to a member's last logout.
 *
 * Tables         users, logins, client_signals, client_budgets, mailed_links, former_emails, totp_factors, spare_codes, passkeys,
 *                answered_challenges; tokens of every kind, passwords
 * Does not know  money, pictures, calls: other modules add their fields to the own record and to what others see
 * Invariants     a guest's row is written once, at the first stored action (I1) · a role is fixed at registration (I2) ·
 *                all tokens of a rotated or ended login are invalid at the commit (I3) · an e-mail belongs to one member (I4) ·
 *                neither answers nor limits show who is a member (I5) · no other user can lock an owner out (I6) ·
 *                a link of a mail works once (I7) · an account with a second factor is opened and changed with it only, and each
 *                code and each answer of a passkey works once (I8) · what may link accounts is hashed and bounded (I9)
 */
import type { UserId } from '../../core/ids.ts'
import type { Tx } from '../../core/app.ts'
import { module } from '../../core/module.ts'
import { fingerprintFeature } from './fingerprints/fingerprint-feature.ts'
import { cleanGuests, retention } from './erasure/clean-guests.ts'
import { commands } from './commands.ts'
import { endpoints } from './http.ts'
import { eraseUser, personalData } from './erasure/personal-data.ts'
import { watchEndedLogins } from './login/watch-ended-logins.ts'
import { mailedLinks } from './mailed-links/link-process.ts'
import { announcePremiumEnds, followPremium } from './premium/premium.ts'
import { forgetUser, hiddenByCountry, hiddenCountries } from './queries.ts'
import { endNoticeMails } from './own-record.ts'
import { actions } from './socket.ts'
import { identityProvider } from './viewer.ts'

export const identity = module('identity', {
  actions,
  endpoints,
  commands,
  features: fingerprintFeature,
  identityProvider,
  hiddenUsers: hiddenByCountry,
  hiddenFrom: hiddenCountries,
  subscribers: { member_updated: dropCachedUser, mail_unsubscribed: endNoticeMails },
  personalData,
  erase: eraseUser,
  retention,
  start: async (app) => {
    const stops = [watchEndedLogins(app), followPremium(app)]
    await mailedLinks(app).start()
    return async () => {
      for (const stop of stops) stop()
      await mailedLinks(app).stop()
    }
  },
  jobs: {
    'premium ends': {
      summary: 'Announces ends of Premium to users who were away or while the server was down.',
      cron: '*/10 * * * *',
      run: announcePremiumEnds,
    },
    'guests clean': {
      summary: 'Erases guests who have not connected for a day; their ids are not used again.',
      cron: '20 * * * *',
      run: cleanGuests,
    },
  },
})

async function dropCachedUser(tx: Tx, { user_id }: { user_id: UserId }): Promise<void> {
  tx.afterCommit(() => forgetUser(tx.app, user_id))
}

export { TERMS_VERSION } from './confirm-age.ts'
export { maskProfileText } from './update-profile.ts'
export { notifyUserInfo, ownRecord } from './own-record.ts'
export { writeGuestRow } from './registration/guest-row.ts'
export { userIdOf } from './commands.ts'
export { ageOn, parseDay } from './rules.ts'
export { setVerified } from './set-verified.ts'
export { signalRetention } from './erasure/clean-guests.ts'
export { closeAccount, setDeletionAsked } from './erasure/close-account.ts'
export { addUser, hashedPassword, type NewUser } from './registration/add-user.ts'
export { confirmOwner } from './login/confirm-owner.ts'
export { loginDeviceOf } from './login/device-name.ts'
export { ortcTokenOf } from './login/token-subject.ts'
export { peoplePage } from './people-page.ts'
export { givePremium } from './premium/premium.ts'
export {
  lockUser,
  userById,
  userIdByRefCode,
  cachedUser,
  userNow,
  type UserRow,
} from './queries.ts'
export { endLogins, openLogin } from './login/logins-store.ts'
export { isPremium } from './viewer.ts'
export { interlocutor, interlocutors } from './views.ts'
