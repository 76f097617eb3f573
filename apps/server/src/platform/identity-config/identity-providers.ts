import { isProtected } from '../../lib/loopback.ts'
import { StartRefused } from '../database/start-refused.ts'
import type { Values } from '../environment.ts'
import { isWeakSecret } from '../weak-secret.ts'

export interface SumsubConfig {
  readonly url: string
  readonly app_token: string
  readonly request_secret: string
  readonly webhook_secret: string
  readonly level: string
  readonly digest: 'sha256' | 'sha512'
}

export interface AgeConfig {
  readonly provider: 'yoti' | 'verifymyage'
  readonly url: string
  readonly client: string
  readonly secret: string
}

export interface FingerprintProConfig {
  readonly url: string
  readonly secret: string
  /** The public key and the region, which browsers need; without a key they do not ask the service. */
  readonly key: string | undefined
  readonly region: keyof typeof FINGERPRINT_URLS
  readonly sources: FingerprintSources
}

/** The sources that the script of the service needs in the policy of our pages. */
export interface FingerprintSources {
  readonly scripts: readonly string[]
  readonly connections: readonly string[]
}

const FINGERPRINT_URLS = {
  us: 'https://api.fpjs.io',
  eu: 'https://eu.api.fpjs.io',
  ap: 'https://ap.api.fpjs.io',
} as const
const FINGERPRINT_SOURCES: FingerprintSources = {
  scripts: ['https://fpjscdn.net'],
  connections: ['https://fpjscdn.net', 'https://api.fpjs.io', 'https://*.api.fpjs.io'],
}

const AGE_URLS = {
  yoti: 'https://age.yoti.com',
  verifymyage: 'https://oauth.verifymyage.com',
} as const

/** Sumsub as it is configured; all of its variables or none. */
export function sumsubOf(values: Values, production: boolean): SumsubConfig | undefined {
  const { SUMSUB_APP_TOKEN: app_token, SUMSUB_SECRET_KEY: request_secret } = values
  const { SUMSUB_WEBHOOK_SECRET: webhook_secret, SUMSUB_LEVEL: level } = values
  const given = [app_token, request_secret, webhook_secret, level].filter(
    (one) => one !== undefined,
  )
  if (given.length === 0) return undefined
  if (!app_token || !request_secret || !webhook_secret || !level)
    throw new StartRefused(
      'SUMSUB_APP_TOKEN, SUMSUB_SECRET_KEY, SUMSUB_WEBHOOK_SECRET and SUMSUB_LEVEL must be set together.',
    )
  const url = values.SUMSUB_URL!
  if (production && (app_token.startsWith('sbx:') || !url.startsWith('https://')))
    throw new StartRefused(
      'SUMSUB_APP_TOKEN must be one of production (prd:) when NODE_ENV is production: the sandbox verifies no real person.',
    )
  if (production && isWeakSecret(webhook_secret))
    throw new StartRefused('SUMSUB_WEBHOOK_SECRET must be random when NODE_ENV is production.')
  return { url, app_token, request_secret, webhook_secret, level, digest: values.SUMSUB_DIGEST! }
}

export function ageProviderOf(values: Values, production: boolean): AgeConfig | undefined {
  const { AGE_PROVIDER: provider, AGE_CLIENT: client, AGE_SECRET: secret, AGE_URL } = values
  if (provider === undefined) return undefined
  if (!client || !secret)
    throw new StartRefused('AGE_PROVIDER must come with AGE_CLIENT and AGE_SECRET.')
  if (production && AGE_URL !== undefined && !isProtected(AGE_URL))
    throw new StartRefused(
      'AGE_URL must be an https:// origin when NODE_ENV is production: its answers prove ages.',
    )
  return { provider, client, secret, url: AGE_URL ?? AGE_URLS[provider] }
}

/** The service of PRO_D_INFO; without its secret no visitor id is stored. */
export function fingerprintProOf(values: Values): FingerprintProConfig | undefined {
  const { FINGERPRINT_PRO_SECRET: secret, FINGERPRINT_PRO_KEY: key, FINGERPRINT_PRO_URL } = values
  const region = values.FINGERPRINT_PRO_REGION!
  if (secret === undefined) {
    if (key === undefined) return undefined
    throw new StartRefused('FINGERPRINT_PRO_KEY must come with FINGERPRINT_PRO_SECRET.')
  }
  const url = FINGERPRINT_PRO_URL ?? FINGERPRINT_URLS[region]
  return { url, secret, key, region, sources: FINGERPRINT_SOURCES }
}
