import { StaffRoleName } from '@duet/protocol/contracts/staff.ts'
import type { App } from '../../core/app.ts'
import type { CommandArguments, OperatorCommand } from '../../core/module.ts'
import { CommandRefused } from '../../platform/operator/commands.ts'
import { shellActor } from '../audit/index.ts'
import { auditMember, inviteMember, setupLink } from './members.ts'
import { shownStaff } from './sessions.ts'
import { endMember, memberByEmail, type MemberRow, readMembers } from './store.ts'

async function add(app: App, given: CommandArguments) {
  const [email = ''] = given.words
  const role = StaffRoleName.safeParse(given.options['role'])
  if (!role.success)
    throw new CommandRefused(`--role is one of ${StaffRoleName.options.join(', ')}.`)
  const { member, link, totp_secret } = await app.transact(async (tx) => {
    const invited = await inviteMember(tx, email, role.data)
    await auditMember(tx, shellActor(given), 'staff_change', invited.member, invited)
    return { ...invited, ...(await setupLink(tx, invited.member, shellActor(given))) }
  })
  const added = { ...shownStaff(member), link }
  return given.options['totp'] === undefined ? added : { ...added, totp_secret }
}

async function neededMember(
  app: App,
  { words: [email = ''] }: CommandArguments,
): Promise<MemberRow> {
  const member = await memberByEmail(app.db, email)
  if (!member) throw new CommandRefused(`No member of staff has the address ${email}.`)
  return member
}

async function makeLink(app: App, given: CommandArguments) {
  const member = await neededMember(app, given)
  return app.transact(async (tx) => {
    await auditMember(tx, shellActor(given), 'staff_link', member)
    const { link } = await setupLink(tx, member, shellActor(given))
    return { link }
  })
}

async function end(app: App, given: CommandArguments) {
  const member = await neededMember(app, given)
  const { id, email } = member
  await app.transact(async (tx) => {
    await endMember(tx, id)
    await auditMember(tx, shellActor(given), 'staff_end', member, { former: member })
  })
  return { id, email, ended: true }
}

export const commands: Readonly<Record<string, OperatorCommand>> = {
  'staff add': {
    args: 'EMAIL --role moderator|manager|finance|owner [--totp] [--as NAME]',
    summary:
      'Adds a member of staff, or changes the role; prints the one-time link to set up the sign-in, with --totp also the secret of the one-time codes, for a place without a browser.',
    run: add,
  },
  'staff list': {
    args: '',
    summary: 'The members of staff.',
    run: async (app) => (await readMembers(app.db)).map(shownStaff),
  },
  'staff link': {
    args: 'EMAIL [--as NAME]',
    summary:
      'A new one-time link, for a member who has lost the factors; they end when it is used.',
    run: makeLink,
  },
  'staff end': {
    args: 'EMAIL [--as NAME]',
    summary: 'Ends a membership at once, with its sessions.',
    run: end,
  },
}
