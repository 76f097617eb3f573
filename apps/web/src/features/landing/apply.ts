import type { Answer } from '@duet/protocol'
import type { Apply } from '../../lib/cache.ts'
import { system_key } from '../../lib/queries.ts'

/** How many women are here is told to whoever looks at the landing page. */
export const apply = {
  'online.count': (cache, { woman }) =>
    cache.patch<Answer<'GET system'>>(system_key, (system) => ({ ...system, women_online: woman })),
} satisfies Apply<'presence'>
