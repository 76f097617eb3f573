/**
 * Identity: who a user is, from a guest's first stored action to a member's tombstone.
 *
 * Tables         users
 * Does not know  how a user gets in (logins), what a client tells about its device (client-signals), the texts and pictures of
 *                the profile; other modules add their fields to the own record and to what others see
 * Invariants     a guest's row is written once, at the first stored action (I1) · a role is fixed at registration (I2) ·
 *                an e-mail belongs to one member (I4)
 */
import type { ActionsOf, EndpointsOf } from '../../core/module.ts'
import type { UserId } from '../../core/ids.ts'
import type { Tx } from '../../core/app.ts'
import { module } from '../../core/module.ts'
import { personalTable } from '../../platform/personal-data/personal-data.ts'
import { cleanGuests, retention } from './guests/clean-guests.ts'
import { commands } from './commands.ts'
import { exportedColumns } from './users/columns.ts'
import { clearUser } from './users/erasure-store.ts'
import { announcePremiumEnds, followPremium } from './premium.ts'
import { forgetAfterCommit, hiddenCountries, hiddenFromViewer } from './users/queries.ts'
import { endNoticeMails, userSettings } from './own-record.ts'
import { changeLocale } from './change-locale.ts'
import { confirmAge } from './confirm-age.ts'

export const identity = module('identity', {
  actions: { CHANGE_LOCALE: changeLocale } satisfies ActionsOf<'identity'>,
  endpoints: {
    'GET user/settings': userSettings,
    'POST age/confirm': confirmAge,
  } satisfies EndpointsOf<'identity'>,
  commands,
  hiding: { hiddenUsers: hiddenFromViewer, hiddenFrom: hiddenCountries },
  subscribers: { member_updated: dropCachedUser, mail_unsubscribed: endNoticeMails },
  // The row becomes a tombstone; `closeAccount` of logins has ended everything that was open.
  personalData: {
    tables: [
      personalTable('users', {
        users: ['id', 'referred_by'],
        erasure: 'cleared',
        why: 'the tombstone keeps the id, so that the books stay whole and no token of the id becomes valid again',
        exported: {
          of: ['id'],
          by: 'id',
          columns: exportedColumns,
        },
      }),
    ],
    erase: clearUser,
  },
  retention,
  start: async (app) => followPremium(app),
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
  forgetAfterCommit(tx, user_id)
}

export { storeLocale } from './change-locale.ts'
export { neededText, findUserId } from './commands.ts'
export { TERMS_VERSION } from './confirm-age.ts'
export {
  type ConnectionAttributes,
  connectionAttributes,
  writeGuestRow,
} from './guests/connection-attributes.ts'
export { addEmptyTombstone, eraseGuest } from './guests/guests-store.ts'
export { notifyUserInfo, ownRecord } from './own-record.ts'
export { peoplePage } from './people-page.ts'
export { givePremium, shortenPremium } from './premium.ts'
export { setVerified } from './set-verified.ts'
export { readOrtcToken, readTokenSubject, tokenSubjectOfSocket } from './tokens/token-subject.ts'
export {
  type LoginKey,
  guestKey,
  findGuest,
  guestToken,
  randomGuestId,
  readDerived,
} from './tokens/tokens.ts'
export { askDeletion, closeUser, withdrawDeletion } from './users/erasure-store.ts'
export { columnsFor, type UserRow } from './users/columns.ts'
export { namedUsers, refCodesIn } from './users/named-users.ts'
export {
  cachedUser,
  changesSeen,
  forgetAfterCommit,
  forgetUser,
  lockUser,
  userByEmail,
  userById,
  usersByIds,
  userIdByRefCode,
  userNow,
  userVisited,
} from './users/queries.ts'
export {
  ageOn,
  birthdayRefusal,
  cleanName,
  countCharacters,
  nickRefusal,
  parseDay,
} from './users/rules.ts'
export { changeUser, ensureGuestRow, nextUserId, register } from './users/store.ts'
export { guestFrom, hasRow, isPremium, toMember } from './viewer.ts'
export { interlocutor, interlocutors, isNewGirl, ownUser } from './views.ts'
