import { join } from 'node:path'
import type { Config } from './config.ts'
import type { AgeProvider } from './integrations/age/age.ts'
import { createVerifyMyAge } from './integrations/age/verify-my-age.ts'
import { createYoti } from './integrations/age/yoti.ts'
import { createAlarmWebhook } from './integrations/alarms/alarms.ts'
import { createCaptcha } from './integrations/captcha/create-captcha.ts'
import { createCountrySource } from './integrations/country/create-country.ts'
import type { DocumentKeys } from './integrations/document-keys/document-keys.ts'
import { createFileKeys } from './integrations/document-keys/file-keys.ts'
import { createGivenKeys } from './integrations/document-keys/given-keys.ts'
import { createWorkerFaces } from './integrations/faces/worker-faces.ts'
import { createFingerprintPro } from './integrations/fingerprint/fingerprint-pro.ts'
import { createSharpImageProcessor } from './integrations/images/sharp-images.ts'
import { createSumsub } from './integrations/kyc/sumsub.ts'
import { createFolderMail } from './integrations/mail/folder-mail.ts'
import type { MailTransport } from './integrations/mail/mail.ts'
import { createNoMail } from './integrations/mail/no-mail.ts'
import { createSmtpMail } from './integrations/mail/smtp-mail.ts'
import { createGateways } from './integrations/payments/create-gateways.ts'
import { readOrCreatePushKeys } from './integrations/push/push-keys.ts'
import type { PushSender } from './integrations/push/push.ts'
import { createWebPush, newPushKeys } from './integrations/push/web-push.ts'
import { createStorage } from './integrations/storage/create-storage.ts'
import { createLibreTranslate } from './integrations/translation/libre-translate.ts'
import type { Translator } from './integrations/translation/translation.ts'
import { createTurnRelay } from './integrations/turn/turn.ts'
import { createFfmpegVideoConverter } from './integrations/video/ffmpeg-video.ts'
import { createWorkerJudge } from './integrations/vision/worker-judge.ts'
import { keyFor } from './lib/derived-key.ts'
import type { AppContext } from './core/app.ts'
import type { Integrations } from './integrations/integrations.ts'

type Circumstances = Pick<AppContext, 'config' | 'clock' | 'log'>

/** Every external system in the form that the configuration chooses, unless it is given. */
export function createIntegrations(
  circumstances: Circumstances,
  given: Partial<Pick<Integrations, 'vision' | 'faces' | 'push'>> = {},
): Integrations {
  const { config, clock, log } = circumstances
  return {
    storage: createStorage(config),
    documentKeys: createDocumentKeys(config),
    kyc: config.sumsub && createSumsub(config.sumsub, () => clock.now()),
    age: createAgeProvider(config),
    alarms:
      config.alarm_webhook === undefined ? undefined : createAlarmWebhook(config.alarm_webhook),
    ...createClientChecks(circumstances),
    translator: createTranslator(circumstances),
    images: createSharpImageProcessor(),
    videos: createFfmpegVideoConverter({ sandbox_required: config.video_sandbox_required }),
    vision: given.vision ?? createWorkerJudge(),
    faces: given.faces ?? createWorkerFaces(),
    relay: createTurnRelay(config.turn),
    mail: createMailTransport(config),
    push: given.push ?? createPushSender(config),
    gateways: createGateways(config.payments),
    country: createCountrySource(config.country, (error) =>
      log.error({ err: error }, 'the table of countries cannot be read: every country is unknown'),
    ),
  }
}

function createDocumentKeys({ kyc_keys, production }: Config): DocumentKeys {
  return 'file' in kyc_keys
    ? createFileKeys(kyc_keys.file, { must_exist: production })
    : createGivenKeys(kyc_keys.keys)
}

function createAgeProvider({ age }: Config): AgeProvider | undefined {
  if (!age) return undefined
  return age.provider === 'yoti' ? createYoti(age) : createVerifyMyAge(age)
}

/** The captcha, and the service that confirms fingerprints. */
function createClientChecks({
  config,
  clock,
  log,
}: Circumstances): Pick<Integrations, 'captcha' | 'fingerprints'> {
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

function createPushSender({ push_keys, data_dir, mail, origins }: Config): PushSender {
  const [origin = ''] = origins
  const keys = push_keys ?? readOrCreatePushKeys(join(data_dir, 'push.key'), newPushKeys)
  const subject = origin.startsWith('https:')
    ? origin
    : `mailto:${mail.kind === 'smtp' ? mail.from.replace(/^.*<|>\s*$/g, '') : 'operator@localhost'}`
  return createWebPush({ keys, subject })
}

function createMailTransport({ mail, data_dir }: Config): MailTransport {
  if (mail.kind === 'smtp') return createSmtpMail(mail)
  return mail.kind === 'off' ? createNoMail() : createFolderMail(join(data_dir, 'mails'))
}

function createTranslator({
  config: { translation },
  clock,
  log,
}: Circumstances): Translator | undefined {
  return (
    translation &&
    createLibreTranslate({
      ...translation,
      nowMs: () => clock.now().epochMilliseconds,
      onUnavailable: (reason) =>
        log.warn({ reason }, 'the translation service is left alone for half a minute'),
    })
  )
}
