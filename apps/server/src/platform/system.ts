import type { Answer } from '@duet/protocol'
import type { App } from '../core/app.ts'
import type { RequestContext } from '../core/request-context.ts'
import type { Viewer } from '../core/viewer.ts'
import { refuse } from '../lib/refusal.ts'
import { isDraining } from './draining.ts'
import { module } from '../core/module.ts'
import { platformTables } from './personal-data/platform-tables.ts'
import { socketKey } from './realtime/socket-key.ts'
import { statisticsPage } from './statistics/statistics-page.ts'

const CLIENT_VERSION = '2.0.1'

async function system(
  app: App,
  viewer: Viewer,
  _input: Record<never, never>,
  place: RequestContext,
): Promise<Answer<'GET system'>> {
  const off = { on: false }
  const { features, ...fields } = await app.hooks.systemFields(viewer, place)
  return Object.assign(
    {
      socket_secret_key: socketKey(app).toString('base64'),
      client_version: CLIENT_VERSION,
      women_online: 0,
      features: {
        captcha: { on: true, kind: app.captcha.kind, key: app.captcha.public_key },
        fingerprint: off,
        monitoring: off,
        translation: off,
        messenger: off,
        mail: off,
        faces: off,
        videos: off,
        push: off,
        analytics:
          app.config.analytics.length > 0 ? { on: true, counters: app.config.analytics } : off,
        payments: off,
        turn: { on: app.config.turn !== undefined },
        ...features,
      },
      age_gate: { proof: 'confirmation' as const, terms_version: '1' },
    },
    fields,
  ) as Answer<'GET system'>
}

/** One process has no bus, so the bus is as ready as the process. */
async function ready(app: App): Promise<Answer<'GET ready'>> {
  if (isDraining(app)) refuse('draining', { retry_after: 2 })
  const works = (check: Promise<unknown>) =>
    check.then(
      () => true,
      () => false,
    )
  const [database, storage] = await Promise.all([
    works(app.db.selectFrom('schema_migrations').select('number').limit(1).execute()),
    works(app.storage.check()),
  ])
  if (!database || !storage) refuse('draining', { retry_after: 5, database, storage })
  return { database, bus: true, storage }
}

/** The first request of every client, and the health checks of a supervisor. Modules add fields by `systemFields`. */
export const systemModule = module('system', {
  personalData: { tables: platformTables },
  endpoints: {
    'GET system': system,
    'GET /statistics': statisticsPage,
    'GET health': async () => ({ status: 'ok' as const }),
    'GET ready': ready,
  },
})
