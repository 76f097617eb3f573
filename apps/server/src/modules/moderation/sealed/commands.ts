import { limits } from '@duet/protocol'
import { parseId } from '@duet/protocol/kernel/parse-id.ts'
import type { App } from '../../../core/app.ts'
import type { CommandArguments, OperatorCommand } from '../../../core/module.ts'
import { wireTime } from '../../../lib/clock.ts'
import { refuse } from '../../../lib/refusal.ts'
import { CommandRefused } from '../../../platform/operator/commands.ts'
import { operatorName } from '../../../platform/operator/operator-name.ts'
import { neededText } from '../../identity/index.ts'
import { readSealed, type SealedRow } from './sealed-store.ts'
import { holdCase, lookAt, type SealKeeper, releaseCase } from './exports.ts'

const LISTED_MAX = 200

/** Exports need two proven people, so they are made in the office. Here a name is needed for the record. */
function neededPerson(given: CommandArguments): SealKeeper {
  const name = operatorName(given)
  if (name !== given.options.as)
    throw new CommandRefused('--as NAME is needed: letters, digits and . _ @ -')
  return { name, actor: { operator: name } }
}

function neededNumber([word = '']: readonly string[]): number {
  return parseId(word) ?? refuse('not_found')
}

function neededReason(given: CommandArguments): string {
  return neededText(given, 'reason').slice(0, limits.seal_reason_characters)
}

function shown(one: SealedRow) {
  const { complaint_id, reason, is_panic, accused_id, files, seal, is_held } = one
  const decided_at = one.decided_at && wireTime(one.decided_at)
  const at = wireTime(one.at)
  return { complaint_id, reason, is_panic, accused_id, files, seal, is_held, at, decided_at }
}

async function show(app: App, given: CommandArguments) {
  const looked = await lookAt(app, neededPerson(given), neededNumber(given.words))
  return {
    ...shown(looked.sealed),
    files: looked.files.map(({ file, is_whole }) => {
      const { kind, source, sha256, bytes, at } = file
      return { kind, source, sha256, bytes, is_whole, at: wireTime(at) }
    }),
    exports: looked.exports,
  }
}

export const commands: Readonly<Record<string, OperatorCommand>> = {
  'seal list': {
    args: '',
    summary: 'Lists the cases with sealed evidence, the newest first.',
    run: async (app) =>
      (await readSealed(app.db, { offset: 0, limit: LISTED_MAX })).map((one) => shown(one)),
  },
  'seal show': {
    args: 'COMPLAINT --as NAME',
    summary: 'Checks the hashes of sealed evidence and lists its exports; the look is recorded.',
    run: show,
  },
  'seal hold': {
    args: 'COMPLAINT --reason TEXT --as NAME',
    summary: 'Keeps the data of the accused of a sealed case from every deletion.',
    run: async (app, given) => {
      const asked = { complaint_id: neededNumber(given.words), reason: neededReason(given) }
      await holdCase(app, neededPerson(given), asked)
      return { complaint_id: asked.complaint_id }
    },
  },
  'seal release': {
    args: 'COMPLAINT --reason TEXT --as NAME',
    summary: 'Ends the hold of a decided case; the sealed evidence stays.',
    run: async (app, given) => {
      const asked = { complaint_id: neededNumber(given.words), reason: neededReason(given) }
      await releaseCase(app, neededPerson(given), asked)
      return { complaint_id: asked.complaint_id }
    },
  },
}
