import { z } from 'zod'
import { isOrigin, listed, type Variable } from '../variable.ts'

/** The variables of documents, of the provider of identity checks, and of the one of age proofs. */
export const IDENTITY_VARIABLES = {
  KYC_KEY: {
    shape: listed.pipe(
      z.array(z.string().regex(/^([0-9a-fA-F]{64}|[A-Za-z0-9+/_-]{43}=?)$/)).min(1),
    ),
    expects: '32 random bytes in base64 or hex, or several of them with commas between',
    meaning:
      'The keys that wrap the keys of identity documents, the current one first; the others still open what they wrapped. They must be in no backup of the database.',
  },
  KYC_KEY_FILE: {
    shape: z.string().min(1),
    expects: 'a file',
    meaning:
      'A file with those keys, one on each line, readable by the server’s account only; `duet verification rotate-key` renews it. Production needs KYC_KEY or this. Default elsewhere: DATA_DIR with `.kyc-key` at its end, created at the first use.',
  },
  SUMSUB_APP_TOKEN: {
    shape: z.string().regex(/^(sbx|prd):./),
    expects: 'an app token like prd:…',
    meaning:
      'Sumsub as the second way of verification; needs the other SUMSUB_ variables. Production refuses one of the sandbox.',
  },
  SUMSUB_SECRET_KEY: {
    shape: z.string().min(8),
    expects: 'the secret key of the app token',
    meaning: 'Signs the requests to Sumsub.',
  },
  SUMSUB_WEBHOOK_SECRET: {
    shape: z.string().min(8),
    expects: 'the secret of the webhook',
    meaning: 'Sumsub signs its notices with it. Their address is PUBLIC_ORIGIN/api/ss/kyc/notify.',
  },
  SUMSUB_LEVEL: {
    shape: z.string().min(1).max(100),
    expects: 'the name of a level',
    meaning: 'The level that a user has to pass.',
  },
  SUMSUB_DIGEST: {
    shape: z.enum(['sha256', 'sha512']),
    expects: 'sha256 or sha512',
    meaning: 'The algorithm of the notices, as it is set at Sumsub.',
    fallback: 'sha256',
  },
  SUMSUB_URL: {
    shape: z.url().refine(isOrigin),
    expects: 'an origin',
    meaning: 'The API of Sumsub, and the origin of its frame.',
    fallback: 'https://api.sumsub.com',
  },
  AGE_PROVIDER: {
    shape: z.enum(['yoti', 'verifymyage']),
    expects: 'yoti or verifymyage',
    meaning:
      'Proves the age of guys in the countries of the setting age_proof_countries; needs AGE_CLIENT and AGE_SECRET. Absent: their documents prove it.',
  },
  AGE_CLIENT: {
    shape: z.string().min(1),
    expects: 'the SDK id of Yoti or the client id of VerifyMyAge',
    meaning: 'Belongs to AGE_PROVIDER.',
  },
  AGE_SECRET: {
    shape: z.string().min(8),
    expects: 'the API key of Yoti or the secret of VerifyMyAge',
    meaning: 'Belongs to AGE_PROVIDER.',
  },
  AGE_URL: {
    shape: z.url().refine(isOrigin),
    expects: 'an origin',
    meaning: 'The API of AGE_PROVIDER, when it is not the one that the provider documents.',
  },
  FINGERPRINT_PRO_SECRET: {
    shape: z.string().min(8),
    expects: 'the secret key of the server API',
    meaning:
      'Fingerprint Pro confirms the visitor ids of PRO_D_INFO; absent: they are not stored. It was not tried with a real account.',
  },
  FINGERPRINT_PRO_KEY: {
    // A part of the address of the script.
    shape: z.string().regex(/^[A-Za-z0-9]{8,64}$/),
    expects: 'the public key of the account',
    meaning:
      'Browsers load the script of Fingerprint Pro with it and send PRO_D_INFO; needs FINGERPRINT_PRO_SECRET. Absent: nothing of the service is loaded.',
  },
  FINGERPRINT_PRO_REGION: {
    shape: z.enum(['us', 'eu', 'ap']),
    expects: 'us, eu or ap',
    meaning: 'The region of the account of Fingerprint Pro.',
    fallback: 'us',
  },
  FINGERPRINT_PRO_URL: {
    shape: z.url().refine(isOrigin),
    expects: 'an origin',
    meaning: 'The server API of Fingerprint Pro, when it is not the one of the region.',
  },
} as const satisfies Record<string, Variable>
