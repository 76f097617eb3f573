/** Names of the server's secrets in the built web apps: a bundle that names one was built with code or values of the server. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Environment variables whose values are secret (`apps/server/src/config.ts`). */
export const SECRET_NAMES = [
  'AGE_SECRET',
  'CAPTCHA_SECRET',
  'DATABASE_URL',
  'FINGERPRINT_PRO_SECRET',
  'KYC_KEY',
  'KYC_KEY_FILE',
  'S3_SECRET_ACCESS_KEY',
  'SECRET_KEY',
  'SMTP_URL',
  'SUMSUB_SECRET_KEY',
  'SUMSUB_WEBHOOK_SECRET',
  'TRANSLATE_KEY',
  'TURN_SECRET',
] as const

/** Keys that the provider's script in the browser is given. */
export const PUBLIC_NAMES = ['CAPTCHA_SITE_KEY', 'FINGERPRINT_PRO_KEY'] as const

const TEXT_FILE = /\.(?:js|css|html|json|map|svg|webmanifest|txt)$/
const NAMES = new RegExp(`(?<![A-Z0-9_])(?:${SECRET_NAMES.join('|')})(?![A-Z0-9_])`, 'g')
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----/

/** A sentence for each file and each secret that it names. */
export function bundleComplaints(dist: string): string[] {
  if (!existsSync(dist)) return []
  const files = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && TEXT_FILE.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
  return files.flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    const names = new Set(text.match(NAMES) ?? [])
    if (PRIVATE_KEY.test(text)) names.add('a private key')
    return [...names].map((name) => `${file} contains ${name}: it is a secret of the server.`)
  })
}
