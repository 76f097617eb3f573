import { resolve } from 'node:path'
import { parseRole } from '@duet/protocol/kernel/roles.ts'
import { refuse } from '../../lib/refusal.ts'
import type { App } from '../../core/app.ts'
import type { CommandArguments, OperatorCommand } from '../../core/module.ts'
import { shellActor } from '../audit/index.ts'
import { addMember } from './add-member.ts'

function text(given: CommandArguments, option: string): string {
  const value = given.options[option]
  return typeof value === 'string' && value !== ''
    ? value
    : refuse('invalid', { fields: [{ path: option, message: `--${option} is needed` }] })
}

function userAdd(app: App, given: CommandArguments) {
  const role = parseRole(text(given, 'role'))
  if (!role) refuse('invalid', { fields: [{ path: 'role', message: '--role is guy or girl' }] })
  const { avatar, verified } = given.options
  const member = {
    role,
    nick: text(given, 'nick'),
    email: text(given, 'email'),
    password: text(given, 'password'),
    verified: verified === true,
    // A relative path starts in the operator's directory, not in the server's.
    ...(typeof avatar === 'string' && {
      avatar: avatar === 'demo' ? avatar : resolve(given.cwd, avatar),
    }),
  }
  return addMember(app, member, shellActor(given))
}

export const commands: Readonly<Record<string, OperatorCommand>> = {
  'user add': {
    args: '--role guy|girl --nick N --email E --password P [--verified] [--avatar FILE|demo] [--as NAME]',
    summary: 'Adds a member.',
    run: async (app, given) => userAdd(app, given),
  },
}
