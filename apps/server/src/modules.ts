import { allowances } from './modules/allowances/index.ts'
import { audit } from './modules/audit/index.ts'
import { blocks } from './modules/blocks/index.ts'
import { billing } from './modules/billing/index.ts'
import { boys } from './modules/boys/index.ts'
import { approvals } from './modules/approvals/index.ts'
import { bulk } from './modules/bulk/index.ts'
import { catalogue } from './modules/catalogue/index.ts'
import { changeFeed } from './modules/change-feed/index.ts'
import { dates } from './modules/dates/index.ts'
import { demo } from './modules/demo/index.ts'
import { gifts } from './modules/gifts/index.ts'
import { favourites } from './modules/favourites/index.ts'
import { clientSignals } from './modules/client-signals/index.ts'
import { identity } from './modules/identity/index.ts'
import { logins } from './modules/logins/index.ts'
import { mail } from './modules/mail/index.ts'
import { notices } from './modules/notices/index.ts'
import { referrals } from './modules/referrals/index.ts'
import { matchmaking } from './modules/matchmaking/index.ts'
import { people } from './modules/people/index.ts'
import { presence } from './modules/presence/index.ts'
import { privacy } from './modules/privacy/index.ts'
import { profile } from './modules/profile/index.ts'
import { settingsModule } from './modules/settings/index.ts'
import { messenger } from './modules/messenger/index.ts'
import { reports } from './modules/reports/index.ts'
import { moderation } from './modules/moderation/index.ts'
import { media } from './modules/media/index.ts'
import { calls } from './modules/calls/index.ts'
import { quality } from './modules/quality/index.ts'
import { ledger } from './modules/ledger/index.ts'
import { staff } from './modules/staff/index.ts'
import { verification } from './modules/verification/index.ts'
import type { Module } from './core/module.ts'
import { systemModule } from './platform/system.ts'

/** Every module, in the order of dependence: a module may import only those above it; subscribers run from top to bottom. */
export const modules: readonly Module[] = [
  systemModule,
  audit,
  settingsModule,
  mail,
  identity,
  clientSignals,
  logins,
  staff,
  bulk,
  approvals,
  ledger,
  changeFeed,
  presence,
  blocks,
  notices,
  privacy,
  media,
  favourites,
  profile,
  verification,
  allowances,
  matchmaking,
  calls,
  messenger,
  moderation,
  reports,
  gifts,
  quality,
  dates,
  billing,
  referrals,
  catalogue,
  boys,
  people,
  demo,
]
