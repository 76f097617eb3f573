import type { AgeProvider } from './age/age.ts'
import type { AlarmReceiver } from './alarms/alarms.ts'
import type { Captcha } from './captcha/captcha.ts'
import type { CountrySource } from './country/country.ts'
import type { DocumentKeys } from './document-keys/document-keys.ts'
import type { FaceReader } from './faces/faces.ts'
import type { FingerprintService } from './fingerprint/fingerprint.ts'
import type { ImageProcessor } from './images/images.ts'
import type { KycProvider } from './kyc/kyc.ts'
import type { MailTransport } from './mail/mail.ts'
import type { Gateway } from './payments/gateway.ts'
import type { PushSender } from './push/push.ts'
import type { Storage } from './storage/storage.ts'
import type { Translator } from './translation/translation.ts'
import type { TurnRelay } from './turn/turn.ts'
import type { VideoConverter } from './video/video.ts'
import type { PictureJudge } from './vision/vision.ts'

/** The external systems of an app, each behind its port. */
export interface Integrations {
  readonly storage: Storage
  /** Wrap the keys of encrypted documents. */
  readonly documentKeys: DocumentKeys
  /** The configured provider of identity checks. */
  readonly kyc: KycProvider | undefined
  /** The configured provider of age proofs. */
  readonly age: AgeProvider | undefined
  /** The configured receiver of alarms besides mails. */
  readonly alarms: AlarmReceiver | undefined
  /** The configured outside service that confirms fingerprints. */
  readonly fingerprints: FingerprintService | undefined
  readonly captcha: Captcha
  /** The configured service that translates messages. */
  readonly translator: Translator | undefined
  readonly images: ImageProcessor
  readonly vision: PictureJudge
  readonly faces: FaceReader
  readonly videos: VideoConverter
  readonly relay: TurnRelay
  readonly mail: MailTransport
  readonly push: PushSender
  /** The configured methods of payment by their names on the wire. */
  readonly gateways: ReadonlyMap<string, Gateway>
  readonly country: CountrySource
}
