import type { Answer } from '@duet/protocol'
import type { App, Call, Viewer } from '../../context.ts'
import { socketKey } from '../../platform/realtime/socket-key.ts'
import { castOf } from '../demo/index.ts'
import { terms_version } from '../identity/index.ts'
import { womenOnline } from '../presence/index.ts'

/** The version of the HTTP contract that this server speaks. */
const client_version = '2.0.0'
const off = { on: false }

export async function describeSystem(app: App, viewer: Viewer, _: object, __: Call): Promise<Answer<'GET system'>> {
  const viewer_id = viewer.kind === 'none' ? null : viewer.id
  return {
    socket_secret_key: socketKey(app).toString('base64'),
    client_version,
    women_online: womenOnline(app),
    features: {
      captcha: off,
      monitoring: off,
      translation: off,
      push: off,
      analytics: off,
      payments: off,
      turn: { on: app.config.turn !== undefined },
    },
    age_gate: { proof: 'confirmation', terms_version },
    ...(app.config.demo && { demo: { cast: await castOf(app, viewer_id) } }),
  }
}
