import type { Decision } from '@duet/state-machine/state-machine.ts'
import type { UserId } from '../../../core/ids.ts'

/**
 * A request to delete an account. `asked`: a log-in by the user takes the request back. `held`: the account
 * is closed, and evidence keeps its data. `erasing`: the account is closed, and its data is erased step by
 * step.
 */
export interface Deletion {
  readonly deletion_id: string
  readonly user_id: UserId
  readonly state: 'asked' | 'held' | 'erasing' | 'cancelled' | 'erased'
  readonly asked_at: Temporal.Instant
  readonly erase_at: Temporal.Instant
  readonly wake_at: Temporal.Instant | null
  readonly closed_at: Temporal.Instant | null
}

export type DeletionEvent =
  | { readonly type: 'time_came' }
  | { readonly type: 'server_started' }
  /** The user asked once more. */
  | { readonly type: 'asked_again'; readonly erase_at: Temporal.Instant }
  | { readonly type: 'logged_in' }
  | { readonly type: 'hold_lifted' }
  /** The account was closed for good, or it was not because the user had come back. */
  | { readonly type: 'closed'; readonly is_held: boolean }
  | { readonly type: 'came_back' }
  /** Evidence was put on hold after the account was closed. */
  | { readonly type: 'held_back' }
  /** One step of erasing was done. */
  | { readonly type: 'stepped'; readonly has_more: boolean }

export type DeletionCommand =
  | { readonly type: 'close_account' }
  | { readonly type: 'look_for_hold' }
  | { readonly type: 'erase_step' }

type DeletionDecision = Decision<Deletion, DeletionCommand>

/** A hold may end without an event for the process, so the process checks again. */
const HOLD_CHECK_HOURS = 24
/**
 * If another server process ended a login, its sockets close within a second, because its row shows the
 * end. This time is long enough that no process misses the rows.
 */
const ERASE_AFTER_SECONDS = 120

export function isOpenDeletion({ closed_at }: Pick<Deletion, 'closed_at'>): boolean {
  return closed_at === null
}

/** Decides what an event does to a deletion. An event that does not fit its state changes nothing. */
export function decideDeletion(
  deletion: Deletion,
  event: DeletionEvent,
  now: Temporal.Instant,
): DeletionDecision {
  switch (event.type) {
    case 'time_came':
    case 'server_started':
      return isDue(deletion, now) ? goOn(deletion) : unchanged(deletion)
    case 'hold_lifted':
      return deletion.state === 'held' ? goOn(deletion) : unchanged(deletion)
    case 'asked_again':
      return deletion.state === 'asked'
        ? to({ ...deletion, erase_at: event.erase_at, wake_at: event.erase_at })
        : unchanged(deletion)
    case 'logged_in':
    case 'came_back':
      return deletion.state === 'asked' ? close(deletion, 'cancelled', now) : unchanged(deletion)
    case 'closed':
      return afterClosing(deletion, event.is_held, now)
    case 'held_back':
      return deletion.state === 'erasing' ? to(held(deletion, now)) : unchanged(deletion)
    case 'stepped':
      if (deletion.state !== 'erasing') return unchanged(deletion)
      return event.has_more ? to({ ...deletion, wake_at: now }) : close(deletion, 'erased', now)
  }
}

function isDue({ wake_at }: Deletion, now: Temporal.Instant): boolean {
  return wake_at !== null && Temporal.Instant.compare(wake_at, now) <= 0
}

function goOn(deletion: Deletion): DeletionDecision {
  if (deletion.state === 'asked') return to(deletion, { type: 'close_account' })
  if (deletion.state === 'held') return to(deletion, { type: 'look_for_hold' })
  return deletion.state === 'erasing' ? to(deletion, { type: 'erase_step' }) : unchanged(deletion)
}

function afterClosing(
  deletion: Deletion,
  isHeld: boolean,
  now: Temporal.Instant,
): DeletionDecision {
  if (deletion.state !== 'asked' && deletion.state !== 'held') return unchanged(deletion)
  return to(
    isHeld
      ? held(deletion, now)
      : { ...deletion, state: 'erasing', wake_at: now.add({ seconds: ERASE_AFTER_SECONDS }) },
  )
}

function held(deletion: Deletion, now: Temporal.Instant): Deletion {
  return { ...deletion, state: 'held', wake_at: now.add({ hours: HOLD_CHECK_HOURS }) }
}

function close(
  deletion: Deletion,
  state: 'cancelled' | 'erased',
  now: Temporal.Instant,
): DeletionDecision {
  return to({ ...deletion, state, wake_at: null, closed_at: now })
}

function to(state: Deletion, ...commands: DeletionCommand[]): DeletionDecision {
  return { state, commands }
}

function unchanged(state: Deletion): DeletionDecision {
  return to(state)
}
