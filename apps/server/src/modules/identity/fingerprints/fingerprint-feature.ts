import type { System } from '@duet/protocol'
import type { AppContext } from '../../../core/app.ts'

/** Tells browsers the public key of the outside service of fingerprints, where they are to ask it. */
export function fingerprintFeature({
  config: { fingerprint_pro: pro },
}: AppContext): Pick<System['features'], 'fingerprint'> {
  if (pro?.key === undefined) return { fingerprint: { on: false } }
  return { fingerprint: { on: true, key: pro.key, region: pro.region } }
}
