/**
 * Staff: the people of the back office and how they enter it.
 *
 * Tables         staff_members, staff_links, staff_passkeys, staff_sessions, staff_claims, staff_push, staff_case_users, staff_alarms
 * Does not know  what staff decide: every module answers the endpoints of its own decisions
 * Invariants     a session needs both factors or a passkey, and its role is read again for each request (SF1) · a one-time
 *                link works once and ends the former factors and sessions (SF2) · a case that a member of staff has claimed is decided
 *                by no other (SF4) · a page of another origin can neither use nor open a session (SF3)
 */
import { type EndpointsOf, module } from '../../core/module.ts'
import { staffSessions } from '../../platform/http/find-sender.ts'
import { impersonalTable, personalTable } from '../../platform/personal-data/personal-data.ts'
import { deleteRows } from '../../platform/retention/retention-rule.ts'
import { staffEmails } from '../audit/index.ts'
import { reservedEmails } from '../logins/index.ts'
import { setting } from '../settings/index.ts'
import { claimCase, releaseCase, showQueues } from './claims.ts'
import { commands } from './commands.ts'
import { demoSignIn, endDemoMembers } from './demo-members.ts'
import { changeMember, listMembers } from './members.ts'
import { endSession, findStaff, listSessions, showMe, signOut } from './sessions.ts'
import { findMisuse, listAlarms } from './misuse/find-misuse.ts'
import { changePush, deliverStaffPush, STAFF_PUSH } from './push.ts'
import { askPasskey, beginSetup, finishSetup } from './setup.ts'
import { prove, signIn } from './sign-in.ts'
import { memberByEmail, readEmails } from './store.ts'

/** A look after a case is explained by it for one day. */
const CASE_DAYS = 2
const STAFF_ARE_NO_USERS = 'of members of staff, who are no users'

export const staff = module('staff', {
  endpoints: {
    'POST v2/manager/sign-in': signIn,
    'POST v2/manager/demo-sign-in': demoSignIn,
    'POST v2/manager/passkey/options': askPasskey,
    'POST v2/manager/setup/begin': beginSetup,
    'POST v2/manager/setup/finish': finishSetup,
    'POST v2/manager/sign-out': signOut,
    'GET v2/manager/me': showMe,
    'POST v2/manager/prove': prove,
    'GET v2/manager/sessions': listSessions,
    'POST v2/manager/sessions/end': endSession,
    'POST v2/manager/push': changePush,
    'GET v2/manager/queues': showQueues,
    'POST v2/manager/claim': claimCase,
    'POST v2/manager/release': releaseCase,
    'GET v2/manager/staff': listMembers,
    'POST v2/manager/staff': changeMember,
    'GET v2/manager/staff-alarms': listAlarms,
  } satisfies EndpointsOf<'staff'>,
  commands,
  jobs: {
    'staff looks': {
      summary:
        'Tells owners of members of staff who looked at many people without a case, or at accounts linked to their own.',
      cron: '*/10 * * * *',
      run: findMisuse,
    },
  },
  outboxHandlers: { [STAFF_PUSH]: deliverStaffPush },
  provides: [
    staffSessions.provide(findStaff),
    staffEmails.provide(readEmails),
    reservedEmails.provide(async (db, email) => (await memberByEmail(db, email)) !== undefined),
  ],
  personalData: {
    tables: [
      impersonalTable('staff_members', STAFF_ARE_NO_USERS),
      impersonalTable('staff_links', STAFF_ARE_NO_USERS),
      impersonalTable('staff_passkeys', STAFF_ARE_NO_USERS),
      impersonalTable('staff_sessions', STAFF_ARE_NO_USERS),
      impersonalTable('staff_push', STAFF_ARE_NO_USERS),
      impersonalTable('staff_claims', 'which member of staff has which case'),
      impersonalTable('staff_alarms', STAFF_ARE_NO_USERS),
      personalTable('staff_case_users', {
        users: ['user_id'],
        erasure: 'deleted',
        exported: { not: 'which member of staff had a case' },
      }),
    ],
  },
  retention: [
    deleteRows('staff_links', 'expires_at', () => 0),
    deleteRows('staff_claims', 'until', () => 0),
    deleteRows('staff_case_users', 'at', () => CASE_DAYS),
    deleteRows('staff_alarms', 'at', (context) => setting(context, 'kyc_record_days')),
    deleteRows('staff_sessions', 'ends_at', (context) => setting(context, 'ended_login_days')),
  ],
  start: async (app) => {
    if (!app.config.demo) await endDemoMembers(app)
  },
})

export { endClaim, findWaiting, leaveClaim, ownClaims, readClaims } from './claims.ts'
export { requireIndependent } from './independence.ts'
export { ownAccount, requireNotOwn, requireOtherPerson } from './own-accounts.ts'
export { isLimited } from './load.ts'
export { pushToStaff } from './push.ts'
export { readDeskPeople } from './people.ts'
export { requireFresh } from './sessions.ts'
export { readMembers } from './store.ts'
