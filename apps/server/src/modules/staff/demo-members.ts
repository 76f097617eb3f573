import type { Answer, Body } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Viewer } from '../../core/viewer.ts'
import { refuse } from '../../lib/refusal.ts'
import { openSession } from './sessions.ts'
import { endMember, memberByEmail, type MemberRow, putMember } from './store.ts'

/** A domain that can have no mailbox (RFC 2606): no person is invited by these addresses. */
const EMAILS = { moderator: 'moderator@demo.invalid', owner: 'owner@demo.invalid' } as const

/** The members of a demo installation have no factors: they sign in by one press. */
export function isDemoMember({ config }: App, { email }: MemberRow): boolean {
  return config.demo && Object.values<string>(EMAILS).includes(email)
}

/** POST v2/manager/demo-sign-in. Refuses not_found outside a demo installation. */
export async function demoSignIn(
  app: App,
  _viewer: Viewer,
  { staff_role }: Body<'POST v2/manager/demo-sign-in'>,
  context: RequestContext,
): Promise<Answer<'POST v2/manager/demo-sign-in'>> {
  if (!app.config.demo) refuse('not_found')
  return app.transact(async (tx) =>
    openSession(tx, await putMember(tx, EMAILS[staff_role], staff_role), context),
  )
}

/** An installation that is a demo no longer has no member without factors. */
export async function endDemoMembers(app: App): Promise<void> {
  await app.transact(async (tx) => {
    for (const email of Object.values(EMAILS)) {
      const member = await memberByEmail(tx, email)
      if (member) await endMember(tx, member.id)
    }
  })
}
