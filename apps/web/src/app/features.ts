import { billing } from '../features/billing/feature.tsx'
import { boys } from '../features/boys/feature.tsx'
import { calls } from '../features/calls/feature.ts'
import { catalogue } from '../features/catalogue/feature.tsx'
import { dates } from '../features/dates/feature.tsx'
import { demo } from '../features/demo/feature.ts'
import { devices } from '../features/devices/feature.ts'
import { favourites } from '../features/favourites/feature.tsx'
import { gifts } from '../features/gifts/feature.tsx'
import { girlPage } from '../features/girl-page/feature.tsx'
import { history } from '../features/history/feature.tsx'
import { identity } from '../features/identity/feature.ts'
import { ledger } from '../features/ledger/feature.ts'
import { legal } from '../features/legal/feature.tsx'
import { matchmaking } from '../features/matchmaking/feature.ts'
import { media } from '../features/media/feature.ts'
import { messenger } from '../features/messenger/feature.tsx'
import { moderation } from '../features/moderation/feature.tsx'
import { notices } from '../features/notices/feature.tsx'
import { privacy } from '../features/privacy/feature.ts'
import { profile } from '../features/profile/feature.ts'
import { referrals } from '../features/referrals/feature.ts'
import { presence } from '../features/presence/feature.ts'
import { verification } from '../features/verification/feature.tsx'
import { composeFeatures, type Feature } from '../shared/feature.ts'
import { system } from './system/feature.ts'

/** Protocol modules whose web feature is not built yet. */
const NOT_BUILT = [] as const

/** Every feature of the page. A new feature is a folder and a line here. Navigation shows the entries in this order. */
export const features: readonly Feature[] = composeFeatures(
  [
    system,
    matchmaking,
    calls,
    devices,
    catalogue,
    identity,
    profile,
    privacy,
    ledger,
    presence,
    messenger,
    boys,
    favourites,
    history,
    dates,
    girlPage,
    notices,
    media,
    gifts,
    billing,
    referrals,
    legal,
    verification,
    moderation,
    demo,
  ],
  NOT_BUILT,
)
