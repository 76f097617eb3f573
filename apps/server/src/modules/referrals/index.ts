/**
 * Referrals: what an inviter gets of the purchases and earnings of the users who came by the inviter's code.
 *
 * Tables         referral_shares, referral_totals, referral_visits, referred_earnings; users.referred_by is written at the registration
 * Does not know  how is paid, what is sold: the shop, calls, gifts and messages publish facts
 * Invariants     a purchase and a day of earnings have one share, which is paid once (RF1) · a share is paid only after the
 *                window of refunds, less what was given back, and is taken back (RF2) · two accounts of one device or card,
 *                and a circle of invitations that such accounts close, earn nothing from each other (RF3)
 */
import { type EndpointsOf, module } from '../../core/module.ts'
import { deleteRows } from '../../platform/retention/retention-rule.ts'
import { setting } from '../settings/index.ts'
import { personalTable } from '../../platform/personal-data/personal-data.ts'
import { commands } from './commands.ts'
import { getStat } from './get-stat.ts'
import { correctShare, countRegistered, shareEarnings, sharePurchase } from './on-domain-events.ts'
import { recordEntry } from './record-entry.ts'
import { releaseShares } from './release-share.ts'
import { payShares } from './pay-shares.ts'

const BOOKS = 'the books of the business; after the erasure the ids name no person'

export const referrals = module('referrals', {
  endpoints: {
    'GET ref_stat': getStat,
    'POST sponsored': recordEntry,
  } satisfies EndpointsOf<'referrals'>,
  commands,
  subscribers: {
    registered: countRegistered,
    purchase_paid: sharePurchase,
    purchase_returned: correctShare,
    girl_earned: shareEarnings,
    invitation_cleared: releaseShares,
  },
  jobs: {
    'referrals pay': {
      summary: 'Pays the shares of inviters whose window of refunds is over.',
      cron: '10 5 * * *',
      run: payShares,
    },
  },
  retention: [
    deleteRows('referral_visits', 'at', (context) => setting(context, 'referral_visit_days')),
  ],
  personalData: {
    tables: [
      personalTable('referral_shares', {
        users: ['inviter_id', 'invited_id'],
        erasure: 'kept',
        why: BOOKS,
        exported: {
          of: ['inviter_id'],
          by: 'share_id',
          columns: ['what', 'asset', 'amount', 'taken_back', 'state', 'created_at', 'paid_at'],
        },
      }),
      personalTable('referral_totals', {
        users: ['inviter_id'],
        erasure: 'kept',
        why: BOOKS,
        exported: { not: 'sums of the shares' },
      }),
      personalTable('referral_visits', {
        users: ['inviter_id'],
        erasure: 'deleted',
        exported: { not: 'keyed hashes of visitors' },
      }),
      personalTable('referred_earnings', {
        users: ['girl_id'],
        erasure: 'deleted',
        exported: { not: 'the sum of the transfers of the user' },
      }),
    ],
  },
})
