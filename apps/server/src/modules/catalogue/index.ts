/**
 * Catalogue: the girls that visitors and guys may choose from, in pages, by name, and as recommendations.
 *
 * Tables         catalogue_girls (a copy of what lists are sorted and searched by; one row per girl that lists may show)
 * Does not know  why a girl is hidden (`hiddenUsers` of the others), what a Camscore is made of
 * Invariants     no list shows a user who is hidden from the viewer, blocked, banned, deleted, not verified or without an
 *                avatar (CT1) · a page costs the same however many girls there are (CT2)
 */
import type { UserId } from '../../core/ids.ts'
import type { Tx } from '../../core/app.ts'
import { module } from '../../core/module.ts'
import { personalTable } from '../../platform/personal-data/personal-data.ts'
import { endTrials } from './end-trials.ts'
import { followPresence } from './follow-presence.ts'
import { girlsOnline } from './girls-online.ts'
import { girlsPage } from './girls-page.ts'
import { recommendations } from './recommendations.ts'
import { refresh } from './store.ts'

const refreshGirl = (tx: Tx, { user_id }: { user_id: UserId }) => refresh(tx, user_id)

export const catalogue = module('catalogue', {
  endpoints: {
    'GET girls': girlsPage,
    'GET girls/online': girlsOnline,
    'GET recommendations': recommendations,
  },
  subscribers: {
    member_updated: refreshGirl,
    account_deleted: refreshGirl,
    deletion_withdrawn: refreshGirl,
    banned: refreshGirl,
    unbanned: refreshGirl,
  },
  personalData: {
    tables: [
      personalTable('catalogue_girls', {
        users: ['girl_id'],
        erasure: 'deleted',
        exported: { not: 'a copy of what the account holds, for sorting' },
      }),
    ],
  },
  jobs: {
    'catalogue trials': {
      summary: 'Ends the time in which girls are new in the lists.',
      cron: '10 * * * *',
      run: endTrials,
    },
  },
  start: followPresence,
})
