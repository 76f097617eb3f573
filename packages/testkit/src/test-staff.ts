import { Secret, TOTP } from 'otpauth'
import type { StaffRole } from '@duet/protocol/kernel/who.ts'
import type { TestApp } from './test-app.ts'
import type { TestUser } from './test-user.ts'

export const STAFF_PASSWORD = 'office-secret-1'

/** The one-time code of a secret at a time. */
export function codeAt(secret: string, at: Temporal.Instant): string {
  const timestamp = at.epochMilliseconds
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp })
}

/** Adds a member of staff, who sets up password and one-time code by the link, and is signed in. */
export async function openStaff(
  testApp: TestApp,
  role: StaffRole,
  email = `${role}@duet.example`,
): Promise<TestUser> {
  const { link } = await testApp.duet<{ link: string }>('staff', 'add', email, '--role', role)
  const token = link.slice(link.indexOf('#') + 1)
  const page = testApp.user(email)
  const { totp_secret } = await page.post('v2/manager/setup/begin', { token })
  const otp = codeAt(totp_secret, testApp.clock.now())
  await page.post('v2/manager/setup/finish', { token, password: STAFF_PASSWORD, otp })
  return page
}

/** The latest entry of the audit log. */
export async function lastAudited(testApp: TestApp): Promise<{ act: string; reason: string }> {
  const [entry] = await testApp.duet<{ act: string; reason: string }[]>('audit', 'list')
  return { act: entry!.act, reason: entry!.reason }
}

/** The acts in the audit log, the newest first. */
export async function auditedActs(testApp: TestApp): Promise<string[]> {
  const entries = await testApp.duet<{ act: string }[]>('audit', 'list')
  return entries.map(({ act }) => act)
}
