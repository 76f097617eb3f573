import type { App } from '../../core/app.ts'
import type { CommandArguments, OperatorCommand } from '../../core/module.ts'
import { refuse } from '../../lib/refusal.ts'
import { CommandRefused } from '../../platform/operator/commands.ts'
import { shellActor } from '../audit/index.ts'
import { allowMore } from './check-bulk.ts'
import { listStops } from './stops.ts'

async function allow(app: App, given: CommandArguments) {
  const { reason, as } = given.options
  if (typeof as !== 'string')
    throw new CommandRefused('Say with --as NAME that you are another person.')
  if (typeof reason !== 'string' || reason.trim() === '')
    throw new CommandRefused('Give the reason with --reason.')
  const stop_id = Number(given.words[0])
  if (!Number.isSafeInteger(stop_id)) refuse('not_found')
  await app.transact((tx) => allowMore(tx, shellActor(given), { stop_id, reason: reason.trim() }))
  return { stop_id, allowed: true }
}

export const commands: Readonly<Record<string, OperatorCommand>> = {
  'bulk list': {
    args: '',
    summary: 'People of staff who were stopped because they did many acts at once.',
    run: async (app) => (await listStops(app)).stops,
  },
  'bulk allow': {
    args: 'STOP --reason TEXT --as NAME',
    summary: 'Allows a stopped person the same number again; another person must do it.',
    run: allow,
  },
}
