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

/** The one-time link by which a member chooses factors. The token is behind the #, so that no server writes it to a log. */
export async function setupLink(tx: Tx, { id, email }: MemberRow): Promise<string> {
  const { sealed } = newTotpSecret(tx.app, { owner: `staff ${id}`, email })
  const token = await newLink(tx, id, sealed)
  return `${officeOrigins(tx.app.config)[0]}/office/setup/#${token}`
}

/** Invites a member, changes the role of one, or lets one set up again. Refuses email_invalid. */
export async function inviteMember(
  tx: Tx,
  email: string,
  role: StaffRole,
  wantsLink: boolean,
): Promise<{ member: MemberRow; former: MemberRow | undefined; link: string | null }> {
  const refused = emailRefusal(email)
  if (refused) refuse(refused)
  const former = await memberByEmail(tx, email)
  const member = await putMember(tx, email, role)
  return { member, former, link: !former || wantsLink ? await setupLink(tx, member) : null }
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

/** POST v2/manager/staff. Refuses second_factor, role_forbidden on oneself, email_invalid, not_found. */
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
    const { member, former, link } = await inviteMember(tx, email, role, new_link)
    await auditMember(tx, staff, 'staff_change', member, { reason, former })
    return { staff: shownStaff(member), link }
  })
}
