import type { Answer, Body } from '@duet/protocol'
import type { StaffRole } from '@duet/protocol/kernel/who.ts'
import type { App, Tx } from '../../core/app.ts'
import type { Staff } from '../../core/viewer.ts'
import { refuse } from '../../lib/refusal.ts'
import { officeOrigins } from '../../platform/http/office-origin.ts'
import { type Actor, writeAudit } from '../audit/index.ts'
import { emailRefusal, newTotpSecret } from '../logins/index.ts'
import { requireFresh, shownStaff } from './sessions.ts'
import {
  endMember,
  memberByEmail,
  type MemberRow,
  newLink,
  putMember,
  readMembers,
} from './store.ts'
import { tellLink } from './tell-links.ts'

/**
 * The one-time link by which a member chooses factors. The token is behind the #, so that no server writes it to a log. A
 * colleague does not see the link of a member who has signed in before: it is mailed to this member. Refuses
 * method_unavailable, if such a mail cannot be sent.
 *
 * @returns `totp_secret`: with it the shell sets a member up without a browser; a browser replaces it by its own
 */
export async function setupLink(
  tx: Tx,
  member: MemberRow,
  maker: Actor & { readonly email?: string },
): Promise<{ link: string | null; totp_secret: string }> {
  const { id, email } = member
  const { sealed, secret } = newTotpSecret(tx.app, { owner: `staff ${id}`, email })
  const made_by = 'id' in maker ? maker.id : null
  const path = `/office/setup/#${await newLink(tx, id, { totp_secret: sealed, made_by })}` as const
  const isMailed = made_by !== null && member.last_visit_at !== null
  if (isMailed && tx.app.mail.is_off) refuse('method_unavailable')
  await tellLink(tx, member, { by: maker.email, path: isMailed ? path : undefined })
  return { link: isMailed ? null : officeOrigins(tx.app.config)[0] + path, totp_secret: secret }
}

/** Invites a member or changes the role of one. Refuses email_invalid. */
export async function inviteMember(
  tx: Tx,
  email: string,
  role: StaffRole,
): Promise<{ member: MemberRow; former: MemberRow | undefined }> {
  const refused = emailRefusal(email)
  if (refused) refuse(refused)
  const former = await memberByEmail(tx, email)
  return { former, member: await putMember(tx, email, role) }
}

/** The entry of the audit log about a change of a membership. */
export function auditMember(
  tx: Tx,
  staff: Actor,
  act: 'staff_change' | 'staff_link' | 'staff_end',
  member: MemberRow,
  { reason, former }: { readonly reason?: string; readonly former?: MemberRow | undefined } = {},
): Promise<void> {
  const facts = { staff_id: member.id, email: member.email, role: member.role }
  const before = { role: former?.role ?? null }
  const after = { role: act === 'staff_end' ? null : member.role }
  const change = act === 'staff_link' ? {} : { before, after }
  return writeAudit(tx, { staff, act, reason, facts, ...change })
}

export async function listMembers(app: App): Promise<Answer<'GET v2/manager/staff'>> {
  return { staff: (await readMembers(app.db)).map(shownStaff) }
}

/** POST v2/manager/staff. Refuses second_factor, role_forbidden on oneself, email_invalid, not_found, method_unavailable. */
export async function changeMember(
  app: App,
  staff: Staff,
  { email: typed, role, new_link, reason }: Body<'POST v2/manager/staff'>,
): Promise<Answer<'POST v2/manager/staff'>> {
  requireFresh(app, staff)
  const email = typed.trim().toLowerCase()
  if (email === staff.email) refuse('role_forbidden')
  return app.transact(async (tx) => {
    if (role === null) {
      const member = (await memberByEmail(tx, email)) ?? refuse('not_found')
      await endMember(tx, member.id)
      await auditMember(tx, staff, 'staff_end', member, { reason, former: member })
      return { staff: null, link: null }
    }
    const { member, former } = await inviteMember(tx, email, role)
    if (former?.role !== role)
      await auditMember(tx, staff, 'staff_change', member, { reason, former })
    if (former && !new_link) return { staff: shownStaff(member), link: null }
    const { link } = await setupLink(tx, member, staff)
    await auditMember(tx, staff, 'staff_link', member, { reason })
    return { staff: shownStaff(member), link }
  })
}
