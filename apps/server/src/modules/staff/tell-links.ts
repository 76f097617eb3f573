import { FALLBACK_LOCALE } from '@duet/protocol/kernel/locales.ts'
import type { Tx } from '../../core/app.ts'
import { enqueueMail } from '../mail/index.ts'
import { type MemberRow, readMembers } from './store.ts'

/** The maker of a link in the texts of mails, when it is the operator's shell. */
const SHELL = 'shell'

interface NewLink {
  /** Undefined: the operator's shell. */
  readonly by: string | undefined
  /** The link itself goes to the member. */
  readonly path: `/${string}` | undefined
}

/**
 * Tells the member and all owners that a link was made. The first link of a member that is made at the shell is told to no
 * one: nothing can be taken from a member by it, and its maker has the machine.
 */
export async function tellLink(tx: Tx, member: MemberRow, { by, path }: NewLink): Promise<void> {
  if (by === undefined && member.last_visit_at === null) return
  const key = `staff:${member.id}:link:${tx.now.epochMilliseconds}`
  if (path)
    await enqueueMail(tx, {
      to: member.email,
      locale: FALLBACK_LOCALE,
      template: 'staff_link',
      values: { by: by ?? SHELL, link: path },
      key,
    })
  await tell(tx, member, { template: 'staff_link_made', by, key, withMember: !path })
}

/** Tells the member and all owners that the link was used. */
export async function tellSetup(tx: Tx, member: MemberRow, by: string | undefined): Promise<void> {
  if (by === undefined && member.last_visit_at === null) return
  const key = `staff:${member.id}:setup:${tx.now.epochMilliseconds}`
  await tell(tx, member, { template: 'staff_set_up', by, key, withMember: true })
}

async function tell(
  tx: Tx,
  { email, ...member }: MemberRow,
  {
    template,
    by,
    key,
    withMember,
  }: {
    readonly template: 'staff_link_made' | 'staff_set_up'
    readonly by: string | undefined
    readonly key: string
    readonly withMember: boolean
  },
): Promise<void> {
  const told = (await readMembers(tx)).filter(({ id, role }) =>
    id === member.id ? withMember : role === 'owner',
  )
  for (const { id, email: to } of told)
    await enqueueMail(tx, {
      to,
      locale: FALLBACK_LOCALE,
      template,
      values: { email, by: by ?? SHELL, link: '/office/' },
      key: `${key}:${id}`,
    })
}
