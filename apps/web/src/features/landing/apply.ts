import type { Answer } from '@duet/protocol'
import type { Apply } from '../../shared/cache.ts'
import { system_key } from '../../shared/queries.ts'

/** How many women are here is told to whoever looks at the landing page. */
export const apply = {
  'online.count': (cache, { woman }) =>
    cache.patch<Answer<'GET system'>>(system_key, (system) => ({ ...system, women_online: woman })),
} satisfies Apply<'presence'>
