import type { App } from '../../../core/app.ts'
import type { CommandArguments, OperatorCommand } from '../../../core/module.ts'
import { plusMs, wireTime } from '../../../lib/clock.ts'
import { refuse } from '../../../lib/refusal.ts'
import { operatorName } from '../../../platform/operator/operator-name.ts'
import { shellActor, writeAudit } from '../../audit/index.ts'
import { findUserId } from '../../identity/index.ts'
import { countMaskedTexts, doneUntil, readMaskedTexts } from './queries.ts'
import { markViewDone, recordMaskedView, setViewUntil } from './store.ts'

const DAY_MS = 86_400_000
const DAYS_DEFAULT = 7
const DAYS_MAX = 90
const USERS_LISTED_MAX = 100
const TEXTS_MAX = 200
/** A text has the time at which its transaction began: up to this much later it can still be committed. */
const ON_ITS_WAY_MS = 60_000
const BEGINNING = Temporal.Instant.fromEpochMilliseconds(0)

function getDays({ options: { days } }: CommandArguments): number {
  if (days === undefined) return DAYS_DEFAULT
  const count = typeof days === 'string' && /^\d{1,2}$/.test(days) ? Number(days) : 0
  if (count >= 1 && count <= DAYS_MAX) return count
  return refuse('invalid', {
    fields: [{ path: 'days', message: `--days is a number from 1 to ${DAYS_MAX}` }],
  })
}

/** Users with masked texts that staff have not looked at, the most of them first. */
async function list(app: App, given: CommandArguments) {
  const since = plusMs(app.clock.now(), -getDays(given) * DAY_MS)
  const page = { since, before: app.clock.now(), limit: USERS_LISTED_MAX }
  const users = await countMaskedTexts(app.db, page)
  return users.map(({ first_at, last_at, done_until, ...user }) => ({
    ...user,
    first_at: wireTime(first_at),
    last_at: wireTime(last_at),
    done_until: done_until && wireTime(done_until),
  }))
}

/**
 * The texts that are not done, the oldest first, or with `all` the newest ones. The look is recorded before anything of it is
 * read, and what it has shown after that.
 */
async function show(app: App, given: CommandArguments) {
  const user_id = await findUserId(app, given.words[0])
  const settled = plusMs(app.clock.now(), -ON_ITS_WAY_MS)
  const staff = shellActor(given)
  const view_id = await app.transact(async (tx) => {
    await writeAudit(tx, { staff, act: 'masked_texts_view', user_id })
    return recordMaskedView(tx, { user_id, viewer: operatorName(given) })
  })
  const isAll = given.options.all === true
  const after = isAll ? null : ((await doneUntil(app.db, user_id)) ?? BEGINNING)
  const texts = await readMaskedTexts(app.db, user_id, { after, limit: TEXTS_MAX + 1 })
  // A text that is on its way while this runs, or did not fit, waits for the next look.
  const fitting = texts[TEXTS_MAX]?.at.subtract({ microseconds: 1 }) ?? settled
  const until = Temporal.Instant.compare(fitting, settled) < 0 ? fitting : settled
  if (!isAll) await app.transact((tx) => setViewUntil(tx, view_id, until))
  return texts.slice(0, TEXTS_MAX).map((text) => ({ ...text, at: wireTime(text.at) }))
}

async function done(app: App, given: CommandArguments) {
  const view = { user_id: await findUserId(app, given.words[0]), viewer: operatorName(given) }
  await app.transact(async (tx) => {
    if (!(await markViewDone(tx, view))) refuse('not_found')
    await writeAudit(tx, {
      staff: shellActor(given),
      act: 'masked_texts_done',
      user_id: view.user_id,
    })
  })
  return view
}

export const commands: Readonly<Record<string, OperatorCommand>> = {
  'masked list': {
    args: '[--days N]',
    summary: `Users whose texts had contacts masked in the last ${DAYS_DEFAULT} days and wait for a look of staff, the most first.`,
    run: list,
  },
  'masked show': {
    args: 'ID|EMAIL [--all] [--as NAME]',
    summary: `The oldest ${TEXTS_MAX} masked texts of a user that are not done, or the newest of all, as they were written; the look is recorded.`,
    run: show,
  },
  'masked done': {
    args: 'ID|EMAIL [--as NAME]',
    summary:
      'Takes a user off the list until there is a masked text that the last look did not show, or that was sent within the minute before it.',
    run: done,
  },
}
