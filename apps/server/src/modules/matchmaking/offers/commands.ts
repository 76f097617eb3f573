import type { App } from '../../../core/app.ts'
import type { CommandArguments, OperatorCommand } from '../../../core/module.ts'
import { wireTime } from '../../../lib/clock.ts'
import { findUserId } from '../../identity/index.ts'
import { recentOffers } from '../queries.ts'
import { replayMatch } from '../queue/match-record.ts'

const OFFERS_MAX = 50

/** The last offers of a user, newest first, each with the reasons of its match. */
async function explainMatches(app: App, { words: [word] }: CommandArguments) {
  const offers = await recentOffers(app.db, await findUserId(app, word), OFFERS_MAX)
  return offers.map(({ match_record, opened_at, ...offer }) => ({
    ...offer,
    opened_at: wireTime(opened_at),
    ...(match_record && {
      rules_version: match_record.rules_version,
      why: replayMatch(match_record),
    }),
  }))
}

export const commands: Readonly<Record<string, OperatorCommand>> = {
  matches: {
    args: 'ID|EMAIL',
    summary:
      'The last offers of a user and why the queue chose them: ranks, waits and languages, decided again from the record.',
    run: explainMatches,
  },
}
