import type { Config } from './config.ts'
import type { App } from './core/app.ts'
import { createCaptcha } from './integrations/captcha/create-captcha.ts'
import { createFingerprintPro } from './integrations/fingerprint/fingerprint-pro.ts'
import type { Clock } from './lib/clock.ts'
import { keyFor } from './lib/derived-key.ts'

/** The captcha, and the service that confirms fingerprints. */
export function createClientChecks(
  config: Config,
  clock: Clock,
  log: App['log'],
): Pick<App, 'captcha' | 'fingerprints'> {
  return {
    captcha: createCaptcha(config.captcha, {
      secret: keyFor(config, 'captchas'),
      now: () => clock.now(),
      onUnavailable: (error) =>
        log.warn({ err: error }, 'the captcha provider does not answer: ALTCHA is used instead'),
    }),
    fingerprints:
      config.fingerprint_pro &&
      createFingerprintPro(config.fingerprint_pro, () => clock.now().epochMilliseconds),
  }
}
